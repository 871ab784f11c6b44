#include "platform/sweep/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/config/configuration.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

/// A small machine: width 2 to 256 (default 14), a preset, a clock.
ResolvedPoint resolve(const Settings& settings) {
  unsigned width = 14;
  std::string preset = "fixed";
  Picoseconds clock = 10000;
  ParameterTable table;
  const ParameterGroup root(table);
  root.integer("tpu.width", width, 2, 256, "", "width");
  root.choice("dram.preset", preset, std::vector<std::string>{"fixed", "ddr3-1600"}, "preset");
  root.clock("bus.clock", clock, "clock");
  for (const auto& [name, value] : settings) table.set(name, value, "--set");
  ResolvedPoint point;
  for (const Parameter& parameter : table.all())
    if (parameter.get() != parameter.default_value) point.changed.emplace_back(parameter.name, parameter.get());
  std::sort(point.changed.begin(), point.changed.end());
  return point;
}

SweepRequest request(const std::vector<std::string>& axes) {
  SweepRequest made;
  made.command = {"run", "x.elf"};
  for (const std::string& axis : axes) made.axes.push_back(parse_axis(axis));
  return made;
}

SweepPlan planned(const SweepRequest& wanted, const ResolvePoint& resolver,
                  const SimulatorIdentity& simulator = {"1.0", "b"}) {
  return make_plan(wanted, simulator, resolver);
}

std::vector<std::string> described(const SweepPlan& plan) {
  std::vector<std::string> points;
  for (const SweepPoint& point : plan.points) points.push_back(describe(point.settings));
  return points;
}

std::string error_of(const SweepRequest& wrong) {
  try {
    planned(wrong, resolve);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Plan, a_grid_is_the_product_of_its_axes_with_the_last_changing_fastest) {
  const SweepPlan plan = planned(request({"tpu.width=8,16", "dram.preset=fixed,ddr3-1600"}), resolve);
  std::vector<std::string> points;
  for (const SweepPoint& point : plan.points) points.push_back(describe(point.settings));
  EXPECT_THAT(points, testing::ElementsAre("tpu.width=8 dram.preset=fixed", "tpu.width=8 dram.preset=ddr3-1600",
                                           "tpu.width=16 dram.preset=fixed", "tpu.width=16 dram.preset=ddr3-1600"));
}

TEST(Plan, listed_points_are_combined_with_the_grid) {
  SweepRequest wanted = request({"tpu.width=8,16"});
  wanted.listed = parse_points("bus.clock=1GHz\n\n# nothing\nbus.clock='50 MHz' dram.preset=ddr3-1600\n", "p");
  const SweepPlan plan = planned(wanted, resolve);
  ASSERT_EQ(plan.points.size(), 4u);
  EXPECT_EQ(describe(plan.points[3].settings), "bus.clock=50 MHz dram.preset=ddr3-1600 tpu.width=16");
}

TEST(Plan, no_axes_is_one_point) { EXPECT_EQ(planned(request({}), resolve).points.size(), 1u); }

TEST(Plan, hashes_name_machines_and_not_spellings) {
  const SweepPlan plan = planned(request({"bus.clock=100MHz,10ns,20ns"}), resolve);
  EXPECT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.duplicates, 1u);
  // A value equal to its default is no change.
  EXPECT_EQ(plan.points[0].hash, planned(request({}), resolve).points[0].hash);
}

TEST(Plan, hashes_depend_on_command_and_input_files) {
  const TemporaryFolder folder;
  const std::string elf = folder.write("x.elf", "one");
  const auto with_input = [&](const Settings& settings) {
    ResolvedPoint point = resolve(settings);
    point.inputs = {elf};
    return point;
  };
  const std::string first = planned(request({}), with_input).points[0].hash;
  EXPECT_EQ(first, planned(request({}), with_input).points[0].hash);
  folder.write("x.elf", "two");
  EXPECT_NE(first, planned(request({}), with_input).points[0].hash);
  SweepRequest other = request({});
  other.command = {"run", "y.elf"};
  EXPECT_NE(planned(other, resolve).points[0].hash, planned(request({}), resolve).points[0].hash);
}

TEST(Plan, hashes_depend_on_the_simulator) {
  const std::string first = planned(request({}), resolve, {"1.0", "b"}).points[0].hash;
  EXPECT_NE(first, planned(request({}), resolve, {"1.1", "b"}).points[0].hash);
  EXPECT_NE(first, planned(request({}), resolve, {"1.0", "c"}).points[0].hash);
}

