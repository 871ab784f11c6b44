#include "platform/sweep/sweep.h"

#include <unistd.h>

#include <iostream>
#include <map>
#include <ostream>

#include "models/common/error.h"
#include "platform/common/progress.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/gather.h"

namespace vp {

namespace {

/// A bar with the time left on a terminal; elsewhere one line a point. Reads the results as they come.
class ConsoleMonitor : public SweepMonitor {
 public:
  ConsoleMonitor(const SweepJob& job, std::size_t total, ResultTable& table)
      : job_(job), total_(total), table_(table), progress_("sweeping", total) {}

  void ended(const SweepPoint& point, const std::string& failure, const PointFigures* result) override {
    ++done_;
    if (!failure.empty()) ++failed_;
    if (!failure.empty() || !terminal_)
      line("[" + std::to_string(done_) + "/" + std::to_string(total_) + "] " + point.hash + " " +
           describe(point.settings) + (failure.empty() ? ": finished" : ": failed: " + failure));
    tick();
    if (failure.empty()) read(point, result);
  }
  void tick() override { progress_.update(done_); }
  void note(const std::string& text) override { line(text); }

  std::size_t failed() const { return failed_; }
  std::size_t done() const { return done_; }

 private:
  /// A result that cannot be read is no reason to stop: the table says so when all points are done.
  void read(const SweepPoint& point, const PointFigures* result) {
    try {
      result ? table_.add(job_, point, *result) : table_.read(job_, point);
    } catch (const UserError&) {
    }
  }
  void line(const std::string& text) {
    progress_.hide();
    std::cerr << text << '\n';
  }

  const SweepJob& job_;
  std::size_t total_;
  ResultTable& table_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  const bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  Progress progress_;
};

/// For a worker: its coordinator watches the folder.
class SilentMonitor : public SweepMonitor {
 public:
  void ended(const SweepPoint&, const std::string&, const PointFigures*) override {}
  void tick() override {}
  void note(const std::string&) override {}
};

std::vector<const SweepPoint*> unfinished(const SweepPlan& plan, const SweepFolder& folder) {
  std::vector<const SweepPoint*> points;
  for (const SweepPoint& point : plan.points) {
    if (folder.is_finished(point.hash)) continue;
    folder.clear_failure(point.hash);
    points.push_back(&point);
  }
  return points;
}

void report_failures(const SweepPlan& plan, const SweepFolder& folder, std::ostream& out) {
  for (const SweepPoint& point : plan.points)
    if (const auto failure = folder.failure(point.hash))
      out << "failed: " << describe(point.settings) << "\n  " << failure->message << "\n  log: " << failure->log
          << '\n';
}

}  // namespace

SweepOutcome run_sweep(const SweepJob& job, const SweepFolder& folder, SweepEngine& engine, std::ostream& out) {
  folder.remove_leftovers();
  folder.write_job(job);
  const std::vector<const SweepPoint*> points = unfinished(job.plan, folder);
  SweepOutcome outcome;
  outcome.reused = job.plan.points.size() - points.size();
  ResultTable table(folder);
  {
    ConsoleMonitor monitor(job, points.size(), table);
    outcome.interrupted = !points.empty() && !engine.run(job, points, folder, monitor);
    outcome.failed = monitor.failed();
    outcome.finished = monitor.done() - monitor.failed();
  }
  write_file(folder.table_path(), table.table(folder.read_jobs()).csv());
  report_failures(job.plan, folder, out);
  out << job.plan.points.size() << (job.plan.points.size() == 1 ? " point: " : " points: ") << outcome.finished
      << " finished, " << outcome.reused << " reused, " << outcome.failed << " failed";
  if (outcome.interrupted)
    out << ", " << points.size() - outcome.finished - outcome.failed
        << " left (interrupted: the same command continues the sweep)";
  out << "\nresults: " << folder.table_path() << '\n';
  if (const std::string sentence = table.effects().sentence(); !sentence.empty()) out << "note: " << sentence << '\n';
  return outcome;
}

bool work_on_points(const SweepFolder& folder, const std::vector<std::string>& hashes, const OwnProgram& own) {
  const std::vector<SweepJob> jobs = folder.read_jobs();
  std::map<std::string, std::pair<const SweepJob*, const SweepPoint*>> by_hash;
  for (const SweepJob& job : jobs)
    for (const SweepPoint& point : job.plan.points) by_hash[point.hash] = {&job, &point};
  std::map<const SweepJob*, std::vector<const SweepPoint*>> points;
  for (const std::string& hash : hashes) {
    const auto found = by_hash.find(hash);
    if (found == by_hash.end())
      throw UserError("'" + hash.substr(0, 80) + "' is no point of the sweep in '" + folder.path() + "'");
    if (!folder.is_finished(hash)) points[found->second.first].push_back(found->second.second);
  }
  SilentMonitor monitor;
  for (const auto& [job, some] : points)
    if (!make_local_engine(1, own)->run(*job, some, folder, monitor)) return false;
  return true;
}

}  // namespace vp
