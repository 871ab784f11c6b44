#include "platform/sweep/sample.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vp {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere, which the standard's distributions are not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  /// 0 to `sides` - 1.
  std::size_t roll(std::size_t sides) {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * sides) >> 64);
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

GridIndex random_point(const std::vector<std::size_t>& sizes, Dice& dice) {
  GridIndex point;
  for (const std::size_t size : sizes) point.push_back(dice.roll(size));
  return point;
}

/// `count` points; those of one axis lie one in each of `count` equal parts of it.
std::vector<GridIndex> latin_hypercube(const std::vector<std::size_t>& sizes, std::size_t count, Dice& dice) {
  std::vector<GridIndex> points(count);
  std::vector<std::size_t> part(count);
  for (const std::size_t size : sizes) {
    std::iota(part.begin(), part.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(part[i - 1], part[dice.roll(i)]);
    for (std::size_t i = 0; i < count; ++i) {
      // The values of part p of `count`: from p × size / count on; where a part holds none, the one that it is within.
      const std::size_t first = part[i] * size / count, end = (part[i] + 1) * size / count;
      points[i].push_back(first + (end > first ? dice.roll(end - first) : 0));
    }
  }
  return points;
}

}  // namespace

std::size_t sample_grid(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                        const std::function<bool(const GridIndex&)>& accept) {
  Dice dice(sampling.seed);
  std::size_t accepted = 0;
  if (sampling.method == Sampling::Method::latin_hypercube)
    for (const GridIndex& point : latin_hypercube(sizes, sampling.count, dice)) accepted += accept(point);
  for (std::size_t in_vain = 0; accepted < sampling.count && in_vain < 100 * sampling.count;) {
    if (accept(random_point(sizes, dice)))
      ++accepted;
    else
      ++in_vain;
  }
  return accepted;
}

}  // namespace vp
