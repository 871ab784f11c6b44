#pragma once

#include <cstdint>
#include <string>

#include "models/bus/arbiter.h"
#include "models/common/parameters.h"

namespace vp {

enum class BusTopology : std::uint8_t {
  crossbar,  ///< a link to each target
  shared,    ///< one link for all
};

/// Which accesses wait in the kernel until they have their turn, so that they come in the exact order of time.
enum class BusOrder : std::uint8_t {
  decoupled,  ///< none; no longer offered
  shared,     ///< those before which another master may come (the result is the same)
  exact,      ///< all
};

/// Settings `bus.*`. All below `timeout` count in timed mode only.
struct BusConfig {
  Picoseconds clock = 10'000;
  unsigned width = 64;
  unsigned latency_cycles = 1;
  Picoseconds timeout = 1'000'000'000;
  BusTopology topology = BusTopology::crossbar;
  Arbitration arbitration = Arbitration::first_come;
  std::string priority;      ///< names of initiators separated by commas, the highest first
  unsigned outstanding = 0;  ///< accesses under way on a link; 0: any number
  BusOrder sync = BusOrder::shared;

  void declare(ParameterGroup g);
  /// Throws UserError for what is no longer offered.
  void check() const;
};

}  // namespace vp
