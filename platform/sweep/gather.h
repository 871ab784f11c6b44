#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/sweep/effects.h"
#include "platform/sweep/point_figures.h"
#include "platform/sweep/sweep_folder.h"
#include "platform/sweep/tidy_table.h"

namespace vp {

/// All points of some plans as one table, a line a point in the order of the plans. Columns: point (its hash), status
/// (finished, failed, missing), end and reason (how the run ended, why the point failed), version and build of the
/// simulator, command, inputs (digest of the contents of all files that the point reads), wall_seconds, the option
/// axes, every parameter of the machine (the swept ones first), every figure.
class ResultTable {
 public:
  /// The folder must outlive the table.
  explicit ResultTable(const SweepFolder& folder) : folder_(folder) {}

  /// Reads a point's result now, while others still run, so that table() need not. is_present: it is one of the present
  /// sweep.
  void read(const SweepJob& job, const SweepPoint& point, bool is_present = true);

  /// The same of a result at hand.
  void add(const SweepJob& job, const SweepPoint& point, const PointFigures& result, bool is_present = true);

  /// Of the points of the present sweep that have been read.
  const SweepEffects& effects() const { return effects_; }

  /// Reads what read() has not. Throws UserError for a damaged result, naming its file. Once.
  TidyTable table(const std::vector<SweepJob>& jobs);

 private:
  /// The line of a point without a result.
  void add_unfinished(const SweepJob& job, const SweepPoint& point);

  const SweepFolder& folder_;
  TidyTable table_;
  SweepEffects effects_;
  std::map<std::string, std::size_t> rows_;  // by hash
};

}  // namespace vp
