#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/sweep/sweep_folder.h"

namespace vp {

/// All points of a plan as one table (RFC 4180): a header line, then one line a point in the plan's order. Columns:
/// point (hash), status (finished, failed, missing), wall_seconds, the swept parameters, every other parameter of the
/// machine, every statistic as "path [unit]". A cell is empty where a point has no such value.
class ResultTable {
 public:
  /// Both must outlive the table.
  ResultTable(const SweepPlan& plan, const SweepFolder& folder) : plan_(plan), folder_(folder) {}

  /// Reads a point's result now, while others still run, so that csv() need not.
  void read(const SweepPoint& point);

  /// The table; reads what read() has not. Throws UserError for a damaged result, naming its file.
  std::string csv();

 private:
  using Cells = std::vector<std::pair<std::string, std::string>>;  // column and text

  const SweepPlan& plan_;
  const SweepFolder& folder_;
  std::map<std::string, Cells> results_;  // by hash
};

}  // namespace vp
