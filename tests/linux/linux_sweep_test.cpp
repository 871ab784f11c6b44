// Boots of Linux as points of a sweep, side by side.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/linux/linux_machine.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using SweepJson = nlohmann::ordered_json;

/// Without what differs between two runs of one machine.
std::string lasting_figures(SweepJson statistics) {
  remove_volatile_figures(statistics);
  return statistics.dump(1);
}

using LinuxSweep = LinuxTest;

TEST_F(LinuxSweep, points_side_by_side_have_the_figures_of_single_boots) {
  const TemporaryFolder folder;
  const std::vector<std::string> machine = {"--set", "dram0.size=128MiB",   "--set",     "dram1.present=false",
                                            "--set", "fidelity=functional", "--timeout", boot_time()};
  const std::vector<std::string> boot = {"--linux",  linux_file("debian/Image"),
                                         "--initrd", linux_file("test.cpio"),
                                         "--append", std::string(kFastStart) + "quiet run=/bin/true"};
  std::vector<std::string> sweep = {"sweep", "-o",    folder.path("out"),    "--jobs",
                                    "2",     "--set", "cpu.sstc=false,true", "--"};
  sweep.emplace_back("run");
  sweep.insert(sweep.end(), machine.begin(), machine.end());
  sweep.insert(sweep.end(), boot.begin(), boot.end());
  const ProgramResult swept = run_tinytpu_vp(sweep);
  ASSERT_EQ(swept.exit_code, 0) << swept.error << swept.out;

  std::map<std::string, std::string> points;  // figures by the value of the axis
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("out/points"))) {
    const SweepJson point = SweepJson::parse(TemporaryFolder::read(entry.path().string()));
    points[point["settings"]["cpu.sstc"].get<std::string>()] = lasting_figures(point["statistics"]);
  }
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NE(points["false"], points["true"]);
  for (const auto& [sstc, figures] : points) {
    const ProgramResult single =
        boot_linux("quiet run=/bin/true", {"--set", "cpu.sstc=" + sstc, "--stats", folder.path("single.json")});
    ASSERT_EQ(single.exit_code, 0) << single.error;
    EXPECT_EQ(lasting_figures(SweepJson::parse(TemporaryFolder::read(folder.path("single.json")))), figures)
        << "cpu.sstc=" << sstc;
  }
}

}  // namespace
}  // namespace vp
