#include "platform/report/report_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/common/error.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/page_names.h"
#include "platform/report/point_table.h"
#include "platform/sweep/point_run.h"
#include "platform/sweep/words.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kReportSchema = "tinytpu-vp-report-1";
constexpr const char* kTimelineSchema = "tinytpu-vp-timeline-1";
constexpr const char* kPointSchema = "tinytpu-vp-sweep-point-1";
constexpr int kDeepest = 32;
constexpr std::size_t kLongestReason = 300;
/// A browser should still open the page.
constexpr std::size_t kMostSpans = 2'000'000;

/// `why` may quote the file: kept to one line of bounded length.
[[noreturn]] void refuse(const std::string& path, std::string why) {
  for (char& c : why)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (why.size() > kLongestReason) why = why.substr(0, kLongestReason) + " ...";
  throw UserError("'" + path + "' " + why);
}

/// Deep nesting would exhaust the parser's stack long before a statistics tree gets so deep.
Json parse_json(const std::string& path) {
  const std::string text = read_file(path);
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > 4 * kDeepest) refuse(path, "is nested too deeply to be a statistics file");
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    refuse(path, "is not valid JSON (near byte " + std::to_string(error.byte) + "), or is cut off");
  } catch (const Json::out_of_range&) {
    refuse(path, "holds a number that is out of range");
  }
}

bool is_text(const Json& json, const char* key) { return !json.contains(key) || json.at(key).is_string(); }

/// Names the first thing that does not belong into a statistics tree, "" if it is one.
std::string fault_of_tree(const Json& group, const std::string& path, int depth) {
  const std::string place = path.empty() ? "the root" : "'" + path + "'";
  if (!group.is_object()) return place + " is no group";
  if (depth > kDeepest) return place + " is nested too deeply";
  if (!is_text(group, "description")) return place + " has a description that is no text";
  for (const char* key : {"values", "groups"})
    if (group.contains(key) && !group.at(key).is_object()) return place + ": '" + key + "' is no object";
  const std::string prefix = path.empty() ? "" : path + ".";
  if (group.contains("values"))
    for (const auto& [name, quantity] : group.at("values").items()) {
      if (!quantity.is_object() || !quantity.contains("value") || !is_text(quantity, "unit") ||
          !is_text(quantity, "description"))
        return "'" + prefix + name + "' is no quantity with value, unit and description";
      // JSON has no infinity: a writer turns it into null.
      const Json& value = quantity.at("value");
      if (!value.is_number() && !value.is_string() && !value.is_null())
        return "'" + prefix + name + "' is neither a number nor text";
    }
  if (group.contains("groups"))
    for (const auto& [name, below] : group.at("groups").items())
      if (std::string fault = fault_of_tree(below, prefix + name, depth + 1); !fault.empty()) return fault;
  return "";
}

void check_tree(const Json& tree, const std::string& path) {
  if (const std::string fault = fault_of_tree(tree, "", 0); !fault.empty())
    refuse(path, "is not a statistics file: " + fault);
}

bool is_span(const Json& span, std::uint64_t earliest) {
  return span.is_array() && span.size() == 3 && span[0].is_number_unsigned() && span[1].is_number_unsigned() &&
         span[2].is_string() && span[0].get<std::uint64_t>() >= earliest &&
         span[1].get<std::uint64_t>() >= span[0].get<std::uint64_t>();
}

bool is_mark(const Json& mark, std::uint64_t earliest) {
  return mark.is_array() && mark.size() == 2 && mark[0].is_number_unsigned() && mark[1].is_string() &&
         mark[0].get<std::uint64_t>() >= earliest;
}

/// Returns how many there are.
std::size_t check_marks(const Json& track, const std::string& path) {
  if (!track.contains("marks")) return 0;
  const std::string place = "is not a timeline: track '" + track.at("name").get<std::string>() + "' ";
  if (!track.at("marks").is_array()) refuse(path, place + "has marks that are no list");
  if (track.contains("more_marks") && !track.at("more_marks").is_number_unsigned())
    refuse(path, place + "has a more_marks that is no number");
  std::uint64_t earliest = 0;
  for (const Json& mark : track.at("marks")) {
    if (!is_mark(mark, earliest))
      refuse(path, place + "holds " + mark.dump() + " instead of [time_ps, \"text\"] in the order of time");
    earliest = mark[0].get<std::uint64_t>();
  }
  return track.at("marks").size();
}

void check_timeline(const Json& timeline, const std::string& path) {
  if (!timeline.contains("end_ps") || !timeline.at("end_ps").is_number_unsigned() || !timeline.contains("tracks") ||
      !timeline.at("tracks").is_array())
    refuse(path, "is not a timeline: it lacks end_ps or tracks");
  std::size_t spans = 0;
  for (const Json& track : timeline.at("tracks")) {
    if (!track.is_object() || !track.contains("name") || !track.at("name").is_string() || !track.contains("spans") ||
        !track.at("spans").is_array())
      refuse(path, "is not a timeline: a track lacks name or spans");
    std::uint64_t earliest = 0;
    for (const Json& span : track.at("spans")) {
      if (!is_span(span, earliest))
        refuse(path, "is not a timeline: track '" + track.at("name").get<std::string>() + "' holds " + span.dump() +
                         " instead of [start_ps, end_ps, \"state\"] in the order of time");
      earliest = span[1].get<std::uint64_t>();
    }
    spans += track.at("spans").size() + check_marks(track, path);
  }
  if (spans > kMostSpans) refuse(path, "holds more than " + std::to_string(kMostSpans) + " spans");
}

