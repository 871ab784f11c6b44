#include "models/cpu/hart.h"

// Control and status registers by the numbers of the privileged manual 20211203, tables 2.2 to 2.6.

namespace vp::cpu {
namespace {

enum Csr : unsigned {
  kMstatus = 0x300,
  kMisa = 0x301,
  kMie = 0x304,
  kMtvec = 0x305,
  kMcounteren = 0x306,
  kMenvcfg = 0x30a,
  kMstatush = 0x310,
  kMenvcfgh = 0x31a,
  kMcountinhibit = 0x320,
  kMhpmevent3 = 0x323,
  kMhpmevent31 = 0x33f,
  kMscratch = 0x340,
  kMepc = 0x341,
  kMcause = 0x342,
  kMtval = 0x343,
  kMip = 0x344,
  kPmpcfg0 = 0x3a0,
  kPmpcfg3 = 0x3a3,
  kPmpaddr0 = 0x3b0,
  kPmpaddr15 = 0x3bf,
  kTselect = 0x7a0,  // no triggers: these four read zero
  kTdata3 = 0x7a3,
  kMcycle = 0xb00,
  kMinstret = 0xb02,
  kMhpmcounter3 = 0xb03,
  kMhpmcounter31 = 0xb1f,
  kMcycleh = 0xb80,
  kMinstreth = 0xb82,
  kMhpmcounter3h = 0xb83,
  kMhpmcounter31h = 0xb9f,
  kCycle = 0xc00,
  kTime = 0xc01,
  kInstret = 0xc02,
  kHpmcounter31 = 0xc1f,
  kCycleh = 0xc80,
  kHpmcounter31h = 0xc9f,
  kMvendorid = 0xf11,
  kMarchid = 0xf12,
  kMimpid = 0xf13,
  kMhartid = 0xf14,
  kMconfigptr = 0xf15,
};

constexpr std::uint64_t kInterruptBits = 1u << 3 | 1u << 7 | 1u << 11;
constexpr std::uint32_t kCounterCycle = 1, kCounterTime = 2, kCounterInstret = 4;
constexpr std::uint64_t kMenvcfgFiom = 1;

/// misa: the width in the two upper bits, a bit a letter for A, C, I, M and U.
template <typename Word>
constexpr Word misa() {
  const Word width = sizeof(Word) == 4 ? 1 : 2;
  return width << (8 * sizeof(Word) - 2) | 1 << ('A' - 'A') | 1 << ('C' - 'A') | 1 << ('I' - 'A') | 1 << ('M' - 'A') |
         1 << ('U' - 'A');
}

template <typename Word>
Word read_pmpcfg(const State<Word>& state, unsigned number) {
  Word value = 0;
  const unsigned first = (number - kPmpcfg0) * 4;
  for (unsigned i = 0; i < sizeof(Word); ++i) value |= Word{state.pmpcfg[first + i]} << (8 * i);
  return value;
}

bool in(unsigned number, unsigned first, unsigned last) { return first <= number && number <= last; }

}  // namespace

/// The rules that the number itself carries: bits 9:8 the lowest mode, bits 11:10 = 3 read-only.
template <typename Word>
bool Hart<Word>::csr_accessible(unsigned number, bool write) const {
  if ((number >> 8 & 3) > static_cast<unsigned>(s_.mode)) return false;
  if (write && number >> 10 == 3) return false;
  // The counters of user mode are machine mode's to give.
  if (s_.mode == Mode::kUser && (in(number, kCycle, kHpmcounter31) || in(number, kCycleh, kHpmcounter31h)))
    return s_.mcounteren >> (number & 31) & 1;
  return true;
}

template <typename Word>
std::uint64_t Hart<Word>::cycle_counter(Picoseconds at) const {
  if (s_.mcountinhibit & kCounterCycle) return s_.mcycle_frozen;
  return at / config_.clock - s_.mcycle_offset;
}

template <typename Word>
std::uint64_t Hart<Word>::instret_counter(std::uint64_t retired) const {
  if (s_.mcountinhibit & kCounterInstret) return s_.minstret_frozen;
  return retired - s_.minstret_offset;
}

/// Counters and their user-mode shadows; on RV32 the registers ending in h hold the upper half.
template <typename Word>
bool Hart<Word>::read_counter(unsigned number, Word& value) const {
  const bool high = number >= kMcycleh && (number & 0x80);
  if (high && kXlen == 64) return false;
  std::uint64_t counter = 0;
  switch (number & ~0x80u) {
    case kMcycle:
    case kCycle:
      counter = cycle_counter(s_.time);
      break;
    case kMinstret:
    case kInstret:
      counter = instret_counter(s_.retired);
      break;
    case kTime:
      if (!port_.time_counter(s_.time, counter)) return false;
      break;
    default:
      break;  // the performance counters 3 to 31 count nothing
  }
  value = static_cast<Word>(high ? counter >> 32 : counter);
  return true;
}

template <typename Word>
bool Hart<Word>::read_csr(unsigned number, Word& value) const {
  value = 0;
  switch (number) {
    case kMstatus:
      value = s_.mstatus;
      return true;
    case kMisa:
      value = misa<Word>();
      return true;
    case kMie:
      value = s_.mie;
      return true;
    case kMtvec:
      value = s_.mtvec;
      return true;
    case kMcounteren:
      value = s_.mcounteren;
      return true;
    case kMcountinhibit:
      value = s_.mcountinhibit;
      return true;
    case kMenvcfg:
      value = static_cast<Word>(s_.menvcfg);
      return true;
    case kMscratch:
      value = s_.mscratch;
      return true;
    case kMepc:
      value = s_.mepc;
      return true;
    case kMcause:
      value = s_.mcause;
      return true;
    case kMtval:
      value = s_.mtval;
      return true;
    case kMip:
      value = s_.mip;
      return true;
    case kMhartid:
      value = static_cast<Word>(config_.hart_id);
      return true;
    case kMvendorid:
    case kMarchid:
    case kMimpid:
    case kMconfigptr:
      return true;
    case kMstatush:
    case kMenvcfgh:
      return kXlen == 32;
    default:
      break;
  }
  if (in(number, kMcycle, kMhpmcounter31) && number != kMcycle + 1) return read_counter(number, value);
  if (in(number, kMcycleh, kMhpmcounter31h) && number != kMcycleh + 1) return read_counter(number, value);
  if (in(number, kCycle, kHpmcounter31) || in(number, kCycleh, kHpmcounter31h)) return read_counter(number, value);
  if (in(number, kMhpmevent3, kMhpmevent31) || in(number, kTselect, kTdata3)) return true;
  if (in(number, kPmpaddr0, kPmpaddr15)) {
    value = s_.pmpaddr[number - kPmpaddr0];
    return true;
  }
  if (in(number, kPmpcfg0, kPmpcfg3) && (kXlen == 32 || number % 2 == 0)) {
    value = read_pmpcfg(s_, number);
    return true;
  }
  return false;
}

template <typename Word>
bool Hart<Word>::csr(unsigned number, std::uint64_t& value) const {
  Word word = 0;
  const bool there = read_csr(number, word);
  value = word;
  return there;
}

/// The register exists and may be written (csr_accessible, read_csr); what a field cannot hold is dropped.
template <typename Word>
bool Hart<Word>::write_csr(unsigned number, Word value) {
  switch (number) {
    case kMstatus: {
      Word writable = static_cast<Word>(kMstatusMie | kMstatusMpie | kMstatusMprv | kMstatusTw);
      const Word mpp = value >> kMstatusMppShift & 3;
      if (mpp == 0 || mpp == 3) writable |= static_cast<Word>(kMstatusMpp);
      s_.mstatus = (s_.mstatus & ~writable) | (value & writable);
      use_tlb_of_mode();
      return true;
    }
    case kMie:
      s_.mie = value & static_cast<Word>(kInterruptBits);
      return true;
    case kMtvec:
      if ((value & 3) < 2) s_.mtvec = value;
      mtvec_written_ = true;
      return true;
    case kMcounteren:
      s_.mcounteren = value & (kCounterCycle | kCounterTime | kCounterInstret);
      return true;
    case kMcountinhibit:
      write_mcountinhibit(static_cast<std::uint32_t>(value));
      return true;
    case kMenvcfg:
      s_.menvcfg = value & kMenvcfgFiom;
      return true;
    case kMscratch:
      s_.mscratch = value;
      return true;
    case kMepc:
      s_.mepc = value & ~Word{1};
      return true;
    case kMcause:
      s_.mcause = value;
      return true;
    case kMtval:
      s_.mtval = value;
      return true;
    case kMcycle:
    case kMcycleh:
    case kMinstret:
    case kMinstreth:
      write_counter(number, value);
      return true;
    default:
      break;
  }
  if (in(number, kPmpcfg0, kPmpcfg3) || in(number, kPmpaddr0, kPmpaddr15)) return write_pmp_csr(number, value);
  return true;  // read-only fields: misa, mip, the performance counters, triggers
}

template <typename Word>
bool Hart<Word>::write_pmp_csr(unsigned number, Word value) {
  if (number >= kPmpaddr0) {
    write_pmpaddr(s_, number - kPmpaddr0, value);
  } else {
    for (unsigned i = 0; i < sizeof(Word); ++i)
      write_pmpcfg(s_, (number - kPmpcfg0) * 4 + i, static_cast<std::uint8_t>(value >> (8 * i)));
  }
  flush_tlbs();
  flush_blocks_ = true;
  return true;
}

/// The value written is what the next instruction reads, so the offset is that of the end of this one. A write of half
/// of minstret comes in the place of this instruction's own count in both halves (unprivileged manual, Zicntr).
template <typename Word>
void Hart<Word>::write_counter(unsigned number, Word value) {
  const bool cycle = (number & ~0x80u) == kMcycle;
  const Picoseconds end = s_.time + config_.cycles[InstructionClass::kCsr] * config_.clock;
  const std::uint64_t now = cycle ? cycle_counter(end) : instret_counter(s_.retired);
  std::uint64_t wanted = value;
  if (kXlen == 32) {
    constexpr std::uint64_t kLow = 0xffffffffu;
    wanted = number & 0x80 ? (now & kLow) | std::uint64_t{value} << 32 : (now & ~kLow) | value;
  }
  if (cycle) {
    s_.mcycle_offset = end / config_.clock - wanted;
    s_.mcycle_frozen = wanted;
  } else {
    s_.minstret_offset = s_.retired + 1 - wanted;
    s_.minstret_frozen = wanted;
  }
}

/// A counter that is stopped keeps its value; one that is started goes on from it.
template <typename Word>
void Hart<Word>::write_mcountinhibit(std::uint32_t value) {
  const Picoseconds end = s_.time + config_.cycles[InstructionClass::kCsr] * config_.clock;
  const std::uint64_t cycles = cycle_counter(end), instructions = instret_counter(s_.retired + 1);
  s_.mcountinhibit = value & (kCounterCycle | kCounterInstret);
  s_.mcycle_frozen = cycles;
  s_.mcycle_offset = end / config_.clock - cycles;
  s_.minstret_frozen = instructions;
  s_.minstret_offset = s_.retired + 1 - instructions;
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
