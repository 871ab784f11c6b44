#include "platform/cli/drra_options.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/drra/config.h"
#include "platform/cli/log_options.h"
#include "platform/cli/option_values.h"
#include "platform/cli/program_options.h"
#include "platform/cli/script_options.h"
#include "platform/config/configuration.h"
#include "platform/files/whole_file.h"
#include "platform/run/drra_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Of the CPU's run, meaningless here.
constexpr const char* kForeign[] = {"load",       "max-instructions", "trace",     "trace-format", "trace-pc",
                                    "trace-from", "trace-to",         "log-level", "log-file",     "quiet",
                                    "serial",     "machine",          "plugin"};

/// The settings of the fabric alone: files and environment may have others, for machines.
std::vector<Setting> of_the_fabric(std::vector<Setting> settings) {
  const auto foreign = [](const Setting& setting) { return setting.name.rfind("drra.", 0) != 0; };
  settings.erase(std::remove_if(settings.begin(), settings.end(), foreign), settings.end());
  return settings;
}

void apply_sources(ParameterTable& table, const po::variables_map& values) {
  for (const std::string& path : values_of(values, "config"))
    apply_settings(table, of_the_fabric(read_ini(read_file(path), path)));
  apply_settings(table, of_the_fabric(read_environment(process_environment())));
  apply_assignments(table, values_of(values, "set"));
}

void dump(const ParameterTable& table, const std::string& path) {
  if (path.empty()) return;
  std::ostringstream text;
  write_ini(table, text);
  write_file(path, text.str());
}

}  // namespace

void add_drra_options(po::options_description& options) {
  options.add_options()(
      "drra", po::value<std::string>()->value_name("FILE"),
      "run this program of the DRRA fabric without a CPU (assembly, or JSON of a recorded run); takes "
      "the settings drra.* alone");
}

bool wants_drra_program(const po::variables_map& values) { return values.count("drra") != 0; }

int run_drra_command(const po::variables_map& values) {
  if (wants_tpu_program(values) || wants_scripts(values))
    throw UserError("run: --drra and --program, --network or --matmul exclude each other");
  refuse_program_options(values);
  if (!operands(values).empty()) throw UserError("run: a CPU program and --drra exclude each other");
  for (const char* name : kForeign)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  DrraRunOptions options;
  options.program = value_of(values, "drra");
  options.stats_file = value_of(values, "stats");
  options.timeline_file = value_of(values, "timeline");
  options.timeout = timeout_of(values);
  options.instruction_log = instruction_log_of(values, "drra");
  with_option(values, "max-cycles", parse_integer, [&](std::uint64_t cycles) {
    if (cycles == 0) throw UserError("0 is out of range");
    options.max_cycles = cycles;
  });
  drra::DrraConfig config;
  ParameterTable table;
  config.declare(ParameterGroup(table, "drra"));
  apply_sources(table, values);
  if (const Picoseconds time = max_time_of(values); time != kNever)
    options.max_cycles = std::min(options.max_cycles, std::max<std::uint64_t>(time / config.clock_period, 1));
  dump(table, value_of(values, "dump-config"));
  options.parameters = &table;
  return run_drra_program(options, config, std::cout);
}

}  // namespace vp
