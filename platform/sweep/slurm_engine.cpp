#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "models/common/error.h"
#include "platform/common/child_process.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/folder_watch.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

/// Slurm's MaxArraySize is 1001 unless a site changes it: indices 0 to 1000.
constexpr std::size_t kLargestArray = 1000;
constexpr std::chrono::milliseconds kQueueInterval{2000};
/// How long results may take to show up on a shared file system after their job has left the queue.
constexpr std::chrono::milliseconds kGrace{10000};

std::string without_newline(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Job arrays over a list of points: task i of the list runs lines i·chunk+1 … (i+1)·chunk of points.txt. The files are
/// in the folder "slurm" of the sweep's folder.
class SlurmEngine : public SweepEngine {
 public:
  explicit SlurmEngine(const ClusterOptions& options) : options_(options) {}

  bool run(const SweepJob&, const std::vector<const SweepPoint*>& points, const SweepFolder& folder,
           SweepMonitor& monitor) override {
    SignalGate gate;
    folder_ = folder.path() + "/slurm";
    cancel_earlier_jobs();
    write_task(points, folder);
    submit(points.size(), monitor);
    FolderWatch watch(points, folder, monitor);
    if (!wait(gate, watch)) {
      cancel(jobs_);
      return false;
    }
    return true;
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::string jobs_file() const { return folder_ + "/jobs.txt"; }

  /// Tasks of a sweep that was killed may still be in the queue; they would work on the same points.
  void cancel_earlier_jobs() const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw UserError("cannot make the folder '" + folder_ + "': " + error.message());
    if (!std::filesystem::exists(jobs_file(), error)) return;
    std::istringstream text(read_file(jobs_file()));
    std::vector<std::string> jobs;
    for (std::string job; text >> job;) jobs.push_back(job);
    cancel(jobs);
  }

  static void cancel(const std::vector<std::string>& jobs) {
    if (jobs.empty()) return;
    std::vector<std::string> command = {"scancel", "--quiet"};
    command.insert(command.end(), jobs.begin(), jobs.end());
    std::string ignored;
    run_captured(command, ignored);  // a job that has ended meanwhile is as good as cancelled
  }

  std::size_t chunk(std::size_t points) const {
    return options_.chunk ? options_.chunk : (points + kLargestArray - 1) / kLargestArray;
  }

  void write_task(const std::vector<const SweepPoint*>& points, const SweepFolder& folder) const {
    std::string list;
    for (const SweepPoint* point : points) list += point->hash + "\n";
    write_file(folder_ + "/points.txt", list);
    const std::string size = std::to_string(chunk(points.size()));
    write_file(
        folder_ + "/task.sh",
        "#!/bin/sh\n# A task of a sweep's job array: runs its lines of points.txt. $1: number of its first task.\n"
        "first=$((($1 + SLURM_ARRAY_TASK_ID) * " +
            size + " + 1))\nlast=$((first + " + size +
            " - 1))\n"
            "exec " +
            shell_quoted({options_.worker, "sweep", "-o", folder.path(), "--worker"}) +
            " $(sed -n \"${first},${last}p\" " + shell_quoted(folder_ + "/points.txt") + ")\n");
  }

  void submit(std::size_t points, SweepMonitor& monitor) {
    const std::size_t tasks = (points + chunk(points) - 1) / chunk(points);
    for (std::size_t first = 0; first < tasks; first += kLargestArray) {
      const std::size_t last = std::min(kLargestArray, tasks - first) - 1;
      // The output's name is relative to --chdir, because sbatch would read % and \ of our path as patterns.
      std::vector<std::string> command = {"sbatch", "--parsable", "--job-name=tinytpu-vp-sweep", "--chdir=" + folder_,
                                          "--output=%A_%a.log"};
      command.push_back("--array=0-" + std::to_string(last) +
                        (options_.jobs ? "%" + std::to_string(options_.jobs) : ""));
      command.insert(command.end(), options_.words.begin(), options_.words.end());
      command.insert(command.end(), {folder_ + "/task.sh", std::to_string(first)});
      std::string output;
      if (!run_captured(command, output).success()) {
        cancel(jobs_);
        throw UserError("sbatch refuses the sweep: " + without_newline(output));
      }
      jobs_.push_back(without_newline(output.substr(0, output.find(';'))));  // "id" or "id;cluster"
    }
    std::string ids;
    for (const std::string& job : jobs_) ids += (ids.empty() ? "" : " ") + job;
    write_file(jobs_file(), ids + "\n");
    monitor.note("slurm: " + std::to_string(tasks) + " tasks of up to " + std::to_string(chunk(points)) +
                 " points in job " + ids);
  }

  /// Whether any of our jobs is still in the queue; also true while the controller does not answer.
  bool queued() const {
    std::string output;
    if (!run_captured({"squeue", "--noheader", "--me", "--format=%F"}, output).success()) return true;
    std::istringstream lines(output);
    std::set<std::string> present;
    for (std::string job; lines >> job;) present.insert(job);
    return std::any_of(jobs_.begin(), jobs_.end(), [&](const std::string& job) { return present.count(job) > 0; });
  }

  /// Returns false if the user interrupts.
  bool wait(SignalGate& gate, FolderWatch& watch) const {
    Time asked = std::chrono::steady_clock::now();
    bool gone = false;
    Time left{};
    while (!watch.look()) {
      if (gate.wait(options_.poll)) return false;
      const Time now = std::chrono::steady_clock::now();
      if (gone && now - left > std::min(kGrace, 20 * options_.poll)) {
        watch.abandon("the Slurm task ended without a result (its log is in " + folder_ + ")");
      } else if (!gone && now - asked > std::min(kQueueInterval, 4 * options_.poll)) {
        asked = now;
        gone = !queued();
        left = now;
      }
    }
    return true;
  }

  ClusterOptions options_;
  std::string folder_;
  std::vector<std::string> jobs_;
};

}  // namespace

std::unique_ptr<SweepEngine> make_slurm_engine(const ClusterOptions& options) {
  for (const char* program : {"sbatch", "squeue", "scancel"}) require_program(program, "slurm", "slurm-client");
  return std::make_unique<SlurmEngine>(options);
}

}  // namespace vp
