#include "platform/report/ideal_bounds.h"

#include <algorithm>

namespace vp {

namespace {

std::uint64_t tiles(std::uint64_t size, std::uint64_t width) { return (size + width - 1) / width; }

double per_second(std::uint64_t amount, Picoseconds time) {
  return time == 0 ? 0.0 : static_cast<double>(amount) * 1e12 / static_cast<double>(time);
}

double percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0.0; }

void add_link(Statistics& group, const LinkUse& link, const IdealInputs& inputs) {
  const double reached = per_second(link.bytes, inputs.simulated_time);
  group.add("peak_bandwidth", link.peak_bytes_per_second, "bytes/s", "width × clock");
  group.add("bytes", link.bytes, "bytes", "moved in the run");
  group.add("reached_bandwidth", reached, "bytes/s", "bytes over simulated time");
  group.add("of_peak", percent(reached, link.peak_bytes_per_second), "%", "reached over peak bandwidth");
  group.add("intensity", link.bytes ? static_cast<double>(inputs.macs) / static_cast<double>(link.bytes) : 0.0,
            "MAC/byte", "multiply-accumulates a byte moved");
}

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

void add_ideal_bounds(Statistics& root, const IdealInputs& inputs) {
  Statistics& ideal = root.group("ideal", "bounds that no run can beat, beside what this one reached");
  const double peak = peak_macs_per_second(inputs.matrix_width, inputs.tpu_clock_period);
  const double reached = per_second(inputs.macs, inputs.simulated_time);
  ideal.add("peak_macs_per_second", peak, "MAC/s", "matrix width squared × clock");
  ideal.add("macs", inputs.macs, "MAC", "multiply-accumulates done by the array, padding included");
  ideal.add("reached_macs_per_second", reached, "MAC/s", "multiply-accumulates over simulated time");
  ideal.add("macs_of_peak", percent(reached, peak), "%", "reached over peak");
  if (inputs.minimum_cycles > 0) {
    ideal.add("minimum_cycles", inputs.minimum_cycles, "cycles", "closed-form least of the executed instructions");
    ideal.add("cycles", inputs.tpu_cycles, "cycles", "taken by the tinyTPU");
    ideal.add("cycles_of_minimum",
              percent(static_cast<double>(inputs.tpu_cycles), static_cast<double>(inputs.minimum_cycles)), "%",
              "taken over least; below 100 % the model is wrong");
  }
  for (const LinkUse& link : inputs.links)
    add_link(ideal.group("links").group(link.name, "roof of this link or memory"), link, inputs);
}

}  // namespace vp
