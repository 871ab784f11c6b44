#include "platform/run/configuration_report.h"

#include "platform/report/run_tree.h"

namespace vp {

void report_configuration(const ParameterTable& table, Statistics& root) {
  Statistics& group = root.group(kConfigurationGroup, "every parameter of the machine");
  for (const Parameter& parameter : table.all()) group.add(parameter.name, parameter.get(), parameter.help);
}

}  // namespace vp
