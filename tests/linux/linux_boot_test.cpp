// Debian's stock kernel, unmodified, on the built program.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/linux/linux_machine.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class LinuxBoot : public LinuxTest {
 protected:
  /// A folder for --share with a program for the guest's shell, "/share/test".
  std::string share(const std::string& script) {
    const std::string folder = folder_.path("share");
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/test") << "#!/bin/sh\nset -e\n" << script;
    chmod((folder + "/test").c_str(), 0755);
    return folder;
  }
  Json statistics(const std::string& what, std::vector<std::string> options) {
    options.insert(options.end(), {"--stats", folder_.path("stats.json")});
    const ProgramResult result = boot_linux(what, options);
    EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
    Json figures = Json::parse(TemporaryFolder::read(folder_.path("stats.json")));
    for (const char* group : {"configuration", "cost"}) figures["groups"].erase(group);
    remove_volatile_figures(figures);
    return figures;
  }
  const TemporaryFolder folder_;
};

TEST_F(LinuxBoot, reaches_the_shell_and_powers_off) {
  ProgramInput input;
  input.text = std::string(40, '\n') + "echo kernel $(uname -r) on $(uname -m)\nexit\n";
  const ProgramResult result = boot_linux("shell", {}, "test", input);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("OpenSBI v"));
  EXPECT_THAT(result.out, HasSubstr("Linux version"));
  EXPECT_THAT(result.out, HasSubstr("init: shell on the console, exit powers off"));
  EXPECT_THAT(result.out, ContainsRegex("kernel [0-9.]+.*-riscv64 on riscv64"));
  EXPECT_THAT(result.out, HasSubstr("reboot: Power down"));
  EXPECT_THAT(result.error, HasSubstr("the guest ended the run with success"));
}

TEST_F(LinuxBoot, timed_mode_boots_as_well) {
  const ProgramResult result = boot_linux("run=/bin/uname -- -m", {"--set", "fidelity=timed"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("\nriscv64"));
}

TEST_F(LinuxBoot, the_exit_code_is_that_of_the_program_that_ran) {
  const ProgramResult result = boot_linux("run=/bin/false");
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("init: /bin/false ended with status 1"));
}

TEST_F(LinuxBoot, a_reboot_starts_the_machine_and_its_kernel_again) {
  const ProgramResult result = boot_linux("run=/bin/reboot -- -f", {"--max-time", "20s"});
  EXPECT_EQ(result.exit_code, 4) << "the limit of time: it reboots for ever" << result.error;
  const std::size_t first = result.out.find("Linux version");
  ASSERT_NE(first, std::string::npos) << result.out;
  EXPECT_NE(result.out.find("Linux version", first + 1), std::string::npos);
  EXPECT_THAT(result.out, HasSubstr("reboot: Restarting system"));
}

TEST_F(LinuxBoot, figures_do_not_depend_on_the_quantum) {
  const std::string what = "quiet run=/bin/true";
  EXPECT_EQ(statistics(what, {"--set", "cpu.quantum=10us"}), statistics(what, {"--set", "cpu.quantum=333ns"}));
}

/// The supervisor's timer comes from stimecmp; the firmware's stands still.
TEST_F(LinuxBoot, with_sstc_the_kernel_sets_its_timer_itself) {
  const ProgramResult result = boot_linux("run=/bin/grep -- isa /proc/cpuinfo",
                                          {"--set", "cpu.sstc=true", "--stats", folder_.path("stats.json")});
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, ContainsRegex("isa[^\n]*sstc"));
  EXPECT_THAT(result.out, HasSubstr("Timer interrupt in S-mode is available via sstc extension"));
  const Json figures = Json::parse(TemporaryFolder::read(folder_.path("stats.json")))["groups"];
  EXPECT_GT(figures["cpu"]["groups"]["traps"]["values"]["supervisor_timer_interrupt"]["value"], 500);
  EXPECT_EQ(figures["clint"]["values"]["timer_interrupts"]["value"], 0);
}

