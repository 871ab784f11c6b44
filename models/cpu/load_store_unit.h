#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/common/zeroed_array.h"
#include "models/cpu/access_watch.h"
#include "models/cpu/code_pages.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/pmp.h"
#include "models/cpu/reservation.h"
#include "models/cpu/timed_memory.h"
#include "models/cpu/tlb.h"
#include "models/cpu/translation.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// Data accesses: translation of addresses into host pointers, protection, the slow path of everything that the inner
/// loop cannot do, and the account of what it did.
///
/// Every access, by host pointer or through the port, is cut the same way: at most 8 bytes, never across an 8-byte
/// boundary, so that times and statistics do not depend on the path. What fails leaves a fault in the context.
template <typename Word>
class LoadStoreUnit final : public WalkMemory {
 public:
  LoadStoreUnit(HartContext<Word>& hart, TimedMemory<Word>& timed, AccessWatch& watch, CodePages& pages);

  /// 1, 2, 4 or 8 bytes of any alignment.
  bool load(Word address, unsigned size, std::uint64_t& value);
  bool store(Word address, unsigned size, std::uint64_t value);
  /// Takes what a load takes: no value, and nobody is told. Aligned.
  bool load_unseen(Word address, unsigned size);

  // Parts of atomic instructions; addresses are aligned.
  /// Where these bytes are in memory. False: they are not mapped, or PMP refuses; the fault is ready.
  bool locate(Access access, Word address, unsigned size, std::uint64_t& physical);
  /// PMP allows it; else the fault names the entry that refuses.
  bool allowed(Access access, std::uint64_t physical, unsigned size);
  /// The hart moves these bytes itself, by host pointer.
  bool by_host_pointer(bool write, Word address, std::uint64_t physical);
  /// There is something at these bytes; takes no time.
  bool is_there(std::uint64_t physical, unsigned size);
  /// What LR by host pointer has reserved.
  Reservation<Word>& reservation() { return reservation_; }
  /// One access through the port, with its time.
  Answer through_port(const vp::Access& access);
  /// A load or store has been done: who watches is told.
  void done(bool write, Word address, unsigned size) {
    if (watch_.done(write, address, size, s_.x[2])) hart_.port_used = true;
  }

  /// For the inner loop: pages by host pointer, in the mode of select().
  PageLookup<Word> pages() { return PageLookup<Word>(*tlb_); }
  /// There is memory for generated code: it reaches the pages of one region, whose latencies are built in.
  bool has_native_memory();
  /// That memory. When this changes, blocks are flushed.
  NativeMemory native_memory() const;
  const Tlb<Word>& native_pages() const { return *tlb_; }
  /// Accesses of generated code, packed, in so many instructions, which so leave the inner loop's counts as they are.
  void count_native(std::uint64_t reads, std::uint64_t writes, std::uint64_t instructions) {
    folded_at_ += instructions;
    if (reads != 0) add_traffic(false, native_region_, reads);
    if (writes != 0) add_traffic(true, native_region_, writes);
  }
  /// The page of that address is in the table of generated code.
  bool shown(bool write, Word address) const;
  /// Brings it there, if that takes nothing but a look at memory by host pointer. Functional mode.
  bool show(bool write, Word address);
  /// Where the address is in memory by that table; nullptr: its page cannot be brought there.
  std::uint8_t* native_place(bool write, Word address);
  /// Of so many bytes those that are one access: up to the next boundary of 8.
  static unsigned part_at(Word address, unsigned size) {
    return std::min(size, kBusWord - static_cast<unsigned>(address & (kBusWord - 1)));
  }
  /// Of a stay in generated code up to this time: whether LR and SC may be done there, and what has been reserved.
  void lend_reservation(NativeFrame& frame, Picoseconds until);
  void take_reservation(const NativeFrame& frame);
  /// Reads code by host pointer, which takes no time, as through the port; false: there is none.
  bool copy_code(std::uint64_t physical, std::uint8_t* bytes, unsigned size) const;
  /// The mode in which data accesses are made may have changed.
  void select();
  /// Upper bound of the time of an access of the inner loop. If it grows, blocks are flushed.
  Picoseconds worst_latency() const { return worst_latency_; }

  /// What may be accessed, or is watched, has changed: pages and lines are to be found anew.
  void flush();
  /// What programs may access has changed.
  void forget_rights();
  /// Pages of programs may be mapped elsewhere: all, or those with the leaf of this address.
  void forget_mappings();
  void forget_mapping(Word address);
  /// Timed mode is about to begin, which keeps fewer of them.
  void entering_timed();
  /// Stores into this page of memory are to be noted in the code pages.
  void drop_writes(std::uint64_t page);

  // Entries of page tables, for a walk. In functional mode they take no time where there is a host pointer, as fetching
  // code does; in timed mode they take what a load and a store of supervisor mode take.
  bool read_entry(std::uint64_t address, std::uint64_t& entry) override;
  bool write_entry(std::uint64_t address, std::uint64_t entry) override;

