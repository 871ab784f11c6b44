#include "platform/cli/effect.h"

#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "models/drra/config.h"
#include "models/matmul/part.h"
#include "models/tinytpu/part.h"
#include "platform/cli/drra_options.h"
#include "platform/cli/linux_options.h"
#include "platform/cli/options.h"
#include "platform/cli/program_options.h"
#include "platform/cli/script_options.h"

namespace vp {

namespace {

namespace po = boost::program_options;

/// A device that runs without the rest of the machine.
struct Alone {
  std::set<std::string> parameters;  ///< full names of those that it looks at
  std::string otherwise;             ///< "the tinyTPU runs alone"
};

template <typename Config>
Alone alone(Config config, const std::string& part, const std::string& otherwise) {
  ParameterTable table;
  config.declare(ParameterGroup(table, part));
  Alone device{{}, otherwise};
  for (const Parameter& parameter : table.all()) device.parameters.insert(parameter.name);
  return device;
}

std::optional<Alone> device_alone(const po::variables_map& values, const MachineSettings& machine) {
  if (wants_drra_program(values)) return alone(drra::DrraConfig(), "drra", "the DRRA fabric runs alone");
  if (wants_tpu_program(values)) {
    const auto* part = machine.first<TinyTpuSettings>();
    if (part) return alone(part->config(), part->name(), "the tinyTPU runs alone");
  } else if (wants_scripts(values) || (values.count("serial") && operands(values).empty() && !wants_linux(values))) {
    const auto* part = machine.first<MatmulSettings>();
    if (part) {
      Alone device = alone(part->config(), part->name(), "the MatMul device runs alone");
      device.parameters.insert(part->name() + ".serial");
      return device;
    }
  }
  return std::nullopt;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

WithoutEffect make_without_effect(const po::variables_map& values, const MachineSettings& machine) {
  const std::optional<Alone> device = device_alone(values, machine);
  return [device, by_widths = values.count("widths") != 0](const Parameter& parameter) -> std::string {
    if (!device) return parameter.without_effect ? parameter.without_effect() : "";
    if (!device->parameters.count(parameter.name)) return device->otherwise;
    const std::string width = ".matrix_width";
    const bool is_width = parameter.name.size() > width.size() &&
                          parameter.name.compare(parameter.name.size() - width.size(), width.size(), width) == 0;
    return by_widths && is_width ? "--widths takes its place" : "";
  };
}

void warn_of_settings_without_effect(const po::variables_map& values, const MachineSettings& machine) {
  constexpr std::size_t kListed = 12;
  const std::string description = value_of(values, "machine") + ":";
  const WithoutEffect why_of = make_without_effect(values, machine);
  std::map<std::string, std::string> names;  // by reason
  std::size_t count = 0;
  for (const Parameter& parameter : machine.table.all()) {
    if (parameter.source == "default" || starts_with(parameter.source, description)) continue;
    if (parameter.get() == parameter.default_value) continue;
    const std::string why = why_of(parameter);
    if (why.empty() || ++count > kListed) continue;
    names[why] += (names[why].empty() ? "" : ", ") + parameter.name;
  }
  if (count == 0) return;
  std::string text;
  for (const auto& [why, list] : names) text += (text.empty() ? "" : "; ") + list + " (" + why + ")";
  if (count > kListed) text += "; and " + std::to_string(count - kListed) + " more";
  std::cerr << "tinytpu-vp: warning: settings without effect on this run: " << text << '\n';
}

}  // namespace vp
