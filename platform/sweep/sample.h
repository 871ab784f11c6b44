#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace vp {

/// Points chosen from a grid instead of all of them.
struct Sampling {
  enum class Method {
    random,          ///< every combination is equally likely
    latin_hypercube  ///< of N points, every N-th part of each axis gets one
  };
  Method method = Method::latin_hypercube;
  std::size_t count = 0;
  std::uint64_t seed = 1;
};

/// Indices into the axes of a grid, one an axis.
using GridIndex = std::vector<std::size_t>;

/// Chooses points of a grid whose axes have these numbers of values, each at least 1. `accept` runs or refuses a point
/// that was drawn and says whether it counts; one that does not (because a constraint excludes it, or it was drawn
/// before) is replaced by a random other one, until `count` points count or `count` × 100 have been drawn in vain. The
/// same seed draws the same points on every machine. Returns how many count.
std::size_t sample_grid(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                        const std::function<bool(const GridIndex&)>& accept);

}  // namespace vp
