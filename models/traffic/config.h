#pragma once

#include <cstdint>
#include <string>

#include "models/common/parameters.h"

namespace vp {

/// How the addresses of a generator follow each other.
enum class TrafficPattern : std::uint8_t {
  sequential,  ///< burst after burst through the window, then from its start again
  strided,     ///< `stride` bytes from one to the next, then from the start again
  random,      ///< any burst of the window
};

/// Settings of one traffic generator, for example `traffic0.*`.
struct TrafficConfig {
  std::uint64_t base = 0;
  std::uint64_t size = 64u << 20;
  TrafficPattern pattern = TrafficPattern::sequential;
  std::uint64_t stride = 4096;
  std::uint64_t seed = 1;
  unsigned burst = 64;
  unsigned writes = 0;
  unsigned outstanding = 4;
  std::uint64_t rate = 0;  ///< bytes a second that it offers; 0: as fast as its answers come
  Picoseconds begin = 0;
  Picoseconds end = 0;  ///< 0: with the run

  void declare(const ParameterGroup& group);
  /// Throws UserError, naming `generator` ("traffic0"): a window smaller than a burst, an end before the begin.
  void check(const std::string& generator) const;
};

}  // namespace vp
