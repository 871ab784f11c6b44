#pragma once

#include <cstdint>
#include <cstring>

namespace vp::cpu {

/// Builds page tables (Sv32 or Sv39) in an image of memory, by the manual and not by the model.
class PageTables {
 public:
  enum Flag : std::uint64_t { kV = 1, kR = 2, kW = 4, kX = 8, kU = 16, kG = 32, kA = 64, kD = 128 };
  static constexpr std::uint64_t kAll = kV | kR | kW | kX | kA | kD;

  /// `image`, bytes, is what memory holds from `base` on; tables come into it from `first` on.
  template <typename Image>
  PageTables(unsigned xlen, Image& image, std::uint64_t base, std::uint64_t first)
      : xlen_(xlen), image_(image.data()), base_(base), root_(first), next_(first + 4096) {}

  unsigned levels() const { return xlen_ == 64 ? 3 : 2; }
  std::uint64_t satp() const { return (xlen_ == 64 ? std::uint64_t{8} << 60 : std::uint64_t{1} << 31) | root_ >> 12; }
  /// Bytes that a leaf of a level maps.
  std::uint64_t size(unsigned level) const { return std::uint64_t{4096} << level * bits(); }
  std::uint64_t end() const { return next_; }

  /// A leaf of that level; tables above it are made.
  void map(std::uint64_t virtual_address, std::uint64_t physical, std::uint64_t flags, unsigned level = 0) {
    set(place(virtual_address, level), physical >> 12 << 10 | flags);
  }
  /// Physical address of the entry of that level.
  std::uint64_t place(std::uint64_t virtual_address, unsigned level) {
    std::uint64_t table = root_;
    for (unsigned at = levels() - 1;; --at) {
      const std::uint64_t entry = table + (virtual_address >> (12 + at * bits()) & ((1u << bits()) - 1)) * (xlen_ / 8);
      if (at == level) return entry;
      if ((get(entry) & kV) == 0) {
        set(entry, next_ >> 12 << 10 | kV);
        next_ += 4096;
      }
      table = get(entry) >> 10 << 12;
    }
  }
  std::uint64_t get(std::uint64_t place) const {
    std::uint64_t entry = 0;
    std::memcpy(&entry, image_ + (place - base_), xlen_ / 8);
    return entry;
  }
  void set(std::uint64_t place, std::uint64_t entry) { std::memcpy(image_ + (place - base_), &entry, xlen_ / 8); }

 private:
  unsigned bits() const { return xlen_ == 64 ? 9 : 10; }

  const unsigned xlen_;
  std::uint8_t* const image_;
  const std::uint64_t base_;
  const std::uint64_t root_;
  std::uint64_t next_;  ///< table
};

}  // namespace vp::cpu
