// Every program of the firmware on the default machine, in both fidelities: what it prints, how it ends and every
// figure of its report are those that tests/golden/snapshots holds. A change of a model or of a program that means to
// change figures brings the new files with it (README.md there).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path kSnapshots = VP_SOURCE_DIR "/tests/golden/snapshots";

/// A line a figure, "path value unit", zeros left out: a figure that is added does not change old snapshots until it
/// counts something.
void list(const Json& group, const std::string& prefix, std::ostream& out) {
  if (group.contains("values"))
    for (const auto& [name, figure] : group["values"].items()) {
      const Json& value = figure["value"];
      if (value.is_number() && value == 0) continue;
      out << prefix << name << ' ' << value.dump() << (figure.contains("unit") ? " " : "")
          << figure.value("unit", std::string()) << '\n';
    }
  if (group.contains("groups"))
    for (const auto& [name, below] : group["groups"].items()) list(below, prefix + name + '.', out);
}

/// Console, exit code, ending and figures of one run.
std::string take_snapshot(const std::string& program, const std::string& fidelity) {
  const TemporaryFolder folder;
  const ProgramResult result = run_tinytpu_vp({"run", "-q", "--log-level", "silent", "--set", "fidelity=" + fidelity,
                                               "--stats", folder.path("stats.json"), firmware(program)});
  Json statistics = Json::parse(TemporaryFolder::read(folder.path("stats.json")));
  for (const char* group : {"configuration", "cost"}) statistics["groups"].erase(group);  // what was asked for
  remove_volatile_figures(statistics);
  std::ostringstream text;
  text << "# " << program << " fidelity=" << fidelity << "\n# ends with code " << result.exit_code << ": "
       << statistics["groups"]["run"]["values"]["end"].value("description", std::string()) << '\n';
  list(statistics, "", text);
  text << "# console\n" << result.out;
  return text.str();
}

class Snapshot : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {
 protected:
  std::string program() const { return std::string(std::get<0>(GetParam())) + std::get<1>(GetParam()); }
  std::string fidelity() const { return std::get<2>(GetParam()); }
};

TEST_P(Snapshot, output_and_figures_are_those_of_the_snapshot) {
  const std::string name = program() + "_" + fidelity() + ".txt";
  const std::string now = take_snapshot(program(), fidelity());
  const std::filesystem::path folder = VP_BINARY_DIR "/snapshots";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << now;
  std::ifstream file(kSnapshots / name);
  ASSERT_TRUE(file) << "there is no snapshot " << name << "; this run's is in " << folder;
  std::ostringstream before;
  before << file.rdbuf();
  EXPECT_EQ(now, before.str()) << "the whole is in " << folder / name;
}

INSTANTIATE_TEST_SUITE_P(Firmware, Snapshot,
                         testing::Combine(testing::Values("crash", "digits", "hello", "matmul", "processes", "region",
                                                          "restart", "selftest", "simple_net", "storm"),
                                          testing::Values("32", "64"), testing::Values("functional", "timed")),
                         [](const auto& param) {
                           return std::string(std::get<0>(param.param)) + std::get<1>(param.param) + "_" +
                                  std::get<2>(param.param);
                         });

}  // namespace
}  // namespace vp
