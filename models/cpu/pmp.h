#pragma once

#include <cstdint>

#include "models/cpu/state.h"

namespace vp::cpu {

enum class Access : std::uint8_t { kLoad = 1, kStore = 2, kFetch = 4 };  // the bits of pmpcfg: R, W, X

/// Physical memory protection (privileged manual, 3.7): whether `mode` may access [address, address + size). The
/// lowest-numbered entry that matches any byte decides, and must match all. Without a match machine mode may, user mode
/// may not.
template <typename Word>
bool pmp_entries_allow(const State<Word>& state, Mode mode, Access access, std::uint64_t address, std::uint64_t size);
template <typename Word>
bool pmp_allows(const State<Word>& state, Mode mode, Access access, std::uint64_t address, std::uint64_t size) {
  // Most accesses are in the memory that firmware leaves to all; most programs without firmware use no entry.
  const PmpRange& open = state.pmp_open;
  if (address >= open.first && address < open.end && size <= open.end - address) return true;
  return state.pmp_used == 0 ? mode == Mode::kMachine : pmp_entries_allow(state, mode, access, address, size);
}

/// Of an access that is not allowed: the number of the entry that decides, kPmpEntries if there is none.
template <typename Word>
unsigned pmp_decider(const State<Word>& state, std::uint64_t address, std::uint64_t size);

/// Writes to pmpcfg entry `i` and pmpaddr `i`: locked entries keep their value, the reserved combination W without R
/// becomes neither, and addresses keep 54 bits on RV64.
template <typename Word>
void write_pmpcfg(State<Word>& state, unsigned i, std::uint8_t value);
template <typename Word>
void write_pmpaddr(State<Word>& state, unsigned i, Word value);
/// The registers have been loaded.
template <typename Word>
void find_pmp_ranges(State<Word>& state);

}  // namespace vp::cpu
