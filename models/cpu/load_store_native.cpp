#include <cstddef>
#include <cstring>

#include "models/cpu/load_store_unit.h"

// What generated code needs of loads and stores: its table of pages, which are all of one region, and what LR has
// reserved.

namespace vp::cpu {

/// Generated code has the latencies of its region built in.
template <typename Word>
void LoadStoreUnit<Word>::grant_native(const DmiRegion& granted) {
  const DmiRegion& before = regions_[native_region_].direct;
  hart_.flush_blocks |= granted.read_latency != before.read_latency || granted.write_latency != before.write_latency ||
                        granted.wide_extra != before.wide_extra;
}

template <typename Word>
bool LoadStoreUnit<Word>::has_native_memory() {
  for (unsigned i = 0; i < regions_.size() && native_region_ == kNoRegion; ++i)
    if (regions_[i].active && regions_[i].direct.writable) native_region_ = i;
  return native_region_ != kNoRegion;
}

template <typename Word>
NativeMemory LoadStoreUnit<Word>::native_memory() const {
  NativeMemory memory;
  memory.shift = kPageShift - 5;
  static_assert(sizeof(NativePages<Word>) == 32);
  memory.index_mask = (kTlbEntries - 1) * sizeof(NativePages<Word>);
  memory.tag_mask = -static_cast<std::int32_t>(kPageSize);
  memory.writes_behind = sizeof(NativePage<Word>);
  const DmiRegion& direct = regions_[native_region_].direct;
  memory.read_latency = direct.read_latency;
  memory.write_latency = direct.write_latency;
  memory.wide_extra = direct.wide_extra;
  return memory;
}

/// Where State::reservation is in memory, as far as that is known; else kNever.
template <typename Word>
std::uint64_t LoadStoreUnit<Word>::reserved_place() {
  const Word address = s_.reservation;
  if (!translated_) return address;
  const Mapping<Word>& known = mappings_.of(address);
  return known.is_of(address) ? std::uint64_t{known.of(address)} : kNever;
}

template <typename Word>
void LoadStoreUnit<Word>::lend_reservation(NativeFrame& frame, Picoseconds until) {
  frame.reserves = until <= reservation_.private_until();
  frame.reserved = 0;
  const auto& own = reservation_.own();
  if (frame.reserves != 0 && own.size != 0 && s_.reserved && s_.reserved_size == own.size &&
      reserved_place() == own.physical)
    frame.reserved = own.size;
}

template <typename Word>
void LoadStoreUnit<Word>::take_reservation(const NativeFrame& frame) {
  if (frame.reserved == NativeFrame::kClaimed)
    reservation_.set_own({});
  else if (frame.reserved != 0)
    reservation_.set_own({reserved_place(), frame.reserved});
}

/// Page tables in the memory of generated code: a walk through them takes no time and does nothing to anybody else.
template <typename Word>
class LoadStoreUnit<Word>::NativeWalk : public WalkMemory {
 public:
  explicit NativeWalk(LoadStoreUnit& unit) : unit_(unit) {}
  bool read_entry(std::uint64_t address, std::uint64_t& entry) override {
    entry = 0;
    return move(false, address, &entry);
  }
  bool write_entry(std::uint64_t address, std::uint64_t entry) override {
    if (!move(true, address, &entry)) return false;
    unit_.pages_.written(address);
    return true;
  }

 private:
  bool move(bool write, std::uint64_t address, std::uint64_t* entry) {
    constexpr unsigned kSize = PagingScheme<Word>::kEntrySize;
    const Access access = write ? Access::kStore : Access::kLoad;
    if (!unit_.in_native_region(address) || !pmp_allows(unit_.s_, Mode::kSupervisor, access, address, kSize))
      return false;
    const DmiRegion& direct = unit_.regions_[unit_.native_region_].direct;
    std::uint8_t* const host = direct.host + (address - direct.first);
    std::memcpy(write ? static_cast<void*>(host) : entry, write ? entry : static_cast<void*>(host), kSize);
    return true;
  }

  LoadStoreUnit& unit_;
};

/// With its page.
template <typename Word>
bool LoadStoreUnit<Word>::in_native_region(std::uint64_t physical) const {
  const Region& region = regions_[native_region_];
  const std::uint64_t page = physical & ~(kPageSize - 1);
  return region.active && region.direct.readable && region.direct.first <= page &&
         page + (kPageSize - 1) <= region.direct.last;
}

template <typename Word>
bool LoadStoreUnit<Word>::shown(bool write, Word address) const {
  const NativePages<Word>& pages = tlb_->native[TlbEntry<Word>::slot(address)];
  return (write ? pages.write : pages.read).tag == page_of(address);
}

template <typename Word>
bool LoadStoreUnit<Word>::show(bool write, Word address) {
  if (watch_.any()) return false;
  const Access access = write ? Access::kStore : Access::kLoad;
  std::uint64_t physical = address;
  NativeWalk memory(*this);
  if (translated_ && !translate(access, address, physical, memory)) return false;
  if (!in_native_region(physical)) return false;
  tlb_entry(write, address, physical);
  return shown(write, address);
}

template <typename Word>
std::uint8_t* LoadStoreUnit<Word>::native_place(bool write, Word address) {
  if (!shown(write, address) && !show(write, address)) return nullptr;
  const std::uintptr_t addend = tlb_->native[TlbEntry<Word>::slot(address)].of(write).addend;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
  return reinterpret_cast<std::uint8_t*>(addend + address);
}

template class LoadStoreUnit<std::uint32_t>;
template class LoadStoreUnit<std::uint64_t>;

}  // namespace vp::cpu
