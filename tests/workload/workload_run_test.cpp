// `run --workload` as a user starts it: totals, both movers, what matters for the estimate, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using Options = std::vector<std::string>;

const char kHead[] = "Layer name,IFMAP Height,IFMAP Width,Filter Height,Filter Width,Channels,Num Filter,Strides,\n";

std::string example(const std::string& name) { return VP_SOURCE_DIR "/examples/workloads/" + name; }

struct WorkloadRun : testing::Test {
  ProgramResult start(Options options) {
    options.insert(options.begin(), "run");
    return run_tinytpu_vp(options);
  }
  /// All figures of a run that succeeds.
  json figures(const std::string& file, Options options = {}) {
    options.insert(options.end(), {"--workload", file, "--stats", folder.path("s.json")});
    const ProgramResult result = start(options);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"];
  }
  json workload(const std::string& file, Options options = {}) { return figures(file, std::move(options))["workload"]; }
  void expect_refused(Options options, const std::string& part) {
    const ProgramResult result = start(std::move(options));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  TemporaryFolder folder;
};

double value(const json& group, const std::string& name) { return group["values"][name]["value"].get<double>(); }

TEST_F(WorkloadRun, useful_multiply_accumulates_are_the_networks_own) {
  EXPECT_EQ(value(workload(example("alexnet.csv")), "useful_macs"), 1'135'256'096);
  EXPECT_EQ(value(workload(example("resnet18.csv")), "useful_macs"), 1'814'073'344);
  EXPECT_EQ(value(workload(example("mlp_gemm.csv")), "useful_macs"), 533'725'184);
}

TEST_F(WorkloadRun, a_network_takes_seconds_at_any_width) {
  for (const char* width : {"2", "5", "64", "256"}) {
    const ProgramResult result =
        start({"--workload", example("alexnet.csv"), "--set", std::string("tpu.matrix_width=") + width});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_LT(result.seconds.count(), 20 * kTimeBudget) << width;
  }
}

TEST_F(WorkloadRun, prints_a_line_a_layer_a_total_and_what_is_exact) {
  const ProgramResult result = start({"--workload", example("alexnet.csv"), "--batch", "4"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.error, "");
  for (const char* part :
       {"\nconv1  12100   363    96   421660800 ", "\ntotal ", "batch 4", "compute   exact", "movement  an estimate",
        "not modelled: pooling, bias, element-wise layers", "time of an image"})
    EXPECT_THAT(result.out, HasSubstr(part));
}

TEST_F(WorkloadRun, parts_add_up_and_layers_add_up_to_the_total) {
  const json total = workload(example("resnet18.csv"), {"--mover", "cdma"});
  double time = 0, cycles = 0, moved = 0;
  for (const auto& [name, layer] : total["groups"]["layers"]["groups"].items()) {
    SCOPED_TRACE(name);
    time += value(layer, "time");
    cycles += value(layer, "cycles");
    moved += value(layer, "moved_bytes");
    EXPECT_NEAR(value(layer, "time"), value(layer, "compute_time") + value(layer, "movement_time"), 1e-12);
    EXPECT_LE(value(layer, "useful_utilisation"), value(layer, "mapped_utilisation"));
    EXPECT_LE(value(layer, "mapped_utilisation"), 100);
  }
  EXPECT_NEAR(value(total, "time"), time, 1e-9);
  EXPECT_EQ(value(total, "cycles"), cycles);
  EXPECT_EQ(value(total, "moved_bytes"), moved);
}

TEST_F(WorkloadRun, one_warning_names_sizes_that_are_rounded_up_and_lines_that_are_not_modelled_are_listed) {
  const std::string file =
      folder.write("odd.csv", kHead + std::string("a,10,10,3,3,1,1,2,\nb,8,8,3,3,1,1,2,\npool1,,\n"));
  const ProgramResult result = start({"--workload", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  EXPECT_THAT(result.error, HasSubstr("rounded up, as SCALE-Sim does: a (height: (10 - 3) / 2)"));
  EXPECT_THAT(result.out, HasSubstr("element-wise layers: pool1\n"));
}

TEST_F(WorkloadRun, dram_and_bus_matter_for_both_movers_and_compute_does_not_depend_on_them) {
  const std::string file = folder.write("fc.csv", kHead + std::string("fc,1,1,1,1,1000,700,1,\n"));
  // The CDMA waits for the tinyTPU's port most of the time.
  const std::tuple<const char*, double, double> movers[] = {{"cpu", 1.05, 1.2}, {"cdma", 1.01, 1.03}};
  for (const auto& [mover, by_dram, by_bus] : movers) {
    SCOPED_TRACE(mover);
    const auto run = [&, by = std::string(mover)](const std::string& setting) {
      return workload(file, {"--mover", by, "--feed-gap", "12", "--set", setting});
    };
    const json usual = run("dram0.latency=50ns"), slow_dram = run("dram0.latency=400ns"),
               slow_bus = run("bus.clock=20MHz");
    EXPECT_GT(value(slow_dram, "movement_time"), by_dram * value(usual, "movement_time"));
    EXPECT_GT(value(slow_bus, "movement_time"), by_bus * value(usual, "movement_time"));
    EXPECT_EQ(value(slow_dram, "cycles"), value(usual, "cycles"));
    EXPECT_EQ(value(slow_bus, "cycles"), value(usual, "cycles"));
  }
}

TEST_F(WorkloadRun, traffic_of_others_on_the_bus_slows_the_movement) {
  const std::string file = folder.write("g.csv", "Layer,M,K,N\na,14,300,300\n");
  const Options busy = {"--set", "traffic0.present=true", "--set", "traffic0.base=0x80000000",
                        "--set", "traffic0.size=1048576", "--set", "traffic0.rate=700000000"};
  EXPECT_GT(value(workload(file, busy), "movement_time"), value(workload(file), "movement_time"));
}

TEST_F(WorkloadRun, works_on_a_hart_of_32_bits_and_equals_itself) {
  const std::string file = folder.write("g.csv", "Layer,M,K,N\na,20,30,40\n");
  const json first = figures(file, {"--set", "cpu.isa=rv32imac"});
  EXPECT_GT(value(first["workload"], "movement_time"), 0);
  EXPECT_EQ(first["workload"], workload(file, {"--set", "cpu.isa=rv32imac"}));
}

TEST_F(WorkloadRun, what_means_nothing_is_refused) {
  const std::string gemm = example("mlp_gemm.csv"), net = example("alexnet.csv");
  expect_refused({"--workload", gemm, "--batch", "2"}, "has its batch in M");
  expect_refused({"--workload", net, "--batch", "0"}, "--batch: out of range");
  expect_refused({"--workload", net, "--mover", "me"}, "'me' is neither cpu nor cdma");
  expect_refused({"--mover", "cpu"}, "--mover needs --workload");
  expect_refused({"--workload", net, "--timeline", "t.json"}, "--workload and --timeline exclude each other");
  expect_refused({"--workload", net, "a.elf"}, "a CPU program and --workload exclude each other");
  expect_refused({"--workload", net, "--set", "fidelity=functional"}, "needs fidelity=timed");
  expect_refused({"--workload", net, "--set", "tpu.weight_depth=13"}, "the weight buffer is too small for a tile");
  expect_refused({"--workload", net, "--set", "dram0.size=1048576"}, "the mover of --workload");
  expect_refused({"--workload", net, "--set", "tpu.present=false"}, "the machine has no tinyTPU");
  expect_refused({"--batch", "2", "--program", "a.tpu"}, "--batch needs --network or --workload");
  expect_refused({"--workload", folder.path("none.csv")}, "none.csv");
}

TEST_F(WorkloadRun, a_limit_of_simulated_time_leaves_out_the_layers_that_end_later) {
  const ProgramResult result = start({"--workload", example("alexnet.csv"), "--max-time", "1s"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the limit of 1.000 s simulated time was reached in layer conv3"));
  EXPECT_THAT(result.out, Not(HasSubstr("\nconv3")));
}

TEST_F(WorkloadRun, a_wall_clock_limit_ends_it_with_exit_code_4) {
  const ProgramResult result = start({"--workload", example("alexnet.csv"), "--timeout", "1us"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the wall-clock limit was reached"));
}

}  // namespace
}  // namespace vp
