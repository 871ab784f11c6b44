#pragma once

#include "models/common/parameters.h"
#include "models/common/statistics.h"

namespace vp {

/// Adds the group "configuration": every parameter with its present value as text, by its full name. It lets a report
/// say what machine produced its figures.
void report_configuration(const ParameterTable& table, Statistics& root);

}  // namespace vp
