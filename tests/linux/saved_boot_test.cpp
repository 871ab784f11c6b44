// A boot of Linux that is saved in its middle, with page tables and timers in use, and goes on in another process.
#include "platform/run/run.h"
#include "tests/linux/linux_machine.h"
#include "tests/system/saved_machine.h"

namespace vp {
namespace {

using SavedBoot = LinuxTest;

TEST_F(SavedBoot, goes_on_in_another_process) {
  const MadeProgram linux_program = [](const MachineSettings& settings) {
    return place_linux(linux_file("debian/Image"), {"", linux_file("test.cpio"), ""}, settings);
  };
  expect_restored_runs_end_equal(linux_program, 2,
                                 {"dram0.size=128MiB", "dram1.present=false", "fidelity=functional", "cpu.sstc=true",
                                  std::string("bootrom.boot_arguments=") + kFastStart + "quiet run=/bin/true"});
}

}  // namespace
}  // namespace vp
