#include "models/cpu/csr_file.h"

#include "models/cpu/csrs.h"
#include "models/cpu/float_state.h"
#include "models/cpu/plain_csrs.h"
#include "models/cpu/pmp.h"

namespace vp::cpu {
namespace {

#define X(name, code, text) | 1u << (code)
constexpr std::uint64_t kInterruptBits = 0 VP_CPU_INTERRUPTS(X);
#undef X
constexpr std::uint32_t kCounterCycle = 1, kCounterTime = 2, kCounterInstret = 4;
constexpr std::uint64_t kMstatusWritable = kMstatusSie | kMstatusMie | kMstatusSpie | kMstatusMpie | kMstatusSpp |
                                           kMstatusMpp | kMstatusMprv | kMstatusSum | kMstatusMxr | kMstatusTvm |
                                           kMstatusTw | kMstatusTsr | kMstatusFs;

template <typename Word>
Word read_pmpcfg(const State<Word>& state, unsigned number) {
  Word value = 0;
  const unsigned first = (number - csr_pmpcfg_first) * 4;
  for (unsigned i = 0; i < sizeof(Word); ++i) value |= Word{state.pmpcfg[first + i]} << (8 * i);
  return value;
}

/// A register of 64 bits that RV32 writes by halves, after a write of the lower one.
template <typename Word>
std::uint64_t with_lower(std::uint64_t before, Word value) {
  return sizeof(Word) == 8 ? std::uint64_t{value} : (before & ~std::uint64_t{0xffffffff}) | value;
}
template <typename Word>
std::uint64_t with_upper(std::uint64_t before, Word value) {
  return (before & 0xffffffff) | std::uint64_t{value} << 32;
}

bool in(unsigned number, unsigned first, unsigned last) { return first <= number && number <= last; }

}  // namespace

template <typename Word>
bool CsrFile<Word>::accessible(unsigned number, bool write) const {
  if ((number >> 8 & 3) > static_cast<unsigned>(s_.mode)) return false;
  if (write && number >> 10 == 3) return false;
  if (is_float_csr(number)) return float_on(s_);
  if (number == csr_satp) return s_.mode != Mode::kSupervisor || !(s_.mstatus & kMstatusTvm);
  if (number == csr_stimecmp || number == csr_stimecmph) return timer_accessible();
  // Counters are machine mode's to give, and supervisor mode's to pass on.
  if (s_.mode != Mode::kMachine &&
      (in(number, csr_cycle, csr_hpmcounter_last) || in(number, csr_cycleh, csr_hpmcounterh_last))) {
    const std::uint32_t given = s_.mode == Mode::kUser ? s_.mcounteren & s_.scounteren : s_.mcounteren;
    return given >> (number & 31) & 1;
  }
  return true;
}

/// Sstc 1.0: what lets supervisor mode read the time lets it set its timer, if it has one.
template <typename Word>
bool CsrFile<Word>::timer_accessible() const {
  return s_.mode == Mode::kMachine || ((s_.mcounteren & kCounterTime) && (s_.menvcfg & kMenvcfgStce));
}

template <typename Word>
std::uint64_t CsrFile<Word>::cycle_counter(Picoseconds at) const {
  if (s_.mcountinhibit & kCounterCycle) return s_.mcycle_frozen;
  return at / hart_.config.clock - s_.mcycle_offset;
}

template <typename Word>
std::uint64_t CsrFile<Word>::instret_counter(std::uint64_t retired) const {
  if (s_.mcountinhibit & kCounterInstret) return s_.minstret_frozen;
  return retired - s_.minstret_offset;
}

/// Counters and their user-mode shadows; on RV32 the registers ending in h hold the upper half.
template <typename Word>
bool CsrFile<Word>::read_counter(unsigned number, Word& value) const {
  const bool high = number >= csr_mcycleh && (number & 0x80);
  if (high && kXlen == 64) return false;
  std::uint64_t counter = 0;
  switch (number & ~0x80u) {
    case csr_mcycle:
    case csr_cycle:
      counter = cycle_counter(s_.time);
      break;
    case csr_minstret:
    case csr_instret:
      counter = instret_counter(s_.retired);
      break;
    case csr_time:
      if (!hart_.port.time_counter(s_.time, counter)) return false;
      break;
    default:
      break;  // the performance counters 3 to 31 count nothing
  }
  value = static_cast<Word>(high ? counter >> 32 : counter);
  return true;
}

template <typename Word>
bool CsrFile<Word>::read(unsigned number, Word& value) const {
  value = 0;
  if (const auto plain = plain_csr<Word>(hart_.config, number)) {
    value = plain->read(s_);
    return true;
  }
  switch (number) {
    case csr_mcounteren:
      value = s_.mcounteren;
      return true;
    case csr_mcountinhibit:
      value = s_.mcountinhibit;
      return true;
    case csr_menvcfg:
      value = static_cast<Word>(s_.menvcfg);
      return true;
    case csr_mstatush:
      return kXlen == 32;
    case csr_menvcfgh:
      value = static_cast<Word>(s_.menvcfg >> 32);
      return kXlen == 32;
    case csr_stimecmp:
    case csr_stimecmph: {
      value = static_cast<Word>(number == csr_stimecmph ? s_.stimecmp >> 32 : s_.stimecmp);
      std::uint64_t time = 0;
      return hart_.config.sstc && (number == csr_stimecmp || kXlen == 32) && hart_.port.time_counter(s_.time, time);
    }
    default:
      break;
  }
  if (is_float_csr(number)) {
    value = read_float_csr(s_, number);
    return hart_.config.floating();
  }
  if (read_supervisor(number, value)) return true;
  if (in(number, csr_mcycle, csr_mhpmcounter_last) && number != csr_mcycle + 1) return read_counter(number, value);
  if (in(number, csr_mcycleh, csr_mhpmcounterh_last) && number != csr_mcycleh + 1) return read_counter(number, value);
  if (in(number, csr_cycle, csr_hpmcounter_last) || in(number, csr_cycleh, csr_hpmcounterh_last))
    return read_counter(number, value);
  if (in(number, csr_mhpmevent_first, csr_mhpmevent_last) || in(number, csr_tselect, csr_tdata3)) return true;
  if (in(number, csr_pmpaddr_first, csr_pmpaddr_last)) {
    value = s_.pmpaddr[number - csr_pmpaddr_first];
    return true;
  }
  if (in(number, csr_pmpcfg_first, csr_pmpcfg_last) && (kXlen == 32 || number % 2 == 0)) {
    value = read_pmpcfg(s_, number);
    return true;
  }
  return false;
}

template <typename Word>
CsrEffect CsrFile<Word>::write(unsigned number, Word value, CsrWriter writer) {
  if (const auto plain = plain_csr<Word>(hart_.config, number); plain && plain->writable != 0) {
    s_.*plain->field = value & plain->writable;
    return CsrEffect::none;
  }
  switch (number) {
    case csr_mstatus:
      return write_mstatus(value, static_cast<Word>(kMstatusWritable));
    case csr_mie:
      s_.mie = value & static_cast<Word>(kInterruptBits);
      break;
    case csr_mtvec:
      if ((value & 3) < 2) s_.mtvec = value;
      return CsrEffect::trap_vector;
    case csr_mcounteren:
      s_.mcounteren = value & (kCounterCycle | kCounterTime | kCounterInstret);
      break;
    case csr_mcountinhibit:
      write_mcountinhibit(static_cast<std::uint32_t>(value), after(writer));
      break;
    case csr_menvcfg:
      write_menvcfg(with_lower(s_.menvcfg, value));
      break;
    case csr_menvcfgh:
      write_menvcfg(with_upper(s_.menvcfg, value));
      break;
    case csr_stimecmp:
      write_stimecmp(with_lower(s_.stimecmp, value));
      break;
    case csr_stimecmph:
      write_stimecmp(with_upper(s_.stimecmp, value));
      break;
    case csr_mcycle:
    case csr_mcycleh:
    case csr_minstret:
    case csr_minstreth:
      write_counter(number, value, after(writer));
      break;
    case csr_fflags:
    case csr_frm:
    case csr_fcsr:
      write_float_csr(s_, number, value);
      break;
    default: {
      CsrEffect effect = CsrEffect::none;
      return write_supervisor(number, value, effect) ? effect : write_pmp(number, value);
    }
  }
  return CsrEffect::none;
}

template <typename Word>
void CsrFile<Word>::write_menvcfg(std::uint64_t value) {
  s_.menvcfg = value & (kMenvcfgFiom | (hart_.config.sstc ? kMenvcfgStce : 0));
  s_.gather_pending();
}

/// Who counts compares as well: from when on the line is high, nobody may run past unnoticed.
template <typename Word>
void CsrFile<Word>::write_stimecmp(std::uint64_t value) {
  s_.stimecmp = value;
  hart_.port.set_supervisor_timer(value, s_.time);
  hart_.port_used = true;
}

/// MPP holds the modes that there are; another value leaves it.
template <typename Word>
CsrEffect CsrFile<Word>::write_mstatus(Word value, Word writable) {
  if ((value >> kMstatusMppShift & 3) == 2) writable &= ~static_cast<Word>(kMstatusMpp);
  const Word before = s_.mstatus;
  if (!hart_.config.floating()) writable &= ~static_cast<Word>(kMstatusFs);
  s_.mstatus = with_dirty_summary<Word>((s_.mstatus & ~writable) | (value & writable));
  return (s_.mstatus ^ before) & static_cast<Word>(kMstatusMxr) ? CsrEffect::rights : CsrEffect::data_mode;
}

/// Or a register that keeps nothing: misa, the performance counters, triggers.
template <typename Word>
CsrEffect CsrFile<Word>::write_pmp(unsigned number, Word value) {
  if (in(number, csr_pmpaddr_first, csr_pmpaddr_last)) {
    write_pmpaddr(s_, number - csr_pmpaddr_first, value);
  } else if (in(number, csr_pmpcfg_first, csr_pmpcfg_last)) {
    for (unsigned i = 0; i < sizeof(Word); ++i)
      write_pmpcfg(s_, (number - csr_pmpcfg_first) * 4 + i, static_cast<std::uint8_t>(value >> (8 * i)));
  } else {
    return CsrEffect::none;
  }
  return CsrEffect::protection;
}

template <typename Word>
typename CsrFile<Word>::Moment CsrFile<Word>::after(CsrWriter writer) const {
  if (writer == CsrWriter::debugger) return {s_.time, s_.retired};
  return {s_.time + hart_.config.cycles[InstructionClass::kCsr] * hart_.config.clock, s_.retired + 1};
}

/// The value written is what the next instruction reads, so the offset is that of the end of this one. A write of half
/// of minstret comes in the place of this instruction's own count in both halves (unprivileged manual, Zicntr).
template <typename Word>
void CsrFile<Word>::write_counter(unsigned number, Word value, const Moment& after) {
  const bool cycle = (number & ~0x80u) == csr_mcycle;
  const std::uint64_t now = cycle ? cycle_counter(after.time) : instret_counter(s_.retired);
  std::uint64_t wanted = value;
  if (kXlen == 32) {
    constexpr std::uint64_t kLow = 0xffffffffu;
    wanted = number & 0x80 ? (now & kLow) | std::uint64_t{value} << 32 : (now & ~kLow) | value;
  }
  if (cycle) {
    s_.mcycle_offset = after.time / hart_.config.clock - wanted;
    s_.mcycle_frozen = wanted;
  } else {
    s_.minstret_offset = after.retired - wanted;
    s_.minstret_frozen = wanted;
  }
}

/// A counter that is stopped keeps its value; one that is started goes on from it.
template <typename Word>
void CsrFile<Word>::write_mcountinhibit(std::uint32_t value, const Moment& after) {
  const std::uint64_t cycles = cycle_counter(after.time), instructions = instret_counter(after.retired);
  s_.mcountinhibit = value & (kCounterCycle | kCounterInstret);
  s_.mcycle_frozen = cycles;
  s_.mcycle_offset = after.time / hart_.config.clock - cycles;
  s_.minstret_frozen = instructions;
  s_.minstret_offset = after.retired - instructions;
}

template class CsrFile<std::uint32_t>;
template class CsrFile<std::uint64_t>;

}  // namespace vp::cpu
