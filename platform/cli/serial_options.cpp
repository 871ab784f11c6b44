#include "platform/cli/serial_options.h"

#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/matmul/host_link.h"
#include "models/matmul/part.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/log_options.h"
#include "platform/cli/options.h"
#include "platform/run/serial_run.h"

namespace vp {

namespace po = boost::program_options;

void add_serial_options(po::options_description& options) {
  options.add_options()(
      "serial", po::value<std::vector<std::string>>()->composing()->value_name("matmul=TARGET"),
      "lead the device's serial line to uart1, pty (a pseudo-terminal of this host), tcp:PORT or none; "
      "without a program, pty and tcp serve the device alone until Ctrl-C");
}

void apply_serial_options(ParameterTable& table, const po::variables_map& values) {
  for (const std::string& option : values_of(values, "serial")) {
    const std::string device = option.substr(0, option.find('='));
    if (device == option || device != "matmul")
      throw UserError("--serial: '" + option + "' names no serial line (allowed: matmul=TARGET)");
    const std::string target = option.substr(device.size() + 1);
    matmul::parse_serial_target(target);
    table.set(device + ".serial", target, "the command line");
  }
}

bool wants_serial_device(const MachineSettings& settings) {
  const auto* device = settings.first<MatmulSettings>();
  if (!device) return false;
  const auto kind = matmul::parse_serial_target(device->serial()).kind;
  return kind == matmul::SerialTarget::Kind::pty || kind == matmul::SerialTarget::Kind::tcp;
}

int run_serial_device_command(const RunOptions& run, const MachineSettings& settings, const po::variables_map& values) {
  for (const char* name : {"max-instructions", "max-cycles", "trace", "log-level", "log-file"})
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  SerialRunOptions options;
  const MatmulSettings& device = find_device<MatmulSettings>(settings, "MatMul device");
  options.target = matmul::parse_serial_target(device.serial());
  options.max_time = run.max_time;
  options.timeout = run.timeout;
  options.stats_file = run.stats_file;
  options.report = run.report != ReportDetail::none;
  options.instruction_log = instruction_log_of(values, device.name());
  dump_configuration(settings, values);
  warn_of_settings_without_effect(values, settings);
  return run_matmul_device(options, device.config(), std::cerr);
}

}  // namespace vp
