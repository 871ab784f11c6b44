#include "models/cpu/csr_file.h"
#include "models/cpu/csrs.h"
#include "models/cpu/float_state.h"
#include "models/cpu/translation.h"

// Registers of supervisor mode (privileged manual, chapter 4), and those by which machine mode delegates to it.

namespace vp::cpu {
namespace {

constexpr std::uint64_t bit(Interrupt interrupt) { return std::uint64_t{1} << static_cast<unsigned>(interrupt); }
constexpr std::uint64_t bit(Cause cause) { return std::uint64_t{1} << static_cast<unsigned>(cause); }

constexpr std::uint64_t kSsip = bit(Interrupt::supervisor_software), kStip = bit(Interrupt::supervisor_timer),
                        kSeip = bit(Interrupt::supervisor_external);
constexpr std::uint64_t kDelegableInterrupts = kSsip | kStip | kSeip;
/// Every exception but the call from machine mode, which never happens below it.
#define X(name, code, text) | std::uint64_t{1} << (code)
constexpr std::uint64_t kDelegableExceptions = (0 VP_CPU_EXCEPTIONS(X)) & ~bit(Cause::ecall_from_machine);
#undef X

constexpr std::uint32_t kCounters = 7;  // CY, TM, IR
constexpr std::uint64_t kEnvcfgFiom = 1;

}  // namespace

template <typename Word>
Word CsrFile<Word>::to_modify(unsigned number, Word value) const {
  const Word seip = static_cast<Word>(kSeip);
  return number == csr_mip ? (value & ~seip) | (s_.mip_written & seip) : value;
}

template <typename Word>
bool CsrFile<Word>::read_supervisor(unsigned number, Word& value) const {
  switch (number) {
    case csr_sstatus:
      value = s_.mstatus & kSstatusReadable<Word>;
      return true;
    case csr_sie:
      value = s_.mie & s_.mideleg;
      return true;
    case csr_sip:
      value = s_.mip & s_.mideleg;
      return true;
    case csr_scounteren:
      value = s_.scounteren;
      return true;
    case csr_senvcfg:
      value = s_.senvcfg;
      return true;
    case csr_satp:
      value = s_.satp;
      return true;
    default:
      return false;
  }
}

/// False: not one of these.
template <typename Word>
bool CsrFile<Word>::write_supervisor(unsigned number, Word value, CsrEffect& effect) {
  switch (number) {
    case csr_medeleg:
      s_.medeleg = value & static_cast<Word>(kDelegableExceptions);
      return true;
    case csr_mideleg:
      s_.mideleg = value & static_cast<Word>(kDelegableInterrupts);
      return true;
    case csr_mip:
      write_mip(value, static_cast<Word>(s_.menvcfg & kMenvcfgStce ? kSsip | kSeip : kDelegableInterrupts));
      return true;
    case csr_sstatus:
      effect = write_mstatus(value, static_cast<Word>(kSstatusWritable));
      return true;
    case csr_sie:
      s_.mie = (s_.mie & ~s_.mideleg) | (value & s_.mideleg);
      return true;
    case csr_sip:
      write_mip(value, static_cast<Word>(kSsip) & s_.mideleg);
      return true;
    case csr_stvec:
      if ((value & 3) < 2) s_.stvec = value;
      effect = CsrEffect::supervisor_trap_vector;
      return true;
    case csr_scounteren:
      s_.scounteren = value & kCounters;
      return true;
    case csr_senvcfg:
      s_.senvcfg = value & kEnvcfgFiom;
      return true;
    case csr_satp:
      effect = write_satp(value);
      return true;
    default:
      return false;
  }
}

template <typename Word>
void CsrFile<Word>::write_mip(Word value, Word writable) {
  s_.mip_written = (s_.mip_written & ~writable) | (value & writable);
  s_.gather_pending();
}

/// A mode that there is not leaves the whole register. What the hart keeps of page tables has no ASIDs: any change
/// forgets it.
template <typename Word>
CsrEffect CsrFile<Word>::write_satp(Word value) {
  using Scheme = PagingScheme<Word>;
  const Word mode = value >> Scheme::kModeShift;
  if (mode != 0 && mode != Scheme::kMode) return CsrEffect::none;
  if (value == s_.satp) return CsrEffect::none;
  s_.satp = value;
  return CsrEffect::translation;
}

template class CsrFile<std::uint32_t>;
template class CsrFile<std::uint64_t>;

}  // namespace vp::cpu
