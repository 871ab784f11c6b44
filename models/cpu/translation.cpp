#include "models/cpu/translation.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::cpu {
namespace {

// Lower bits of an entry.
constexpr std::uint64_t kValid = 1, kRead = 2, kWrite = 4, kExecute = 8, kUser = 16, kAccessed = 64, kDirty = 128;
constexpr unsigned kPpnShift = 10;

/// The leaf that maps an address, and where it is.
struct Leaf {
  std::uint64_t entry = 0;
  std::uint64_t place = 0;
  unsigned level = 0;
};

template <typename Word>
bool canonical(Word address) {
  constexpr unsigned kUpper = 8 * sizeof(Word) - PagingScheme<Word>::kAddressBits;
  if constexpr (kUpper == 0) return true;
  const auto shifted = static_cast<std::int64_t>(std::uint64_t{address} << kUpper);
  return static_cast<std::uint64_t>(shifted >> kUpper) == address;
}

bool is_leaf(std::uint64_t entry) { return entry & (kRead | kWrite | kExecute); }

/// An entry that no walk may go over: not there, or with a meaning that this hart does not know.
template <typename Word>
bool senseless(std::uint64_t entry) {
  if (!(entry & kValid) || (entry & PagingScheme<Word>::kEntryReserved)) return true;
  return is_leaf(entry) ? (entry & kWrite) && !(entry & kRead) : (entry & (kUser | kAccessed | kDirty)) != 0;
}

template <typename Word>
WalkEnd find_leaf(const State<Word>& state, Word address, WalkMemory& memory, Leaf& leaf) {
  using Scheme = PagingScheme<Word>;
  if (!canonical(address)) return WalkEnd::page_fault;
  std::uint64_t ppn = state.satp & Scheme::kRootMask;
  for (unsigned level = Scheme::kLevels; level-- > 0;) {
    const unsigned low = kPageShift + Scheme::kIndexBits * level;
    const std::uint64_t index = address >> low & ((1u << Scheme::kIndexBits) - 1);
    leaf.place = (ppn << kPageShift) + index * Scheme::kEntrySize;
    leaf.level = level;
    if (!memory.read_entry(leaf.place, leaf.entry)) return WalkEnd::access_fault;
    if (senseless<Word>(leaf.entry)) return WalkEnd::page_fault;
    ppn = leaf.entry >> kPpnShift & Scheme::kEntryPpnMask;
    if (!is_leaf(leaf.entry)) continue;
    const bool aligned = (ppn & ((std::uint64_t{1} << (Scheme::kIndexBits * level)) - 1)) == 0;
    return aligned ? WalkEnd::found : WalkEnd::page_fault;
  }
  return WalkEnd::page_fault;
}

template <typename Word>
Mapping<Word> mapping_of(Word address, const Leaf& leaf) {
  using Scheme = PagingScheme<Word>;
  Mapping<Word> mapping;
  mapping.shift = static_cast<std::uint8_t>(kPageShift + Scheme::kIndexBits * leaf.level);
  mapping.page = address & ~static_cast<Word>(kPageSize - 1);
  const std::uint64_t first = (leaf.entry >> kPpnShift & Scheme::kEntryPpnMask) << kPageShift;
  mapping.physical = first | (mapping.page & ((std::uint64_t{1} << mapping.shift) - 1));
  mapping.rights = static_cast<std::uint8_t>(leaf.entry);
  return mapping;
}

/// What the mode may do, A and D apart.
template <typename Word>
bool rights_permit(std::uint64_t rights, Access access, Mode mode, const State<Word>& state) {
  const bool user_page = rights & kUser;
  if (mode == Mode::kUser && !user_page) return false;
  if (mode == Mode::kSupervisor && user_page && (access == Access::kFetch || !(state.mstatus & kMstatusSum)))
    return false;
  switch (access) {
    case Access::kFetch:
      return rights & kExecute;
    case Access::kStore:
      return rights & kWrite;
    case Access::kLoad:
      break;
  }
  return (rights & kRead) || ((state.mstatus & kMstatusMxr) && (rights & kExecute));
}

std::uint64_t needed(Access access) { return access == Access::kStore ? kAccessed | kDirty : kAccessed; }

}  // namespace

template <typename Word>
bool Mapping<Word>::permits(Access access, Mode mode, const State<Word>& state) const {
  return rights_permit(rights, access, mode, state) && (~rights & needed(access)) == 0;
}

template <typename Word>
WalkEnd walk(const State<Word>& state, Word address, Access access, Mode mode, AdUpdate update, WalkMemory& memory,
             Mapping<Word>& mapping) {
  Leaf leaf;
  const WalkEnd end = find_leaf(state, address, memory, leaf);
  if (end != WalkEnd::found) return end;
  if (!rights_permit(leaf.entry, access, mode, state)) return WalkEnd::page_fault;
  if (~leaf.entry & needed(access)) {
    if (update == AdUpdate::fault) return WalkEnd::page_fault;
    leaf.entry |= needed(access);
    if (!memory.write_entry(leaf.place, leaf.entry)) return WalkEnd::access_fault;
  }
  mapping = mapping_of(address, leaf);
  return WalkEnd::found;
}

