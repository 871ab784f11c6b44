#include "platform/run/network_run.h"

#include <iomanip>
#include <ostream>

#include "models/common/error.h"
#include "models/common/stop_request.h"
#include "platform/common/exit_code.h"

namespace vp {

namespace {

using tinytpu::BufferShortage;
using tinytpu::NetworkProgram;
using tinytpu::TinyTpuConfig;

/// "tpu.weight_depth"
std::string name_of(const BufferShortage& buffer, const std::string& part) { return part + "." + buffer.parameter; }

[[noreturn]] void refuse(const std::vector<BufferShortage>& lacking, const tinytpu::NetworkSize& size,
                         const TinyTpuConfig& config, const std::string& part) {
  std::string text = "at a matrix width of " + std::to_string(config.matrix_width) + " the network needs ";
  for (std::size_t i = 0; i < lacking.size(); ++i)
    text += (i == 0 ? "" : " and ") + std::to_string(lacking[i].needs) + " rows of the " + lacking[i].buffer + " (" +
            name_of(lacking[i], part) + " is " + std::to_string(lacking[i].has) + ")";
  text += ": --fit enlarges what is too small";
  const std::uint64_t passes = config.unified_buffer_depth / (size.buffer_rows / size.passes);
  if (size.weight_rows <= config.weight_depth && passes > 0)
    text += ", and --batch " + std::to_string(passes * config.matrix_width) + " would fit";
  throw UserError("run: " + text);
}

void tell(const BufferShortage& buffer, const std::string& part, std::ostream& out) {
  out << name_of(buffer, part) << " enlarged from " << buffer.has << " to " << buffer.needs << " rows (--fit)\n";
}

/// The buffers to enlarge; throws UserError if there are any and that is not asked for.
std::vector<BufferShortage> shortages(const tinytpu::NetworkSize& size, const TinyTpuConfig& config,
                                      const std::string& part, BufferFit fit) {
  std::vector<BufferShortage> lacking = tinytpu::shortages(config, size);
  if (!lacking.empty() && fit == BufferFit::refuse) refuse(lacking, size, config, part);
  return lacking;
}

/// The array of one width with the network's program.
struct Machine {
  TinyTpuConfig config;
  NetworkProgram network;
  std::vector<BufferShortage> enlarged;
};

Machine make_machine(const tinytpu::Network& network, const TinyTpuConfig& config, unsigned width,
                     const std::string& part, BufferFit fit) {
  Machine machine{config, {}, {}};
  machine.config.matrix_width = width;
  machine.network = tinytpu::network_program(width, network);
  machine.enlarged = shortages(machine.network.size, machine.config, part, fit);
  machine.config = tinytpu::fitted(machine.config, machine.network.size);
  return machine;
}

void print_row(const Machine& machine, std::uint64_t cycles, std::uint64_t hazards, std::ostream& out) {
  const TinyTpuConfig& config = machine.config;
  const tinytpu::NetworkSize& size = machine.network.size;
  const auto vectors = static_cast<double>(size.vectors),
             time = static_cast<double>(cycles * config.clock_period) / 1e6;
  const double peak = static_cast<double>(cycles) * config.matrix_width * config.matrix_width;
  out << std::right << std::setw(12) << config.matrix_width << std::setw(14) << machine.network.instructions.size()
      << std::setw(13) << cycles * config.clock_period / 1'000'000 << std::setw(9) << cycles << std::setw(9)
      << size.vectors << std::setw(8) << size.passes << std::fixed << std::setprecision(3) << std::setw(11)
      << time / vectors << std::setw(15) << static_cast<double>(cycles) / vectors << std::setprecision(2)
      << std::setw(20) << 100 * static_cast<double>(size.useful_macs) / peak;
  if (config.hazard_report)
    out << std::setw(9) << hazards << '\n';
  else
    out << std::setw(9) << "-" << '\n';
}

}  // namespace

void check_network(const tinytpu::Network& network, const TinyTpuConfig& config, const std::string& part,
                   BufferFit fit) {
  shortages(tinytpu::network_size(config.matrix_width, network), config, part, fit);
}

void fit_network(const tinytpu::Network& network, const TinyTpuConfig& config, const std::string& part, BufferFit fit,
                 ParameterTable& table, std::ostream& out) {
  const tinytpu::NetworkSize size = tinytpu::network_size(config.matrix_width, network);
  for (const BufferShortage& buffer : shortages(size, config, part, fit)) {
    tell(buffer, part, out);
    table.set(name_of(buffer, part), std::to_string(buffer.needs), "--fit");
  }
}

int print_network_table(const ProgramRunOptions& options, const TinyTpuConfig& config,
                        const std::vector<unsigned>& widths, BufferFit fit, std::ostream& out) {
  std::vector<Machine> machines;  // all of them before the first line is printed: a width may be refused
  for (const unsigned width : widths)
    machines.push_back(make_machine(*options.network, config, width, options.part, fit));
  for (const Machine& machine : machines)
    for (const BufferShortage& buffer : machine.enlarged) {
      out << "matrix width " << machine.config.matrix_width << ": ";
      tell(buffer, options.part, out);
    }
  out << "matrix width  instructions  duration/us   cycles  vectors  passes  us/vector  cycles/vector  useful/% of peak"
         "  hazards\n";
  std::uint64_t hazards = 0;
  for (const Machine& machine : machines) {
    tinytpu::Core core(machine.config);
    StopRequest stop;
    const ProgramOutcome outcome = execute_program(core, machine.network.instructions, options, stop);
    if (outcome.exit_code != kExitSuccess) {
      out << outcome.sentence << '\n';
      return outcome.exit_code;
    }
    print_row(machine, outcome.run.elapsed(), core.hazards().total(), out);
    hazards += core.hazards().total();
  }
  if (hazards > 0)
    out << "A program with hazards takes this time on the hardware, but its results may be wrong"
        << (options.network->layout == tinytpu::NetworkLayout::original ? " (without --layout original there are none)"
                                                                        : "")
        << ".\n";
  return kExitSuccess;
}

}  // namespace vp
