#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vp::cpu {

inline constexpr unsigned kPageShift = 12;
inline constexpr std::uint64_t kPageSize = std::uint64_t{1} << kPageShift;
inline constexpr std::size_t kTlbEntries = 256;

/// One page that loads (or stores) may reach through a host pointer. The traffic counter holds accesses in its upper
/// and bytes in its lower half, so that counting both is one addition.
template <typename Word>
struct TlbEntry {
  static constexpr Word kInvalid = 0x800;  ///< differs from every masked address: bit 11 is always masked away
  static constexpr std::uint64_t kOneAccess = std::uint64_t{1} << 32;

  Word tag = kInvalid;             ///< address of the page
  std::uintptr_t addend = 0;       ///< guest address + addend = host address
  std::uint32_t latency = 0;       ///< of one access of up to 4 bytes, in picoseconds
  std::uint32_t wide_latency = 0;  ///< of one of 5 to 8 bytes
  std::uint64_t traffic = 0;

  /// Entry for an address; an access hits if masked(address) equals the tag, which also demands alignment.
  static std::size_t slot(Word address) { return address >> kPageShift & (kTlbEntries - 1); }
  template <std::size_t size>
  static constexpr Word masked(Word address) {
    return address & static_cast<Word>(~static_cast<Word>(kPageSize - 1) | (size - 1));
  }
};

/// Addresses to host pointers, one for each privilege mode (PMP may treat the modes differently).
template <typename Word>
struct Tlb {
  std::array<TlbEntry<Word>, kTlbEntries> read;
  std::array<TlbEntry<Word>, kTlbEntries> write;
  // Which region an entry's traffic belongs to; apart because only refills need it.
  std::array<std::uint32_t, kTlbEntries> read_region{};
  std::array<std::uint32_t, kTlbEntries> write_region{};
};

}  // namespace vp::cpu