template <typename Word>
bool look_up(const State<Word>& state, Word address, WalkMemory& memory, Mapping<Word>& mapping) {
  Leaf leaf;
  if (find_leaf(state, address, memory, leaf) != WalkEnd::found) return false;
  mapping = mapping_of(address, leaf);
  return true;
}

template <typename Word>
void Mapping<Word>::persist(Archive& archive) {
  archive("page", page)("physical", physical)("rights", rights).below("shift", shift, 8 * sizeof(Word));
}

template <typename Word>
void DataMappings<Word>::note_superpage(const Mapping<Word>& mapping) {
  if (mapping.shift == kPageShift) return;
  const auto same = [&](const Mapping<Word>& other) {
    return other.shift == mapping.shift && other.covers(mapping.page);
  };
  const auto known = std::find_if(superpages_.begin(), superpages_.end(), same);
  if (known != superpages_.end()) return std::swap(*known, superpages_.front());  // most likely the next one, too
  superpages_.push_back(mapping);
  const auto others = static_cast<Word>((Word{1} << mapping.shift) - 1);
  superpages_first_ = std::min<Word>(superpages_first_, mapping.page & ~others);
  superpages_last_ = std::max<Word>(superpages_last_, mapping.page | others);
}

template <typename Word>
void DataMappings<Word>::clear() {
  if (!any_) return;
  std::fill_n(mappings_.data(), mappings_.size(), Mapping<Word>{});
  superpages_.clear();
  superpages_first_ = ~Word{0};
  superpages_last_ = 0;
  any_ = false;
}

template <typename Word>
void DataMappings<Word>::persist(Archive& archive) {
  std::vector<Mapping<Word>> kept;
  const auto load = [&](const auto& mappings) {
    clear();
    for (const Mapping<Word>& one : mappings)
      if (one.rights != 0) keep(one, false, [](Word) {});
  };
  const auto load_array = [&](auto fewer) {
    archive("mappings", fewer);
    load(fewer);
  };
  if (archive.loading() && archive.version() == 1) return load_array(std::array<Mapping<Word>, 256>{});
  if (archive.loading() && archive.version() == 2) return load_array(std::array<Mapping<Word>, 1024>{});
  for (const Mapping<Word>& one : mappings_)
    if (one.rights != 0) kept.push_back(one);
  archive("mappings", kept);
  if (archive.loading()) load(kept);
  archive("latest", latest_);
  for (std::size_t i = 0; i < kTimed; ++i)
    archive.require(latest_[i] < kTlbEntries && latest_[i] % kTimed == i, "latest", "is no slot of its group");
}

template <typename Word>
const Mapping<Word>* CodeMappings<Word>::find(Word page) const {
  for (std::uint16_t at = heads_[head(page)]; at != kEnd; at = next_[at])
    if (mappings_[at].page == page) return &mappings_[at];
  return nullptr;
}

template <typename Word>
void CodeMappings<Word>::keep(const Mapping<Word>& mapping) {
  std::uint16_t& first = heads_[head(mapping.page)];
  next_.push_back(first);
  first = static_cast<std::uint16_t>(mappings_.size());
  mappings_.push_back(mapping);
  if (mapping.shift == kPageShift) return;
  const auto same = [&](const Mapping<Word>& other) { return other.covers(mapping.page); };
  if (std::none_of(large_.begin(), large_.end(), same)) large_.push_back(mapping);
}

template <typename Word>
bool CodeMappings<Word>::cover(Word address) const {
  if (find(address & ~static_cast<Word>(kPageSize - 1))) return true;
  return std::any_of(large_.begin(), large_.end(), [&](const Mapping<Word>& one) { return one.covers(address); });
}

template <typename Word>
void CodeMappings<Word>::clear() {
  for (const Mapping<Word>& one : mappings_) heads_[head(one.page)] = kEnd;
  mappings_.clear();
  next_.clear();
  large_.clear();
}

template <typename Word>
void CodeMappings<Word>::persist(Archive& archive) {
  std::vector<Mapping<Word>> mappings = mappings_;
  archive("mappings", mappings);
  if (!archive.loading()) return;
  archive.require(mappings.size() <= kMost, "mappings", "are too many");
  clear();
  for (const Mapping<Word>& one : mappings) keep(one);
}

#define VP_INSTANTIATE(Word)                                                                                  \
  template struct Mapping<Word>;                                                                              \
  template class DataMappings<Word>;                                                                          \
  template class CodeMappings<Word>;                                                                          \
  template WalkEnd walk<Word>(const State<Word>&, Word, Access, Mode, AdUpdate, WalkMemory&, Mapping<Word>&); \
  template bool look_up<Word>(const State<Word>&, Word, WalkMemory&, Mapping<Word>&);
VP_INSTANTIATE(std::uint32_t)
VP_INSTANTIATE(std::uint64_t)

}  // namespace vp::cpu
