#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "models/common/archive.h"
#include "models/cpu/load_store_unit.h"

// The load/store unit's tables of host pointers: what is in them, what makes it invalid, and its account.

namespace vp::cpu {

/// Drops the entry of a page whose accesses must come by the slow path.
template <typename Word>
[[gnu::noinline]] void LoadStoreUnit<Word>::keep_slow(bool write, Word address, std::uint64_t physical) {
  if (watch_.wants(write, page_of(address), physical & ~(kPageSize - 1), kPageSize))
    drop_entry(write, space_, TlbEntry<Word>::slot(address));
}

/// The entry of the address's page, made if direct access is possible, or nullptr.
template <typename Word>
TlbEntry<Word>* LoadStoreUnit<Word>::tlb_entry(bool write, Word address, std::uint64_t physical) {
  const Word page = page_of(address);
  const std::size_t slot = TlbEntry<Word>::slot(address);
  TlbEntry<Word>& entry = write ? tlb_->write[slot] : tlb_->read[slot];
  if (entry.tag == page) {
    show_native(write, slot);
    return &entry;
  }
  // The page as a whole must be allowed; if PMP divides it, its accesses are checked one by one on the slow path.
  const std::uint64_t place = physical & ~(kPageSize - 1);
  if (!pmp_allows(s_, data_mode(s_), write ? Access::kStore : Access::kLoad, place, kPageSize)) return nullptr;
  unsigned region = 0;
  if (!grant(write, place, region)) return nullptr;
  drop_entry(write, space_, slot);
  const DmiRegion& direct = regions_[region].direct;
  entry.tag = page;
  entry.addend = reinterpret_cast<std::uintptr_t>(direct.host) + (place - direct.first) - std::uintptr_t{page};
  entry.latency = static_cast<std::uint32_t>(write ? direct.write_latency : direct.read_latency);
  entry.wide_latency = entry.latency + static_cast<std::uint32_t>(direct.wide_extra);
  (write ? tlb_->write_region : tlb_->read_region)[slot] = region;
  used_.at(slot) |= UsedEntries::bit(write, space_);
  show_native(write, slot);
  if (write) {
    tlb_->write_page[slot] = place;
    ++stored_to_[stored_slot(place)];
    pages_.written(place);
  }
  return &entry;
}

/// Finds or asks for a region that holds the whole page.
template <typename Word>
bool LoadStoreUnit<Word>::grant(bool write, std::uint64_t page, unsigned& region) {
  const auto covers = [&](const DmiRegion& direct) {
    return direct.first <= page && page + (kPageSize - 1) <= direct.last && (write ? direct.writable : direct.readable);
  };
  for (region = 0; region < regions_.size(); ++region)
    if (regions_[region].active && covers(regions_[region].direct)) return true;
  std::uint64_t& refused = refused_[page_slot(write, page)];
  if (refused == page) return false;
  const std::optional<DmiRegion> granted = hart_.port.direct(page, write);
  // Entries keep latencies in 32 bits; memory slower than some milliseconds goes through the port.
  const Picoseconds latency =
      granted ? std::max(granted->read_latency, granted->write_latency) + granted->wide_extra : 0;
  if (!granted || !covers(*granted) || latency > std::numeric_limits<std::uint32_t>::max()) {
    refused = page;
    return false;
  }
  // Blocks carry a bound of their time; a slower memory than any before makes them too small.
  if (latency > worst_latency_) {
    worst_latency_ = latency;
    hart_.flush_blocks = true;
  }
  by_port_.fill(kNever);  // there is more to find out
  for (region = 0; region < regions_.size(); ++region) {
    Region& known = regions_[region];
    if (known.active || known.direct.first != granted->first || known.direct.last != granted->last) continue;
    if (region == native_region_) grant_native(*granted);
    known.direct = *granted;
    known.active = true;
    return true;
  }
  regions_.push_back({*granted, {granted->first, granted->last, 0, 0, 0, 0}, true});
  return true;
}

template <typename Word>
bool LoadStoreUnit<Word>::copy_code(std::uint64_t physical, std::uint8_t* bytes, unsigned size) const {
  for (const Region& region : regions_) {
    const DmiRegion& direct = region.direct;
    if (!region.active || !direct.readable || physical < direct.first || physical > direct.last) continue;
    if (direct.last - physical + 1 < size) continue;
    std::memcpy(bytes, direct.host + (physical - direct.first), size);
    return true;
  }
  return false;
}

template <typename Word>
void LoadStoreUnit<Word>::select() {
  const Mode mode = data_mode(s_);
  const bool sum = mode == Mode::kSupervisor && (s_.mstatus & kMstatusSum);
  space_ = mode == Mode::kMachine ? DataSpace::machine
           : mode == Mode::kUser  ? DataSpace::user
           : sum                  ? DataSpace::supervisor_sum
                                  : DataSpace::supervisor;
  translated_ = paging(s_, mode) != 0;
  std::optional<ZeroedArray<Tlb<Word>>>& tlb = tlbs_[static_cast<std::size_t>(space_)];
  if (!tlb) tlb.emplace(1, "the CPU").data()->begin();
  tlb_ = tlb->data();
  timed_.select(space_, translated_);
}

template <typename Word>
void LoadStoreUnit<Word>::drop_entry(bool write, DataSpace space, std::size_t slot) {
  const std::uint8_t bit = UsedEntries::bit(write, space);
  if (!(used_.at(slot) & bit)) return;
  used_.at(slot) &= static_cast<std::uint8_t>(~bit);
  Tlb<Word>& tlb = table(space);
  if (write) --stored_to_[stored_slot(tlb.write_page[slot])];
  TlbEntry<Word>& entry = write ? tlb.write[slot] : tlb.read[slot];
  add_traffic(write, (write ? tlb.write_region : tlb.read_region)[slot], entry.traffic);
  entry = {};
  tlb.native[slot].of(write) = {};
}

template <typename Word>
void LoadStoreUnit<Word>::add_traffic(bool write, unsigned region, std::uint64_t packed) {
  if (packed == 0) return;
  const std::uint64_t accesses = traffic::accesses(packed);
  DirectTraffic& total = regions_[region].traffic;
  (write ? total.writes : total.reads) += accesses;
  (write ? total.written_bytes : total.read_bytes) += traffic::bytes(packed);
  const DmiRegion& direct = regions_[region].direct;
  hart_.times.memory +=
      accesses * (write ? direct.write_latency : direct.read_latency) + traffic::wide(packed) * direct.wide_extra;
}

template <typename Word>
void LoadStoreUnit<Word>::drop_entries(std::uint8_t among) {
  used_.for_each(among, [this](bool write, DataSpace space, std::size_t slot) { drop_entry(write, space, slot); });
}

template <typename Word>
void LoadStoreUnit<Word>::flush() {
  drop_entries(UsedEntries::kAll);
  timed_.fold(true);
}

/// What programs reach of a page of theirs, which is no longer known.
template <typename Word>
void LoadStoreUnit<Word>::drop_page(Word page) {
  const std::size_t slot = TlbEntry<Word>::slot(page);
  used_.visit_slot(slot, UsedEntries::kPrograms, [&](bool write, DataSpace space) { drop_entry(write, space, slot); });
  timed_.forget_mapping(page);
}

template <typename Word>
void LoadStoreUnit<Word>::forget_rights() {
  drop_entries(UsedEntries::kPrograms);
  timed_.forget_mappings();
}

template <typename Word>
void LoadStoreUnit<Word>::forget_mappings() {
  forget_rights();
  mappings_.clear();
}

template <typename Word>
void LoadStoreUnit<Word>::forget_mapping(Word address) {
  mappings_.forget(address, [this](Word page) { drop_page(page); });
}

template <typename Word>
void LoadStoreUnit<Word>::entering_timed() {
  mappings_.keep_few([this](Word page) { drop_page(page); });
}

template <typename Word>
void LoadStoreUnit<Word>::drop_writes(std::uint64_t page) {
  const auto drop = [&](bool write, DataSpace space, std::size_t slot) {
    if (write && table(space).write_page[slot] == page) drop_entry(true, space, slot);
  };
  if (stored_to_[stored_slot(page)] != 0) used_.for_each(UsedEntries::kAll, drop);
  timed_.drop_writes(page);
}

template <typename Word>
void LoadStoreUnit<Word>::fold() {
  used_.for_each(UsedEntries::kAll, [this](bool write, DataSpace space, std::size_t slot) {
    Tlb<Word>& tlb = table(space);
    add_traffic(write, (write ? tlb.write_region : tlb.read_region)[slot],
                std::exchange((write ? tlb.write : tlb.read)[slot].traffic, 0));
  });
  timed_.fold(false);
  folded_at_ = s_.retired;
}

template <typename Word>
void LoadStoreUnit<Word>::invalidate_direct(std::uint64_t first, std::uint64_t last) {
  flush();
  for (Region& region : regions_)
    if (region.direct.first <= last && first <= region.direct.last) region.active = false;
  forget_refusals();
  if (timed_.invalidate_direct(first, last)) hart_.flush_blocks = true;  // they know whether their code is cached
}

template <typename Word>
void LoadStoreUnit<Word>::forget() {
  flush();
  forget_refusals();
  timed_.forget();
}

template <typename Word>
void LoadStoreUnit<Word>::Region::persist(Archive& archive) {
  archive("traffic", traffic);
  if (!archive.loading()) return;
  // Asked for again with the first access, which finds this entry by its addresses.
  active = false;
  direct = {};
  direct.first = traffic.first;
  direct.last = traffic.last;
}

template <typename Word>
void LoadStoreUnit<Word>::persist(Archive& archive) {
  archive("regions", regions_)("data_mappings", mappings_);
}

template <typename Word>
void LoadStoreUnit<Word>::loaded() {
  folded_at_ = s_.retired;
  reservation_.set_in_port(true);
  native_region_ = kNoRegion;
  select();
}

template <typename Word>
std::vector<DirectTraffic> LoadStoreUnit<Word>::direct_traffic() const {
  std::vector<DirectTraffic> totals;
  for (const Region& region : regions_) totals.push_back(region.traffic);
  used_.for_each(UsedEntries::kAll, [&](bool write, DataSpace space, std::size_t slot) {
    const Tlb<Word>& tlb = table(space);
    const std::uint64_t packed = (write ? tlb.write : tlb.read)[slot].traffic;
    DirectTraffic& total = totals[(write ? tlb.write_region : tlb.read_region)[slot]];
    (write ? total.writes : total.reads) += traffic::accesses(packed);
    (write ? total.written_bytes : total.read_bytes) += traffic::bytes(packed);
  });
  return totals;
}

template class LoadStoreUnit<std::uint32_t>;
template class LoadStoreUnit<std::uint64_t>;

}  // namespace vp::cpu
