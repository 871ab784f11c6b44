#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace vp {

/// Draws for tests with random settings; the same in every run for a seed.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  unsigned from_to(unsigned low, unsigned high) { return low + static_cast<unsigned>(random_() % (high - low + 1)); }
  /// `least` or one of its first `doublings` doublings.
  unsigned power_of_two(unsigned least, unsigned doublings) { return least << from_to(0, doublings); }
  bool one_in(unsigned number) { return random_() % number == 0; }
  std::string boolean() { return one_in(2) ? "true" : "false"; }
  std::string one_of(const std::vector<std::string>& values) { return values[random_() % values.size()]; }
  std::mt19937_64& source() { return random_; }

 private:
  std::mt19937_64 random_;
};

}  // namespace vp
