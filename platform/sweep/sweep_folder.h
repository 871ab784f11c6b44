#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/sweep/plan.h"

namespace vp {

/// All that a process on any machine needs to run points of a sweep.
struct SweepJob {
  std::string program;                    ///< absolute path of the tinytpu-vp that runs the points
  std::string directory;                  ///< working directory of the points: relative paths of the command hold
  std::vector<std::string> plugins;       ///< shared libraries with kinds of parts, absolute paths
  std::vector<std::string> config_files;  ///< base configuration, absolute paths, weakest first
  Settings environment;                   ///< settings of our environment, which other machines do not have
  SweepPlan plan;
  SimulatorIdentity simulator;
};

/// Why a point gave no result.
struct PointFailure {
  std::string message;  ///< "exit code 3: tinytpu-vp: …"
  std::string log;      ///< path of the point's log
};

/// The folder of a sweep, and of those that were made in it before:
///
///     sweep.json            the plans (schema tinytpu-vp-sweep-2), the present one last
///     points/<hash>.json    result of a finished point (schema tinytpu-vp-sweep-point-1), never a part of one
///     failed/<hash>.json    why a point failed
///     logs/<hash>.log       what the run of a point printed
///     results.csv           all points of all plans
///
/// Functions throw UserError with the system's reason when the folder cannot be read or written.
class SweepFolder {
 public:
  explicit SweepFolder(std::string path);

  /// Makes the folder and its subfolders and takes its lock; a second sweep in the same folder is refused. The lock
  /// ends with this object.
  void create_and_lock();
  /// Takes away what interrupted runs left half-written. Only under the lock.
  void remove_leftovers() const;

  /// Adds a plan behind the earlier ones, which keep the points that have a result and are not in the new one.
  void write_job(const SweepJob& job) const;
  /// At least one, the present one last; no point is in two. Throws UserError too for a damaged or foreign file.
  std::vector<SweepJob> read_jobs() const;

  bool is_finished(const std::string& hash) const;
  std::optional<PointFailure> failure(const std::string& hash) const;
  /// Forgets an earlier failure, because the point is tried again.
  void clear_failure(const std::string& hash) const;

  void write_result(const std::string& hash, const std::string& json) const;
  void write_failure(const SweepPoint& point, const std::string& message) const;

  const std::string& path() const { return path_; }
  std::string result_path(const std::string& hash) const { return path_ + "/points/" + hash + ".json"; }
  std::string failure_path(const std::string& hash) const { return path_ + "/failed/" + hash + ".json"; }
  std::string log_path(const std::string& hash) const { return path_ + "/logs/" + hash + ".log"; }
  /// Where the run of a point writes its statistics before they become its result.
  std::string statistics_path(const std::string& hash) const { return path_ + "/points/" + hash + ".part"; }
  std::string plan_path() const { return path_ + "/sweep.json"; }
  std::string table_path() const { return path_ + "/results.csv"; }

  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace vp
