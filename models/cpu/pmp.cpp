#include "models/cpu/pmp.h"

#include <algorithm>
#include <vector>

namespace vp::cpu {
namespace {

constexpr std::uint8_t kLocked = 0x80, kAllRights = 7;
constexpr unsigned kOff = 0, kTor = 1, kNa4 = 2;  // else NAPOT

unsigned matching(std::uint8_t cfg) { return cfg >> 3 & 3; }

template <typename Word>
PmpRange range_of(const State<Word>& state, unsigned i) {
  const std::uint64_t address = std::uint64_t{state.pmpaddr[i]} << 2;
  switch (matching(state.pmpcfg[i])) {
    case kOff:
      return {0, 0};
    case kTor:
      return {i == 0 ? 0 : std::uint64_t{state.pmpaddr[i - 1]} << 2, address};
    case kNa4:
      return {address, address + 4};
    default:
      break;
  }
  const std::uint64_t word = state.pmpaddr[i];
  const std::uint64_t trailing_ones = ~word & (word + 1);  // the lowest zero bit; k ones mean 2^(k+3) bytes
  const std::uint64_t size = trailing_ones << 3;
  const std::uint64_t first = (word & ~(trailing_ones - 1) & ~trailing_ones) << 2;
  return {first, first + size};
}

template <typename Word>
bool addr_locked(const State<Word>& state, unsigned i) {
  if (state.pmpcfg[i] & kLocked) return true;
  // The entry below a locked top-of-range entry is its lower bound.
  return i + 1 < kPmpEntries && (state.pmpcfg[i + 1] & kLocked) && matching(state.pmpcfg[i + 1]) == kTor;
}

/// Where each entry begins or ends the answer may change; between two such places it is that for one byte.
template <typename Word>
PmpRange open_range(const State<Word>& state) {
  std::vector<std::uint64_t> edges;
  for (unsigned i = 0; i < state.pmp_used; ++i)
    edges.insert(edges.end(), {state.pmp_ranges[i].first, state.pmp_ranges[i].end});
  std::sort(edges.begin(), edges.end());
  PmpRange range, largest;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const std::uint64_t first = edges[i], end = edges[i + 1];
    if (first == end) continue;
    const unsigned decider = pmp_decider(state, first, 1);
    if (decider == kPmpEntries || (state.pmpcfg[decider] & kAllRights) != kAllRights) continue;
    // An access must be in its entry as a whole.
    const bool goes_on = range.end == first && pmp_decider(state, first - 1, 1) == decider;
    range = {goes_on ? range.first : first, end};
    if (range.end - range.first > largest.end - largest.first) largest = range;
  }
  return largest;
}

}  // namespace

/// Not part of pmp_allows(), so that the common case stays small.
template <typename Word>
bool pmp_entries_allow(const State<Word>& state, Mode mode, Access access, std::uint64_t address, std::uint64_t size) {
  const unsigned decider = pmp_decider(state, address, size);
  if (decider == kPmpEntries) return mode == Mode::kMachine;
  const PmpRange& range = state.pmp_ranges[decider];
  if (address < range.first || address + size > range.end) return false;
  const std::uint8_t cfg = state.pmpcfg[decider];
  if (mode == Mode::kMachine && !(cfg & kLocked)) return true;
  return cfg & static_cast<std::uint8_t>(access);
}

template <typename Word>
unsigned pmp_decider(const State<Word>& state, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  for (unsigned i = 0; i < state.pmp_used; ++i) {
    const PmpRange& range = state.pmp_ranges[i];
    if (range.first < range.end && range.first < end && address < range.end) return i;
  }
  return kPmpEntries;
}

template <typename Word>
void find_pmp_ranges(State<Word>& state) {
  state.pmp_used = 0;
  for (unsigned i = 0; i < kPmpEntries; ++i) {
    state.pmp_ranges[i] = range_of(state, i);
    if (matching(state.pmpcfg[i]) != kOff) state.pmp_used = i + 1;
  }
  state.pmp_open = open_range(state);
}

template <typename Word>
void write_pmpcfg(State<Word>& state, unsigned i, std::uint8_t value) {
  if (state.pmpcfg[i] & kLocked) return;
  if ((value & 3) == 2) value &= ~3u;
  state.pmpcfg[i] = value & 0x9f;
  find_pmp_ranges(state);
}

template <typename Word>
void write_pmpaddr(State<Word>& state, unsigned i, Word value) {
  if (addr_locked(state, i)) return;
  state.pmpaddr[i] = sizeof(Word) == 8 ? static_cast<Word>(value & ((std::uint64_t{1} << 54) - 1)) : value;
  find_pmp_ranges(state);
}

#define VP_INSTANTIATE(Word)                                                                             \
  template bool pmp_entries_allow<Word>(const State<Word>&, Mode, Access, std::uint64_t, std::uint64_t); \
  template unsigned pmp_decider<Word>(const State<Word>&, std::uint64_t, std::uint64_t);                 \
  template void find_pmp_ranges<Word>(State<Word>&);                                                     \
  template void write_pmpcfg<Word>(State<Word>&, unsigned, std::uint8_t);                                \
  template void write_pmpaddr<Word>(State<Word>&, unsigned, Word);
VP_INSTANTIATE(std::uint32_t)
VP_INSTANTIATE(std::uint64_t)

}  // namespace vp::cpu
