#include "models/cpu/load_store_unit.h"

#include <algorithm>
#include <cstring>

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
  if (known.is_of(address) && known.permits(access, mode, s_)) {
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
  mappings_.keep(mapping, hart_.fidelity == Fidelity::timed, [this](Word page) { drop_page(page); });
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

/// The entry of the address's page, if that alone decides how it is accessed: no cache comes first, nobody watches.
template <typename Word>
[[gnu::always_inline]] inline TlbEntry<Word>* LoadStoreUnit<Word>::deciding_entry(bool write, Word address) {
  const std::size_t slot = TlbEntry<Word>::slot(address);
  TlbEntry<Word>& entry = write ? tlb_->write[slot] : tlb_->read[slot];
  if (entry.tag != page_of(address) || hart_.fidelity == Fidelity::timed || watch_.any()) return nullptr;
  show_native(write, slot);
  return &entry;
}

template <typename Word>
[[gnu::always_inline]] inline void LoadStoreUnit<Word>::move(bool write, const TlbEntry<Word>& entry, Word address,
                                                             std::uint8_t* data, unsigned size) {
  void* const host = reinterpret_cast<void*>(entry.addend + address);
  std::memcpy(write ? host : data, write ? data : host, size);
  s_.time += size > 4 ? entry.wide_latency : entry.latency;
  add_traffic(write, (write ? tlb_->write_region : tlb_->read_region)[TlbEntry<Word>::slot(address)],
              traffic::of(size));
}

/// Inside its callers, as every poll of a device comes here.
template <typename Word>
[[gnu::always_inline]] inline bool LoadStoreUnit<Word>::transfer_part(bool write, Word address, std::uint8_t* data,
                                                                      unsigned size) {
  if (const TlbEntry<Word>* const entry = deciding_entry(write, address)) {
    move(write, *entry, address, data, size);
    return true;
  }
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
    if (const TlbEntry<Word>* const entry = tlb_entry(write, address, physical)) {
      move(write, *entry, address, data, size);
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
  if (deciding_entry(write, address)) return true;
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

template class LoadStoreUnit<std::uint32_t>;
template class LoadStoreUnit<std::uint64_t>;

}  // namespace vp::cpu