TEST(Plan, an_option_of_run_is_an_axis_among_the_words) {
  SweepRequest wanted = request({"network=4x4,8x4", "batch=2"});
  wanted.command = {"run", "--quiet"};
  const SweepPlan plan = planned(wanted, [](const Settings&) { return ResolvedPoint(); });
  EXPECT_EQ(plan.points.size(), 2u);
  EXPECT_THAT(words_of_point(wanted.command, plan.points[1].settings),
              testing::ElementsAre("run", "--network", "8x4", "--batch", "2", "--quiet"));
  EXPECT_THAT(words_of_point({"run", "-q"}, {{"program", "a.elf"}}), testing::ElementsAre("run", "-q", "a.elf"));
}

TEST(Plan, points_that_a_constraint_excludes_are_counted_and_no_error_of_theirs_is_told) {
  const auto with_constraint = [](const Settings& settings) {
    ResolvedPoint point;
    point.excluded = settings[0].second == "1000";
    return point.excluded ? point : resolve(settings);
  };
  const SweepPlan plan = planned(request({"tpu.width=8,1000,16"}), with_constraint);
  EXPECT_THAT(described(plan), testing::ElementsAre("tpu.width=8", "tpu.width=16"));
  EXPECT_EQ(plan.excluded, 1u);
  try {
    planned(request({"tpu.width=1000"}), with_constraint);
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("leave none of 1 point"));
  }
}

TEST(Plan, a_sample_has_that_many_different_points_and_its_seed_repeats_it) {
  SweepRequest wanted = request({"tpu.width=2:256", "bus.clock=1ns:100ns:1ns"});
  for (const auto method : {Sampling::Method::random, Sampling::Method::latin_hypercube}) {
    wanted.sampling = Sampling{method, 60, 7};
    const SweepPlan plan = planned(wanted, resolve);
    const std::vector<std::string> points = described(plan);
    EXPECT_EQ(std::set<std::string>(points.begin(), points.end()).size(), 60u);
    EXPECT_EQ(described(planned(wanted, resolve)), points);
    wanted.sampling->seed = 8;
    EXPECT_NE(described(planned(wanted, resolve)), points);
  }
}

TEST(Plan, a_latin_hypercube_takes_one_value_of_each_part_of_each_axis) {
  SweepRequest wanted = request({"tpu.width=2:41", "bus.clock=1ns:20ns:1ns"});
  wanted.sampling = Sampling{Sampling::Method::latin_hypercube, 20, 3};
  std::set<unsigned> parts[2];
  for (const SweepPoint& point : planned(wanted, resolve).points) {
    parts[0].insert((std::stoul(point.settings[0].second) - 2) / 2);
    parts[1].insert(std::stoul(point.settings[1].second) - 1);
  }
  EXPECT_EQ(parts[0].size(), 20u);
  EXPECT_EQ(parts[1].size(), 20u);
}

TEST(Plan, a_sample_larger_than_the_grid_takes_the_grid) {
  SweepRequest wanted = request({"tpu.width=2:5"});
  wanted.sampling = Sampling{Sampling::Method::random, 60, 7};
  EXPECT_EQ(planned(wanted, resolve).points.size(), 4u);
}

TEST(Axis, ranges_stand_for_their_values) {
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"a=2:6", {"2", "3", "4", "5", "6"}},
      {"a=8:30:8", {"8", "16", "24"}},
      {"a=10ns:50ns:20ns", {"10ns", "30ns", "50ns"}},
      {"a=1:3MHz", {"1MHz", "2MHz", "3MHz"}},
      {"a=0.1:0.5:0.2", {"0.1", "0.3", "0.5"}},
      {"a=0.5:2:0.75", {"0.5", "1.25", "2"}},
      {"a=8:70:*2", {"8", "16", "32", "64"}},
      {"a=1,4:5,x", {"1", "4", "5", "x"}},
      {"a=7:7", {"7"}},
      {"a=plic1:20,tcp:80,0x10:0x20", {"plic1:20", "tcp:80", "0x10:0x20"}},
      {"a=1\\:2", {"1:2"}}};
  for (const auto& [text, values] : cases) EXPECT_EQ(parse_axis(text).values, values) << text;
}