TEST_F(LinuxBoot, retires_as_many_instructions_as_qemu_within_3_percent) {
  if (std::system("command -v qemu-system-riscv64 gcc > /dev/null") != 0)
    GTEST_SKIP() << "qemu-system-riscv64 or gcc is not installed";
  EXPECT_EQ(std::system("TINYTPU_VP=" VP_BINARY_DIR "/tinytpu-vp " VP_SOURCE_DIR
                        "/tools/linux/compare-instructions " VP_SOURCE_DIR "/build/linux"),
            0);
}

TEST_F(LinuxBoot, a_panic_is_no_success) {
  const ProgramResult result = boot_linux("rdinit=/nowhere root=/dev/nothing", {"--max-time", "20s"});
  EXPECT_EQ(result.exit_code, 4) << result.error;
  EXPECT_THAT(result.out, HasSubstr("Kernel panic"));
}

TEST_F(LinuxBoot, a_shared_folder_is_there_and_stays_as_it_was) {
  const std::string folder = share("cat /share/greeting; echo changed > /share/greeting; cat /share/greeting\n");
  std::ofstream(folder + "/greeting") << "hello from the host\n";
  const ProgramResult result = boot_linux("quiet run=/share/test", {"--share", folder}, "shell");
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, HasSubstr("hello from the host"));
  EXPECT_THAT(result.out, HasSubstr("changed"));
  EXPECT_EQ(TemporaryFolder::read(folder + "/greeting"), "hello from the host\n");
}

TEST_F(LinuxBoot, a_disk_that_is_written_survives_the_hosts_own_check) {
  const std::string disk = folder_.path("disk.img");
  ASSERT_EQ(std::system(("PATH=$PATH:/sbin:/usr/sbin; mke2fs -q -F -t ext4 " + disk + " 16M").c_str()), 0);
  const std::string folder = share(
      "mkdir /mnt; mount -t ext4 /dev/vda /mnt; mkdir /mnt/sub; dmesg > /mnt/sub/messages\n"
      "md5sum < /mnt/sub/messages > /mnt/sum; umount /mnt\n"
      "mount -t ext4 -o ro /dev/vda /mnt; [ \"$(md5sum < /mnt/sub/messages)\" = \"$(cat /mnt/sum)\" ]; umount /mnt\n"
      "echo remounted well\n");
  const ProgramResult result =
      boot_linux("quiet run=/share/test", {"--disk", disk + ",rw", "--share", folder}, "shell");
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, HasSubstr("remounted well"));
  EXPECT_EQ(std::system(("PATH=$PATH:/sbin:/usr/sbin; e2fsck -f -n " + disk + " > /dev/null 2>&1").c_str()), 0);
  EXPECT_EQ(
      std::system(
          ("PATH=$PATH:/sbin:/usr/sbin; debugfs -R 'cat /sum' " + disk + " 2> /dev/null | grep -q '  -'").c_str()),
      0);
}

TEST_F(LinuxBoot, debians_own_user_land_runs_from_a_disk) {
  if (!std::filesystem::exists(linux_file("root.img"))) GTEST_SKIP() << why_missing("root.img");
  const std::string folder = share(
      "dpkg -l bash dpkg | grep ^iU\nperl -e 'print join(\",\", map { $_ ** 2 } 1 .. 5), \"\\n\"'\n"
      "sync\necho o > /proc/sysrq-trigger\nsleep 10\n");
  const ProgramResult result =
      boot_linux("quiet root=/dev/vda rootflags=rw init=/share/test",
                 {"--disk", linux_file("root.img"), "--share", folder, "--set", "dram0.size=192MiB"}, "shell");
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, ContainsRegex("iU +dpkg +[0-9.]+ +riscv64"));
  EXPECT_THAT(result.out, HasSubstr("1,4,9,16,25"));
}

/// Scenarios of sw/linux/tests/driver.
class LinuxDriver : public LinuxTest, public testing::WithParamInterface<const char*> {};

TEST_P(LinuxDriver, passes) {
  const std::string scenario = GetParam();
  const ProgramResult result = boot_linux("quiet run=/tests/driver -- " + scenario);
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, HasSubstr("driver " + scenario + ": passed"));
}

INSTANTIATE_TEST_SUITE_P(Scenario, LinuxDriver,
                         testing::Values("attributes", "digits", "refused", "waiting", "turns", "lease", "two_at_once",
                                         "killed", "busy", "unbound", "ten_times", "matmul"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace vp
