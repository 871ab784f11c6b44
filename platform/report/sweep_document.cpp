#include "platform/report/sweep_document.h"

#include <algorithm>

#include "platform/common/exit_code.h"
#include "platform/report/page_names.h"
#include "platform/report/point_table.h"
#include "platform/report/report_input.h"
#include "platform/sweep/point_run.h"
#include "platform/sweep/words.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

/// A run that a limit ended: its figures are those of a part of the program.
bool was_cut_off(const Json& statistics) {
  const Json::json_pointer exit_code("/groups/run/values/exit_code/value");
  return statistics.contains(exit_code) && statistics.at(exit_code) == kExitLimit;
}

/// How the run ended, as a sentence.
std::string reason_of(const Json& statistics) {
  const Json::json_pointer sentence("/groups/run/values/end/description");
  return statistics.contains(sentence) ? statistics.at(sentence).get<std::string>() : "a limit of the run was reached";
}

/// Collects the points of all sweeps of a folder.
class SweepDocument {
 public:
  explicit SweepDocument(const std::string& path) : folder_(path), jobs_(folder_.read_jobs()), shown_(jobs_) {
    for (const SweepJob& job : jobs_)
      for (const SweepPoint& point : job.plan.points)
        folder_.is_finished(point.hash) ? add_finished(job, point) : add_unfinished(job, point);
  }

  Json json(const std::string& path, const SweepAxes& axes) const {
    for (const auto& [option, name] : {std::pair("--across", &axes.across), std::pair("--up", &axes.up)})
      if (!name->empty()) table_.check_axis(option, *name);
    return {{"schema", kReportSchema},
            {"kind", "sweep"},
            {"source", short_name(path)},
            {"command", jobs_.back().plan.command},
            {"points", finished_},
            {"unfinished", unfinished_},
            {"columns", table_.json()},
            {"across", axes.across},
            {"up", axes.up},
            {"missing", missing_}};
  }

 private:
  void add_finished(const SweepJob& job, const SweepPoint& point) {
    const Json result = read_point(folder_, point);
    const Json& statistics = result.at("statistics");
    table_.add(statistics, finished_.size());
    for (std::string& figure : missing_figures(statistics))
      if (std::find(missing_.begin(), missing_.end(), figure) == missing_.end()) missing_.push_back(std::move(figure));
    const Settings settings = shown_.of(job, point);
    for (const auto& [name, value] : settings) table_.add_setting(name, value);
    const bool timed = result.contains("wall_seconds") && result.at("wall_seconds").is_number();
    finished_.push_back({{"hash", point.hash},
                         {"settings", to_json(settings)},
                         {"command", command_of(job, point)},
                         {"cut_off", was_cut_off(statistics)},
                         {"reason", reason_of(statistics)},
                         {"wall_seconds", timed ? result.at("wall_seconds") : Json(nullptr)}});
  }
  void add_unfinished(const SweepJob& job, const SweepPoint& point) {
    const auto failure = folder_.failure(point.hash);
    unfinished_.push_back({{"hash", point.hash},
                           {"settings", to_json(shown_.of(job, point))},
                           {"message", failure ? failure->message : "not run yet"}});
  }
  /// That repeats the point.
  static std::string command_of(const SweepJob& job, const SweepPoint& point) {
    std::vector<std::string> words = point_command(job, point, "");
    words.erase(words.begin() + 2, words.begin() + 4);  // --stats
    words.front() = "tinytpu-vp";
    return shell_quoted(words);
  }

  const SweepFolder folder_;
  const std::vector<SweepJob> jobs_;
  const ShownSettings shown_;
  PointTable table_;
  Json finished_ = Json::array();
  Json unfinished_ = Json::array();
  std::vector<std::string> missing_;
};

}  // namespace

ShownSettings::ShownSettings(const std::vector<SweepJob>& jobs) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> inputs;
  for (const SweepJob& job : jobs) {
    commands_.insert(shell_quoted(job.plan.command));
    builds_.insert(job.simulator.version + " " + job.simulator.build);
    for (const SweepPoint& point : job.plan.points)
      inputs[{shell_quoted(job.plan.command), describe(point.settings)}].insert(point.inputs);
  }
  for (const auto& entry : inputs) inputs_differ_ |= entry.second.size() > 1;
}

Settings ShownSettings::of(const SweepJob& job, const SweepPoint& point) const {
  Settings settings = point.settings;
  if (commands_.size() > 1) settings.emplace_back("command", shell_quoted(job.plan.command));
  if (builds_.size() > 1) settings.emplace_back("build", job.simulator.version + " " + job.simulator.build);
  if (inputs_differ_) settings.emplace_back("inputs", point.inputs);
  return settings;
}

Json sweep_document(const std::string& path, const SweepAxes& axes) { return SweepDocument(path).json(path, axes); }

}  // namespace vp