/// Spans as flat numbers [start, end, state, …] with the states by name once: a third of the size.
Json compact_timeline(const Json& timeline) {
  std::map<std::string, std::size_t> index;
  Json states = Json::array();
  Json tracks = Json::array();
  for (const Json& track : timeline.at("tracks")) {
    Json spans = Json::array();
    for (const Json& span : track.at("spans")) {
      const auto [at, is_new] = index.emplace(span[2].get<std::string>(), states.size());
      if (is_new) states.push_back(span[2]);
      spans.push_back(span[0]);
      spans.push_back(span[1]);
      spans.push_back(at->second);
    }
    const bool coarse = track.contains("resolution_ps") && track.at("resolution_ps").is_number_unsigned();
    tracks.push_back(Json{{"name", track.at("name")},
                          {"resolution_ps", coarse ? track.at("resolution_ps") : Json(0)},
                          {"spans", std::move(spans)},
                          {"marks", track.contains("marks") ? track.at("marks") : Json::array()},
                          {"more_marks", track.contains("more_marks") ? track.at("more_marks") : Json(0)}});
  }
  return {{"end_ps", timeline.at("end_ps")}, {"states", states}, {"tracks", tracks}};
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Json run_document(const std::vector<std::string>& inputs) {
  Json document = {{"schema", kReportSchema}, {"kind", "run"}, {"source", ""}, {"timeline", nullptr}};
  for (const std::string& path : inputs) {
    Json json = parse_json(path);
    if (!json.is_object()) refuse(path, "is neither a statistics file nor a timeline");
    if (!json.contains("schema") && (json.contains("groups") || json.contains("values"))) {
      check_tree(json, path);
      if (document.contains("statistics")) refuse(path, "is a second statistics file: a report shows one run");
      document["source"] = file_name(path);
      document["statistics"] = std::move(json);
    } else if (json.contains("schema") && json.at("schema") == kTimelineSchema) {
      check_timeline(json, path);
      if (!document.at("timeline").is_null()) refuse(path, "is a second timeline: a report shows one run");
      document["timeline"] = compact_timeline(json);
    } else if (json.contains("schema") && json.at("schema") == kPointSchema && json.contains("statistics")) {
      check_tree(json.at("statistics"), path);
      document["source"] = file_name(path);
      document["statistics"] = json.at("statistics");
    } else {
      refuse(path, "is neither a statistics file nor a timeline (schema " + std::string(kTimelineSchema) + ")");
    }
  }
  if (!document.contains("statistics")) refuse(inputs.front(), "is a timeline: give the run's statistics file, too");
  document["missing"] = missing_figures(document.at("statistics"));
  return document;
}

Json read_point(const SweepFolder& folder, const SweepPoint& point) {
  const std::string path = folder.result_path(point.hash);
  Json json = parse_json(path);
  if (!json.is_object() || !json.contains("schema") || json.at("schema") != kPointSchema ||
      !json.contains("statistics"))
    refuse(path, "is not the result of a point (schema " + std::string(kPointSchema) + ")");
  check_tree(json.at("statistics"), path);
  return json;
}

/// The settings of a point as the page shows them: besides the swept ones what tells the sweeps of one folder apart,
/// where it differs between them.
class ShownSettings {
 public:
  explicit ShownSettings(const std::vector<SweepJob>& jobs) {
    std::map<std::pair<std::string, std::string>, std::set<std::string>> inputs;
    for (const SweepJob& job : jobs) {
      commands_.insert(shell_quoted(job.plan.command));
      builds_.insert(job.simulator.version + " " + job.simulator.build);
      for (const SweepPoint& point : job.plan.points)
        inputs[{shell_quoted(job.plan.command), describe(point.settings)}].insert(point.inputs);
    }
    for (const auto& entry : inputs) inputs_differ_ |= entry.second.size() > 1;
  }

  Settings of(const SweepJob& job, const SweepPoint& point) const {
    Settings settings = point.settings;
    if (commands_.size() > 1) settings.emplace_back("command", shell_quoted(job.plan.command));
    if (builds_.size() > 1) settings.emplace_back("build", job.simulator.version + " " + job.simulator.build);
    if (inputs_differ_) settings.emplace_back("inputs", point.inputs);
    return settings;
  }

 private:
  std::set<std::string> commands_;
  std::set<std::string> builds_;
  bool inputs_differ_ = false;
};

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

/// A run that a limit ended: its figures are those of a part of the program.
bool was_cut_off(const Json& statistics) {
  const Json::json_pointer exit_code("/groups/run/values/exit_code/value");
  return statistics.contains(exit_code) && statistics.at(exit_code) == kExitLimit;
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
    std::string name = std::filesystem::path(path).lexically_normal().filename().string();
    if (name.empty()) name = std::filesystem::path(path).lexically_normal().parent_path().filename().string();
    return {{"schema", kReportSchema},
            {"kind", "sweep"},
            {"source", name},
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

Json sweep_document(const std::string& path, const SweepAxes& axes) { return SweepDocument(path).json(path, axes); }

}  // namespace

std::string read_report_data(const std::vector<std::string>& inputs, const SweepAxes& axes) {
  if (inputs.empty()) throw UserError("no statistics file and no folder of a sweep given");
  Json document;
  if (std::filesystem::is_directory(inputs.front())) {
    if (inputs.size() > 1) refuse(inputs[1], "cannot be added to the report of a sweep");
    document = sweep_document(inputs.front(), axes);
  } else {
    if (!axes.across.empty() || !axes.up.empty()) refuse(inputs.front(), "is no sweep: only its points have axes");
    document = run_document(inputs);
  }
  document["names"] = page_names();
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vp
