// Debian's stock kernel, unmodified, on the built program.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/cpu/jit/native_code.h"
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
  Json statistics(const std::string& what, std::vector<std::string> options, const std::string& initrd) {
    options.insert(options.end(), {"--stats", folder_.path("stats.json")});
    const ProgramResult result = boot_linux(what, options, initrd);
    EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
    Json figures = Json::parse(TemporaryFolder::read(folder_.path("stats.json")));
    for (const char* group : {"configuration", "cost"}) figures["groups"].erase(group);
    remove_volatile_figures(figures);
    return figures;
  }
  const TemporaryFolder folder_;
};

/// Commands for the guest's shell. The kernel drops some of what comes before it has started the console.
ProgramInput typed(const std::string& commands) {
  ProgramInput input;
  input.text = std::string(40, '\n') + commands;
  return input;
}

TEST_F(LinuxBoot, reaches_the_shell_and_powers_off_where_its_input_ends) {
  const ProgramResult result = boot_linux("shell", {}, "test", typed("echo kernel $(uname -r) on $(uname -m)\n"));
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("OpenSBI v"));
  EXPECT_THAT(result.out, HasSubstr("Linux version"));
  EXPECT_THAT(result.out, HasSubstr("init: shell on the console, exit powers off"));
  EXPECT_THAT(result.out, ContainsRegex("kernel [0-9.]+.*-riscv64 on riscv64"));
  EXPECT_THAT(result.out, HasSubstr("reboot: Power down"));
  EXPECT_THAT(result.error, HasSubstr("the guest ended the run with success"));
}

/// The default machine, and of the kernel's options only the one that is for /init.
class LinuxDefaults : public LinuxTest, public testing::WithParamInterface<const char*> {};

TEST_P(LinuxDefaults, reach_the_shell_and_power_off) {
  const ProgramResult result =
      run_tinytpu_vp({"run", "--linux", linux_file("debian/Image"), "--initrd", linux_file("test.cpio"), "--append",
                      "shell", "--set", std::string("fidelity=") + GetParam(), "--timeout", boot_time_limit()},
                     typed("echo kernel $(uname -r) on $(uname -m)\nexit\n"));
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, ContainsRegex("kernel [0-9.]+.*-riscv64 on riscv64"));
  EXPECT_THAT(result.out, HasSubstr("reboot: Power down"));
}

INSTANTIATE_TEST_SUITE_P(Mode, LinuxDefaults, testing::Values("functional", "timed"));

