#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/common/child_process.h"
#include "platform/sweep/engine.h"
#include "platform/sweep/point_figures.h"
#include "platform/sweep/sweep_folder.h"

namespace vp {

/// One run of the program for one point, from its start to its result in the folder.
class PointRun {
 public:
  /// Starts the program, `own` or another. Throws UserError if it cannot be started. All of these must outlive this
  /// object.
  PointRun(const SweepJob& job, const SweepPoint& point, const SweepFolder& folder, const OwnProgram& own);

  /// True once the program has ended.
  bool ended();
  /// After that: leaves the point's result or its failure in the folder.
  void conclude();
  /// Ends the program; the point stays unfinished.
  void stop();

  const SweepPoint& point() const { return *point_; }
  /// Wall-clock time so far, or of the whole run.
  double seconds() const;
  /// Empty if the point has a result.
  const std::string& failure() const { return failure_; }
  /// The result, if there is one.
  const PointFigures* result() const { return failure_.empty() ? &result_ : nullptr; }

 private:
  std::string read_statistics();
  void remove_statistics() const;

  const SweepJob* job_;
  const SweepPoint* point_;
  const SweepFolder* folder_;
  std::chrono::steady_clock::time_point started_;
  ChildProcess child_;
  std::optional<ChildEnd> end_;
  double seconds_ = -1;
  std::string failure_;
  PointFigures result_;
};

/// The words of the program that runs a point: the command with the base configuration, the point's settings and a file
/// for its statistics. Later settings win, so those of the command itself come last.
std::vector<std::string> point_command(const SweepJob& job, const SweepPoint& point, const std::string& statistics);

}  // namespace vp
