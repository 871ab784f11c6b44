#include "platform/sweep/sweep_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSchema = "tinytpu-vp-sweep-2";
/// Of a folder with one plan, as earlier versions wrote it.
constexpr const char* kFirstSchema = "tinytpu-vp-sweep-1";
constexpr int kLockBusy = EWOULDBLOCK;

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw UserError("cannot make the folder '" + path + "': " + error.message());
}

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

Settings settings_from(const Json& json) {
  Settings settings;
  for (const auto& [name, value] : json.items()) settings.emplace_back(name, value.get<std::string>());
  return settings;
}

Json to_json(const SweepJob& job) {
  Json points = Json::array();
  for (const SweepPoint& point : job.plan.points)
    points.push_back(Json{{"hash", point.hash}, {"settings", to_json(point.settings)}, {"inputs", point.inputs}});
  return {{"program", job.program},
          {"version", job.simulator.version},
          {"build", job.simulator.build},
          {"directory", job.directory},
          {"plugins", job.plugins},
          {"config_files", job.config_files},
          {"environment", to_json(job.environment)},
          {"command", job.plan.command},
          {"points", points}};
}

/// Throws whatever a field of another type makes the JSON library throw.
SweepJob job_from(const Json& json) {
  SweepJob job;
  job.program = json.at("program").get<std::string>();
  job.simulator = {json.value("version", ""), json.value("build", "")};
  job.directory = json.at("directory").get<std::string>();
  job.plugins = json.value("plugins", std::vector<std::string>());
  job.config_files = json.at("config_files").get<std::vector<std::string>>();
  job.environment = settings_from(json.at("environment"));
  job.plan.command = json.at("command").get<std::vector<std::string>>();
  if (job.plan.command.empty()) throw UserError("");
  for (const Json& point : json.at("points"))
    job.plan.points.push_back(
        {point.at("hash").get<std::string>(), settings_from(point.at("settings")), point.value("inputs", "")});
  return job;
}

/// Files of a folder that interrupted writers left: ours (".part") and those of write_file (".json.XXXXXX").
bool is_leftover(const std::string& name) {
  return name.find(".part") != std::string::npos || (name.find(".json.") != std::string::npos);
}

}  // namespace

SweepFolder::SweepFolder(std::string path) : path_(std::move(path)) {}

SweepFolder::~SweepFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void SweepFolder::create_and_lock() {
  make_folder(path_);
  for (const char* name : {"points", "failed", "logs"}) make_folder(path_ + "/" + name);
  const std::string lock = path_ + "/.lock";
  lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw UserError("cannot write '" + lock + "': " + std::strerror(errno));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == kLockBusy)
    throw UserError("another sweep is at work in '" + path_ + "'");
  for (const char* name : {"/points/x", "/failed/x", "/logs/x"}) check_writable(path_ + name);
}

void SweepFolder::remove_leftovers() const {
  std::error_code error;
  for (const char* name : {"points", "failed"})
    for (const auto& entry : fs::directory_iterator(path_ + "/" + name, error))
      if (is_leftover(entry.path().filename().string())) fs::remove(entry.path(), error);
}

void SweepFolder::write_job(const SweepJob& job) const {
  std::set<std::string> present;
  for (const SweepPoint& point : job.plan.points) present.insert(point.hash);
  std::error_code error;
  std::vector<SweepJob> earlier;
  if (fs::exists(plan_path(), error)) earlier = read_jobs();
  Json sweeps = Json::array();
  for (SweepJob& one : earlier) {
    std::vector<SweepPoint>& points = one.plan.points;
    points.erase(
        std::remove_if(points.begin(), points.end(),
                       [&](const SweepPoint& point) { return present.count(point.hash) || !is_finished(point.hash); }),
        points.end());
    if (!points.empty()) sweeps.push_back(to_json(one));
  }
  sweeps.push_back(to_json(job));
  write_file(plan_path(), Json{{"schema", kSchema}, {"sweeps", sweeps}}.dump(1) + "\n");
}

std::vector<SweepJob> SweepFolder::read_jobs() const {
  const Json json = Json::parse(read_file(plan_path()), nullptr, false);
  try {
    std::vector<SweepJob> jobs;
    if (json.at("schema") == kFirstSchema)
      jobs.push_back(job_from(json));
    else if (json.at("schema") == kSchema)
      for (const Json& one : json.at("sweeps")) jobs.push_back(job_from(one));
    if (!jobs.empty()) return jobs;
  } catch (const std::exception&) {
  }
  throw UserError("'" + plan_path() + "' is not the plan of a sweep (schema " + kSchema + "), or is damaged");
}

bool SweepFolder::is_finished(const std::string& hash) const {
  std::error_code error;
  return fs::is_regular_file(result_path(hash), error);
}

std::optional<PointFailure> SweepFolder::failure(const std::string& hash) const {
  std::error_code error;
  if (!fs::is_regular_file(failure_path(hash), error)) return std::nullopt;
  const Json json = Json::parse(read_file(failure_path(hash)), nullptr, false);
  if (!json.is_object() || !json.contains("message") || !json["message"].is_string())
    return PointFailure{"the note of its failure is damaged", log_path(hash)};
  return PointFailure{json["message"].get<std::string>(), log_path(hash)};
}

void SweepFolder::clear_failure(const std::string& hash) const {
  std::error_code error;
  fs::remove(failure_path(hash), error);
}

void SweepFolder::write_result(const std::string& hash, const std::string& json) const {
  write_file_as(statistics_path(hash), result_path(hash), json);
  clear_failure(hash);
}

void SweepFolder::write_failure(const SweepPoint& point, const std::string& message) const {
  const Json json = {{"schema", "tinytpu-vp-sweep-failure-1"},
                     {"point", point.hash},
                     {"settings", to_json(point.settings)},
                     {"message", message}};
  write_file(failure_path(point.hash), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace vp
