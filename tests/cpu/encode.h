#pragma once

#include <cstdint>

/// A small assembler for tests, written from the manual and not from the model's own tables.
namespace vp::cpu::encode {

constexpr std::uint32_t r(std::uint32_t funct7, unsigned rs2, unsigned rs1, unsigned funct3, unsigned rd,
                          std::uint32_t opcode) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr std::uint32_t i(std::int32_t imm, unsigned rs1, unsigned funct3, unsigned rd, std::uint32_t opcode) {
  return static_cast<std::uint32_t>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr std::uint32_t s(std::int32_t imm, unsigned rs2, unsigned rs1, unsigned funct3, std::uint32_t opcode) {
  const auto u = static_cast<std::uint32_t>(imm);
  return (u >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u & 0x1f) << 7 | opcode;
}
constexpr std::uint32_t b(std::int32_t offset, unsigned rs2, unsigned rs1, unsigned funct3) {
  const auto u = static_cast<std::uint32_t>(offset);
  return (u >> 12 & 1) << 31 | (u >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u >> 1 & 0xf) << 8 |
         (u >> 11 & 1) << 7 | 0x63;
}
constexpr std::uint32_t jal(unsigned rd, std::int32_t offset) {
  const auto u = static_cast<std::uint32_t>(offset);
  return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 | (u >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
constexpr std::uint32_t jalr(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 0, rd, 0x67); }
constexpr std::uint32_t lui(unsigned rd, std::uint32_t upper20) { return upper20 << 12 | rd << 7 | 0x37; }
constexpr std::uint32_t auipc(unsigned rd, std::uint32_t upper20) { return upper20 << 12 | rd << 7 | 0x17; }
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 0, rd, 0x13); }
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) { return r(0, rs2, rs1, 0, rd, 0x33); }
constexpr std::uint32_t slli(unsigned rd, unsigned rs1, unsigned by) {
  return i(static_cast<std::int32_t>(by), rs1, 1, rd, 0x13);
}
constexpr std::uint32_t beq(unsigned rs1, unsigned rs2, std::int32_t offset) { return b(offset, rs2, rs1, 0); }
constexpr std::uint32_t bne(unsigned rs1, unsigned rs2, std::int32_t offset) { return b(offset, rs2, rs1, 1); }
constexpr std::uint32_t lb(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 0, rd, 0x03); }
constexpr std::uint32_t lh(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 1, rd, 0x03); }
constexpr std::uint32_t lw(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 2, rd, 0x03); }
constexpr std::uint32_t ld(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 3, rd, 0x03); }
constexpr std::uint32_t lbu(unsigned rd, unsigned rs1, std::int32_t imm) { return i(imm, rs1, 4, rd, 0x03); }
constexpr std::uint32_t sb(unsigned rs2, unsigned rs1, std::int32_t imm) { return s(imm, rs2, rs1, 0, 0x23); }
constexpr std::uint32_t sw(unsigned rs2, unsigned rs1, std::int32_t imm) { return s(imm, rs2, rs1, 2, 0x23); }
constexpr std::uint32_t sd(unsigned rs2, unsigned rs1, std::int32_t imm) { return s(imm, rs2, rs1, 3, 0x23); }
/// Load or store of a register's full width.
constexpr std::uint32_t load_x(unsigned xlen, unsigned rd, unsigned rs1, std::int32_t imm) {
  return xlen == 64 ? ld(rd, rs1, imm) : lw(rd, rs1, imm);
}
constexpr std::uint32_t store_x(unsigned xlen, unsigned rs2, unsigned rs1, std::int32_t imm) {
  return xlen == 64 ? sd(rs2, rs1, imm) : sw(rs2, rs1, imm);
}
constexpr std::uint32_t csrrw(unsigned rd, unsigned csr, unsigned rs1) {
  return csr << 20 | rs1 << 15 | 1u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrrs(unsigned rd, unsigned csr, unsigned rs1) {
  return csr << 20 | rs1 << 15 | 2u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrrc(unsigned rd, unsigned csr, unsigned rs1) {
  return csr << 20 | rs1 << 15 | 3u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrrwi(unsigned rd, unsigned csr, unsigned imm) {
  return csr << 20 | imm << 15 | 5u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrrsi(unsigned rd, unsigned csr, unsigned imm) {
  return csr << 20 | imm << 15 | 6u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrrci(unsigned rd, unsigned csr, unsigned imm) {
  return csr << 20 | imm << 15 | 7u << 12 | rd << 7 | 0x73;
}
constexpr std::uint32_t csrr(unsigned rd, unsigned csr) { return csrrs(rd, csr, 0); }
constexpr std::uint32_t csrw(unsigned csr, unsigned rs1) { return csrrw(0, csr, rs1); }
constexpr std::uint32_t amo(unsigned funct5, unsigned rd, unsigned rs1, unsigned rs2, unsigned bytes) {
  return funct5 << 27 | rs2 << 20 | rs1 << 15 | (bytes == 8 ? 3u : 2u) << 12 | rd << 7 | 0x2f;
}
constexpr std::uint32_t lr(unsigned rd, unsigned rs1, unsigned bytes) { return amo(2, rd, rs1, 0, bytes); }
constexpr std::uint32_t sc(unsigned rd, unsigned rs1, unsigned rs2, unsigned bytes) {
  return amo(3, rd, rs1, rs2, bytes);
}

constexpr std::uint32_t sfence_vma(unsigned rs1 = 0, unsigned rs2 = 0) { return r(9, rs2, rs1, 0, 0, 0x73); }

constexpr std::uint32_t kNop = 0x13, kEcall = 0x73, kEbreak = 0x00100073, kMret = 0x30200073, kSret = 0x10200073,
                        kWfi = 0x10500073, kFenceI = 0x100f, kFence = 0x0ff0000f;

// Numbers of registers by their names in the calling convention, and of CSRs.
enum Reg : unsigned {
  zero,
  ra,
  sp,
  gp,
  tp,
  t0,
  t1,
  t2,
  s0,
  s1,
  a0,
  a1,
  a2,
  a3,
  a4,
  a5,
  a6,
  a7,
  s2,
  s3,
  s4,
  s5,
  s6,
  s7,
  s8,
  s9,
  s10,
  s11,
  t3,
  t4,
  t5,
  t6
};
enum Csr : unsigned {
  sstatus = 0x100,
  sie = 0x104,
  stvec = 0x105,
  scounteren = 0x106,
  senvcfg = 0x10a,
  sscratch = 0x140,
  sepc = 0x141,
  scause = 0x142,
  stval = 0x143,
  sip = 0x144,
  stimecmp = 0x14d,
  satp = 0x180,
  mstatus = 0x300,
  misa = 0x301,
  medeleg = 0x302,
  mideleg = 0x303,
  mie = 0x304,
  mtvec = 0x305,
  mcounteren = 0x306,
  menvcfg = 0x30a,
  mcountinhibit = 0x320,
  mscratch = 0x340,
  mepc = 0x341,
  mcause = 0x342,
  mtval = 0x343,
  mip = 0x344,
  pmpcfg0 = 0x3a0,
  pmpaddr0 = 0x3b0,
  pmpaddr1 = 0x3b1,
  mcycle = 0xb00,
  minstret = 0xb02,
  mcycleh = 0xb80,
  minstreth = 0xb82,
  cycle = 0xc00,
  time_ = 0xc01,
  instret = 0xc02,
  mvendorid = 0xf11,
  mhartid = 0xf14,
};

}  // namespace vp::cpu::encode
