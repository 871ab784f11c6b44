#pragma once

#include <cstdint>

#include "models/common/bounds.h"
#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/matmul/core_config.h"

namespace vp::matmul {

/// The settings of one MatMul device; the defaults are the original's.
struct MatmulConfig {
  unsigned mesh = 2;
  unsigned tile = 2;
  Picoseconds clock_period = 8000;
  unsigned baud = 115200;
  unsigned instruction_words = 256;
  unsigned memory_words = 65536;
  unsigned tx_fifo_bytes = 256;
  Errata errata;

  void declare(ParameterGroup group);

  /// Sizes in clocks and words. Throws UserError: a memory that is no power of two or smaller than a matrix, a baud
  /// rate too high for the clock.
  CoreConfig core_config() const;

  /// Its cells and the bits of its block memory.
  void add_cost(HardwareCost& cost) const;
};

}  // namespace vp::matmul
