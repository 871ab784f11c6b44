#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "models/common/zeroed_array.h"
#include "models/cpu/config.h"
#include "models/cpu/pmp.h"
#include "models/cpu/state.h"
#include "models/cpu/tlb.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// How the page tables of a register width are made: Sv32 or Sv39 (privileged manual, 4.3 and 4.4).
template <typename Word>
struct PagingScheme;
template <>
struct PagingScheme<std::uint32_t> {
  static constexpr unsigned kMode = 1, kModeShift = 31, kLevels = 2, kIndexBits = 10, kEntrySize = 4, kAddressBits = 32;
  static constexpr std::uint32_t kRootMask = (1u << 22) - 1;  ///< PPN of satp
  static constexpr std::uint64_t kEntryReserved = 0;
  static constexpr std::uint64_t kEntryPpnMask = (std::uint64_t{1} << 22) - 1;
};
template <>
struct PagingScheme<std::uint64_t> {
  static constexpr unsigned kMode = 8, kModeShift = 60, kLevels = 3, kIndexBits = 9, kEntrySize = 8, kAddressBits = 39;
  static constexpr std::uint64_t kRootMask = (std::uint64_t{1} << 44) - 1;
  static constexpr std::uint64_t kEntryReserved = ~std::uint64_t{0} << 54;  ///< Svnapot, Svpbmt and others: not there
  static constexpr std::uint64_t kEntryPpnMask = (std::uint64_t{1} << 44) - 1;
};

/// Where a virtual page of 4 KiB leads, as a walk has found it.
template <typename Word>
struct Mapping {
  Word page = 0;
  std::uint64_t physical = 0;  ///< page
  std::uint8_t rights = 0;     ///< lower bits of the leaf entry; 0: there is none
  std::uint8_t shift = 12;     ///< of the leaf's size: more than 12 for a superpage

  /// The leaf permits this access, without a change of its A and D bits.
  bool permits(Access access, Mode mode, const State<Word>& state) const;
  /// It is that of this address's page.
  bool is_of(Word address) const { return rights != 0 && page == (address & ~static_cast<Word>(kPageSize - 1)); }
  /// The leaf maps this address, too.
  bool covers(Word address) const { return rights != 0 && ((page ^ address) >> shift) == 0; }
  std::uint64_t of(Word address) const { return physical | (address & (kPageSize - 1)); }
  void persist(Archive& archive);
};

/// Who reads and changes entries of page tables for a walk, as supervisor mode accesses memory. False: refused.
class WalkMemory {
 public:
  virtual ~WalkMemory() = default;
  virtual bool read_entry(std::uint64_t address, std::uint64_t& entry) = 0;
  virtual bool write_entry(std::uint64_t address, std::uint64_t entry) = 0;
};

enum class WalkEnd : std::uint8_t { found, page_fault, access_fault };

/// A walk through the page tables of satp (privileged manual, 4.3.2), in a mode that is translated.
template <typename Word>
WalkEnd walk(const State<Word>& state, Word address, Access access, Mode mode, AdUpdate update, WalkMemory& memory,
             Mapping<Word>& mapping);
/// Where an address leads, whoever may go there, for a debugger: changes nothing.
template <typename Word>
bool look_up(const State<Word>& state, Word address, WalkMemory& memory, Mapping<Word>& mapping);

/// Translations of loads and stores that a hart keeps: direct-mapped, one entry a slot of its tables of host pointers.
/// In timed mode, where a walk takes time, there is one for several slots: kTimed of them, which is what is modelled.
/// What is here decides when there is a walk, so it is part of a saved state.
template <typename Word>
class DataMappings {
 public:
  static constexpr unsigned kStateVersion = 3;
  static constexpr std::size_t kTimed = 1024;

  DataMappings() { std::iota(latest_.begin(), latest_.end(), std::uint16_t{0}); }
  /// Where the one of that address is, or another.
  const Mapping<Word>& of(Word address) const { return mappings_[TlbEntry<Word>::slot(address)]; }
  /// Calls drop(page) for the page that it takes the place of. `few`: in timed mode.
  template <typename Drop>
  void keep(const Mapping<Word>& mapping, bool few, Drop drop) {
    std::uint16_t& latest = latest_[group(mapping.page)];
    const auto slot = static_cast<std::uint16_t>(TlbEntry<Word>::slot(mapping.page));
    forget_one(mappings_[few ? latest : slot], drop);
    latest = slot;
    mappings_[slot] = mapping;
    note_superpage(mapping);
    any_ = true;
  }
  /// Timed mode begins with those that were looked for last.
  template <typename Drop>
  void keep_few(Drop drop) {
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot)
      if (latest_[slot % kTimed] != slot) forget_one(mappings_[slot], drop);
  }
  void clear();
  /// Calls drop(page) for each page whose leaf maps the address, and forgets it.
  template <typename Drop>
  void forget(Word address, Drop drop) {
    Mapping<Word>& own = mappings_[TlbEntry<Word>::slot(address)];
    if (own.covers(address)) forget_one(own, drop);
    if (address < superpages_first_ || address > superpages_last_) return;
    const auto covers = [address](const Mapping<Word>& leaf) { return leaf.covers(address); };
    const auto leaf = std::remove_if(superpages_.begin(), superpages_.end(), covers);
    if (leaf == superpages_.end()) return;
    superpages_.erase(leaf, superpages_.end());
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot)
      if (mappings_[slot].covers(address)) forget_one(mappings_[slot], drop);
  }
  void persist(Archive& archive);

 private:
  static std::size_t group(Word page) { return TlbEntry<Word>::slot(page) % kTimed; }
  template <typename Drop>
  static void forget_one(Mapping<Word>& one, Drop drop) {
    if (one.rights == 0) return;
    drop(one.page);
    one = {};
  }
  void note_superpage(const Mapping<Word>& mapping);

  ZeroedArray<Mapping<Word>> mappings_{kTlbEntries, "the CPU"};
  std::array<std::uint16_t, kTimed> latest_;  ///< slot of the one found last, of those that timed mode has one for
  std::vector<Mapping<Word>> superpages_;     ///< one page of each that has been among them
  Word superpages_first_ = ~Word{0}, superpages_last_ = 0;  ///< addresses around them
  bool any_ = false;
};

/// Translations of fetches, all of them since they were forgotten last: code that is found without looking here may
/// lie in any of them.
template <typename Word>
class CodeMappings {
 public:
  CodeMappings() { heads_.fill(kEnd); }
  /// nullptr: not known.
  const Mapping<Word>* find(Word page) const;
  bool full() const { return mappings_.size() == kMost; }
  void keep(const Mapping<Word>& mapping);
  /// Some page of these has the leaf that maps the address.
  bool cover(Word address) const;
  bool empty() const { return mappings_.empty(); }
  void clear();
  void persist(Archive& archive);

 private:
  static constexpr std::size_t kMost = 4096, kHeads = 1024;
  static constexpr std::uint16_t kEnd = 0xffff;
  static std::size_t head(Word page) { return page >> kPageShift & (kHeads - 1); }

  std::vector<Mapping<Word>> mappings_;
  std::vector<std::uint16_t> next_;          ///< with the same head, by mapping
  std::array<std::uint16_t, kHeads> heads_;  ///< last mapping of each
  std::vector<Mapping<Word>> large_;         ///< one for each superpage among them
};

}  // namespace vp::cpu
