#include "platform/run/run_bounds.h"

#include <algorithm>

#include "platform/report/ideal_bounds.h"

namespace vp {

namespace {

std::uint64_t count_at(const Statistics& root, const std::string& path) {
  const Statistics::Value* value = root.find(path);
  return value && std::holds_alternative<std::uint64_t>(*value) ? std::get<std::uint64_t>(*value) : 0;
}

IdealInputs tpu_inputs(const tinytpu::TinyTpuConfig& config, Picoseconds time, const Statistics& root) {
  IdealInputs inputs;
  inputs.matrix_width = config.matrix_width;
  inputs.tpu_clock_period = config.clock_period;
  inputs.simulated_time = time;
  const auto work = [&](const char* kind, const char* rows) {
    return IssuedWork{count_at(root, std::string("tpu.instructions.") + kind),
                      count_at(root, std::string("tpu.rows.") + rows)};
  };
  const IssuedWork multiplies = work("matrix_multiply", "vectors");
  inputs.macs = multiplies.rows * config.matrix_width * config.matrix_width;
  inputs.minimum_cycles =
      issue_bound_cycles(work("read_weights", "weights"), multiplies, work("activate", "activated"));
  // A unit is busy or held up by another instruction as long as there is any; the slowest one tells the program's
  // length.
  for (const char* unit : {"read_weights", "matrix_multiply", "activate"}) {
    const std::string path = std::string("tpu.cycles.") + unit;
    inputs.tpu_cycles = std::max(inputs.tpu_cycles, count_at(root, path + ".busy") + count_at(root, path + ".stall"));
  }
  return inputs;
}

double bytes_per_second(double bytes_per_cycle, Picoseconds clock) {
  return bytes_per_cycle * 1e12 / static_cast<double>(clock);
}

}  // namespace

void report_configuration(const ParameterTable& table, Statistics& root) {
  Statistics& group = root.group("configuration", "every parameter of the machine");
  for (const Parameter& parameter : table.all()) group.add(parameter.name, parameter.get(), parameter.help);
}

void report_bounds(const tinytpu::TinyTpuConfig& config, Picoseconds time, Statistics& root) {
  add_ideal_bounds(root, tpu_inputs(config, time, root));
}

void report_bounds(const MachineConfig& config, Picoseconds time, Statistics& root) {
  if (!config.tpu_slot.present) return;
  IdealInputs inputs = tpu_inputs(config.tpu, time, root);
  LinkUse bus{"bus", bytes_per_second(config.bus.width / 8.0, config.bus.clock), 0};
  const auto link = [&](const char* name) {
    std::uint64_t bytes = 0;
    for (const Statistics& initiator : root.group("bus").groups())
      bytes += count_at(initiator, std::string(name) + ".bytes");
    return LinkUse{name, 0, bytes};
  };
  for (const Statistics& initiator : root.group("bus").groups())
    for (const Statistics& target : initiator.groups()) bus.bytes += count_at(target, "bytes");
  for (const auto& [name, memory] : {std::pair{"dram0", &config.dram0}, std::pair{"dram1", &config.dram1}}) {
    LinkUse use = link(name);
    use.peak_bytes_per_second = bytes_per_second(memory->bytes_per_cycle, config.bus.clock);
    inputs.links.push_back(use);
  }
  inputs.links.push_back(bus);
  add_ideal_bounds(root, inputs);
}

}  // namespace vp
