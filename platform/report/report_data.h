#pragma once

#include <string>
#include <vector>

namespace vp {

/// Which figures or swept parameters the charts of a sweep show first; empty: the page chooses.
struct SweepAxes {
  std::string across;
  std::string up;
};

/// Reads what a report is made of and returns it as one JSON document for the page (schema tinytpu-vp-report-1). Inputs
/// are recognised by content: the folder of a sweep, alone; the statistics of one run, with or without the timeline
/// of that run; or two folders or two statistics files, which are compared. Throws UserError in one sentence for
/// anything else: missing, truncated, of another schema, too large. `axes` are checked against what the points of the
/// sweep have.
std::string read_report_data(const std::vector<std::string>& inputs, const SweepAxes& axes = {});

}  // namespace vp
