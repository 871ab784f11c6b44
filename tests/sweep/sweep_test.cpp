#include "platform/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "models/common/error.h"
#include "platform/common/child_process.h"
#include "platform/sweep/gather.h"
#include "platform/sweep/point_run.h"
#include "tests/sweep/stand_in.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

/// Every setting is part of the machine; nothing is refused.
ResolvedPoint resolve_anything(const Settings& settings) {
  ResolvedPoint point;
  point.changed = settings;
  return point;
}

class Sweep : public testing::Test {
 protected:
  SweepJob job(const std::vector<std::string>& axes) {
    SweepRequest request;
    request.command = {"run", "a program.elf", "--quiet"};
    for (const std::string& axis : axes) request.axes.push_back(parse_axis(axis));
    return {program_, folder_.path(), {}, {}, {}, make_plan(request, {"1.0", "b"}, resolve_anything), {"1.0", "b"}};
  }
  SweepOutcome sweep(const SweepJob& what, unsigned jobs = 2) {
    SweepFolder out(out_);
    out.create_and_lock();
    std::ostringstream text;
    testing::internal::CaptureStderr();
    const SweepOutcome outcome = run_sweep(what, out, *make_local_engine(jobs), text);
    errors_ = testing::internal::GetCapturedStderr();
    report_ = text.str();
    return outcome;
  }
  std::string table() const { return TemporaryFolder::read(out_ + "/results.csv"); }

  TemporaryFolder folder_;
  std::string program_ = write_stand_in(folder_);
  std::string out_ = folder_.path("sweep out");
  std::string errors_;
  std::string report_;
};

TEST_F(Sweep, runs_every_point_once_and_keeps_its_result) {
  const SweepJob what = job({"a=1,2,3", "b=x,y z"});
  const SweepOutcome outcome = sweep(what);
  EXPECT_EQ(outcome.finished, 6u);
  EXPECT_EQ(outcome.failed, 0u);
  EXPECT_EQ(count_runs(folder_), 6u);
  const Json result = Json::parse(TemporaryFolder::read(SweepFolder(out_).result_path(what.plan.points[5].hash)));
  EXPECT_EQ(result["settings"]["b"], "y z");
  EXPECT_EQ(result["statistics"]["values"]["area"]["value"], 9);
  EXPECT_GE(result["wall_seconds"].get<double>(), 0);
}

TEST_F(Sweep, words_with_blanks_reach_the_program_whole_in_our_folder) {
  sweep(job({"a=1"}));
  EXPECT_THAT(TemporaryFolder::read(folder_.path("runs.log")),
              HasSubstr("words=<run><a program.elf><--quiet> in " + fs::canonical(folder_.path()).string()));
}

TEST_F(Sweep, the_base_configuration_comes_before_the_settings) {
  SweepJob what = job({"a=1"});
  what.config_files = {"/base file.ini"};
  what.environment = {{"e", "9"}};
  EXPECT_THAT(point_command(what, what.plan.points[0], "s.json"),
              testing::ElementsAre(program_, "run", "--stats", "s.json", "--config", "/base file.ini", "--set", "e=9",
                                   "--set", "a=1", "a program.elf", "--quiet"));
}

TEST_F(Sweep, a_second_sweep_repeats_nothing) {
  sweep(job({"a=1,2"}));
  const SweepOutcome again = sweep(job({"a=1,2,3"}));
  EXPECT_EQ(again.reused, 2u);
  EXPECT_EQ(again.finished, 1u);
  EXPECT_EQ(count_runs(folder_), 3u);
}

TEST_F(Sweep, failing_points_are_reported_with_message_and_log_and_do_not_stop_the_others) {
  const SweepOutcome outcome = sweep(job({"b=fail,limit,late,crash,mute,broken,x", "a=1,2"}));
  EXPECT_EQ(outcome.failed, 10u);
  EXPECT_EQ(outcome.finished, 4u);
  for (const char* part : {"failed: b=fail a=1\n  exit code 3: tinytpu-vp: the guest fell over\n  log: ",
                           "failed: b=late a=1\n  exit code 2: last figure 7\n  log: ",
                           "failed: b=crash a=2\n  killed by signal 9 (Killed): running a=2\n",
                           "failed: b=mute a=1\n  the run wrote no statistics\n",
                           "failed: b=broken a=1\n  the run's statistics are no JSON object\n",
                           "14 points: 4 finished, 0 reused, 10 failed\n"})
    EXPECT_THAT(report_, HasSubstr(part));
  for (const auto& entry : fs::directory_iterator(out_ + "/points"))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".part")));
}

TEST_F(Sweep, what_a_guest_wrote_commands_neither_terminal_nor_spreadsheet) {
  sweep(job({"b=rude,=cmd"}));
  EXPECT_THAT(report_, HasSubstr("exit code 3:  [2J=cmd\n"));
  EXPECT_THAT(table(), HasSubstr(",'=cmd,"));
  EXPECT_EQ((table() + report_ + errors_).find('\x1b'), std::string::npos);
}

