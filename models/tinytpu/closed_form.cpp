#include "models/tinytpu/closed_form.h"

#include <algorithm>

namespace vp::tinytpu {

namespace {

std::uint64_t tiles(std::uint64_t size, std::uint64_t width) { return (size + width - 1) / width; }

}  // namespace

std::uint64_t layered_instructions(const std::vector<Layer>& layers, std::uint64_t matrix_width) {
  std::uint64_t columns = 0;
  for (const Layer& layer : layers) columns += tiles(layer.outputs, matrix_width);
  return 5 * columns + 1;
}

std::uint64_t layered_minimum_cycles(const std::vector<Layer>& layers, std::uint64_t matrix_width) {
  std::uint64_t cycles = 2 * matrix_width + 22;
  for (const Layer& layer : layers)
    cycles += tiles(layer.outputs, matrix_width) * (tiles(layer.inputs, matrix_width) * matrix_width + 10);
  return cycles;
}

std::uint64_t issue_bound_cycles(const IssuedWork& weights, const IssuedWork& multiplies, const IssuedWork& activates) {
  const auto bound = [](const IssuedWork& work) { return work.rows + 4 * work.instructions; };
  return std::max({bound(weights), bound(multiplies), bound(activates)});
}

double peak_macs_per_second(std::uint64_t matrix_width, Picoseconds clock_period) {
  const double width = static_cast<double>(matrix_width);
  return width * width * 1e12 / static_cast<double>(clock_period);
}

void add_cost(const TinyTpuConfig& config, HardwareCost& cost) {
  const std::uint64_t width = config.matrix_width;
  cost.mac_cells += width * width;
  cost.buffer_bits +=
      width * (8 * (std::uint64_t{config.weight_depth} + config.unified_buffer_depth) + 32 * kAccumulatorRows);
}

ComputeUse compute_use(const std::string& name, const TinyTpuConfig& config, const CoreFigures& figures) {
  ComputeUse use;
  use.name = name;
  use.clock = config.clock_period;
  use.peak_macs_per_second = peak_macs_per_second(config.matrix_width, config.clock_period);
  use.mapped_macs = figures.rows.vectors * config.matrix_width * config.matrix_width;
  use.minimum_cycles = issue_bound_cycles({figures.instructions.read_weights, figures.rows.weights},
                                          {figures.instructions.matrix_multiply, figures.rows.vectors},
                                          {figures.instructions.activate, figures.rows.activated});
  for (unsigned i = 0; i < kHeldUps; ++i) {
    const auto cause = static_cast<HeldUp>(i);
    if (cause == HeldUp::idle) continue;
    use.held_up_by.push_back({name_of(cause), figures.cycles.held_up.cycles[i], cause == HeldUp::host_feed});
    use.cycles += figures.cycles.held_up.cycles[i];
  }
  return use;
}

}  // namespace vp::tinytpu
