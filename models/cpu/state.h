#pragma once

#include <array>
#include <cstdint>

#include "models/common/clock.h"
#include "models/cpu/causes.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// Privilege modes by their number in mstatus.MPP.
enum class Mode : std::uint8_t { kUser = 0, kSupervisor = 1, kMachine = 3 };

inline constexpr unsigned kPmpEntries = 16;
inline constexpr unsigned kNoPmpEntry = ~0u;
inline constexpr unsigned kSink = 32;  ///< register number that takes writes to x0

/// Bytes of memory that an entry of PMP matches: [first, end); none if that is empty.
struct PmpRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

/// All architectural state of a hart, and nothing else. Word: std::uint32_t for RV32, std::uint64_t for RV64.
template <typename Word>
struct State {
  static constexpr unsigned kStateVersion = 2;

  std::array<Word, 33> x{};  ///< x[0] stays 0; x[kSink] takes what is written to x0
  Word pc = 0;
  Mode mode = Mode::kMachine;

  std::array<std::uint64_t, 32> f{};  ///< singles are NaN-boxed
  std::uint8_t fflags = 0;
  std::uint8_t frm = 0;  ///< may hold a reserved rounding mode

  Word mstatus = 0;
  Word mie = 0;
  Word mip = 0;          ///< what is pending: mip_lines | mip_written
  Word mip_lines = 0;    ///< high interrupt lines
  Word mip_written = 0;  ///< bits of supervisor interrupts that machine mode has set
  Word mtvec = 0;
  Word mscratch = 0;
  Word mepc = 0;
  Word mcause = 0;
  Word mtval = 0;
  Word medeleg = 0;
  Word mideleg = 0;
  std::uint32_t mcounteren = 0;
  std::uint32_t mcountinhibit = 0;
  std::uint64_t menvcfg = 0;

  Word stvec = 0;
  Word sscratch = 0;
  Word sepc = 0;
  Word scause = 0;
  Word stval = 0;
  Word satp = 0;
  Word senvcfg = 0;
  std::uint32_t scounteren = 0;
  std::uint64_t stimecmp = ~std::uint64_t{0};

  std::array<std::uint8_t, kPmpEntries> pmpcfg{};
  std::array<Word, kPmpEntries> pmpaddr{};
  std::array<PmpRange, kPmpEntries> pmp_ranges{};  ///< what these two say
  unsigned pmp_used = 0;                           ///< entries from here on match nothing
  PmpRange pmp_open;                               ///< the largest range in which every mode may do everything

  // mcycle and minstret are offsets from what the model counts anyway; the frozen value holds while mcountinhibit stops
  // one.
  std::uint64_t mcycle_offset = 0;
  std::uint64_t mcycle_frozen = 0;
  std::uint64_t minstret_offset = 0;
  std::uint64_t minstret_frozen = 0;

  // Reservation of LR: address, and the value read, which SC compares so that another initiator's write is noticed.
  bool reserved = false;
  Word reservation = 0;
  unsigned reserved_size = 0;

  std::uint64_t retired = 0;  ///< instructions since reset
  Picoseconds time = 0;       ///< local time of the next instruction

  void gather_pending();
  void persist(Archive& archive);
};

// Fields of mstatus (privileged manual, 3.1.6).
inline constexpr std::uint64_t kMstatusSie = 1u << 1;
inline constexpr std::uint64_t kMstatusMie = 1u << 3;
inline constexpr std::uint64_t kMstatusSpie = 1u << 5;
inline constexpr std::uint64_t kMstatusMpie = 1u << 7;
inline constexpr std::uint64_t kMstatusSpp = 1u << 8;
inline constexpr unsigned kMstatusMppShift = 11;
inline constexpr std::uint64_t kMstatusMpp = 3u << kMstatusMppShift;
inline constexpr std::uint64_t kMstatusMprv = 1u << 17;
inline constexpr std::uint64_t kMstatusSum = 1u << 18;
inline constexpr std::uint64_t kMstatusMxr = 1u << 19;
inline constexpr std::uint64_t kMstatusTvm = 1u << 20;
inline constexpr std::uint64_t kMstatusTw = 1u << 21;
inline constexpr std::uint64_t kMstatusTsr = 1u << 22;
inline constexpr std::uint64_t kMstatusUxl64 = std::uint64_t{2} << 32;
inline constexpr std::uint64_t kMstatusSxl64 = std::uint64_t{2} << 34;

// What supervisor mode sees of it as sstatus (4.1.1), SD being the upper bit of either width.
inline constexpr std::uint64_t kMstatusFs = 3u << 13;  ///< 0 off, 3 dirty
inline constexpr std::uint64_t kSstatusWritable =
    kMstatusSie | kMstatusSpie | kMstatusSpp | kMstatusSum | kMstatusMxr | kMstatusFs;
template <typename Word>
inline constexpr Word kSstatusReadable = static_cast<Word>(kSstatusWritable | kMstatusUxl64) |
                                         (Word{1} << (8 * sizeof(Word) - 1));

// Fields of menvcfg (privileged manual, 3.1.18; Sstc 1.0, chapter 2).
inline constexpr std::uint64_t kMenvcfgFiom = 1;
inline constexpr std::uint64_t kMenvcfgStce = std::uint64_t{1} << 63;  ///< supervisor mode has its own timer

/// STIP is that of the line where supervisor mode has a timer of its own, else what machine mode has set.
template <typename Word>
void State<Word>::gather_pending() {
  constexpr Word kStip = Word{1} << static_cast<unsigned>(Interrupt::supervisor_timer);
  mip = menvcfg & kMenvcfgStce ? mip_lines | (mip_written & ~kStip) : (mip_lines & ~kStip) | mip_written;
}

/// The mode in which loads and stores are made: mstatus.MPRV lends that of MPP.
template <typename Word>
Mode data_mode(const State<Word>& state) {
  return state.mstatus & kMstatusMprv ? static_cast<Mode>(state.mstatus >> kMstatusMppShift & 3) : state.mode;
}

/// The mode under which addresses in `mode` are translated: satp.MODE, 0 for none (machine mode, Bare).
template <typename Word>
unsigned paging(const State<Word>& state, Mode mode) {
  if (mode == Mode::kMachine) return 0;
  return static_cast<unsigned>(sizeof(Word) == 8 ? std::uint64_t{state.satp} >> 60 : state.satp >> 31);
}

}  // namespace vp::cpu
