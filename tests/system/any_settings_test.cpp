// The whole machine with settings drawn at random from all that are possible: the guest computes the same, and the
// figures are those of the settings alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using Settings = std::vector<std::string>;

class Draw {
 public:
  explicit Draw(Dice& dice) : dice_(dice) {
    bus();
    for (const char* cache : {"icache", "dcache"}) caches(cache);
    for (const char* memory : {"dram0", "dram1"}) dram(memory);
    set("cpu.clock", std::to_string(dice_.from_to(500, 40'000)) + "ps");
    set("cpu.cycles.load", dice_.from_to(1, 5));
    set("cpu.cycles.branch_taken", dice_.from_to(0, 3));
    set("tpu.clock", std::to_string(dice_.from_to(1'000, 20'000)) + "ps");
    set("tpu.fifo_depth", dice_.power_of_two(2, 6));
  }
  void traffic(const std::string& name) {
    settings_.push_back(name + ".present=true");
    settings_.push_back(name + ".end=1ms");
    set(name + ".base", dice_.one_of({"0x80000000", "0xc0000000"}));
    set(name + ".pattern", dice_.one_of({"strided", "random"}));
    set(name + ".burst", dice_.from_to(8, 1024));
    set(name + ".writes", dice_.from_to(0, 100));
    set(name + ".outstanding", dice_.power_of_two(1, 6));
    set(name + ".rate", dice_.from_to(1'000'000, 1'000'000'000));
  }
  const Settings& settings() const { return settings_; }

 private:
  void set(const std::string& name, const std::string& value) {
    if (dice_.one_in(2)) settings_.push_back(name + "=" + value);
  }
  void set(const std::string& name, unsigned value) { set(name, std::to_string(value)); }
  void bus() {
    set("bus.clock", std::to_string(dice_.from_to(500, 40'000)) + "ps");
    set("bus.width", dice_.power_of_two(32, 4));
    set("bus.latency_cycles", dice_.from_to(0, 10));
    set("bus.topology", "shared");
    set("bus.arbitration", dice_.one_of({"fixed-priority", "round-robin"}));
    set("bus.outstanding", dice_.from_to(1, 9));
    set("bus.sync", "true");
  }
  void caches(const std::string& name) {
    const std::string cache = "cpu." + name + ".";
    if (dice_.one_in(5)) settings_.push_back(cache + "present=false");
    const unsigned line = dice_.power_of_two(32, 3), ways = dice_.from_to(1, 8);
    settings_.push_back(cache + "line=" + std::to_string(line));
    settings_.push_back(cache + "ways=" + std::to_string(ways));
    settings_.push_back(cache + "size=" + std::to_string(dice_.power_of_two(line * ways * 2, 7)));
    set(cache + "replacement", "random");
    if (name == "icache") return;
    set(cache + "write_policy", "through");
    set(cache + "write_allocate", "false");
    set(cache + "write_buffer", "false");
    set(cache + "hit_cycles", dice_.from_to(0, 3));
  }
  void dram(const std::string& name) {
    set(name + ".preset", dice_.one_of({"ddr3-1600", "ddr4-2400", "lpddr4-3200", "ddr4-3200"}));
    set(name + ".latency", std::to_string(dice_.from_to(0, 200'000)) + "ps");
    set(name + ".page_policy", dice_.one_of({"open", "closed"}));
    set(name + ".scheduling", dice_.one_of({"in-order", "first-ready"}));
    set(name + ".posted_writes", "true");
  }

  Dice& dice_;
  Settings settings_;
};

class AnySettings : public testing::TestWithParam<unsigned> {
 protected:
  /// The figures; what the guest computed is in `results_`.
  nlohmann::json run(Settings settings, const std::string& more) {
    settings.push_back(more);
    const std::string file = folder_.path("stats.json");
    std::vector<std::string> options = {"run", "-q", "--stats", file, firmware("digits64")};
    for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
    const ProgramResult result = run_tinytpu_vp(options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    std::istringstream lines(result.out);
    results_.clear();
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("tinyTPU:", 0) != 0 && line.find("cycles") == std::string::npos) results_ += line + '\n';
    if (result.exit_code != 0) return {};
    nlohmann::json figures = nlohmann::json::parse(folder_.read(file))["groups"];
    for (auto& group : figures) remove_volatile_figures(group);
    figures.erase("configuration");
    return figures;
  }
  void expect_equal(const nlohmann::json& one, const nlohmann::json& other) {
    EXPECT_TRUE(one == other) << nlohmann::json::diff(one, other).dump(1);
  }

  TemporaryFolder folder_;
  Dice dice_{GetParam()};
  std::string results_;
};

TEST_P(AnySettings, the_guest_computes_the_same_and_the_quantum_changes_nothing) {
  const Settings settings = Draw(dice_).settings();
  SCOPED_TRACE(testing::PrintToString(settings));
  run(settings, "fidelity=functional");
  const std::string expected = results_;
  EXPECT_THAT(expected, testing::HasSubstr("3600 of 3600"));
  Settings timed = settings;
  timed.push_back("fidelity=timed");
  const nlohmann::json figures = run(timed, "cpu.quantum=10us");
  EXPECT_EQ(results_, expected);
  expect_equal(run(timed, "cpu.quantum=" + std::to_string(dice_.from_to(100, 100'000)) + "ns"), figures);
}

TEST_P(AnySettings, beside_traffic_the_guest_computes_the_same_and_two_runs_are_equal) {
  Draw draw(dice_);
  draw.traffic("traffic0");
  if (dice_.one_in(2)) draw.traffic("traffic1");
  SCOPED_TRACE(testing::PrintToString(draw.settings()));
  const nlohmann::json figures = run(draw.settings(), "fidelity=timed");
  EXPECT_THAT(results_, testing::HasSubstr("3600 of 3600"));
  expect_equal(run(draw.settings(), "fidelity=timed"), figures);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnySettings, testing::Range(1u, 9u));

}  // namespace
}  // namespace vp
