#pragma once

#include <cstdint>
#include <type_traits>

#include "models/cpu/csrs.h"
#include "models/cpu/state.h"

// The floating-point part of a hart's state: mstatus.FS (privileged manual, 3.1.6.6), NaN boxing (unprivileged manual,
// 12.2), and the CSRs fflags, frm and fcsr.
namespace vp::cpu {

/// mstatus with its summary bit SD, the highest, as FS demands.
template <typename Word>
Word with_dirty_summary(Word mstatus) {
  constexpr Word kSummary = Word{1} << (8 * sizeof(Word) - 1);
  return (mstatus & kMstatusFs) == kMstatusFs ? mstatus | kSummary : mstatus & ~kSummary;
}

/// Off: instructions of F and D, and their CSRs, are illegal.
template <typename Word>
bool float_on(const State<Word>& state) {
  return (state.mstatus & kMstatusFs) != 0;
}
/// By the summary bit, which is FS's alone.
template <typename Word>
bool float_dirty(const State<Word>& state) {
  return static_cast<std::make_signed_t<Word>>(state.mstatus) < 0;
}
/// A register or a flag has been written.
template <typename Word>
void make_float_dirty(State<Word>& state) {
  state.mstatus = with_dirty_summary<Word>(state.mstatus | static_cast<Word>(kMstatusFs));
}

constexpr std::uint64_t kNanBox = 0xffffffff00000000;
constexpr std::uint64_t boxed(std::uint32_t single) { return kNanBox | single; }
/// What is not a boxed single is the canonical NaN.
constexpr std::uint32_t unboxed(std::uint64_t f) { return f >= kNanBox ? static_cast<std::uint32_t>(f) : 0x7fc00000u; }

constexpr bool is_float_csr(unsigned number) { return number >= csr_fflags && number <= csr_fcsr; }

template <typename Word>
Word read_float_csr(const State<Word>& state, unsigned number) {
  if (number == csr_fflags) return state.fflags;
  return number == csr_frm ? Word{state.frm} : Word{state.frm} << 5 | state.fflags;
}

template <typename Word>
void write_float_csr(State<Word>& state, unsigned number, Word value) {
  if (number != csr_frm) state.fflags = value & 31;
  if (number != csr_fflags) state.frm = (number == csr_frm ? value : value >> 5) & 7;
  make_float_dirty(state);
}

}  // namespace vp::cpu
