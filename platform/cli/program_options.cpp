#include "platform/cli/program_options.h"

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <utility>

#include "models/tinytpu/part.h"
#include "models/tinytpu/program.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/log_options.h"
#include "platform/cli/option_values.h"
#include "platform/run/network_run.h"
#include "platform/run/program_run.h"
#include "platform/sweep/axis.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Meaningful with --program or --network only.
constexpr std::array<const char*, 4> kOnlyWithProgram = {"weights", "inputs", "results", "feed-gap"};
/// Meaningful with --network only.
constexpr std::array<const char*, 4> kOfNetworks = {"widths", "fit", "layout", "batch"};
/// Of the CPU's run, meaningless here.
constexpr std::array<const char*, 10> kForeignToPrograms = {
    "load",       "max-instructions", "trace",    "trace-format", "trace-pc",
    "trace-from", "trace-to",         "log-file", "uart-input",   "uart-output"};

std::vector<unsigned> parse_widths(const std::string& text) {
  std::vector<unsigned> widths;
  for (const std::string& value : parse_values(text)) {
    const std::uint64_t width = parse_integer(value);
    if (width < 2 || width > 256) throw UserError(std::to_string(width) + " is out of range (allowed: 2 to 256)");
    widths.push_back(static_cast<unsigned>(width));
  }
  return widths;
}

tinytpu::NetworkLayout parse_layout(const std::string& word) {
  if (word == "synchronized") return tinytpu::NetworkLayout::synchronized;
  if (word == "original") return tinytpu::NetworkLayout::original;
  throw UserError("'" + word + "' is neither synchronized nor original");
}

tinytpu::Network network_of(const po::variables_map& values, std::vector<unsigned> layers) {
  tinytpu::Network network;
  network.layers = std::move(layers);
  with_option(values, "layout", parse_layout, [&](tinytpu::NetworkLayout layout) { network.layout = layout; });
  network.batch = batch_of(values).value_or(0);
  return network;
}

BufferFit fit_of(const po::variables_map& values) {
  return values.count("fit") ? BufferFit::enlarge : BufferFit::refuse;
}

ProgramRunOptions program_run_options(const po::variables_map& values) {
  ProgramRunOptions options;
  options.program = value_of(values, "program");
  std::vector<unsigned> layers;
  with_option(values, "network", tinytpu::parse_layers, [&](std::vector<unsigned> list) { layers = std::move(list); });
  if (!layers.empty()) options.network = network_of(values, layers);
  options.weights = value_of(values, "weights");
  options.inputs = value_of(values, "inputs");
  options.results = value_of(values, "results");
  with_option(values, "feed-gap", parse_integer, [&](std::uint64_t gap) {
    if (gap < 1 || gap > 1'000'000'000) throw UserError("out of range (allowed: 1 to 1000000000)");
    options.feed_gap = gap;
  });
  with_option(values, "max-cycles", parse_integer, [&](std::uint64_t cycles) { options.max_cycles = cycles; });
  options.max_time = max_time_of(values);
  options.timeout = timeout_of(values);
  options.stats_file = value_of(values, "stats");
  options.timeline_file = value_of(values, "timeline");
  return options;
}

void check_combination(const po::variables_map& values) {
  if (values.count("program") && values.count("network"))
    throw UserError("run: --program and --network exclude each other");
  if (!operands(values).empty()) throw UserError("run: a CPU program and --program or --network exclude each other");
  for (const char* name : kForeignToPrograms)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  for (const char* name : kOfNetworks)
    if (values.count(name) && !values.count("network"))
      throw UserError("run: --" + std::string(name) + " needs --network");
  if (!values.count("widths")) return;
  for (const char* name : {"weights", "inputs", "results", "stats", "timeline", "log-instructions"})
    if (values.count(name)) throw UserError("run: --widths and --" + std::string(name) + " exclude each other");
}

}  // namespace

void add_program_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add("program", text("FILE.tpu"), "run this tinyTPU program without a CPU (assembly or 80-bit words)");
  add("network", text("LAYERS"), "run a fully connected network without a CPU, for example 784x504x10");
  add("weights", text("FILE"), "with them: the weight buffer, rows as 'row: hex' text, or binary if named *.bin");
  add("inputs", text("FILE"), "with them: the unified buffer, likewise");
  add("results", text("FILE"), "with them: write the changed rows of the unified buffer there");
  add("feed-gap", text("CYCLES"), "with them: between two instructions, at least (default 12, the fastest AXI master)");
  add("widths", text("N,N,..."), "with --network: print a table over these matrix widths (8:64:8 is a range)");
  add("batch", text("B"),
      "input vectors of --network (default: as many as the array is wide, one full pass); images of --workload "
      "(default 1)");
  add("fit", "with --network: enlarge buffers that are too small for it, and say so");
  add("layout", text("synchronized|original"),
      "with --network: a synchronize behind every layer (default), or the published stream with one at the end");
}

bool wants_tpu_program(const po::variables_map& values) { return values.count("program") || values.count("network"); }

void refuse_program_options(const po::variables_map& values) {
  for (const char* name : kOnlyWithProgram)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --program or --network");
  for (const char* name : kOfNetworks)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --network");
}

std::optional<std::uint64_t> batch_of(const po::variables_map& values) {
  constexpr std::uint64_t kMost = 1'000'000;
  std::optional<std::uint64_t> batch;
  with_option(values, "batch", parse_integer, [&](std::uint64_t vectors) {
    if (vectors < 1 || vectors > kMost) throw UserError("out of range (allowed: 1 to " + std::to_string(kMost) + ")");
    batch = vectors;
  });
  return batch;
}

void check_tpu_program_options(const po::variables_map& values) {
  check_combination(values);
  program_run_options(values);
  with_option(values, "widths", parse_widths, [](const std::vector<unsigned>&) {});
}

void check_tpu_program(const po::variables_map& values, const MachineSettings& machine) {
  const ProgramRunOptions options = program_run_options(values);
  const TinyTpuSettings& part = find_device<TinyTpuSettings>(machine, "tinyTPU");
  if (options.network) check_network(*options.network, part.config(), part.name(), fit_of(values));
}

int run_tpu_program_command(const po::variables_map& values) {
  check_combination(values);
  ProgramRunOptions options = program_run_options(values);
  MachineSettings settings(machine_sources(values));
  const TinyTpuSettings& part = find_device<TinyTpuSettings>(settings, "tinyTPU");
  const tinytpu::TinyTpuConfig& config = part.config();
  options.part = part.name();
  options.instruction_log = instruction_log_of(values, part.name());
  options.parameters = &settings.table;
  std::vector<unsigned> widths;
  with_option(values, "widths", parse_widths, [&](std::vector<unsigned> list) { widths = std::move(list); });
  if (options.network && widths.empty())
    fit_network(*options.network, config, options.part, fit_of(values), settings.table, std::cout);
  dump_configuration(settings, values);
  warn_of_settings_without_effect(values, settings);
  if (!widths.empty()) return print_network_table(options, config, widths, fit_of(values), std::cout);
  return run_tpu_program(options, config, std::cout);
}

}  // namespace vp
