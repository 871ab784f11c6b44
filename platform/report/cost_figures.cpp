#include "platform/report/cost_figures.h"

#include "models/common/figures.h"

namespace vp {

void report_cost(const HardwareCost& cost, Statistics& root) {
  const auto some = [](std::uint64_t number) { return number != 0 ? std::optional(number) : std::nullopt; };
  const CostFigures figures{some(cost.mac_cells), some(cost.buffer_bits), some(cost.dram_channels),
                            some(cost.dram_data_pins), some(cost.bus_width)};
  if (figures.mac_cells || figures.dram_channels || figures.bus_width)
    write_figures(figures, root.group("cost", "what drives the cost of the machine"));
}

}  // namespace vp
