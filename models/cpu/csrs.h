#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Control and status registers as one list, for the CSR file, the disassembler, the trace and debuggers alike, so that
// they cannot disagree. Source: RISC-V privileged manual 20211203, tables 2.2 to 2.6.

// clang-format off
/// X(name, number): those that this hart has (those ending in h on RV32, fflags, frm and fcsr with F only).
#define VP_CPU_CSRS(X)                                                                                                \
  X(cycle, 0xc00) X(time, 0xc01) X(instret, 0xc02) X(cycleh, 0xc80) X(timeh, 0xc81) X(instreth, 0xc82)                \
  X(fflags, 0x001) X(frm, 0x002) X(fcsr, 0x003)                                                                       \
  X(mvendorid, 0xf11) X(marchid, 0xf12) X(mimpid, 0xf13) X(mhartid, 0xf14) X(mconfigptr, 0xf15)                       \
  X(mstatus, 0x300) X(misa, 0x301) X(mie, 0x304) X(mtvec, 0x305) X(mcounteren, 0x306) X(mstatush, 0x310)              \
  X(menvcfg, 0x30a) X(menvcfgh, 0x31a) X(mcountinhibit, 0x320)                                                        \
  X(mscratch, 0x340) X(mepc, 0x341) X(mcause, 0x342) X(mtval, 0x343) X(mip, 0x344)                                    \
  X(medeleg, 0x302) X(mideleg, 0x303)                                                                                 \
  X(sstatus, 0x100) X(sie, 0x104) X(stvec, 0x105) X(scounteren, 0x106) X(senvcfg, 0x10a) X(sscratch, 0x140)           \
  X(sepc, 0x141) X(scause, 0x142) X(stval, 0x143) X(sip, 0x144) X(stimecmp, 0x14d) X(stimecmph, 0x15d)                \
  X(satp, 0x180)                                                                                                      \
  X(tselect, 0x7a0) X(tdata1, 0x7a1) X(tdata2, 0x7a2) X(tdata3, 0x7a3)                                                \
  X(mcycle, 0xb00) X(minstret, 0xb02) X(mcycleh, 0xb80) X(minstreth, 0xb82)

/// Numbered ones: X(name, number of the first, index of the first, index of the last that has a name, of the last that
/// this hart has, suffix).
#define VP_CPU_CSR_ARRAYS(X)                                                                                          \
  X(pmpcfg, 0x3a0, 0, 15, 3, ) X(pmpaddr, 0x3b0, 0, 63, 15, ) X(mhpmevent, 0x323, 3, 31, 31, )                        \
  X(mhpmcounter, 0xb03, 3, 31, 31, ) X(mhpmcounter, 0xb83, 3, 31, 31, h)                                              \
  X(hpmcounter, 0xc03, 3, 31, 31, ) X(hpmcounter, 0xc83, 3, 31, 31, h)
// clang-format on

namespace vp::cpu {

/// Numbers by name; of an array the first and the last that this hart has.
enum Csr : unsigned {
#define X(name, number) csr_##name = number,
  VP_CPU_CSRS(X)
#undef X
#define X(name, first, from, to, there, suffix) \
  csr_##name##suffix##_first = first, csr_##name##suffix##_last = first + (there) - (from),
      VP_CPU_CSR_ARRAYS(X)
#undef X
};

struct NamedCsr {
  std::string name;
  unsigned number = 0;
};

/// "mstatus", "pmpaddr3"; empty for a number without a name.
std::string csr_name(unsigned number);
/// In the order of their numbers, those of 32-bit harts included.
const std::vector<NamedCsr>& known_csrs();

}  // namespace vp::cpu
