#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vp::cpu {

inline constexpr unsigned kPageShift = 12;
inline constexpr std::uint64_t kPageSize = std::uint64_t{1} << kPageShift;
/// Pages that a hart knows the translations of, and the host pointers in each of its spaces.
inline constexpr std::size_t kTlbEntries = 4096;

/// Accesses on the fast path, packed so that counting one is one addition: accesses in the upper 20 bits, those of 8
/// bytes
/// ("wide") in the next 20, bytes in the lower 24. The owner folds them into its totals before they can overflow.
namespace traffic {
inline constexpr unsigned kWideShift = 24, kAccessShift = 44;
/// Accesses after which a counter must have been folded.
inline constexpr std::uint64_t kMost = (std::uint64_t{1} << 19) - 1;

constexpr std::uint64_t of(unsigned size) {
  return (std::uint64_t{1} << kAccessShift) + (size > 4 ? std::uint64_t{1} << kWideShift : 0) + size;
}
constexpr std::uint64_t accesses(std::uint64_t packed) { return packed >> kAccessShift; }
constexpr std::uint64_t wide(std::uint64_t packed) { return packed >> kWideShift & 0xfffff; }
constexpr std::uint64_t bytes(std::uint64_t packed) { return packed & 0xffffff; }
}  // namespace traffic

/// One page (or cache line) that loads (or stores) may reach through a host pointer.
template <typename Word>
struct alignas(32) TlbEntry {
  static constexpr Word kInvalid = 0x8;  ///< differs from every masked address: bit 3 is always masked away

  Word tag = kInvalid;             ///< address of the page or line
  std::uintptr_t addend = 0;       ///< guest address + addend = host address
  std::uint32_t latency = 0;       ///< of one access of up to 4 bytes, in picoseconds
  std::uint32_t wide_latency = 0;  ///< of one of 5 to 8 bytes
  std::uint64_t traffic = 0;       ///< packed, see above

  /// Entry for an address; an access hits if masked(address) equals the tag, which also demands alignment.
  static std::size_t slot(Word address) { return address >> kPageShift & (kTlbEntries - 1); }
  template <std::size_t size>
  static constexpr Word masked(Word address) {
    return address & static_cast<Word>(~static_cast<Word>(kPageSize - 1) | (size - 1));
  }
};

/// What generated code looks at: a page of the memory whose latencies it has built in.
template <typename Word>
struct alignas(16) NativePage {
  Word tag = TlbEntry<Word>::kInvalid;
  std::uintptr_t addend = 0;
};

/// For loads and for stores.
template <typename Word>
struct alignas(32) NativePages {
  NativePage<Word> read;
  NativePage<Word> write;
  NativePage<Word>& of(bool stores) { return stores ? write : read; }
};

/// Whose loads and stores: each has tables of its own, as rights to pages and PMP treat them differently. Those of
/// machine mode are by physical address, the others, which come first, by that of the program.
enum class DataSpace : std::uint8_t { user, supervisor, supervisor_sum, machine };
inline constexpr std::size_t kDataSpaces = 4;
inline constexpr std::size_t kProgramSpaces = 3;

/// Which entries of the tables hold something: a byte for each slot, with a bit for loads and one for stores of each
/// space, so that one look tells what there is of a page.
class UsedEntries {
 public:
  /// Bits of the spaces that programs have.
  static constexpr std::uint8_t kPrograms = (1u << 2 * kProgramSpaces) - 1, kAll = (1u << 2 * kDataSpaces) - 1;
  static constexpr std::uint8_t bit(bool write, DataSpace space) {
    return static_cast<std::uint8_t>(1u << (2 * static_cast<unsigned>(space) + write));
  }

  std::uint8_t& at(std::size_t slot) { return used_[slot]; }
  /// Calls visit(write, space) for the entries of a slot, of those in `among`.
  template <typename Visit>
  void visit_slot(std::size_t slot, std::uint8_t among, Visit visit) const {
    for (unsigned rest = used_[slot] & among; rest != 0; rest &= rest - 1) {
      const auto number = static_cast<unsigned>(__builtin_ctz(rest));
      visit(number % 2 != 0, static_cast<DataSpace>(number / 2));
    }
  }
  /// Calls visit(write, space, slot) for all of them.
  template <typename Visit>
  void for_each(std::uint8_t among, Visit visit) const {
    for (std::size_t first = 0; first < used_.size(); first += sizeof(std::uint64_t)) {
      std::uint64_t several = 0;
      std::memcpy(&several, used_.data() + first, sizeof several);
      for (std::size_t slot = first; several != 0; ++slot, several >>= 8)
        visit_slot(slot, among, [&](bool write, DataSpace space) { visit(write, space, slot); });
    }
  }

