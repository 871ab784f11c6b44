#include "platform/cli/tensil_options.h"

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <sstream>
#include <string>

#include "platform/cli/configuration_options.h"
#include "platform/cli/log_options.h"
#include "platform/cli/option_values.h"
#include "platform/cli/program_options.h"
#include "platform/config/configuration.h"
#include "platform/files/whole_file.h"
#include "platform/run/tensil_machine.h"
#include "platform/run/tensil_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Meaningful with --tmodel only.
constexpr std::array<const char*, 6> kDependent = {"input",   "raw-output", "input-lanes",
                                                   "classes", "images",     "sample-interval"};
/// Of other runs, meaningless here.
constexpr std::array<const char*, 14> kForeign = {
    "load",     "max-instructions", "max-cycles", "trace",      "trace-format", "trace-pc", "trace-from",
    "trace-to", "log-file",         "log-level",  "uart-input", "uart-output",  "report",   "serial"};
/// Meaningful on a machine only.
constexpr std::array<const char*, 2> kOfMachines = {"plugin", "timeline"};

/// Cycles that the register has room for.
constexpr std::uint64_t kLongestInterval = 0xFFFF;

TensilRunOptions tensil_run_options(const po::variables_map& values) {
  TensilRunOptions options;
  options.model = value_of(values, "tmodel");
  options.input = value_of(values, "input");
  if (options.input.empty()) throw UserError("run: --tmodel needs --input FILE");
  options.output = value_of(values, "raw-output");
  options.classes = value_of(values, "classes");
  const auto at_least_one = [](const std::string& text) {
    const std::uint64_t number = parse_integer(text);
    if (number == 0) throw UserError("0 is out of range");
    return number;
  };
  with_option(values, "images", at_least_one, [&](std::uint64_t count) { options.images = count; });
  with_option(values, "input-lanes", at_least_one, [&](std::uint64_t lanes) { options.input_lanes = lanes; });
  with_option(values, "sample-interval", at_least_one, [&](std::uint64_t cycles) {
    if (cycles > kLongestInterval) throw UserError(std::to_string(cycles) + " is out of range");
    options.sample_interval = static_cast<std::uint32_t>(cycles);
  });
  options.max_time = max_time_of(values);
  options.timeout = timeout_of(values);
  options.stats_file = value_of(values, "stats");
  options.timeline_file = value_of(values, "timeline");
  options.instruction_log = instruction_log_of(values, "tensil");
  return options;
}

bool on_machine(const po::variables_map& values) { return values.count("machine") != 0; }

int run_on_machine(const TensilRunOptions& options, const tensil::Model& model, const po::variables_map& values) {
  MachineSettings settings(machine_sources(values));
  leave_processors_out(settings);
  dump_configuration(settings, values);
  return run_tensil_machine(options, model, settings, std::cout);
}

}  // namespace

void add_tensil_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add("tmodel", text("FILE.tmodel"),
      "run this network, compiled for the Tensil TCU, without a CPU; with --machine on the TCU of a machine");
  add("input", text("FILE"), "with it: images, as raw little-endian scalars, or as decimals if named *.csv");
  add("input-lanes", text("N"), "with it: lanes of a vector that raw input fills (default: all)");
  add("raw-output", text("FILE"), "with it: write the outputs of all images there, as raw scalars");
  add("classes", text("FILE"), "with it: names of the classes, one a line");
  add("sample-interval", text("CYCLES"),
      "with it: count samples of the TCU, one every so many cycles, by the kind of instruction");
  add("images", text("N"), "with it: run so many of the images at most");
}

bool wants_tensil_model(const po::variables_map& values) { return values.count("tmodel") != 0; }

void refuse_tensil_options(const po::variables_map& values) {
  for (const char* name : kDependent)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --tmodel");
}

void check_tensil_options(const po::variables_map& values) {
  if (wants_tpu_program(values)) throw UserError("run: --tmodel and --program or --network exclude each other");
  for (const char* other : {"matmul", "drra"})
    if (values.count(other)) throw UserError("run: --tmodel and --" + std::string(other) + " exclude each other");
  if (!operands(values).empty()) throw UserError("run: a CPU program and --tmodel exclude each other");
  refuse_program_options(values);
  for (const char* name : kForeign)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  for (const char* other : kOfMachines)
    if (!on_machine(values) && values.count(other))
      throw UserError("run: --" + std::string(other) + " with --tmodel needs --machine FILE");
  tensil_run_options(values);
}

int run_tensil_command(const po::variables_map& values) {
  check_tensil_options(values);
  TensilRunOptions options = tensil_run_options(values);
  const tensil::Model model = read_tensil_model(options.model);
  if (on_machine(values)) return run_on_machine(options, model, values);
  const TensilSettings settings(model, values_of(values, "config"), values_of(values, "set"));
  if (values.count("dump-config")) {
    std::ostringstream text;
    write_ini(settings.table, text);
    write_file(value_of(values, "dump-config"), text.str());
  }
  options.parameters = &settings.table;
  return run_tensil_model(options, model, settings.config, std::cout);
}

TensilSettings::TensilSettings(const tensil::Model& model, const std::vector<std::string>& config_files,
                               const std::vector<std::string>& assignments) {
  config.set_architecture(model.architecture);
  config.declare(ParameterGroup(table, "tensil"));
  const auto apply_own = [this](const std::vector<Setting>& settings) {
    for (const Setting& one : settings)
      if (one.name.rfind("tensil.", 0) == 0) table.set(one.name, one.value, one.source);
  };
  for (const std::string& path : config_files) apply_own(read_ini(read_file(path), path));
  apply_own(read_environment(process_environment()));
  apply_assignments(table, assignments);
}

}  // namespace vp
