#include "platform/cli/drra_options.h"

#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <string>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/drra/config.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/option_values.h"
#include "platform/cli/program_options.h"
#include "platform/cli/script_options.h"
#include "platform/run/drra_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// Of the CPU's run, meaningless here.
constexpr const char* kForeign[] = {"max-instructions", "max-time", "trace",    "trace-pc", "trace-from", "trace-to",
                                    "log-level",        "log-file", "timeline", "quiet",    "serial"};

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
  options.timeout = timeout_of(values);
  with_option(values, "max-cycles", parse_integer, [&](std::uint64_t cycles) {
    if (cycles == 0) throw UserError("0 is out of range");
    options.max_cycles = cycles;
  });
  drra::DrraConfig config;
  ParameterTable table;
  config.declare(ParameterGroup(table, "drra"));
  apply_configuration(table, values);
  dump_configuration(table, values);
  return run_drra_program(options, config, std::cout);
}

}  // namespace vp