 private:
  std::array<std::uint8_t, kTlbEntries> used_{};
};

/// Addresses to host pointers, one for each space. It begins as zeros, so that what is not used takes no memory: a tag
/// of zero is the first page's, which no other slot than its own is looked at for.
template <typename Word>
struct Tlb {
  void begin() {
    read[0] = write[0] = {};
    native[0] = {};
  }

  std::array<TlbEntry<Word>, kTlbEntries> read;
  std::array<TlbEntry<Word>, kTlbEntries> write;
  std::array<NativePages<Word>, kTlbEntries> native;  ///< for generated code, empty where there is none
  // Which region an entry's traffic belongs to; apart because only refills need it.
  std::array<std::uint32_t, kTlbEntries> read_region{};
  std::array<std::uint32_t, kTlbEntries> write_region{};
  std::array<std::uint64_t, kTlbEntries> write_page{};  ///< physical
};

/// For each set of the data cache the line used last, if it may be read (written) through a host pointer without
/// changing the cache: a hit here needs no look at the tags. A write entry also means that the line is dirty already.
template <typename Word>
struct LineTable {
  std::vector<TlbEntry<Word>> entries;
  std::size_t size = 0;           ///< in steps of the smallest line
  std::size_t writes_behind = 0;  ///< entries for writes are behind those for reads

  /// Between entries of larger lines there is room.
  void resize(std::uint64_t sets, unsigned line) {
    size = sets * line / sizeof(TlbEntry<Word>);
    writes_behind = line > sizeof(TlbEntry<Word>) ? 1 : size;
    entries.assign(size + writes_behind, {});
  }
  TlbEntry<Word>& read(std::size_t i) { return entries[i]; }
  TlbEntry<Word>& write(std::size_t i) { return entries[i + writes_behind]; }
};

/// How the inner loop finds an entry by page.
template <typename Word>
class PageLookup {
 public:
  explicit PageLookup(Tlb<Word>& tlb) : tlb_(&tlb) {}
  TlbEntry<Word>& read(Word address) const { return tlb_->read[TlbEntry<Word>::slot(address)]; }
  TlbEntry<Word>& write(Word address) const { return tlb_->write[TlbEntry<Word>::slot(address)]; }
  template <std::size_t size>
  Word masked(Word address) const {
    return TlbEntry<Word>::template masked<size>(address);
  }

 private:
  Tlb<Word>* tlb_;
};

/// How the inner loop finds an entry by line. An entry is as large as the smallest line, so that the bits of an address
/// which number its set are the entry's place in bytes, with no shifting: entries of larger lines stand apart.
template <typename Word>
class LineLookup {
 public:
  static_assert(sizeof(TlbEntry<Word>) == 32);
  LineLookup(LineTable<Word>& table, std::uint64_t sets, unsigned line)
      : read_(reinterpret_cast<std::byte*>(&table.read(0))),
        write_(reinterpret_cast<std::byte*>(&table.write(0))),
        index_mask_(static_cast<Word>((sets - 1) * line)),
        line_mask_(~static_cast<Word>(line - 1)) {}
  TlbEntry<Word>& read(Word address) const { return at(read_, address); }
  TlbEntry<Word>& write(Word address) const { return at(write_, address); }
  template <std::size_t size>
  Word masked(Word address) const {
    return address & (line_mask_ | static_cast<Word>(size - 1));
  }
  // For generated code, which finds tags and addends where entries have them.
  const void* reads() const { return read_; }
  std::int32_t writes_behind() const { return static_cast<std::int32_t>(write_ - read_); }
  Word index_mask() const { return index_mask_; }
  Word line_mask() const { return line_mask_; }

 private:
  TlbEntry<Word>& at(std::byte* table, Word address) const {
    return *reinterpret_cast<TlbEntry<Word>*>(table + (address & index_mask_));
  }

  std::byte* read_;
  std::byte* write_;
  Word index_mask_;
  Word line_mask_;
};

}  // namespace vp::cpu
