#include "platform/cli/script_options.h"

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "models/matmul/part.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/log_options.h"
#include "platform/cli/option_values.h"
#include "platform/cli/program_options.h"
#include "platform/run/script_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Of the CPU's run, meaningless here.
constexpr std::array<const char*, 11> kForeign = {
    "load",     "max-instructions", "trace",    "trace-format", "trace-pc", "trace-from",
    "trace-to", "log-level",        "log-file", "quiet",        "serial"};

ScriptRunOptions script_run_options(const po::variables_map& values) {
  ScriptRunOptions options;
  options.scripts = values_of(values, "matmul");
  options.stats_file = value_of(values, "stats");
  options.max_time = max_time_of(values);
  options.timeout = timeout_of(values);
  with_option(values, "max-cycles", parse_integer, [&](std::uint64_t cycles) {
    if (cycles == 0) throw UserError("0 is out of range");
    options.max_cycles = cycles;
  });
  return options;
}

}  // namespace

void add_script_options(po::options_description& options) {
  options.add_options()("matmul", po::value<std::vector<std::string>>()->multitoken()->value_name("SCRIPT..."),
                        "run these scripts on the MatMul device without a CPU");
}

bool wants_scripts(const po::variables_map& values) { return values.count("matmul") != 0; }

void check_script_options(const po::variables_map& values) {
  if (wants_tpu_program(values)) throw UserError("run: --matmul and --program or --network exclude each other");
  refuse_program_options(values);
  if (!operands(values).empty()) throw UserError("run: a CPU program and --matmul exclude each other");
  for (const char* name : kForeign)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  script_run_options(values);
}

int run_scripts_command(const po::variables_map& values) {
  check_script_options(values);
  ScriptRunOptions options = script_run_options(values);
  const MachineSettings settings(machine_sources(values));
  const MatmulSettings& device = find_device<MatmulSettings>(settings, "MatMul device");
  options.instruction_log = instruction_log_of(values, device.name());
  dump_configuration(settings, values);
  warn_of_settings_without_effect(values, settings);
  return run_matmul_scripts(options, device.config(), std::cout);
}

}  // namespace vp
