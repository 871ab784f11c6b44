#include "platform/cli/serial_options.h"

#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/common/host_link.h"
#include "models/matmul/part.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/log_options.h"
#include "platform/cli/options.h"
#include "platform/run/serial_run.h"

namespace vp {

namespace po = boost::program_options;

namespace {

constexpr const char* kParameter = ".serial";

/// "uart0, uart1, matmul"
std::string parts_with_lines(const ParameterTable& table) {
  const std::string suffix = kParameter;
  std::string parts;
  for (const Parameter& one : table.all())
    if (one.name.size() > suffix.size() &&
        one.name.compare(one.name.size() - suffix.size(), suffix.size(), suffix) == 0)
      parts += (parts.empty() ? "" : ", ") + one.name.substr(0, one.name.size() - suffix.size());
  return parts;
}

}  // namespace

void add_serial_options(po::options_description& options) {
  options.add_options()(
      "serial", po::value<std::vector<std::string>>()->composing()->value_name("PART=TARGET"),
      "lead a serial line to pty (a pseudo-terminal of this host), tcp:PORT or none: the console of uart0, uart1, or "
      "the line of matmul, which may also lead to uart1; without a program, pty and tcp serve matmul alone until "
      "Ctrl-C");
}

void apply_serial_options(ParameterTable& table, const po::variables_map& values) {
  for (const std::string& option : values_of(values, "serial")) {
    const std::string part = option.substr(0, option.find('='));
    if (part == option || table.find(part + kParameter) == nullptr)
      throw UserError("--serial: '" + option.substr(0, 80) +
                      "' names no serial line (allowed: PART=TARGET, where PART is " + parts_with_lines(table) + ")");
    table.set(part + kParameter, option.substr(part.size() + 1), "--serial");
    for (const char* side : {"input", "output"})
      if (part == "uart0" && values.count(std::string("uart-") + side) &&
          parse_serial_target(table.find(part + kParameter)->get()).on_host())
        throw UserError("--uart-" + std::string(side) + " and --serial " + option.substr(0, 80) +
                        " exclude each other");
  }
}

bool wants_serial_device(const MachineSettings& settings) {
  const auto* device = settings.first<MatmulSettings>();
  if (!device) return false;
  return parse_serial_target(device->serial()).on_host();
}

int run_serial_device_command(const RunOptions& run, const MachineSettings& settings, const po::variables_map& values) {
  for (const char* name : {"max-instructions", "max-cycles", "trace", "log-level", "log-file"})
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  SerialRunOptions options;
  const MatmulSettings& device = find_device<MatmulSettings>(settings, "MatMul device");
  options.target = parse_serial_target(device.serial());
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
