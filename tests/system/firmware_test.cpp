// Firmware programs on the default machine: what they print, how they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Firmware : public testing::TestWithParam<int> {
 protected:
  std::string program(const std::string& name) const { return firmware(name + std::to_string(GetParam())); }
  std::string width() const { return std::to_string(GetParam()); }
};

TEST_P(Firmware, hello_greets_and_is_woken_by_the_timer) {
  const ProgramResult result = run_tinytpu_vp({"run", program("hello")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "hello from hart 0, rv" + width() +
                            "\nmemory at 0x80000000, 256 MiB\nmemory at 0xc0000000, 256 MiB\n"
                            "tinyTPU at 0x43c00000, interrupt 1\ntick 1\ntick 2\ngoodbye\n");
  EXPECT_THAT(result.error, HasSubstr("the guest ended the run with success (exit code 0)"));
}

TEST_P(Firmware, no_character_is_lost_when_a_program_ends) {
  const ProgramResult result = run_tinytpu_vp({"run", "--set", "uart0.baud_timing=true", program("hello")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::EndsWith("goodbye\n"));
}

TEST_P(Firmware, a_program_linked_without_a_script_runs) {
  EXPECT_EQ(run_tinytpu_vp({"run", VP_BINARY_DIR "/tests/system/plain_link" + width() + ".elf"}).exit_code, 5);
}

TEST_P(Firmware, a_failing_end_names_the_line_and_its_callers) {
  const ProgramResult result = run_tinytpu_vp({"run", program("crash")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error,
              testing::ContainsRegex("\n-- at 0x8000[0-9a-f]+ \\(finish\\+0x[0-9a-f]+\\), cpu\\.h:[0-9]+\n"));
  EXPECT_THAT(result.error,
              testing::ContainsRegex("\n--   called from 0x8000[0-9a-f]+ \\(board_exit\\+0x[0-9a-f]+\\), board\\.c:"));
}

TEST_P(Firmware, a_stack_overflow_ends_with_that_diagnosis) {
  const ProgramResult result = run_tinytpu_vp({"run", program("overflow")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out,
              testing::ContainsRegex("stack overflow: the stack ends at 0x0*80ff0000, sp is 0x0*80fe[0-9a-f]+\n"
                                     "unexpected trap: store access fault, "));
  EXPECT_THAT(result.error,
              testing::ContainsRegex("warning: store access fault at pc 0x8000[0-9a-f]+ "
                                     "\\(descend\\+0x[0-9a-f]+\\), address 0x80fe[0-9a-f]+ \\(refused by PMP "
                                     "entry 15\\)"));
}

TEST_P(Firmware, selftest_finds_every_device_as_documented) {
  const ProgramResult result = run_tinytpu_vp({"run", "--log-level", "error", program("selftest")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr(" good, 0 failed, 0 absent\n"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("FAILED")));
}

TEST_P(Firmware, selftest_runs_on_another_machine) {
  const ProgramResult result = run_tinytpu_vp({"run", "--log-level", "error", "--set", "bootrom.base=0x8000", "--set",
                                               "plic.present=false", program("selftest")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr(" good, 0 failed, 5 absent\n"));
}

TEST_P(Firmware, digits_are_classified_as_by_the_reference) {
  const ProgramResult result = run_tinytpu_vp({"run", "-q", program("digits")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
  EXPECT_THAT(result.out, HasSubstr("digits: passed\n"));
}

TEST_P(Firmware, processes_take_turns_in_address_spaces_of_their_own) {
  const std::vector<std::string> ways[] = {{"fidelity=functional"},
                                           {"fidelity=timed"},
                                           {"cpu.ad_update=fault"},
                                           {"cpu.jit=off", "cpu.quantum=100ns"},
                                           {"cpu.isa=rv" + width() + "imac", "cpu.misaligned=trap"}};
  for (const auto& way : ways) {
    std::vector<std::string> arguments = {"run", "-q"};
    for (const std::string& setting : way) arguments.insert(arguments.end(), {"--set", setting});
    arguments.push_back(program("processes"));
    const ProgramResult result = run_tinytpu_vp(arguments);
    EXPECT_EQ(result.exit_code, 0) << way.front() << result.error;
    EXPECT_THAT(result.out, HasSubstr(width() == "32" ? "3 processes, Sv32, 9 bits of ASID\n"
                                                      : "3 processes, Sv39, 16 bits of ASID\n"));
    EXPECT_THAT(result.out, HasSubstr("processes: passed\n"));
  }
}

/// Everything but the host's speed and how often the CPU waited for the kernel.
nlohmann::json figures_with_quantum(const std::string& program, const std::string& quantum) {
  const ProgramResult result =
      run_tinytpu_vp({"run", "-q", "--uart-output", "", "--set", "cpu.quantum=" + quantum, "--stats", "-", program});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  nlohmann::json figures = nlohmann::json::parse(result.out)["groups"];
  for (auto& group : figures) remove_volatile_figures(group);
  figures.erase("configuration");  // what was asked for, no figure
  return figures;
}

TEST_P(Firmware, no_figure_depends_on_the_quantum) {
  const nlohmann::json reference = figures_with_quantum(program("digits"), "10us");
  for (const char* quantum : {"100ns", "1us", "1ms"})
    EXPECT_EQ(figures_with_quantum(program("digits"), quantum), reference);
}

TEST_P(Firmware, a_limit_names_the_place_once_and_its_line) {
  const ProgramResult result = run_tinytpu_vp({"run", "-q", "--max-time", "100us", program("digits")});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, MatchesRegex("tinytpu-vp: [^()]* at 0x[0-9a-f]+ \\([^()]*\\), [a-z_]+\\.[chS]:[0-9]+\n"));
}

/// The trace has a line an instruction with its time, so equal traces are equal runs, interrupt by interrupt.
TEST_P(Firmware, every_instruction_and_interrupt_comes_at_the_same_time_at_any_quantum) {
  const TemporaryFolder folder;
  const auto trace_and_output = [&](const char* quantum) {
    const ProgramResult result = run_tinytpu_vp({"run", "-q", "--set", std::string("cpu.quantum=") + quantum, "--trace",
                                                 folder.path("trace"), "--trace-from", "3ms", program("storm")});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return TemporaryFolder::read(folder.path("trace")) + result.out;
  };
  const auto untraced = [&](const char* quantum) {
    return run_tinytpu_vp({"run", "-q", "--set", std::string("cpu.quantum=") + quantum, program("storm")}).out;
  };
  const std::string reference = trace_and_output("10us");
  const std::string output = untraced("10us");
  EXPECT_THAT(output, HasSubstr("checksum"));
  for (const char* quantum : {"1ns", "7ns", "100ns", "1ms"}) {
    EXPECT_TRUE(trace_and_output(quantum) == reference) << quantum;  // megabytes: not for a message
    EXPECT_EQ(untraced(quantum), output) << quantum;
  }
}

TEST_P(Firmware, the_console_is_the_one_that_the_device_tree_chooses) {
  EXPECT_THAT(run_tinytpu_vp({"run", "-q", "--set", "uart0.base=0x20000000", program("hello")}).out,
              HasSubstr("goodbye\n"));
}

TEST_P(Firmware, programs_cope_without_interrupt_controllers) {
  EXPECT_THAT(run_tinytpu_vp({"run", "-q", "--set", "clint.present=false", program("hello")}).out,
              HasSubstr("no timer\ngoodbye\n"));
  EXPECT_THAT(run_tinytpu_vp({"run", "-q", "--set", "plic.present=false", program("hello")}).out,
              HasSubstr("tick 2\ngoodbye\n"));
  for (const char* device : {"clint", "plic"}) {
    const ProgramResult result = run_tinytpu_vp(
        {"run", "-q", "--log-level", "error", "--set", std::string(device) + ".present=false", program("selftest")});
    EXPECT_EQ(result.exit_code, 0) << device << result.out;
    EXPECT_THAT(result.out, HasSubstr(std::string("absent ") + device + ": not in the device tree"));
  }
}

TEST_P(Firmware, digits_work_for_every_matrix_width) {
  for (const char* width : {"6", "7", "8", "10", "12", "32"}) {
    const ProgramResult result =
        run_tinytpu_vp({"run", "-q", "--set", std::string("tpu.matrix_width=") + width, program("digits")});
    EXPECT_EQ(result.exit_code, 0) << width << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Firmware, testing::Values(32, 64));

}  // namespace
}  // namespace vp
