#include "models/cpu/load_store_unit.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "models/common/archive.h"

namespace vp::cpu {
template <typename Word>
LoadStoreUnit<Word>::LoadStoreUnit(HartContext<Word>& hart, TimedMemory<Word>& timed, AccessWatch& watch,
                                   CodePages& pages)
    : hart_(hart),
      s_(hart.state),
      timed_(timed),
      watch_(watch),
      pages_(pages),
      reservation_(hart),
      worst_latency_(timed.hit_time()) {
  forget_refusals();
  select();
}

template <typename Word>
bool LoadStoreUnit<Word>::load(Word address, unsigned size, std::uint64_t& value) {
  value = 0;
  std::array<std::uint8_t, 8> bytes{};
  if (!transfer(false, address, bytes.data(), size)) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  return true;
}

template <typename Word>
bool LoadStoreUnit<Word>::load_unseen(Word address, unsigned size) {
  std::array<std::uint8_t, 8> bytes{};
  return transfer_part(false, address, bytes.data(), size);
}

template <typename Word>
bool LoadStoreUnit<Word>::store(Word address, unsigned size, std::uint64_t value) {
  std::array<std::uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  return transfer(true, address, bytes.data(), size);
}

/// One load or store of any alignment; makes a trap ready and returns false if it cannot be done.
template <typename Word>
bool LoadStoreUnit<Word>::transfer(bool write, Word address, std::uint8_t* data, unsigned size) {
  const bool unaligned = address & (size - 1);
  const bool ok =
      unaligned ? transfer_unaligned(write, address, data, size) : transfer_part(write, address, data, size);
  if (ok) done(write, address, size);
  return ok;
}

template <typename Word>
bool LoadStoreUnit<Word>::transfer_unaligned(bool write, Word address, std::uint8_t* data, unsigned size) {
  if (hart_.config.misaligned == Misaligned::kTrap) {
    hart_.set_fault(write ? Cause::store_misaligned : Cause::load_misaligned, address);
    return false;
  }
  const unsigned room = part_at(address, size);
  bool done = !(write && translated_) || both_parts_there(address, size, room);
  for (unsigned at = 0, part = room; at < size && done; at += part, part = size - at)
    done = transfer_part(write, static_cast<Word>(address + at), data + at, part);
  hart_.fault.misaligned = !done;
  return done;
}

/// Of a store into two pages: nothing is stored unless both can be.
template <typename Word>
bool LoadStoreUnit<Word>::both_parts_there(Word address, unsigned size, unsigned room) {
  const auto second = static_cast<Word>(address + room);
  if (second % kPageSize != 0 || room >= size) return true;
  std::uint64_t physical = 0;
  return locate(Access::kStore, address, room, physical) && locate(Access::kStore, second, size - room, physical);
}

template <typename Word>
bool LoadStoreUnit<Word>::locate(Access access, Word address, unsigned size, std::uint64_t& physical) {
  physical = address;
  if (translated_ && !translate(access, address, physical, *this)) return false;
  return allowed(access, physical, size) || refuse(access == Access::kStore, address);
}

template <typename Word>
bool LoadStoreUnit<Word>::allowed(Access access, std::uint64_t physical, unsigned size) {
  if (pmp_allows(s_, data_mode(s_), access, physical, size)) return true;
  hart_.fault.refused_by = pmp_decider(s_, physical, size);
  return false;
}

/// By what is known of the page, or by a walk.
template <typename Word>
[[gnu::noinline]] bool LoadStoreUnit<Word>::translate(Access access, Word address, std::uint64_t& physical,
                                                      WalkMemory& memory) {
  const Mode mode = data_mode(s_);
  const Mapping<Word>& known = mappings_.of(address);
  if (known.page == (address & ~static_cast<Word>(kPageSize - 1)) && known.permits(access, mode, s_)) {
    physical = known.of(address);
    return true;
  }
  Mapping<Word> mapping;
  const bool write = access == Access::kStore;
  switch (walk(s_, address, access, mode, hart_.config.ad_update, memory, mapping)) {
    case WalkEnd::page_fault:
      hart_.set_fault(write ? Cause::store_page_fault : Cause::load_page_fault, address);
      return false;
    case WalkEnd::access_fault:
      return refuse(write, address);
    case WalkEnd::found:
      break;
  }
  drop_slot(TlbEntry<Word>::slot(address));
  if (known.page != Mapping<Word>::kNone) timed_.forget_mapping(known.page);
  mappings_.keep(mapping);
  physical = mapping.of(address);
  return true;
}

/// A page that has just been loaded from: it has the rights for stores, and is marked as written to already.
template <typename Word>
bool LoadStoreUnit<Word>::page_takes_stores(Word address) {
  return !translated_ || mappings_.of(address).permits(Access::kStore, data_mode(s_), s_);
}

template <typename Word>
bool LoadStoreUnit<Word>::read_entry(std::uint64_t address, std::uint64_t& entry) {
  entry = 0;
  return move_entry(false, address, entry);
}

template <typename Word>
bool LoadStoreUnit<Word>::write_entry(std::uint64_t address, std::uint64_t entry) {
  return move_entry(true, address, entry);
}

template <typename Word>
bool LoadStoreUnit<Word>::move_entry(bool write, std::uint64_t address, std::uint64_t& entry) {
  constexpr unsigned kSize = PagingScheme<Word>::kEntrySize;
  auto* const data = reinterpret_cast<std::uint8_t*>(&entry);
  if (!pmp_allows(s_, Mode::kSupervisor, write ? Access::kStore : Access::kLoad, address, kSize)) {
    hart_.fault.refused_by = pmp_decider(s_, address, kSize);
    return false;
  }
  if (write) pages_.written(address);
  if (const auto region = timed_.cached(write, address)) return timed_.access(write, address, data, kSize, *region);
  unsigned granted = 0;
  if (!grant(write, address & ~(kPageSize - 1), granted))
    return through_port(hart_.access(write, address, data, kSize)).ok();
  const DmiRegion& direct = regions_[granted].direct;
  void* const host = direct.host + (address - direct.first);
  std::memcpy(write ? host : data, write ? data : host, kSize);
  if (hart_.fidelity != Fidelity::timed) return true;
  s_.time += (write ? direct.write_latency : direct.read_latency) + (kSize > 4 ? direct.wide_extra : 0);
  add_traffic(write, granted, traffic::of(kSize));
  return true;
}

template <typename Word>
bool LoadStoreUnit<Word>::refuse(bool write, Word address) {
  hart_.set_fault(write ? Cause::store_access_fault : Cause::load_access_fault, address);
  return false;
}

/// What by_port_ holds of a page whose accesses go through the port in this mode of the hart, whatever is tried.
template <typename Word>
std::uint64_t LoadStoreUnit<Word>::port_key(std::uint64_t physical) const {
  return (physical & ~(kPageSize - 1)) | (hart_.fidelity == Fidelity::timed ? 1 : 0);
}

/// The cache does not hold the page, nor is there a host pointer: devices are polled, so they are not asked again.
template <typename Word>
void LoadStoreUnit<Word>::keep_to_port(bool write, std::uint64_t physical) {
  const std::size_t slot = page_slot(write, physical);
  if (refused_[slot] == (physical & ~(kPageSize - 1))) by_port_[slot] = port_key(physical);
}

template <typename Word>
void LoadStoreUnit<Word>::forget_refusals() {
  refused_.fill(kNever);
  by_port_.fill(kNever);
}

template <typename Word>
[[gnu::always_inline]] inline Answer LoadStoreUnit<Word>::pass_to_port(const vp::Access& access) {
  const Picoseconds before = s_.time;
  reservation_.hand_over();
  const Answer answer = hart_.port.access(access);
  s_.time = answer.completion;
  hart_.times.bus += s_.time - before;
  if (answer.moved || watch_.asks()) hart_.port_used = true;
  if (answer.dmi) forget_refusals();
  return answer;
}

/// Inside its callers, as every poll of a device comes here.
template <typename Word>
[[gnu::always_inline]] inline bool LoadStoreUnit<Word>::transfer_part(bool write, Word address, std::uint8_t* data,
                                                                      unsigned size) {
  std::uint64_t physical = address;
  if (translated_ && !translate(write ? Access::kStore : Access::kLoad, address, physical, *this)) return false;
  if (!allowed(write ? Access::kStore : Access::kLoad, physical, size)) return refuse(write, address);
  if (write) watch_.storing({s_.time, s_.pc, physical, size});
  if (by_port_[page_slot(write, physical)] != port_key(physical)) {
    if (const auto region = timed_.cached(write, physical)) {
      if (!timed_.access(write, physical, data, size, *region)) return refuse(write, address);
      timed_.keep_line(address, physical, write || page_takes_stores(address));
      return true;
    }
    if (TlbEntry<Word>* entry = tlb_entry(write, address, physical)) {
      void* const host = reinterpret_cast<void*>(entry->addend + address);
      std::memcpy(write ? host : data, write ? data : host, size);
      s_.time += size > 4 ? entry->wide_latency : entry->latency;
      const std::size_t slot = TlbEntry<Word>::slot(address);
      add_traffic(write, (write ? tlb_->write_region : tlb_->read_region)[slot], traffic::of(size));
      if (watch_.any()) keep_slow(write, address, physical);
      return true;
    }
    keep_to_port(write, physical);
  }
  if (write) pages_.written(physical);
  return pass_to_port(hart_.access(write, physical, data, size)).ok() || refuse(write, address);
}

template <typename Word>
Answer LoadStoreUnit<Word>::through_port(const vp::Access& access) {
  const Answer answer = pass_to_port(access);
  if (access.kind == AccessKind::reserve || access.kind == AccessKind::conditional)
    reservation_.set_in_port(access.kind == AccessKind::reserve);
  return answer;
}

template <typename Word>
bool LoadStoreUnit<Word>::by_host_pointer(bool write, Word address, std::uint64_t physical) {
  if (timed_.cached(write, physical)) return true;
  if (!tlb_entry(write, address, physical)) return false;
  if (watch_.any()) keep_slow(write, address, physical);
  return true;
}

template <typename Word>
bool LoadStoreUnit<Word>::is_there(std::uint64_t physical, unsigned size) {
  std::array<std::uint8_t, 8> bytes{};
  return hart_.port.fetch(physical, bytes.data(), size) == size;
}

/// Drops the entry of a page whose accesses must come by the slow path.
template <typename Word>
[[gnu::noinline]] void LoadStoreUnit<Word>::keep_slow(bool write, Word address, std::uint64_t physical) {
  if (watch_.wants(write, address & ~static_cast<Word>(kPageSize - 1), physical & ~(kPageSize - 1), kPageSize))
    drop_entry(write, *tlb_, TlbEntry<Word>::slot(address));
}

/// The entry of the address's page, made if direct access is possible, or nullptr.
template <typename Word>
TlbEntry<Word>* LoadStoreUnit<Word>::tlb_entry(bool write, Word address, std::uint64_t physical) {
  const Word page = address & ~static_cast<Word>(kPageSize - 1);
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
  drop_entry(write, *tlb_, slot);
  const DmiRegion& direct = regions_[region].direct;
  entry.tag = page;
  entry.addend = reinterpret_cast<std::uintptr_t>(direct.host) + (place - direct.first) - std::uintptr_t{page};
  entry.latency = static_cast<std::uint32_t>(write ? direct.write_latency : direct.read_latency);
  entry.wide_latency = entry.latency + static_cast<std::uint32_t>(direct.wide_extra);
  (write ? tlb_->write_region : tlb_->read_region)[slot] = region;
  (write ? tlb_->writes : tlb_->reads).add(slot);
  show_native(write, slot);
  if (write) {
    tlb_->write_page[slot] = place;
    pages_.written(place);
  }
  return &entry;
}

template <typename Word>
bool LoadStoreUnit<Word>::peek(std::uint64_t physical, std::uint8_t* bytes, unsigned size) const {
  for (const Region& region : regions_) {
    const DmiRegion& direct = region.direct;
    if (!region.active || !direct.readable || physical < direct.first || physical > direct.last) continue;
    if (direct.last - physical < size - 1) return false;
    std::memcpy(bytes, direct.host + (physical - direct.first), size);
    return true;
  }
  return false;
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
void LoadStoreUnit<Word>::select() {
  const Mode mode = data_mode(s_);
  const bool sum = mode == Mode::kSupervisor && (s_.mstatus & kMstatusSum);
  const DataSpace space = mode == Mode::kMachine ? DataSpace::machine
                          : mode == Mode::kUser  ? DataSpace::user
                          : sum                  ? DataSpace::supervisor_sum
                                                 : DataSpace::supervisor;
  translated_ = paging(s_, mode) != 0;
  std::unique_ptr<Tlb<Word>>& tlb = tlbs_[static_cast<std::size_t>(space)];
  if (!tlb) tlb = std::make_unique<Tlb<Word>>();
  tlb_ = tlb.get();
  timed_.select(space, translated_);
}

template <typename Word>
void LoadStoreUnit<Word>::drop_entry(bool write, Tlb<Word>& tlb, std::size_t slot) {
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
void LoadStoreUnit<Word>::flush() {
  for_each_table([this](Tlb<Word>& tlb) { drop_table(tlb); });
  timed_.fold(true);
}

template <typename Word>
void LoadStoreUnit<Word>::drop_table(Tlb<Word>& tlb) {
  tlb.reads.for_each([&](std::size_t slot) { drop_entry(false, tlb, slot); });
  tlb.writes.for_each([&](std::size_t slot) { drop_entry(true, tlb, slot); });
  tlb.reads.clear();
  tlb.writes.clear();
}

/// In the tables of all programs.
template <typename Word>
void LoadStoreUnit<Word>::drop_slot(std::size_t slot) {
  const auto drop = [&](Tlb<Word>& tlb) {
    drop_entry(false, tlb, slot);
    drop_entry(true, tlb, slot);
  };
  for_each_table(drop, kProgramSpaces);
}

template <typename Word>
void LoadStoreUnit<Word>::forget_rights() {
  for_each_table([this](Tlb<Word>& tlb) { drop_table(tlb); }, kProgramSpaces);
  timed_.forget_mappings();
}

template <typename Word>
void LoadStoreUnit<Word>::forget_mappings() {
  forget_rights();
  mappings_.clear();
}

template <typename Word>
void LoadStoreUnit<Word>::forget_mapping(Word address) {
  mappings_.forget(address, [this](Word page) {
    drop_slot(TlbEntry<Word>::slot(page));
    timed_.forget_mapping(page);
  });
}

template <typename Word>
void LoadStoreUnit<Word>::drop_writes(std::uint64_t page) {
  for_each_table([&](Tlb<Word>& tlb) {
    tlb.writes.for_each([&](std::size_t slot) {
      if (tlb.write_page[slot] == page) drop_entry(true, tlb, slot);
    });
  });
  timed_.drop_writes(page);
}

template <typename Word>
void LoadStoreUnit<Word>::fold() {
  for_each_table([this](Tlb<Word>& tlb) {
    tlb.reads.for_each(
        [&](std::size_t slot) { add_traffic(false, tlb.read_region[slot], std::exchange(tlb.read[slot].traffic, 0)); });
    tlb.writes.for_each([&](std::size_t slot) {
      add_traffic(true, tlb.write_region[slot], std::exchange(tlb.write[slot].traffic, 0));
    });
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
  for_each_table([&totals](const Tlb<Word>& tlb) {
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot) {
      if (const std::uint64_t packed = tlb.read[slot].traffic) {
        totals[tlb.read_region[slot]].reads += traffic::accesses(packed);
        totals[tlb.read_region[slot]].read_bytes += traffic::bytes(packed);
      }
      if (const std::uint64_t packed = tlb.write[slot].traffic) {
        totals[tlb.write_region[slot]].writes += traffic::accesses(packed);
        totals[tlb.write_region[slot]].written_bytes += traffic::bytes(packed);
      }
    }
  });
  return totals;
}

template class LoadStoreUnit<std::uint32_t>;
template class LoadStoreUnit<std::uint64_t>;

}  // namespace vp::cpu
