#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace vp::cpu::x86_64 {

/// Pairs of numbers that code adds: blocks mostly have the same ones, so they are few and stay in the cache of the
/// host.
class Constants {
 public:
  struct alignas(16) Pair {
    std::uint64_t lower;
    std::uint64_t upper;
  };

  Constants(std::uint8_t* memory, std::size_t size)
      : pairs_(reinterpret_cast<Pair*>(memory)), most_(size / sizeof(Pair)) {}

  bool room_for(std::size_t more) const { return count_ + more <= most_; }
  /// Where these are; there must be room.
  const Pair* place(std::uint64_t lower, std::uint64_t upper) {
    for (std::size_t at = hash(lower, upper);; ++at) {
      std::uint32_t& number = numbers_[at % numbers_.size()];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(count_);
        new (pairs_ + count_) Pair{lower, upper};
        if (4 * ++count_ > 3 * numbers_.size()) grow();
        return pairs_ + (count_ - 1);
      }
      if (pairs_[number].lower == lower && pairs_[number].upper == upper) return pairs_ + number;
    }
  }
  void clear() {
    count_ = 0;
    numbers_.assign(kFewest, kNone);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFewest = 1024;
  static std::size_t hash(std::uint64_t lower, std::uint64_t upper) {
    const std::uint64_t mixed = (lower ^ upper * 31) * 0x9e37'79b9'7f4a'7c15u;
    return static_cast<std::size_t>(mixed >> 32);
  }
  void grow() {
    std::vector<std::uint32_t> numbers(2 * numbers_.size(), kNone);
    for (std::uint32_t i = 0; i < count_; ++i) {
      std::size_t at = hash(pairs_[i].lower, pairs_[i].upper);
      while (numbers[at % numbers.size()] != kNone) ++at;
      numbers[at % numbers.size()] = i;
    }
    numbers_.swap(numbers);
  }

  Pair* const pairs_;
  const std::size_t most_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(kFewest, kNone);  ///< of pairs, by hash
};

}  // namespace vp::cpu::x86_64