TEST_F(Sweep, a_point_that_a_limit_ended_is_a_result_with_its_reason) {
  const SweepOutcome outcome = sweep(job({"b=limit,x"}));
  EXPECT_EQ(outcome.failed, 0u);
  EXPECT_THAT(table(), HasSubstr(",finished,time_limit,the limit was reached,"));
  EXPECT_EQ(sweep(job({"b=limit"})).reused, 1u);
  EXPECT_EQ(sweep(job({"b=nameless"})).finished, 1u);
  EXPECT_THAT(table(), HasSubstr(",finished,limit,a limit of the run was reached,"));
  SweepJob timed = job({"b=nameless"});
  timed.plan.command.push_back("--timeout=1s");  // which is not the same in every run
  timed.plan.points[0].hash = "00000000000000ff";
  EXPECT_EQ(sweep(timed).failed, 1u);
}

TEST_F(Sweep, a_parameter_that_changed_no_simulated_figure_is_named) {
  sweep(job({"a=1,2", "c=8,9"}));
  EXPECT_THAT(report_, HasSubstr("note: c changed no simulated figure of this run\n"));
  sweep(job({"a=1,2"}));
  EXPECT_THAT(report_, Not(HasSubstr("note:")));
}

TEST_F(Sweep, a_second_grid_or_program_keeps_the_results_of_the_first) {
  sweep(job({"a=1,2"}));
  sweep(job({"a=3"}));
  SweepJob other = job({"a=2"});
  other.plan.command = {"run", "other.elf"};
  other.plan.points[0].hash = "00000000000000ff";
  sweep(other);
  const std::string rows = table();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 5) << rows;
  EXPECT_THAT(rows, HasSubstr(",run other.elf,"));
  EXPECT_EQ(SweepFolder(out_).read_jobs().size(), 3u);
  sweep(job({"a=1,2"}));  // again: its points move, none is twice
  EXPECT_EQ(SweepFolder(out_).read_jobs().size(), 3u);
  EXPECT_EQ(table().size(), rows.size());
}

TEST_F(Sweep, a_folder_of_an_earlier_version_is_read) {
  folder_.write("sweep out/sweep.json",
                R"({"schema":"tinytpu-vp-sweep-1","program":"p","directory":"d","config_files":[],"environment":{},
                    "command":["run"],"points":[{"hash":"01","settings":{"a":"1"}}]})");
  EXPECT_EQ(SweepFolder(out_).read_jobs().at(0).plan.points.at(0).settings.at(0).second, "1");
}

TEST_F(Sweep, a_failed_point_is_tried_again_and_its_failure_forgotten) {
  sweep(job({"b=fail"}));
  const std::string script = TemporaryFolder::read(program_);
  folder_.write("stand in", script.substr(0, script.find("  fail)")) + script.substr(script.find("  crash)")));
  const SweepOutcome again = sweep(job({"b=fail"}));
  EXPECT_EQ(again.finished, 1u);
  EXPECT_THAT(report_, Not(HasSubstr("failed:")));
}

TEST_F(Sweep, the_table_has_parameters_first_and_a_line_a_point) {
  sweep(job({"a=2,3", "b=x,fail,\"q\""}));
  std::istringstream lines(table());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "point,status,end,reason,version,build,command,inputs,wall_seconds,a,b,c,area [mm2],bus.bytes [bytes]\r");
  std::getline(lines, line);
  EXPECT_THAT(line,
              testing::MatchesRegex("[0-9a-f]*,finished,,,1.0,b,run 'a program.elf' --quiet,,[0-9.e-]*,2,x,7,4,200\r"));
  std::getline(lines, line);
  EXPECT_THAT(line, testing::MatchesRegex("[0-9a-f]*,failed,,exit code 3: tinytpu-vp: .*,1.0,b,.*,,,2,fail,,,\r"));
  EXPECT_THAT(table(), HasSubstr(",3,\"\"\"q\"\"\","));
}

TEST_F(Sweep, progress_is_a_line_a_point_where_there_is_no_terminal) {
  sweep(job({"a=1,2"}), 1);
  EXPECT_THAT(errors_, HasSubstr("[1/2] "));
  EXPECT_THAT(errors_, HasSubstr(" a=2: finished\n"));
  EXPECT_THAT(errors_, Not(HasSubstr("\r")));
}

TEST_F(Sweep, two_sweeps_in_one_folder_are_refused) {
  SweepFolder first(out_);
  first.create_and_lock();
  SweepFolder second(out_);
  EXPECT_THROW(second.create_and_lock(), UserError);
}

TEST_F(Sweep, a_folder_that_cannot_be_made_is_a_user_error) {
  EXPECT_THROW(SweepFolder("/proc/none/x").create_and_lock(), UserError);
  EXPECT_THROW(SweepFolder(folder_.write("file", "") + "/x").create_and_lock(), UserError);
}

TEST_F(Sweep, a_program_that_cannot_be_started_is_a_user_error) {
  program_ = "/none/tinytpu-vp";
  EXPECT_THROW(sweep(job({"a=1"})), UserError);
  testing::internal::GetCapturedStderr();
}

