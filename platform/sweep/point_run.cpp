#include "platform/sweep/point_run.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "models/common/error.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/words.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::chrono::milliseconds kPatience{5000};
constexpr std::size_t kLogTail = 4096;

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// The last line of a log that says anything; the program's own error is its last word.
std::string last_line(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const UserError&) {
    return "";
  }
  if (text.size() > kLogTail) text.erase(0, text.size() - kLogTail);
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

/// How a run says that it ended.
struct ToldEnd {
  bool told = false;     ///< it got as far as its statistics, and did not fail behind them
  std::string cause;     ///< "time_limit"; empty where runs of that kind do not tell
  std::string sentence;  ///< the same for a person
};

ToldEnd end_told_by(const Figures& figures, const ChildEnd& end) {
  const Figure* const exit_code = find_figure(figures, "run.exit_code");
  if (!exit_code || exit_code->value != end.exit_code) return {};
  const Figure* const told = find_figure(figures, kEndFigure);
  if (!told || !told->value.is_string()) return {true, "", ""};
  return {true, told->value.get<std::string>(), told->description};
}

/// A limit that is the same in every run ended it: the point has a result, whose figures say where it stopped. Where
/// runs do not tell which limit, it was none of wall-clock time if there was no such limit.
bool is_result(const ToldEnd& told, const ChildEnd& end, const std::vector<std::string>& command) {
  static const std::set<std::string> limits = {"time_limit", "instruction_limit", "input_ended"};
  if (!told.told || end.exit_code != kExitLimit) return false;
  const auto is_timeout = [](const std::string& word) { return word.compare(0, 9, "--timeout") == 0; };
  return told.cause.empty() ? std::none_of(command.begin(), command.end(), is_timeout) : limits.count(told.cause) != 0;
}

std::string describe_end(const ChildEnd& end, const std::string& why) {
  const std::string how = end.signal != 0
                              ? "killed by signal " + std::to_string(end.signal) + " (" + ::strsignal(end.signal) + ")"
                              : "exit code " + std::to_string(end.exit_code);
  return why.empty() ? how : how + ": " + without_controls(why);
}

ChildSetup setup_of(const SweepJob& job, const SweepPoint& point, const SweepFolder& folder, const OwnProgram& own) {
  ChildSetup setup;
  setup.command = point_command(job, point, folder.statistics_path(point.hash));
  setup.directory = job.directory;
  setup.output = folder.log_path(point.hash);
  if (!own.path.empty() && job.program == own.path) setup.server = own.copies.get();
  return setup;
}

}  // namespace

std::vector<std::string> point_command(const SweepJob& job, const SweepPoint& point, const std::string& statistics) {
  const std::vector<std::string> command = words_of_point(job.plan.command, point.settings);
  std::vector<std::string> words = {job.program, command.front(), "--stats", statistics};
  for (const std::string& plugin : job.plugins) words.insert(words.end(), {"--plugin", plugin});
  for (const std::string& file : job.config_files) words.insert(words.end(), {"--config", file});
  for (const auto& [name, value] : job.environment) words.insert(words.end(), {"--set", name + "=" + value});
  for (const auto& [name, value] : point.settings)
    if (!is_option_axis(name)) words.insert(words.end(), {"--set", name + "=" + value});
  words.insert(words.end(), command.begin() + 1, command.end());
  return words;
}

PointRun::PointRun(const SweepJob& job, const SweepPoint& point, const SweepFolder& folder, const OwnProgram& own)
    : job_(&job),
      point_(&point),
      folder_(&folder),
      started_(std::chrono::steady_clock::now()),
      child_(setup_of(job, point, folder, own)) {}

double PointRun::seconds() const {
  if (seconds_ >= 0) return seconds_;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

bool PointRun::ended() {
  if (end_) return true;
  end_ = child_.poll();
  if (end_) seconds_ = seconds();
  return end_.has_value();
}

void PointRun::stop() {
  child_.stop(kPatience);
  remove_statistics();
}

void PointRun::remove_statistics() const {
  std::error_code ignored;
  std::filesystem::remove(folder_->statistics_path(point_->hash), ignored);
}

/// Reads what the run wrote. The text of the tree is kept: writing it again would be most of what a point costs the
/// sweep.
std::string PointRun::read_statistics() {
  const std::string part = folder_->statistics_path(point_->hash);
  std::error_code ignored;
  std::string text;
  if (!std::filesystem::exists(part, ignored)) {
    failure_ = "the run wrote no statistics";
  } else {
    text = read_file(part);
    if (!read_statistics_text(text, result_.figures)) failure_ = "the run's statistics are no JSON object";
  }
  return text;
}

void PointRun::conclude() {
  const std::string statistics = read_statistics();
  if (!end_->success()) {
    const ToldEnd told = failure_.empty() ? end_told_by(result_.figures, *end_) : ToldEnd{};
    if (!failure_.empty() || !is_result(told, *end_, job_->plan.command))
      failure_ =
          describe_end(*end_, told.sentence.empty() ? last_line(folder_->log_path(point_->hash)) : told.sentence);
  }
  if (!failure_.empty()) {
    remove_statistics();
    return folder_->write_failure(*point_, failure_);
  }
  result_.wall_seconds = seconds_;
  Json settings = Json::object();
  for (const auto& [name, value] : point_->settings) settings[name] = value;
  const Json head = {{"schema", "tinytpu-vp-sweep-point-1"},
                     {"point", point_->hash},
                     {"settings", settings},
                     {"version", job_->simulator.version},
                     {"build", job_->simulator.build},
                     {"inputs", point_->inputs},
                     {"command", words_of_point(job_->plan.command, point_->settings)},
                     {"wall_seconds", seconds_},
                     {"host", host_name()}};
  std::string result = head.dump(1, ' ', false, Json::error_handler_t::replace);
  result.resize(result.rfind('\n'));  // the closing brace
  result.reserve(result.size() + statistics.size() + 32);
  result.append(",\n \"statistics\": ").append(statistics).append("}\n");
  folder_->write_result(point_->hash, result);
}

}  // namespace vp
