#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "platform/cli/command.h"
#include "platform/report/report_data.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using Json = nlohmann::json;

class RunFigures : public testing::Test {
 protected:
  /// Runs a network on a tinyTPU without a CPU, with its statistics and timeline.
  void run(const std::vector<std::string>& options) {
    std::vector<std::string> words = {"run", "--stats", stats_, "--timeline", timeline_};
    words.insert(words.end(), options.begin(), options.end());
    testing::internal::CaptureStdout();
    ASSERT_EQ(run_command_line(words), 0);
    testing::internal::GetCapturedStdout();
    statistics_ = Json::parse(TemporaryFolder::read(stats_));
  }
  /// Time of a track by state, in picoseconds.
  std::map<std::string, std::uint64_t> times(const std::string& track) const {
    std::map<std::string, std::uint64_t> sums;
    const Json timeline = Json::parse(TemporaryFolder::read(timeline_));
    for (const Json& one : timeline["tracks"])
      if (one["name"] == track)
        for (const Json& span : one["spans"])
          sums[span[2]] += span[1].get<std::uint64_t>() - span[0].get<std::uint64_t>();
    return sums;
  }
  Json group(const std::vector<std::string>& path) const {
    Json at = statistics_;
    for (const std::string& name : path) at = at["groups"][name];
    return at["values"];
  }

  TemporaryFolder folder_;
  std::string stats_ = folder_.path("run.json");
  std::string timeline_ = folder_.path("timeline.json");
  Json statistics_;
};

TEST_F(RunFigures, the_timeline_shows_the_cycles_that_the_statistics_count) {
  for (const char* gap : {"1", "12", "104"}) {
    run({"--network", "100x60x10", "--feed-gap", gap, "--set", "tpu.clock=10ns"});
    for (const char* unit : {"read_weights", "matrix_multiply", "activate"}) {
      auto shown = times(std::string("tpu.") + unit);
      const Json counted = group({"tpu", "cycles", unit});
      EXPECT_EQ(shown["busy"], counted["busy"]["value"].get<std::uint64_t>() * 10'000) << unit;
      const Json causes = group({"tpu", "cycles", unit, "stall_cause"});
      for (const auto& [cause, quantity] : causes.items())
        EXPECT_EQ(shown[cause], quantity["value"].get<std::uint64_t>() * 10'000) << unit << " " << cause;
    }
  }
}

TEST_F(RunFigures, bounds_hold_and_are_tight_for_a_stream) {
  for (const char* width : {"7", "14", "32"}) {
    run({"--network", "784x504x10", "--fit", "--feed-gap", "1", "--set", std::string("tpu.matrix_width=") + width});
    const Json ideal = group({"ideal"});
    EXPECT_GE(ideal["cycles_of_minimum"]["value"].get<double>(), 100);
    EXPECT_LT(ideal["cycles_of_minimum"]["value"].get<double>(), 103);
    EXPECT_LE(ideal["mapped_of_peak"]["value"].get<double>(), 100);
    EXPECT_GT(ideal["mapped_of_peak"]["value"].get<double>(), 80);
    EXPECT_LT(ideal["useful_of_peak"]["value"].get<double>(), ideal["mapped_of_peak"]["value"].get<double>());
  }
}

TEST_F(RunFigures, statistics_name_every_parameter_and_make_a_report) {
  run({"--network", "64x32x10", "--set", "tpu.matrix_width=10"});
  const Json configuration = group({"configuration"});
  EXPECT_EQ(configuration["tpu.matrix_width"]["value"], "10");
  EXPECT_EQ(configuration["cpu.isa"]["value"], "rv64gc");
  const Json report = Json::parse(read_report_data({stats_, timeline_}));
  EXPECT_EQ(report["missing"], Json::array());
}

TEST_F(RunFigures, of_a_device_alone_name_no_mode_of_a_machine) {
  const std::vector<std::vector<std::string>> runs = {{"--network", "8x4"},
                                                      {"--drra", VP_SOURCE_DIR "/sw/drra/fir.drra"}};
  for (const std::vector<std::string>& options : runs) {
    run(options);
    EXPECT_EQ(group({"run"})["fidelity"]["value"], "cycle-exact device without a CPU") << options[0];
    const Json names = Json::parse(read_report_data({stats_, timeline_}))["names"];
    EXPECT_EQ(names["fidelity"][0], "run.fidelity") << "what the page shows first";
  }
}

}  // namespace
}  // namespace vp
