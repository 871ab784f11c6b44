#pragma once

#include <string>

#include "platform/sweep/sweep_folder.h"

namespace vp {

/// All points of a plan as one table (RFC 4180): a header line, then one line a point in the plan's order. Columns:
/// point (hash), status (finished, failed, missing), wall_seconds, the swept parameters, every other parameter of the
/// machine, every statistic as "path [unit]". A cell is empty where a point has no such value. Throws UserError for a
/// damaged result, naming its file.
std::string gather_csv(const SweepPlan& plan, const SweepFolder& folder);

}  // namespace vp
