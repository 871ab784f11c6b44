// Programs run both ways, as they are and as workloads: what the estimate of movement is off by is what is printed with
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "platform/loader/elf_file.h"
#include "platform/report/workload_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using nlohmann::json;

constexpr double kCpuClock = 10e-9;  // seconds

struct BothWays : testing::Test {
  json estimated(const std::string& layers, const std::string& mover = "cpu") {
    const std::string file = folder.write("w.csv", "Layer,M,K,N\n" + layers);
    const ProgramResult result =
        run_tinytpu_vp({"run", "--workload", file, "--mover", mover, "--stats", folder.path("s.json")});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return json::parse(TemporaryFolder::read(folder.path("s.json")))["groups"]["workload"];
  }
  static double seconds(const json& group, const std::string& part) {
    return group["values"][part + "_time"]["value"].get<double>();
  }
  static json layer(const json& total, const std::string& name) { return total["groups"]["layers"]["groups"][name]; }
  /// A number that a program printed.
  static double printed(const std::string& text, const std::string& pattern) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(text, match, std::regex(pattern))) << pattern << '\n' << text;
    return match.empty() ? 0 : std::stod(match[1]);
  }
  /// In percent of what was measured.
  static double error(double estimate, double measured) { return 100 * (estimate - measured) / measured; }
  /// What is printed with every estimate, within a percent.
  static void expect_stated(const std::string& program, double percent) {
    for (const MeasuredError& error : kMeasuredErrors)
      if (error.program == program) {
        EXPECT_NEAR(percent, error.percent, 1);
      }
  }
  TemporaryFolder folder;
};

TEST_F(BothWays, digits) {
  const ProgramResult run = run_tinytpu_vp({"run", "-q", firmware("digits64")});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const json total = estimated("hidden,360,65,42\nout,360,42,10\n");
  // The program keeps what lies between its layers in the unified buffer.
  const json first = layer(total, "1_hidden"), last = layer(total, "2_out");
  const double rest = seconds(first, "activations") + seconds(last, "results") + seconds(total, "synchronize") +
                      seconds(total, "compute");
  const double rest_measured = kCpuClock * printed(run.out, "\nCPU: (\\d+) cycles");
  const double weights_measured = kCpuClock * printed(run.out, "weights once: (\\d+) cycles");
  const double images = error(rest, rest_measured);
  const double all = error(rest + seconds(total, "weights"), rest_measured + weights_measured);
  std::cout << "digits: " << all << " %, without the weights, which it packs anew: " << images << " %\n";
  EXPECT_LT(std::abs(images), 2);
  expect_stated("digits", all);
}

TEST_F(BothWays, digits_with_the_cdma) {
  const ProgramResult run = run_tinytpu_vp({"run", "-q", "--set", "cdma0.kind=cdma", "--set", "cdma0.base=0x4E200000",
                                            "--set", "cdma0.interrupt=6", firmware("digits_cdma64")});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const json total = estimated("hidden,360,65,42\nout,360,42,10\n", "cdma");
  const double estimate = seconds(layer(total, "1_hidden"), "activations") + seconds(layer(total, "2_out"), "results") +
                          seconds(total, "synchronize") + seconds(total, "compute");
  const double images = error(estimate, kCpuClock * printed(run.out, "\nCPU: (\\d+) cycles"));
  std::cout << "digits_cdma: without the weights, which it packs anew: " << images << " %\n";
  EXPECT_LT(std::abs(images), 2);
}

/// Seconds inside the calls of one function from main, by a trace of all instructions.
double inside(const std::string& trace, const SymbolTable& symbols, const std::string& function) {
  const std::uint64_t entry = symbols.range(function)->first;
  const auto [first, last] = *symbols.range("main");
  std::istringstream lines(trace);
  double sum = 0, begun = -1;
  for (std::string line; std::getline(lines, line);) {
    char* mode = nullptr;
    const double time = std::strtod(line.c_str(), &mode);  // "      80.000 M 0000000000001000 …"
    const std::uint64_t pc = std::strtoull(mode + 2, nullptr, 16);
    if (pc == entry) begun = time;
    if (begun < 0 || pc < first || pc > last) continue;
    sum += (time - begun) * 1e-9;
    begun = -1;
  }
  return sum;
}

TEST_F(BothWays, simple_net) {
  const std::string path = firmware("simple_net64");
  const ProgramResult run = run_tinytpu_vp({"run", "-q", "--trace", folder.path("trace"), path});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const std::string trace = TemporaryFolder::read(folder.path("trace"));
  const SymbolTable symbols = read_elf(path).symbols;
  double measured = 0;
  for (const char* function : {"write_weight_vector", "write_input_vector", "read_output_vector"})
    measured += inside(trace, symbols, function);
  ASSERT_GT(measured, 0);
  const json total = estimated("net,14,14,14\n");
  const double all =
      error(seconds(total, "weights") + seconds(total, "activations") + seconds(total, "results"), measured);
  std::cout << "simple_net: " << all << " %\n";
  expect_stated("simple_net", all);
}

}  // namespace
}  // namespace vp
