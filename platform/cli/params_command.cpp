#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/cli/commands.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"

namespace vp {

namespace {

/// The parameter itself, or every one of a group: "tpu", "cpu.cycles".
bool selected(const Parameter& parameter, const std::string& pattern) {
  return parameter.name == pattern || parameter.name.compare(0, pattern.size() + 1, pattern + ".") == 0;
}

std::vector<const Parameter*> select(const ParameterTable& table, const std::vector<std::string>& patterns) {
  std::vector<const Parameter*> chosen;
  for (const Parameter& parameter : table.all())
    if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const auto& pattern) { return selected(parameter, pattern); }))
      chosen.push_back(&parameter);
  for (const std::string& pattern : patterns) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](const auto* parameter) { return selected(*parameter, pattern); }))
      continue;
    const std::string guess = table.nearest(pattern);
    throw UserError("params: no parameter or group '" + pattern + "'" +
                    (guess.empty() ? "" : ": did you mean '" + guess + "'?"));
  }
  return chosen;
}

std::string without_effect(const Parameter& parameter) {
  return parameter.without_effect ? parameter.without_effect() : "";
}

void print_text(const std::vector<const Parameter*>& parameters) {
  for (const Parameter* parameter : parameters) {
    std::cout << std::left << std::setw(32) << parameter->name << ' ' << std::setw(8) << parameter->type << " default "
              << parameter->default_value;
    if (parameter->source != "default") std::cout << ", now " << parameter->get() << " (" << parameter->source << ')';
    std::cout << "\n    " << parameter->help << " (" << parameter->range
              << (parameter->unit.empty() ? "" : " " + parameter->unit) << ")\n";
    if (const std::string why = without_effect(*parameter); !why.empty())
      std::cout << "    no effect, as " << why << '\n';
  }
}

void print_json(const std::vector<const Parameter*>& parameters) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Parameter* parameter : parameters)
    list.push_back({{"name", parameter->name},
                    {"type", parameter->type},
                    {"default", parameter->default_value},
                    {"range", parameter->range},
                    {"unit", parameter->unit},
                    {"help", parameter->help},
                    {"value", parameter->get()},
                    {"source", parameter->source},
                    {"without_effect", without_effect(*parameter)}});
  std::cout << list.dump(2) << '\n';
}

}  // namespace

int params_command(const std::vector<std::string>& arguments) {
  OptionParser parser;
  parser.usage = "params [--json] [--machine FILE.ini] [--config FILE.ini] [--set NAME=VALUE] [NAME|GROUP...]";
  parser.about =
      "Lists the parameters of the machine: name, type, default, what is allowed, unit, help, and the present value "
      "where a\n"
      "file, the environment or --set changes it. An environment variable's name is TINYTPU_VP_ and the parameter's "
      "in\n"
      "capitals with '__' for '.'.\n";
  parser.takes_operands = true;
  parser.options.add_options()("json", "print JSON");
  add_configuration_options(parser.options, false);
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const MachineSettings settings(machine_sources(values));
  const auto parameters = select(settings.table, operands(values));
  if (values.count("json"))
    print_json(parameters);
  else
    print_text(parameters);
  return kExitSuccess;
}

}  // namespace vp
