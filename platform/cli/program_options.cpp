#include "platform/cli/program_options.h"

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <utility>

#include "models/tinytpu/part.h"
#include "models/tinytpu/program.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/option_values.h"
#include "platform/run/program_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Meaningful with --program or --network only.
constexpr std::array<const char*, 5> kDependent = {"weights", "inputs", "results", "feed-gap", "widths"};
/// Of the CPU's run, meaningless here.
constexpr std::array<const char*, 9> kForeign = {"load", "max-instructions", "trace",    "trace-pc",   "trace-from",
                                                 "trace-to",         "log-file", "uart-input", "uart-output"};

std::vector<unsigned> parse_widths(const std::string& text) {
  std::vector<unsigned> widths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::uint64_t width = parse_integer(text.substr(begin, end - begin));
    if (width < 2 || width > 256) throw UserError(std::to_string(width) + " is out of range (allowed: 2 to 256)");
    widths.push_back(static_cast<unsigned>(width));
    begin = end + 1;
  }
  return widths;
}

ProgramRunOptions program_run_options(const po::variables_map& values) {
  ProgramRunOptions options;
  options.program = value_of(values, "program");
  with_option(values, "network", tinytpu::parse_layers,
              [&](std::vector<unsigned> layers) { options.network = std::move(layers); });
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
  for (const char* name : kForeign)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  if (!values.count("widths")) return;
  if (!values.count("network")) throw UserError("run: --widths needs --network");
  for (const char* name : {"weights", "inputs", "results", "stats", "timeline"})
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
  add("widths", text("N,N,..."), "with --network: print a table over these matrix widths");
}

bool wants_tpu_program(const po::variables_map& values) { return values.count("program") || values.count("network"); }

void refuse_program_options(const po::variables_map& values) {
  for (const char* name : kDependent)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --program or --network");
}

void check_tpu_program_options(const po::variables_map& values) {
  check_combination(values);
  program_run_options(values);
}

int run_tpu_program_command(const po::variables_map& values) {
  check_combination(values);
  ProgramRunOptions options = program_run_options(values);
  const MachineSettings settings(machine_sources(values));
  const tinytpu::TinyTpuConfig& config = find_device<TinyTpuSettings>(settings, "tinyTPU").config();
  options.parameters = &settings.table;
  std::vector<unsigned> widths;
  with_option(values, "widths", parse_widths, [&](std::vector<unsigned> list) { widths = std::move(list); });
  dump_configuration(settings, values);
  if (!widths.empty()) return print_network_table(options, config, widths, std::cout);
  return run_tpu_program(options, config, std::cout);
}

}  // namespace vp
