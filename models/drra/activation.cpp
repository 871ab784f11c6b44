#include "models/drra/activation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vp::drra {
namespace {

constexpr double kOne = 1 << kFractionBits;
constexpr int kLargest = 32767;
constexpr unsigned kSegmentBits = 9;  // 0.25 in Q4.11
constexpr unsigned kSegments = 64;    // of a saturated 16-bit index

struct Line {
  int slope = 0;   // 11 bits of fraction
  int offset = 0;  // Q4.11
};

int on_line(const Line& line, int x) { return (line.slope * x >> kFractionBits) + line.offset; }

/// One line for the inputs first … last. Its slope is the chord's, rounded; its offset puts the largest errors above
/// and below the function at the same distance, counted with the very arithmetic of the unit. The first line begins
/// with the function's own value, so that 0 gives it.
template <typename Function>
Line fit(Function function, int first, int last) {
  const double rise = function((last + 1) / kOne) - function(first / kOne);
  Line line;
  line.slope = static_cast<int>(std::lround(rise / (last + 1 - first) * kOne * kOne));
  if (first == 0) {
    line.offset = static_cast<int>(std::lround(function(0) * kOne));
    return line;
  }
  double low = 1e9, high = -1e9;
  for (int x = first; x <= last; ++x) {
    const double error = function(x / kOne) * kOne - on_line(line, x);
    low = std::min(low, error);
    high = std::max(high, error);
  }
  line.offset = static_cast<int>(std::lround((low + high) / 2));
  return line;
}

/// Lines for |x|, found by an index of which a segment takes `inputs` values of |x|.
template <typename Function>
std::array<Line, kSegments> table(Function function, int inputs) {
  std::array<Line, kSegments> lines;
  for (unsigned segment = 0; segment < kSegments; ++segment) {
    const int first = static_cast<int>(segment) * inputs;
    lines[segment] = fit(function, first, first + inputs - 1);
  }
  return lines;
}

int magnitude(std::int16_t x) { return std::min(std::abs(int{x}), kLargest); }

}  // namespace

std::int16_t sigmoid(std::int16_t x) {
  static const auto lines = table([](double v) { return 1 / (1 + std::exp(-v)); }, 1 << kSegmentBits);
  const int size = magnitude(x);
  const int y = on_line(lines[static_cast<unsigned>(size) >> kSegmentBits], size);
  return static_cast<std::int16_t>(x < 0 ? static_cast<int>(kOne) - y : y);
}

std::int16_t hyperbolic_tangent(std::int16_t x) {
  static const auto lines = table([](double v) { return std::tanh(v); }, 1 << (kSegmentBits - 1));
  const int size = magnitude(x);
  const int y = on_line(lines[static_cast<unsigned>(std::min(2 * size, kLargest)) >> kSegmentBits], size);
  return static_cast<std::int16_t>(x < 0 ? -y : y);
}

std::int16_t exponential(std::int16_t x) {
  const int below = sigmoid(static_cast<std::int16_t>(-magnitude(x) * (x < 0 ? -1 : 1)));
  if (below <= 0) return kLargest;
  const int one = static_cast<int>(kOne);
  return static_cast<std::int16_t>(std::min(one * one / below - one, kLargest));
}

}  // namespace vp::drra
