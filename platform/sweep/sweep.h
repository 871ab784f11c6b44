#pragma once

#include <iosfwd>

#include "platform/sweep/engine.h"

namespace vp {

/// How a sweep ended.
struct SweepOutcome {
  std::size_t reused = 0;    ///< points that an earlier sweep in this folder had finished
  std::size_t finished = 0;  ///< points finished by this one
  std::size_t failed = 0;
  bool interrupted = false;
};

/// Runs a sweep in `folder`, which the caller has locked: writes the plan, runs what has no result yet with `engine`,
/// shows progress on stderr, gathers results.csv (also when interrupted) and reports failing points on `out`.
/// Throws UserError.
SweepOutcome run_sweep(const SweepJob& job, const SweepFolder& folder, SweepEngine& engine, std::ostream& out);

/// The part of a sweep that a task on another machine does: runs the points named by their hashes, one after the other,
/// as the folder's plan says. own: see make_local_engine(). Returns false if interrupted. Throws UserError, also for a
/// hash the plan does not have.
bool work_on_points(const SweepFolder& folder, const std::vector<std::string>& hashes, const OwnProgram& own = {});

}  // namespace vp