  /// Moves the counts of the inner loop's accesses to the totals, before they can overflow.
  void fold();
  /// Value of retired when they were folded last, and what generated code has retired since.
  std::uint64_t folded_at() const { return folded_at_; }
  /// Host pointers to [first, last] are no longer valid.
  void invalidate_direct(std::uint64_t first, std::uint64_t last);
  /// Forgets what is known about the world outside.
  void forget();

  std::vector<DirectTraffic> direct_traffic() const;
  void persist(Archive& archive);
  /// After loading.
  void loaded();

 private:
  static constexpr unsigned kBusWord = 8;
  static constexpr unsigned kNoRegion = ~0u;
  static constexpr std::size_t kKnownPages = 256;
  struct Region {
    DmiRegion direct;
    DirectTraffic traffic;
    bool active = true;
    void persist(Archive& archive);
  };

  bool transfer(bool write, Word address, std::uint8_t* data, unsigned size);
  bool transfer_unaligned(bool write, Word address, std::uint8_t* data, unsigned size);
  bool transfer_part(bool write, Word address, std::uint8_t* data, unsigned size);
  bool both_parts_there(Word address, unsigned size, unsigned room);
  bool translate(Access access, Word address, std::uint64_t& physical, WalkMemory& memory);
  bool page_takes_stores(Word address);
  std::uint64_t reserved_place();
  bool move_entry(bool write, std::uint64_t address, std::uint64_t& entry);
  Answer pass_to_port(const vp::Access& access);
  bool refuse(bool write, Word address);
  static Word page_of(Word address) { return address & ~static_cast<Word>(kPageSize - 1); }
  TlbEntry<Word>* deciding_entry(bool write, Word address);
  void move(bool write, const TlbEntry<Word>& entry, Word address, std::uint8_t* data, unsigned size);
  void keep_slow(bool write, Word address, std::uint64_t physical);
  TlbEntry<Word>* tlb_entry(bool write, Word address, std::uint64_t physical);
  bool grant(bool write, std::uint64_t page, unsigned& region);
  /// An entry that generated code may have missed.
  void show_native(bool write, std::size_t slot) {
    if ((write ? tlb_->write_region : tlb_->read_region)[slot] != native_region_) return;
    const TlbEntry<Word>& entry = (write ? tlb_->write : tlb_->read)[slot];
    tlb_->native[slot].of(write) = {entry.tag, entry.addend};
  }
  class NativeWalk;
  bool in_native_region(std::uint64_t physical) const;
  void grant_native(const DmiRegion& granted);
  /// Place of what is known of a page for loads (stores) in the tables below.
  static std::size_t page_slot(bool write, std::uint64_t physical) {
    return (physical >> kPageShift & (kKnownPages - 1)) + (write ? kKnownPages : 0);
  }
  std::uint64_t port_key(std::uint64_t physical) const;
  void keep_to_port(bool write, std::uint64_t physical);
  void forget_refusals();
  Tlb<Word>& table(DataSpace space) { return *tlbs_[static_cast<std::size_t>(space)]->data(); }
  const Tlb<Word>& table(DataSpace space) const { return *tlbs_[static_cast<std::size_t>(space)]->data(); }
  void drop_entry(bool write, DataSpace space, std::size_t slot);
  void drop_entries(std::uint8_t among);
  void drop_page(Word page);
  void add_traffic(bool write, unsigned region, std::uint64_t packed);

  HartContext<Word>& hart_;
  State<Word>& s_;
  TimedMemory<Word>& timed_;
  AccessWatch& watch_;
  CodePages& pages_;
  Reservation<Word> reservation_;
  /// Of the spaces that there have been accesses in.
  std::array<std::optional<ZeroedArray<Tlb<Word>>>, kDataSpaces> tlbs_;
  DataSpace space_ = DataSpace::machine;  ///< that they have now
  Tlb<Word>* tlb_ = nullptr;              ///< its table
  UsedEntries used_;
  /// Entries for stores, by the lower bits of their pages in memory.
  std::array<std::uint16_t, kTlbEntries> stored_to_{};
  static std::size_t stored_slot(std::uint64_t page) { return page >> kPageShift & (kTlbEntries - 1); }
  bool translated_ = false;      ///< their addresses are those of a program's pages
  DataMappings<Word> mappings_;  ///< an entry of a table of a program is made of that with its slot
  std::vector<Region> regions_;
  unsigned native_region_ = kNoRegion;                       ///< whose pages generated code reaches
  using Pages = std::array<std::uint64_t, 2 * kKnownPages>;  ///< by page_slot()
  Pages refused_;                                            ///< those for which direct access was refused
  Pages by_port_;              ///< those of which there is no more to find out: port_key()
  Picoseconds worst_latency_;  ///< of any region granted
  std::uint64_t folded_at_ = 0;
};

}  // namespace vp::cpu
