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

/// Initiators whose traffic is no work of the program.
bool is_generator(const MachineConfig& config, const std::string& initiator) {
  for (std::size_t i = 0; i < config.traffic.size(); ++i)
    if (initiator == traffic_name(i)) return true;
  return false;
}

double bytes_per_second(double bytes_per_cycle, Picoseconds clock) {
  return bytes_per_cycle * 1e12 / static_cast<double>(clock);
}

/// Bytes a second that a memory can move at most: while the machine is timed those of its DRAM channel.
double memory_peak(const MachineConfig& config, const MemoryConfig& memory, const Statistics& root) {
  const double fixed = bytes_per_second(memory.bytes_per_cycle, config.bus.clock);
  const auto timed = static_cast<double>(count_at(root, "run.timed_time"));
  const auto functional = static_cast<double>(count_at(root, "run.functional_time"));
  const auto channel = memory.resolve_channel();
  if (!channel || timed == 0) return fixed;
  return (timed * channel->peak_bytes_per_second() + functional * fixed) / (timed + functional);
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
  // Timed mode counts its part of the traffic once more, by link and in a group of each initiator.
  LinkUse memories[] = {{"dram0", memory_peak(config, config.dram0, root), 0},
                        {"dram1", memory_peak(config, config.dram1, root), 0}};
  unsigned initiators = 0;
  for (const Statistics& initiator : root.group("bus").groups()) {
    if (initiator.name() == "links" || is_generator(config, initiator.name())) continue;
    ++initiators;
    for (const Statistics& target : initiator.groups())
      if (target.name() != "timed") bus.bytes += count_at(target, "bytes");
    for (LinkUse& memory : memories) memory.bytes += count_at(initiator, memory.name + ".bytes");
  }
  if (config.bus.topology == BusTopology::crossbar) bus.peak_bytes_per_second *= std::max(1u, initiators);
  for (const LinkUse& memory : memories) inputs.links.push_back(memory);
  inputs.links.push_back(bus);
  add_ideal_bounds(root, inputs);
}

}  // namespace vp
