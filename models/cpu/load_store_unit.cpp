#include "models/cpu/load_store_unit.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "models/common/archive.h"

namespace vp::cpu {
namespace {

constexpr unsigned kBusWord = 8;

/// What the slot of a page holds when direct access to it was refused.
std::uint64_t refusal(std::uint64_t page, bool write) { return page | (write ? 1 : 0); }

}  // namespace

template <typename Word>
LoadStoreUnit<Word>::LoadStoreUnit(HartContext<Word>& hart, TimedMemory<Word>& timed, AccessWatch& watch)
    : hart_(hart), s_(hart.state), timed_(timed), watch_(watch), worst_latency_(timed.hit_time()) {
  refused_.fill(kNever);
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
  const unsigned room = kBusWord - static_cast<unsigned>(address & (kBusWord - 1));
  bool done = true;
  for (unsigned at = 0, part = std::min(size, room); at < size && done; at += part, part = size - at)
    done = transfer_part(write, static_cast<Word>(address + at), data + at, part);
  hart_.fault.misaligned = !done;
  return done;
}

template <typename Word>
bool LoadStoreUnit<Word>::allowed(Access access, std::uint64_t address, unsigned size) {
  if (pmp_allows(s_, data_mode(s_), access, address, size)) return true;
  hart_.fault.refused_by = pmp_decider(s_, address, size);
  return false;
}

template <typename Word>
bool LoadStoreUnit<Word>::refuse(bool write, Word address) {
  hart_.set_fault(write ? Cause::store_access_fault : Cause::load_access_fault, address);
  return false;
}

/// Inside its callers, as every poll of a device comes here.
template <typename Word>
[[gnu::always_inline]] inline bool LoadStoreUnit<Word>::transfer_part(bool write, Word address, std::uint8_t* data,
                                                                      unsigned size) {
  if (!allowed(write ? Access::kStore : Access::kLoad, address, size)) return refuse(write, address);
  if (write) watch_.storing({s_.time, s_.pc, address, size});
  if (const auto region = timed_.cached(write, address))
    return timed_.access(write, address, data, size, *region) || refuse(write, address);
  if (TlbEntry<Word>* entry = tlb_entry(write, address)) {
    void* const host = reinterpret_cast<void*>(entry->addend + address);
    std::memcpy(write ? host : data, write ? data : host, size);
    s_.time += size > 4 ? entry->wide_latency : entry->latency;
    const std::size_t slot = TlbEntry<Word>::slot(address);
    add_traffic(write, (write ? tlb_->write_region : tlb_->read_region)[slot], traffic::of(size));
    if (watch_.any()) keep_slow(write, address);
    return true;
  }
  return through_port(hart_.access(write, address, data, size)).ok() || refuse(write, address);
}

template <typename Word>
Answer LoadStoreUnit<Word>::through_port(const vp::Access& access) {
  hart_.port_used = true;
  const Picoseconds before = s_.time;
  const Answer answer = hart_.port.access(access);
  s_.time = answer.completion;
  hart_.times.bus += s_.time - before;
  if (answer.dmi) refused_.fill(kNever);
  return answer;
}

template <typename Word>
bool LoadStoreUnit<Word>::by_host_pointer(bool write, Word address) {
  if (timed_.cached(write, address)) return true;
  if (!tlb_entry(write, address)) return false;
  if (watch_.any()) keep_slow(write, address);
  return true;
}

template <typename Word>
bool LoadStoreUnit<Word>::reserve(Word address, unsigned size, bool claim) {
  const Picoseconds before = hart_.port.now();
  const bool held = hart_.port.reserve(address, size, s_.time, claim);
  hart_.port_used |= hart_.port.now() != before;
  return held;
}

/// Drops the entry of a page whose accesses must come by the slow path.
template <typename Word>
[[gnu::noinline]] void LoadStoreUnit<Word>::keep_slow(bool write, Word address) {
  if (watch_.wants(write, address & ~static_cast<Word>(kPageSize - 1), kPageSize))
    drop_entry(write, *tlb_, TlbEntry<Word>::slot(address));
}

/// The entry of the address's page, made if direct access is possible, or nullptr.
template <typename Word>
TlbEntry<Word>* LoadStoreUnit<Word>::tlb_entry(bool write, Word address) {
  const Word page = address & ~static_cast<Word>(kPageSize - 1);
  const std::size_t slot = TlbEntry<Word>::slot(address);
  TlbEntry<Word>& entry = write ? tlb_->write[slot] : tlb_->read[slot];
  if (entry.tag == page) return &entry;
  // The page as a whole must be allowed; if PMP divides it, its accesses are checked one by one on the slow path.
  if (!pmp_allows(s_, data_mode(s_), write ? Access::kStore : Access::kLoad, page, kPageSize)) return nullptr;
  unsigned region = 0;
  if (!grant(write, page, region)) return nullptr;
  drop_entry(write, *tlb_, slot);
  const DmiRegion& direct = regions_[region].direct;
  entry.tag = page;
  entry.addend = reinterpret_cast<std::uintptr_t>(direct.host) - static_cast<std::uintptr_t>(direct.first);
  entry.latency = static_cast<std::uint32_t>(write ? direct.write_latency : direct.read_latency);
  entry.wide_latency = entry.latency + static_cast<std::uint32_t>(direct.wide_extra);
  (write ? tlb_->write_region : tlb_->read_region)[slot] = region;
  return &entry;
}

/// Finds or asks for a region that holds the whole page.
template <typename Word>
bool LoadStoreUnit<Word>::grant(bool write, Word page, unsigned& region) {
  const auto covers = [&](const DmiRegion& direct) {
    return direct.first <= page && page + (kPageSize - 1) <= direct.last && (write ? direct.writable : direct.readable);
  };
  for (region = 0; region < regions_.size(); ++region)
    if (regions_[region].active && covers(regions_[region].direct)) return true;
  std::uint64_t& refused = refused_[TlbEntry<Word>::slot(page)];
  if (refused == refusal(page, write)) return false;
  const std::optional<DmiRegion> granted = hart_.port.direct(page, write);
  // Entries keep latencies in 32 bits; memory slower than some milliseconds goes through the port.
  const Picoseconds latency =
      granted ? std::max(granted->read_latency, granted->write_latency) + granted->wide_extra : 0;
  if (!granted || !covers(*granted) || latency > std::numeric_limits<std::uint32_t>::max()) {
    refused = refusal(page, write);
    return false;
  }
  // Blocks carry a bound of their time; a slower memory than any before makes them too small.
  if (latency > worst_latency_) {
    worst_latency_ = latency;
    hart_.flush_blocks = true;
  }
  for (region = 0; region < regions_.size(); ++region) {
    Region& known = regions_[region];
    if (known.active || known.direct.first != granted->first || known.direct.last != granted->last) continue;
    known.direct = *granted;
    known.active = true;
    return true;
  }
  regions_.push_back({*granted, {granted->first, granted->last, 0, 0, 0, 0}, true});
  return true;
}

template <typename Word>
void LoadStoreUnit<Word>::select() {
  const bool machine = data_mode(s_) != Mode::kUser;
  tlb_ = &tlbs_[machine ? 1 : 0];
  timed_.select(machine);
}

template <typename Word>
void LoadStoreUnit<Word>::drop_entry(bool write, Tlb<Word>& tlb, std::size_t slot) {
  TlbEntry<Word>& entry = write ? tlb.write[slot] : tlb.read[slot];
  add_traffic(write, (write ? tlb.write_region : tlb.read_region)[slot], entry.traffic);
  entry = {};
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
  for (Tlb<Word>& tlb : tlbs_)
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot) {
      drop_entry(false, tlb, slot);
      drop_entry(true, tlb, slot);
    }
  timed_.fold(true);
}

