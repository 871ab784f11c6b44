#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/common/fork_server.h"
#include "platform/sweep/point_figures.h"
#include "platform/sweep/sweep_folder.h"

namespace vp {

/// Hears how a sweep goes on.
class SweepMonitor {
 public:
  virtual ~SweepMonitor() = default;
  /// A point has its result or its failure (then `failure` says why). result: from whoever has it at hand.
  virtual void ended(const SweepPoint& point, const std::string& failure, const PointFigures* result) = 0;
  /// Called now and then while points run.
  virtual void tick() = 0;
  /// Something worth a line: a job was submitted.
  virtual void note(const std::string& line) = 0;
};

/// How points get run. Every engine leaves each point's result or failure in the folder.
class SweepEngine {
 public:
  virtual ~SweepEngine() = default;
  /// Runs the points. Returns false if the user interrupted it; whatever still ran is then stopped and its points stay
  /// unfinished. Throws UserError when the engine itself cannot work (no such program, a job refused).
  virtual bool run(const SweepJob& job, const std::vector<const SweepPoint*>& points, const SweepFolder& folder,
                   SweepMonitor& monitor) = 0;
};

/// This program, as far as it can run points itself.
struct OwnProgram {
  std::string path;  ///< as in SweepJob::program; empty: it cannot
  /// Its copies do all that the program would do for the words of their command; nullptr: it is started.
  std::shared_ptr<ForkServer> copies;
};

/// A pool of processes on this machine. jobs: processes at the same time, at least 1. A sweep of `own` program does not
/// start it for each point, but copies it.
std::unique_ptr<SweepEngine> make_local_engine(unsigned jobs, OwnProgram own = {});

/// Settings of the engines that reach other machines. Those machines see the sweep's folder and the program under the
/// same paths.
struct ClusterOptions {
  std::string worker;                   ///< absolute path of the tinytpu-vp with which a remote task works on points
  unsigned jobs = 0;                    ///< tasks (points) at the same time, 0: as many as the engine gives
  unsigned chunk = 0;                   ///< points one task of a job array runs, 0: chosen (at most 1000 tasks)
  std::vector<std::string> words;       ///< handed to sbatch or parallel as they are ("--partition=long")
  std::chrono::milliseconds poll{500};  ///< how often folder and queue are looked at
};

/// Job arrays of Slurm (sbatch, squeue, scancel), waited for.
std::unique_ptr<SweepEngine> make_slurm_engine(const ClusterOptions& options);
/// GNU parallel, on this machine or over ssh (--sshlogin in `words`).
std::unique_ptr<SweepEngine> make_parallel_engine(const ClusterOptions& options);

}  // namespace vp
