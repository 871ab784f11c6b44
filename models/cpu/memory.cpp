#include <algorithm>
#include <cstring>
#include <limits>

#include "models/cpu/hart.h"

// Data accesses that miss the address cache. Every access, direct or through the port, is cut the same way: at most 8
// bytes, never across an 8-byte boundary, so that times and statistics do not depend on the path.

namespace vp::cpu {
namespace {

constexpr unsigned kBusWord = 8;

/// What the slot of a page holds when direct access to it was refused.
std::uint64_t refusal(std::uint64_t page, bool write) { return page | (write ? 1 : 0); }

}  // namespace

template <typename Word>
bool Hart<Word>::load(Word address, unsigned size, std::uint64_t& value) {
  value = 0;
  std::array<std::uint8_t, 8> bytes{};
  if (!transfer(false, address, bytes.data(), size)) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  return true;
}

/// Takes what a load takes: no value, and no debugger is told.
template <typename Word>
bool Hart<Word>::load_unseen(Word address, unsigned size) {
  std::array<std::uint8_t, 8> bytes{};
  return transfer_part(false, address, bytes.data(), size);
}

template <typename Word>
bool Hart<Word>::store(Word address, unsigned size, std::uint64_t value) {
  std::array<std::uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  return transfer(true, address, bytes.data(), size);
}

/// One load or store of any alignment; makes a trap ready and returns false if it cannot be done.
template <typename Word>
bool Hart<Word>::transfer(bool write, Word address, std::uint8_t* data, unsigned size) {
  const bool unaligned = address & (size - 1);
  const bool done =
      unaligned ? transfer_unaligned(write, address, data, size) : transfer_part(write, address, data, size);
  if (points_ && done) note_access(write, address, size);
  return done;
}

template <typename Word>
bool Hart<Word>::transfer_unaligned(bool write, Word address, std::uint8_t* data, unsigned size) {
  if (config_.misaligned == Misaligned::kTrap) {
    trap_ = {write ? Cause::store_misaligned : Cause::load_misaligned, address};
    return false;
  }
  const unsigned room = kBusWord - static_cast<unsigned>(address & (kBusWord - 1));
  bool done = true;
  for (unsigned at = 0, part = std::min(size, room); at < size && done; at += part, part = size - at)
    done = transfer_part(write, static_cast<Word>(address + at), data + at, part);
  misaligned_ = !done;
  return done;
}

/// A data access that PMP refuses ends in a trap that names the entry.
template <typename Word>
bool Hart<Word>::allowed(Access access, std::uint64_t address, unsigned size) {
  if (pmp_allows(s_, data_mode(), access, address, size)) return true;
  refused_by_ = pmp_decider(s_, address, size);
  return false;
}

/// Any byte of it in memory that the program does not mean to write.
template <typename Word>
bool Hart<Word>::read_only(std::uint64_t address, std::uint64_t size) const {
  return std::any_of(hooks_.read_only.begin(), hooks_.read_only.end(), [&](const ReadOnlyRange& range) {
    return address <= range.last && range.first <= address + (size - 1);
  });
}

template <typename Word>
[[gnu::noinline]] void Hart<Word>::watch_store(Word address, unsigned size) {
  if (!read_only(address, size)) return;
  watching_ = false;
  hooks_.read_only_store({s_.time, s_.pc, address, size});
}

/// Inside its callers, as every poll of a device comes here.
template <typename Word>
[[gnu::always_inline]] inline bool Hart<Word>::transfer_part(bool write, Word address, std::uint8_t* data,
                                                             unsigned size) {
  if (!allowed(write ? Access::kStore : Access::kLoad, address, size)) {
    trap_ = {write ? Cause::store_access_fault : Cause::load_access_fault, address};
    return false;
  }
  if (write && watching_) watch_store(address, size);
  if (fidelity_ == Fidelity::timed && dcache_) {
    const auto region = cacheable(write, dcache_->line_of(address), dcache_->config().line);
    if (region) {
      if (access_cached(write, address, data, size, *region)) return true;
      trap_ = {write ? Cause::store_access_fault : Cause::load_access_fault, address};
      return false;
    }
  }
  if (TlbEntry<Word>* entry = tlb_entry(write, address)) {
    void* const host = reinterpret_cast<void*>(entry->addend + address);
    std::memcpy(write ? host : data, write ? data : host, size);
    s_.time += size > 4 ? entry->wide_latency : entry->latency;
    const std::size_t slot = TlbEntry<Word>::slot(address);
    add_traffic(write, (write ? tlb_->write_region : tlb_->read_region)[slot], traffic::of(size));
    if (watching_ || points_) keep_slow(write, address);
    return true;
  }
  port_used_ = true;
  const Picoseconds before = s_.time;
  const Answer answer = port_.access(access_of(write, address, data, size));
  s_.time = answer.completion;
  times_.bus += s_.time - before;
  if (answer.dmi) refused_.fill(kNever);
  if (answer.ok()) return true;
  trap_ = {write ? Cause::store_access_fault : Cause::load_access_fault, address};
  return false;
}

/// As it leaves the hart now, by the instruction at pc.
template <typename Word>
vp::Access Hart<Word>::access_of(bool write, std::uint64_t address, std::uint8_t* data, unsigned size) const {
  vp::Access access;
  access.write = write;
  access.address = address;
  access.data = data;
  access.size = size;
  access.time = s_.time;
  access.pc = s_.pc;
  return access;
}

/// The hart moves these bytes itself, by host pointer.
template <typename Word>
bool Hart<Word>::by_host_pointer(bool write, Word address) {
  if (fidelity_ == Fidelity::timed && dcache_ && cacheable(write, dcache_->line_of(address), dcache_->config().line))
    return true;
  if (!tlb_entry(write, address)) return false;
  if (watching_ || points_) keep_slow(write, address);
  return true;
}

/// Drops the entry of a page whose accesses must come by the slow path.
template <typename Word>
[[gnu::noinline]] void Hart<Word>::keep_slow(bool write, Word address) {
  if (told_of(write, address & ~static_cast<Word>(kPageSize - 1), kPageSize))
    drop_entry(write, *tlb_, TlbEntry<Word>::slot(address));
}

/// The entry of the address's page, made if direct access is possible, or nullptr.
template <typename Word>
TlbEntry<Word>* Hart<Word>::tlb_entry(bool write, Word address) {
  const Word page = address & ~static_cast<Word>(kPageSize - 1);
  const std::size_t slot = TlbEntry<Word>::slot(address);
  TlbEntry<Word>& entry = write ? tlb_->write[slot] : tlb_->read[slot];
  if (entry.tag == page) return &entry;
  // The page as a whole must be allowed; if PMP divides it, its accesses are checked one by one on the slow path.
  if (!pmp_allows(s_, data_mode(), write ? Access::kStore : Access::kLoad, page, kPageSize)) return nullptr;
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
bool Hart<Word>::grant(bool write, Word page, unsigned& region) {
  const auto covers = [&](const DmiRegion& direct) {
    return direct.first <= page && page + (kPageSize - 1) <= direct.last && (write ? direct.writable : direct.readable);
  };
  for (region = 0; region < regions_.size(); ++region)
    if (regions_[region].active && covers(regions_[region].direct)) return true;
  std::uint64_t& refused = refused_[TlbEntry<Word>::slot(page)];
  if (refused == refusal(page, write)) return false;
  const std::optional<DmiRegion> granted = port_.direct(page, write);
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
    flush_blocks_ = true;
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
void Hart<Word>::use_tlb_of_mode() {
  const std::size_t mode = data_mode() == Mode::kUser ? 0 : 1;
  tlb_ = &tlbs_[mode];
  lines_ = &line_tables_[mode];
}

template <typename Word>
void Hart<Word>::drop_entry(bool write, Tlb<Word>& tlb, std::size_t slot) {
  TlbEntry<Word>& entry = write ? tlb.write[slot] : tlb.read[slot];
  add_traffic(write, (write ? tlb.write_region : tlb.read_region)[slot], entry.traffic);
  entry = {};
}

template <typename Word>
void Hart<Word>::add_traffic(bool write, unsigned region, std::uint64_t packed) {
  if (packed == 0) return;
  const std::uint64_t accesses = traffic::accesses(packed);
  DirectTraffic& total = regions_[region].traffic;
  (write ? total.writes : total.reads) += accesses;
  (write ? total.written_bytes : total.read_bytes) += traffic::bytes(packed);
  const DmiRegion& direct = regions_[region].direct;
  times_.memory +=
      accesses * (write ? direct.write_latency : direct.read_latency) + traffic::wide(packed) * direct.wide_extra;
}

template <typename Word>
void Hart<Word>::flush_tlbs() {
  for (Tlb<Word>& tlb : tlbs_)
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot) {
      drop_entry(false, tlb, slot);
      drop_entry(true, tlb, slot);
    }
  fold_lines(true);
}

/// Moves the entries' counts to their regions, before they can overflow.
template <typename Word>
void Hart<Word>::fold_traffic() {
  for (Tlb<Word>& tlb : tlbs_)
    for (std::size_t slot = 0; slot < kTlbEntries; ++slot) {
      add_traffic(false, tlb.read_region[slot], tlb.read[slot].traffic);
      add_traffic(true, tlb.write_region[slot], tlb.write[slot].traffic);
      tlb.read[slot].traffic = tlb.write[slot].traffic = 0;
    }
  fold_lines(false);
  folded_at_ = s_.retired;
}

template <typename Word>
void Hart<Word>::invalidate_direct(std::uint64_t first, std::uint64_t last) {
  flush_tlbs();
  for (Region& region : regions_)
    if (region.direct.first <= last && first <= region.direct.last) region.active = false;
  refused_.fill(kNever);
  uncached_.fill(kNever);
  const auto touched = [&](const DmiRegion& region) { return region.first <= last && first <= region.last; };
  const auto gone = std::remove_if(contents_.begin(), contents_.end(), touched);
  if (gone == contents_.end()) return;
  contents_.erase(gone, contents_.end());
  flush_blocks_ = true;  // they know whether their code is cached
}

template <typename Word>
std::vector<DirectTraffic> Hart<Word>::direct_traffic() const {
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

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