/// Runs a sweep in a child process and hands it to `disturb`; returns how it ended (wait status).
template <typename Disturb>
int disturbed(const SweepJob& what, const std::string& out, Disturb disturb) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    SweepFolder folder(out);
    folder.create_and_lock();
    std::ostringstream text;
    const SweepOutcome outcome = run_sweep(what, folder, *make_local_engine(2), text);
    ::_exit(outcome.interrupted ? 130 : 0);
  }
  disturb(pid);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

template <typename Condition>
bool wait_until(Condition condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool has_running(const std::string& text) {
  std::string output;
  run_captured(
      {"/bin/sh", "-c",
       "grep -l . /proc/[0-9]*/cmdline 2>/dev/null | while read f; do tr '\\0' ' ' < $f 2>/dev/null; echo; done"},
      output);
  return output.find(text) != std::string::npos;
}

TEST_F(Sweep, killed_and_started_again_it_repeats_no_finished_point) {
  const SweepJob what = job({"b=x,y,z,slow", "a=1,2"});
  const int status = disturbed(what, out_, [&](pid_t pid) {
    EXPECT_TRUE(wait_until([&] { return count_runs(folder_) == 8; }));
    ::kill(pid, SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(wait_until([&] { return !has_running(program_); })) << "points outlive the sweep";
  const std::string runs = TemporaryFolder::read(folder_.path("runs.log"));
  const SweepOutcome again = sweep(job({"b=x,y,z", "a=1,2"}));
  EXPECT_EQ(again.reused, 6u);
  EXPECT_EQ(TemporaryFolder::read(folder_.path("runs.log")), runs);
}

TEST_F(Sweep, interrupted_it_stops_its_points_and_says_what_is_left) {
  const SweepJob what = job({"b=x,slow", "a=1,2,3"});
  const int status = disturbed(what, out_, [&](pid_t pid) {
    EXPECT_TRUE(wait_until([&] { return count_runs(folder_) == 5; }));
    ::kill(pid, SIGINT);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(has_running(program_));
  EXPECT_THAT(table(), HasSubstr(",missing,,,"));
  EXPECT_THAT(table(), HasSubstr(",finished,"));
}

TEST_F(Sweep, leftovers_of_a_killed_sweep_are_removed) {
  folder_.write("sweep out/points/0123.part", "x");
  folder_.write("sweep out/points/0123.json.Ab12cd", "x");
  sweep(job({"a=1"}));
  EXPECT_FALSE(fs::exists(out_ + "/points/0123.part"));
  EXPECT_FALSE(fs::exists(out_ + "/points/0123.json.Ab12cd"));
}

TEST_F(Sweep, a_worker_runs_the_points_it_is_given_and_skips_finished_ones) {
  const SweepJob what = job({"a=1,2,3"});
  SweepFolder folder(out_);
  folder.create_and_lock();
  folder.write_job(what);
  const std::vector<std::string> hashes = {what.plan.points[0].hash, what.plan.points[2].hash};
  EXPECT_TRUE(work_on_points(folder, hashes));
  EXPECT_TRUE(work_on_points(folder, hashes));
  EXPECT_EQ(count_runs(folder_), 2u);
  EXPECT_FALSE(folder.is_finished(what.plan.points[1].hash));
  EXPECT_THROW(work_on_points(folder, {"0000"}), UserError);
}

TEST_F(Sweep, a_damaged_plan_or_result_is_one_sentence) {
  const SweepJob what = job({"a=1"});
  sweep(what);
  SweepFolder folder(out_);
  const std::string plan = TemporaryFolder::read(out_ + "/sweep.json");
  for (const std::string& text :
       {std::string(), plan.substr(0, plan.size() / 2), std::string("[]"), std::string("{}")}) {
    folder_.write("sweep out/sweep.json", text);
    EXPECT_THROW(folder.read_jobs(), UserError);
  }
  for (const char* text :
       {"", "{", "1", "{\"statistics\": 1}", "{\"wall_seconds\": 1, \"statistics\": {\"values\": 1}}",
        "{\"wall_seconds\": 1, \"statistics\": {\"groups\": {\"run\": {\"values\": {\"end\": 1}}}}}"}) {
    folder_.write("sweep out/points/" + what.plan.points[0].hash + ".json", text);
    EXPECT_THROW(ResultTable(folder).table({what}), UserError) << text;
  }
}

TEST_F(Sweep, four_workers_are_at_work_on_four_points_at_once) {
  // Each leaves a mark, and has a result only if it then finds those of all (in 30 seconds, however slow the host is).
  const std::string meeting = folder_.write("meeting", R"sh(#!/bin/sh
touch "$0.mark.$$"
for i in $(seq 300); do
  [ "$(ls "$0".mark.* | wc -l)" -ge 4 ] && echo '{}' > "$3" && exit 0
  sleep 0.1
done
exit 1
)sh");
  ::chmod(meeting.c_str(), 0755);
  SweepJob what = job({"a=1,2,3,4"});
  what.program = meeting;
  EXPECT_EQ(sweep(what, 4).finished, 4u);
}

}  // namespace
}  // namespace vp
