#pragma once

#include "models/common/clock.h"
#include "models/common/parameters.h"

namespace vp::tinytpu {

/// Rows of the accumulator file; fixed in the hardware's core.
inline constexpr unsigned kAccumulatorRows = 512;
/// The largest buffers that can be chosen, in rows.
inline constexpr unsigned kMostWeightRows = 1U << 24;
inline constexpr unsigned kMostBufferRows = 1U << 22;

/// Size and clock of one tinyTPU; the defaults are the published build's.
struct TinyTpuConfig {
  unsigned matrix_width = 14;            ///< N: rows and columns of the array, bytes in a buffer row
  unsigned weight_depth = 32768;         ///< rows of N bytes
  unsigned unified_buffer_depth = 4096;  ///< rows of N bytes
  unsigned fifo_depth = 32;              ///< instructions
  Picoseconds clock_period = 5625;
  bool hazard_report = true;

  void declare(ParameterGroup group) {
    group.integer("matrix_width", matrix_width, 2, 256, "elements", "rows and columns of the systolic array");
    group.integer("weight_depth", weight_depth, 1, kMostWeightRows, "rows",
                  "weight buffer, rows of matrix_width bytes");
    group.integer("unified_buffer_depth", unified_buffer_depth, 1, kMostBufferRows, "rows",
                  "unified buffer, rows of matrix_width bytes");
    group.integer("fifo_depth", fifo_depth, 1, 65536, "instructions", "capacity of the instruction FIFO");
    group.clock("clock", clock_period, "clock of the TPU, period or frequency");
    group.boolean(
        "hazard_report", hazard_report,
        "report reads before writes, overrun weights, host collisions and other hazards the hardware does not "
        "interlock");
  }
};

}  // namespace vp::tinytpu
