#pragma once

#include <cstdint>
#include <vector>

namespace vp::dram {

/// Index of the lowest bit that is set; bits is not 0.
inline unsigned lowest_bit(std::uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }

/// A set of the banks of a channel, one bit each: what is in it is found without looking at the others.
class BankSet {
 public:
  explicit BankSet(unsigned banks) : words_((banks + 63) / 64) {}

  void insert(unsigned bank) { words_[bank / 64] |= std::uint64_t{1} << bank % 64; }
  void erase(unsigned bank) { words_[bank / 64] &= ~(std::uint64_t{1} << bank % 64); }
  void put(unsigned bank, bool in) { in ? insert(bank) : erase(bank); }
  void clear() {
    for (std::uint64_t& word : words_) word = 0;
  }
  bool contains(unsigned bank) const { return (words_[bank / 64] >> bank % 64 & 1) != 0; }
  bool empty() const {
    for (const std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }

  /// Calls visit(bank) for each bank in it.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1)
        visit(static_cast<unsigned>(i * 64) + lowest_bit(bits));
  }

  /// Calls visit(bank) for each bank in it, from bank `first` on in the circle of all banks, until it returns true.
  template <typename Visit>
  void for_each_from(unsigned first, Visit visit) const {
    const std::size_t start = first / 64, count = words_.size();
    const std::uint64_t behind = ~std::uint64_t{0} << first % 64;
    std::size_t word = start;
    for (std::size_t i = 0; i <= count; ++i) {
      std::uint64_t bits = words_[word];
      if (i == 0) bits &= behind;
      if (i == count) bits &= ~behind;
      for (; bits != 0; bits &= bits - 1)
        if (visit(static_cast<unsigned>(word * 64) + lowest_bit(bits))) return;
      if (++word == count) word = 0;
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace vp::dram