/// What does not depend on the host's programs in the lines that `digits` prints: machine, accuracy, cycles of the
/// accelerator.
std::vector<std::string> results_of_digits(const std::string& out) {
  std::vector<std::string> lines;
  std::istringstream all(out);
  for (std::string line; std::getline(all, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    for (const char* start : {"tinyTPU:", "network:", "accuracy:", "float network:", "ties:", "output bytes", "TPU:"})
      if (line.compare(0, std::strlen(start), start) == 0) lines.push_back(line);
  }
  return lines;
}

#ifdef TINYTPU_VP_HAS_FIRMWARE
/// What the accelerator's counter said behind each program of a run, in their order: cycles as the log has them.
std::vector<std::string> cycles_of_programs(const std::string& log) {
  std::vector<std::string> cycles;
  std::istringstream all(log);
  for (std::string line; std::getline(all, line);)
    if (const std::size_t at = line.find(" 0x", line.find("RUNTIME_COUNTER")); at != std::string::npos)
      cycles.push_back(line.substr(at + 1, 10));
  return cycles;
}

/// One source in both worlds, fed by one loop, that of the kernel's module.
class LinuxDigits : public LinuxBoot, public testing::WithParamInterface<const char*> {
 protected:
  const std::string log_ = folder_.path("counter.log");
  const std::vector<std::string> options_ = {"--set", std::string("fidelity=") + GetParam(), "--log-access",
                                             "tpu.RUNTIME_COUNTER=" + log_};

  ProgramResult bare_metal() const {
    std::vector<std::string> words = {"run", firmware("digits_submit64")};
    words.insert(words.end(), options_.begin(), options_.end());
    return run_tinytpu_vp(words);
  }
  ProgramResult under_linux() const { return boot_linux("quiet run=/tests/driver -- digits", options_); }
};

TEST_P(LinuxDigits, have_the_predictions_and_the_cycles_of_every_program_that_they_have_on_bare_metal) {
  const ProgramResult bare = bare_metal();
  ASSERT_EQ(bare.exit_code, 0) << bare.error;
  const std::vector<std::string> results = results_of_digits(bare.out);
  EXPECT_EQ(results.size(), 7u) << bare.out;
  EXPECT_THAT(results, testing::Contains("output bytes equal to the reference: 3600 of 3600"));
  const std::vector<std::string> cycles = cycles_of_programs(TemporaryFolder::read(log_));
  ASSERT_GE(cycles.size(), 2u);

  const ProgramResult result = under_linux();
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_EQ(results_of_digits(result.out), results);
  EXPECT_THAT(result.out, ContainsRegex("interrupt path, edge to user space awake: [0-9.]+ us"));
  // First the module's own, of no length, as it meets the device; behind those of digits the interrupt path's.
  std::vector<std::string> in_linux = cycles_of_programs(TemporaryFolder::read(log_));
  ASSERT_GT(in_linux.size(), cycles.size());
  in_linux.erase(in_linux.begin());
  in_linux.resize(cycles.size());
  EXPECT_EQ(in_linux, cycles);
}

INSTANTIATE_TEST_SUITE_P(Mode, LinuxDigits, testing::Values("functional", "timed"));
#endif

TEST_F(LinuxBoot, two_accelerators_have_a_file_each_and_work_side_by_side) {
  const ProgramResult result =
      boot_linux("quiet run=/tests/driver -- both_devices",
                 {"--set", "tpu1.kind=tinytpu", "--set", "tpu1.base=0x46000000", "--set", "tpu1.interrupt=20"});
  EXPECT_EQ(result.exit_code, 0) << result.error << result.out;
  EXPECT_THAT(result.out, HasSubstr("driver both_devices: passed"));
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

/// With a disk that is read and written, and both timers.
TEST_F(LinuxBoot, figures_do_not_depend_on_the_quantum) {
  const std::string disk = folder_.path("disk.img");
  const std::string folder = share("md5sum /share/test; dmesg > /share/messages; sync\n");
  ASSERT_EQ(
      std::system(
          ("PATH=$PATH:/sbin:/usr/sbin; mke2fs -q -F -t ext4 -L share -d " + folder + " " + disk + " 16M").c_str()),
      0);
  const auto at_quantum = [&](const std::string& quantum) {
    return statistics("quiet run=/share/test",
                      {"--disk", disk, "--set", "cpu.sstc=true", "--set", "cpu.quantum=" + quantum}, "shell");
  };
  const Json figures = at_quantum("10us");
  EXPECT_GT(figures["groups"]["blk0"]["values"]["writes"]["value"], 0);
  EXPECT_EQ(figures, at_quantum("333ns"));
}

TEST_F(LinuxBoot, figures_do_not_depend_on_the_code_generator) {
  if (!cpu::NativeCode::available()) GTEST_SKIP() << "this host has no code generator";
  const auto with_jit = [&](const std::string& jit) {
    return statistics("quiet run=/bin/true", {"--set", "cpu.jit=" + jit}, "test");
  };
  EXPECT_EQ(with_jit("on"), with_jit("off"));
}

/// The interpreter does each hot block beside its generated code; a difference ends the run with exit code 70.
class LinuxCheck : public LinuxTest, public testing::WithParamInterface<const char*> {};

TEST_P(LinuxCheck, finds_no_fault_of_generated_code_in_a_boot_to_the_shell) {
  if (!cpu::NativeCode::available()) GTEST_SKIP() << "this host has no code generator";
  constexpr double kTimesTheUsual = 4;
  const ProgramResult result = boot_linux("shell",
                                          {"--set", "cpu.jit=check", "--set", std::string("fidelity=") + GetParam(),
                                           "--timeout", boot_time(kTimesTheUsual)},
                                          "test", typed("echo kernel on $(uname -m)\n"));
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("kernel on riscv64"));
  EXPECT_THAT(result.out, HasSubstr("reboot: Power down"));
}

INSTANTIATE_TEST_SUITE_P(Mode, LinuxCheck, testing::Values("functional", "timed"));

/// The kernel's own list of its functions, as far as this test has to do with them.
std::string some_symbols(const std::string& out) {
  std::string symbols;
  std::istringstream all(out);
  for (std::string line; std::getline(all, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.compare(0, 8, "ffffffff") == 0) symbols += line + '\n';
  }
  return symbols;
}

/// A function of the kernel leaves no trap handler and jumps to nowhere.
TEST_F(LinuxBoot, a_wild_jump_in_the_kernel_ends_with_cause_place_and_callers) {
  const ProgramResult names = boot_linux(
      "quiet shell", {}, "test",
      typed(
          "grep -E ' (sysrq_handle_crash|__handle_sysrq|write_sysrq_trigger|vfs_write|ksys_write)$' /proc/kallsyms\n"));
  const std::string symbols = some_symbols(names.out);
  const std::size_t crash = symbols.find(" t sysrq_handle_crash");
  ASSERT_NE(crash, std::string::npos) << names.out;
  const std::uint64_t offset = std::stoull(symbols.substr(crash - 8, 8), nullptr, 16) - 0x8000'0000;
  folder_.write("symbols", symbols);
  std::string image = TemporaryFolder::read(linux_file("debian/Image"));
  const std::uint32_t code[] = {0x10501073, 0x00000067};  // csrw stvec, x0; jr x0
  constexpr std::size_t kTraced = 16;                     // at a function's start, which the kernel writes anew
  std::memcpy(&image.at(offset + kTraced), code, sizeof code);
  folder_.write("Image", image);

  const ProgramResult result =
      boot_linux("quiet shell", {"--linux", folder_.path("Image"), "--symbols", folder_.path("symbols")}, "test",
                 typed("echo c > /proc/sysrq-trigger\n"));
  EXPECT_EQ(result.exit_code, 3) << result.error;
  EXPECT_THAT(result.error, HasSubstr("a trap that nobody handles: instruction page fault"));
  EXPECT_THAT(result.error, ContainsRegex("called from 0xffffffff[0-9a-f]+ \\(__handle_sysrq\\+"));
  EXPECT_THAT(result.error, ContainsRegex("called from 0xffffffff[0-9a-f]+ \\(ksys_write\\+"));
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
                         testing::Values("attributes", "refused", "waiting", "turns", "lease", "two_at_once", "killed",
                                         "busy", "unbound", "ten_times", "matmul"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace vp