template <typename Word>
void LoadStoreUnit<Word>::fold() {
  for (Tlb<Word>& tlb : tlbs_)
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot) {
      add_traffic(false, tlb.read_region[slot], tlb.read[slot].traffic);
      add_traffic(true, tlb.write_region[slot], tlb.write[slot].traffic);
      tlb.read[slot].traffic = tlb.write[slot].traffic = 0;
    }
  timed_.fold(false);
  folded_at_ = s_.retired;
}

template <typename Word>
void LoadStoreUnit<Word>::invalidate_direct(std::uint64_t first, std::uint64_t last) {
  flush();
  for (Region& region : regions_)
    if (region.direct.first <= last && first <= region.direct.last) region.active = false;
  refused_.fill(kNever);
  if (timed_.invalidate_direct(first, last)) hart_.flush_blocks = true;  // they know whether their code is cached
}

template <typename Word>
void LoadStoreUnit<Word>::forget() {
  flush();
  refused_.fill(kNever);
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
  archive("regions", regions_);
}

template <typename Word>
void LoadStoreUnit<Word>::loaded() {
  folded_at_ = s_.retired;
  select();
}

template <typename Word>
std::vector<DirectTraffic> LoadStoreUnit<Word>::direct_traffic() const {
  std::vector<DirectTraffic> totals;
  for (const Region& region : regions_) totals.push_back(region.traffic);
  for (const Tlb<Word>& tlb : tlbs_)
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
  return totals;
}

template class LoadStoreUnit<std::uint32_t>;
template class LoadStoreUnit<std::uint64_t>;

}  // namespace vp::cpu
