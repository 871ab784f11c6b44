#pragma once

#include <cstdint>
#include <optional>

#include "models/common/bounds.h"
#include "models/common/statistics.h"

namespace vp {

/// What drives the cost of a machine, beside its figures: axes for a Pareto front. What the machine has none of is left
/// out.
struct CostFigures {
  std::optional<std::uint64_t> mac_cells;
  std::optional<std::uint64_t> buffer_bits;
  std::optional<std::uint64_t> dram_channels;
  std::optional<std::uint64_t> dram_data_pins;
  std::optional<std::uint64_t> bus_width;

  template <typename List>
  void list(List& list) const {
    list.figure("mac_cells", mac_cells, "1", "multiply-accumulate cells of the accelerators, of whatever width");
    list.figure("buffer_bits", buffer_bits, "bits", "of the memories for data in the accelerators");
    list.figure("dram_channels", dram_channels, "1", "memories that are DRAM channels; fixed ones are none");
    list.figure("dram_data_pins", dram_data_pins, "1", "data pins of the DRAM channels, without address and command");
    list.figure("bus_width", bus_width, "bits", "data of the bus");
  }
};

/// Adds the group "cost", which depends on the machine's settings alone.
void report_cost(const HardwareCost& cost, Statistics& root);

}  // namespace vp