TEST(Axis, ranges_that_say_nothing_are_refused) {
  for (const char* text : {"a=5:2", "a=1:5:0", "a=1:5:x", "a=1ns:5us", "a=1:5ns:1us", "a=0:8:*2", "a=1:8:*1",
                           "a=1:8:*1.5", "a=0:9999999999", "a=1:2:", "a=0.00000000000001:999999999999999"})
    EXPECT_THROW(parse_axis(text), UserError) << text;
}

TEST(Axis, any_text_gives_values_or_one_sentence) {
  std::mt19937 random(12);
  const std::string alphabet = "a=,:*.0123459nsMHz\\-x ";
  for (int round = 0; round < 20000; ++round) {
    std::string text = "a=";
    for (unsigned n = random() % 14; n > 0; --n) text += alphabet[random() % alphabet.size()];
    try {
      EXPECT_FALSE(parse_axis(text).values.empty());
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(Plan, a_large_grid_has_no_two_equal_hashes) {
  std::string widths = "tpu.width=2";
  for (int width = 3; width <= 256; ++width) widths += "," + std::to_string(width);
  std::string clocks = "bus.clock=1ns";
  for (int clock = 2; clock <= 40; ++clock) clocks += "," + std::to_string(clock) + "ns";
  const SweepPlan plan = planned(request({widths, clocks}), resolve);
  EXPECT_EQ(plan.points.size(), 255u * 40u);
  EXPECT_EQ(plan.duplicates, 0u);
}

TEST(Plan, a_parameter_that_matters_at_no_point_is_refused_and_one_that_matters_at_some_is_not) {
  const auto with_effects = [](const Settings& settings) {
    ResolvedPoint point = resolve(settings);
    const auto ddr =
        std::find(settings.begin(), settings.end(), std::pair<std::string, std::string>{"dram.preset", "ddr3-1600"});
    if (ddr == settings.end()) point.without_effect = {{"bus.clock", "dram.preset is fixed"}};
    return point;
  };
  try {
    planned(request({"tpu.width=8,16", "bus.clock=1ns,2ns"}), with_effects);
    ADD_FAILURE() << "accepted";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "sweep: bus.clock changes nothing at any point: dram.preset is fixed");
  }
  EXPECT_EQ(planned(request({"bus.clock=1ns,2ns", "dram.preset=fixed,ddr3-1600"}), with_effects).points.size(), 4u);
}

TEST(Plan, an_unknown_name_anywhere_is_answered_with_the_nearest) {
  EXPECT_THAT(error_of(request({"tpu.width=8", "tpu.widht=8"})), HasSubstr("did you mean 'tpu.width'?"));
}

TEST(Plan, a_bad_value_of_the_last_point_stops_everything) {
  EXPECT_THAT(error_of(request({"tpu.width=8,16,1000"})), HasSubstr("1000 is out of range (allowed: 2 to 256)"));
}

TEST(Plan, a_parameter_swept_twice_is_refused) {
  EXPECT_THAT(error_of(request({"tpu.width=8", "tpu.width=16"})), HasSubstr("swept twice"));
  SweepRequest both = request({"tpu.width=8"});
  both.listed = {{{"tpu.width", "16"}}};
  EXPECT_THAT(error_of(both), HasSubstr("both by --set and in the points file"));
}

TEST(Plan, too_many_points_are_refused_before_they_are_made) {
  std::string values = "a=1";
  for (int i = 2; i <= 2000; ++i) values += "," + std::to_string(i);
  EXPECT_THAT(error_of(request({values, "b" + values})), HasSubstr("more than 1000000 points"));
}

TEST(Plan, axes_without_name_or_value_are_refused) {
  for (const char* text : {"", "a", "=1", "a=", "a=1,", "a=,1"}) EXPECT_THROW(parse_axis(text), UserError) << text;
}

TEST(Plan, errors_in_a_points_file_give_the_line) {
  for (const char* text : {"a=1\nb\n", "a=1\na='x\n", "a=1\nb=1 b=2\n"}) {
    try {
      parse_points(text, "points.txt");
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("points.txt:2: "));
    }
  }
  EXPECT_THROW(parse_points("# empty\n", "p"), UserError);
}

TEST(Plan, any_text_as_a_points_file_gives_points_or_one_sentence) {
  std::mt19937 random(11);
  const std::string alphabet = "ab=,.'\"\\# \t\n\r1\0x";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (unsigned n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    try {
      EXPECT_FALSE(parse_points(text, "p").empty());
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace vp
