#pragma once

#include <string>
#include <vector>

namespace vp {

/// Reads what a report is made of and returns it as one JSON document for the page (schema tinytpu-vp-report-1). Inputs
/// are recognised by content: the folder of a sweep, alone; or the statistics of one run, with or without the timeline
/// of that run. Throws UserError in one sentence for anything else: missing, truncated, of another schema, too large.
std::string read_report_data(const std::vector<std::string>& inputs);

}  // namespace vp
