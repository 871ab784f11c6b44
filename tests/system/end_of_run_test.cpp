// How runs end: exit codes, the sentence that says why, the report, and files left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "platform/report/volatile_figures.h"
#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

struct EndOfRun : testing::Test {
  ProgramResult run(const std::string& elf, std::vector<std::string> options = {}, const ProgramInput& input = {}) {
    options.insert(options.begin(), "run");
    options.push_back(folder.write("program.elf", elf));
    return run_tinytpu_vp(options, input);
  }
  void expect_user_error(const ProgramResult& result, const std::string& part) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, HasSubstr(part));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  TemporaryFolder folder;
};

TEST_F(EndOfRun, the_guests_exit_code_is_the_exit_code) {
  EXPECT_EQ(run(failing_program(42)).exit_code, 42);
  EXPECT_EQ(run(failing_program(3)).exit_code, 3);
  EXPECT_EQ(run(failing_program(0)).exit_code, 0);
  EXPECT_EQ(run(failing_program(256)).exit_code, 1) << "what does not fit does not look like success";
  EXPECT_THAT(run(failing_program(3)).error, HasSubstr("the guest ended the run with code 3 (exit code 3)"));
  EXPECT_THAT(run(failing_program(3)).error, HasSubstr("\n-- at 0x80000010 (start+0x10)\n"));
}

TEST_F(EndOfRun, a_trap_without_handler_names_pc_symbol_address_and_nearest_device) {
  const ProgramResult result = run(stray_program());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error,
              HasSubstr("-- a trap that nobody handles: load access fault at pc 0x80000004 (start+0x4), address "
                        "0x43000004 (0xbffffc bytes before tpu (0x43c00000 to 0x43cfffff))"));
}

TEST_F(EndOfRun, a_trap_whose_handler_cannot_run_is_named_before_the_handlers_own) {
  const ProgramResult result = run(lost_handler_program(), {"-q", "--log-level", "silent"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, StartsWith("tinytpu-vp: a trap that nobody handles: illegal instruction at pc 0x80000004 "
                                       "(start+0x4), mtval 0x00000000; its handler at 0x00000000 cannot run: "
                                       "instruction access fault at pc 0x00000000, address 0x00000000 (0x1000 bytes "
                                       "before bootrom"));
}

TEST_F(EndOfRun, a_handler_that_traps_itself_for_ever_ends_the_run_with_the_first_cause) {
  const ProgramResult result = run(overflowing_program(), {"--timeout", "20s"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("-- a trap handler that traps itself, for ever: store access fault at pc "
                                      "0x80000018 (start+0x18)"));
  EXPECT_THAT(result.error, HasSubstr("; it began with: illegal instruction at pc 0x80000010 (start+0x10)"));
}

TEST_F(EndOfRun, many_equal_traps_that_are_handled_are_no_loop) {
  EXPECT_EQ(run(calling_program(), {"--max-instructions", "50000"}).exit_code, 4);
}

TEST_F(EndOfRun, a_register_access_of_a_wrong_size_names_the_size) {
  EXPECT_THAT(run(byte_of_mtime_program()).error,
              HasSubstr("address 0x0200bff8 (clint, MTIME; a read of 1 byte was refused: it is too narrow, 4 bytes "
                        "at least)"));
}

TEST_F(EndOfRun, a_jump_to_where_nothing_is_names_the_return_address) {
  EXPECT_THAT(
      run(wild_call_program()).error,
      HasSubstr("instruction access fault at pc 0x44000000, address 0x44000000 (0x300000 bytes after the end of "
                "tpu (0x43c00000 to 0x43cfffff)), return address 0x80000008"));
}

TEST_F(EndOfRun, a_blocked_tinytpu_port_is_a_bus_hang_that_names_lane_and_fill) {
  const ProgramResult result = run(lane_filling_program());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error,
              HasSubstr("the write to 0x43c90004 by cpu at pc 0x80000004 (start+0x4) was never answered"));
  EXPECT_THAT(result.error, HasSubstr("lower 32, middle 0, upper 0"));
}

TEST_F(EndOfRun, a_hazard_names_its_time_and_both_instructions_with_the_stores_that_pushed_them) {
  const ProgramResult result = run(crowding_activates_program());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.error,
      ContainsRegex("-- hazard: instruction 0 \\(activate.s.relu 0x0, 0x0, 255, pushed by cpu at pc 0x80000014 "
                    "\\(start\\+0x14\\)\\) wrote beyond its end because instruction 1 \\(activate.s.relu 0x0, 0x0, "
                    "255, pushed by cpu at pc 0x80000020 \\(start\\+0x20\\)\\) followed closely: .*, in cycles "
                    "[0-9]+ to [0-9]+, at [0-9.]+ us\n"));
}

TEST_F(EndOfRun, results_read_after_a_synchronize_at_which_nobody_has_looked_work_only_by_timing) {
  const std::string finding =
      "-- works only by timing: the host, by cpu at pc 0x8000003c (start+0x3c), read "
      "unified-buffer row 0 after instruction 0 (activate.s.relu 0x0, 0x0, 1, pushed by cpu at "
      "pc 0x80000010 (start+0x10)) had written them, but without having looked whether the "
      "synchronize had come";
  const ProgramResult unwary = run(result_reading_program(false));
  EXPECT_THAT(unwary.error, HasSubstr(finding));
  EXPECT_THAT(unwary.error, HasSubstr("\n-- hazards: none\n"));
  EXPECT_THAT(run(result_reading_program(true)).error, Not(HasSubstr("works only by timing")));
  EXPECT_THAT(run(result_reading_program(false), {"--set", "tpu.interrupt=none"}).error,
              Not(HasSubstr("works only by timing")))
      << "there is no interrupt to look at";
}

TEST_F(EndOfRun, an_interrupt_tells_a_program_nothing_until_it_reads_what_the_handler_has_noted) {
  for (const char* fidelity : {"functional", "timed"}) {
    const std::vector<std::string> options = {"--set", std::string("fidelity=") + fidelity};
    const ProgramResult unwary = run(interrupted_program(false), options);
    EXPECT_THAT(unwary.error, HasSubstr("-- works only by timing: the host, by cpu at pc 0x80000070 (start+0x70), read "
                                        "unified-buffer row 0 after instruction 0"));
    EXPECT_THAT(unwary.error, HasSubstr("\n-- hazards: none\n"));
    EXPECT_EQ(unwary.exit_code, 0);
    EXPECT_THAT(run(interrupted_program(true), options).error, Not(HasSubstr("works only by timing"))) << fidelity;
  }
}

TEST_F(EndOfRun, a_store_into_code_is_told_once) {
  for (const char* fidelity : {"functional", "timed"}) {
    const ProgramResult result =
        run(self_modifying_program(), {"--set", std::string("fidelity=") + fidelity, "--max-instructions", "1000"});
    EXPECT_EQ(result.exit_code, 4);
    const std::string warning =
        "warning: store of 4 bytes at pc 0x80000010 (start+0x10) into code or constants of the program, address "
        "0x8000001c (start+0x1c); further stores into them are not listed\n";
    const std::size_t at = result.error.find(warning);
    ASSERT_NE(at, std::string::npos) << result.error;
    EXPECT_EQ(result.error.find("warning: store of", at + 10), std::string::npos);
  }
}

TEST_F(EndOfRun, an_instruction_log_names_times_and_the_store_that_pushed) {
  const std::string log = folder.path("log");
  const ProgramResult result = run(crowding_activates_program(), {"--log-instructions", "tpu=" + log});
  EXPECT_EQ(result.exit_code, 0);
  // The unit takes the second one 259 cycles after the first, which is done 14 + 18 + 255 cycles after its issue.
  EXPECT_THAT(TemporaryFolder::read(log),
              MatchesRegex("# +number +pushed/ns +issued/ns +done/ns +instruction +pushed by\n"
                           " +0 +[0-9]+\\.[0-9]{3} +[0-9]+\\.[0-9]{3} +[0-9]+\\.[0-9]{3}  activate.s.relu 0x0, 0x0, "
                           "255 +cpu at pc 0x80000014 \\(start\\+0x14\\)\n"
                           " +1 +[0-9.]+ +[0-9.]+ +[0-9.]+  activate.s.relu 0x0, 0x0, 255 +cpu at pc 0x80000020 "
                           "\\(start\\+0x20\\)\n"));
}

TEST_F(EndOfRun, an_instruction_log_is_refused_of_what_has_no_instructions) {
  for (const char* part : {"uart0", "nobody"})
    expect_user_error(
        run(failing_program(0), {"--log-instructions", part}),
        "--log-instructions: '" + std::string(part) + "' is no part with instructions of its own; those are: tpu");
  expect_user_error(run(failing_program(0), {"--log-instructions", "tpu=/no/such/folder/log"}), "/no/such/folder/log");
  expect_user_error(run(failing_program(0), {"--log-instructions", "tpu", "--log-instructions", "tpu"}), "twice");
  expect_user_error(run(failing_program(0), {"--log-instructions", "=x"}), "'=x' names no part");
}

TEST_F(EndOfRun, a_bad_access_of_another_master_is_logged_with_the_store_that_started_it) {
  const ProgramResult result = run(stray_copy_program(), {"--set", "cdma.kind=cdma", "--set", "cdma.base=0x4e200000"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.error,
      HasSubstr("warning: bad access of cdma, started at pc 0x80000014 (start+0x14): a read of 64 bytes, address "
                "0x44000000 (0x300000 bytes after the end of tpu (0x43c00000 to 0x43cfffff))"));
}

TEST_F(EndOfRun, an_access_to_a_device_that_is_left_out_says_so) {
  const ProgramResult result = run(lane_filling_program(), {"--set", "tpu.present=false"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("address 0x43c90004 (in the window of tpu, which is left out: tpu.present is "
                                      "false)"));
}

TEST_F(EndOfRun, an_access_that_pmp_refuses_names_the_entry) {
  EXPECT_THAT(
      run(locked_out_program()).error,
      HasSubstr("load access fault at pc 0x8000001c (start+0x1c), address 0x02000000 (refused by PMP entry 2)"));
}

TEST_F(EndOfRun, an_unaligned_access_of_a_register_is_called_that) {
  EXPECT_THAT(run(unaligned_program(0x0c00'0000, 2)).error,
              HasSubstr("address 0x0c000002 (plic, 2 bytes before PRIORITY[1]; the access is not aligned)"));
  EXPECT_THAT(run(unaligned_program(0x0200'4000, 6)).error, HasSubstr("MTIMECMP; the access is not aligned)"));
}

TEST_F(EndOfRun, sleep_that_nothing_can_end_is_noticed) {
  const ProgramResult result = run(sleeping_program());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error,
              HasSubstr("the CPU waits for an interrupt at 0x80000004 (start+0x4), but nothing can raise one"));
}

TEST_F(EndOfRun, limits_end_the_run_exactly_with_exit_code_4) {
  const ProgramResult cycles = run(spinning_program(), {"--max-cycles", "1000", "--stats", "-"});
  EXPECT_EQ(cycles.exit_code, 4);
  EXPECT_EQ(nlohmann::json::parse(cycles.out)["groups"]["run"]["values"]["simulated_time"]["value"], 10'000'000);
  const ProgramResult time = run(spinning_program(), {"--max-time", "5us", "--stats", "-"});
  EXPECT_EQ(time.exit_code, 4);
  EXPECT_EQ(nlohmann::json::parse(time.out)["groups"]["run"]["values"]["simulated_time"]["value"], 5'000'000);
  const ProgramResult count = run(spinning_program(), {"--max-instructions", "777", "--stats", "-"});
  EXPECT_EQ(count.exit_code, 4);
  EXPECT_EQ(nlohmann::json::parse(count.out)["groups"]["run"]["values"]["instructions"]["value"], 777);
  EXPECT_THAT(run(spinning_program(), {"--max-instructions", "1"}).error,
              HasSubstr("the limit of 1 instruction was reached"));
  EXPECT_THAT(run(spinning_program(), {"--max-cycles", "1"}).error, HasSubstr("the limit of 1 CPU cycle was reached"));
}

TEST_F(EndOfRun, sleep_that_nothing_can_end_is_noticed_under_a_limit_of_time_too) {
  const ProgramResult result = run(sleeping_program(), {"--max-time", "1ms"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("the CPU waits for an interrupt at 0x80000004 (start+0x4), but nothing can "
                                      "raise one: mie masks MSIE, MTIE, MEIE"));
}

TEST_F(EndOfRun, limits_also_end_a_cpu_that_sleeps_until_console_input) {
  ProgramInput input;
  input.open_end = true;
  const ProgramResult result = run(waiting_program(), {"--max-time", "1ms"}, input);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the limit of 1.000 ms simulated time was reached"));
}

TEST_F(EndOfRun, sleep_that_console_input_cannot_end_is_noticed_at_a_terminal) {
  ProgramInput input;
  input.open_end = true;
  const ProgramResult result = run(sleeping_program(), {"--timeout", "20s"}, input);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("but nothing can raise one: mie masks MSIE, MTIE, MEIE; plic: source 10 (uart0) "
                                      "is not enabled"));
  EXPECT_THAT(result.error, HasSubstr("uart0: its input raises no interrupt"));
}

TEST_F(EndOfRun, a_sleep_that_only_console_input_can_end_says_after_a_second_what_is_masked) {
  ProgramInput input;
  input.open_end = true;
  const ProgramResult result = run(waiting_program(), {"-q", "--timeout", "2s"}, input);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("warning: the CPU waits for an interrupt at 0x80000030 (start+0x30); only input "
                                      "of uart0 can wake it: mie masks MSIE, MTIE; plic: source 11 (uart1) is not "
                                      "enabled"));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 2) << "said once, then the end";
}

TEST_F(EndOfRun, the_wall_clock_limit_ends_the_run) {
  const ProgramResult result = run(spinning_program(), {"--timeout", "200ms"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the wall-clock limit was reached"));
}

TEST_F(EndOfRun, a_full_fifo_of_the_longest_transfers_does_not_make_a_run_deaf) {
  const ProgramResult limited = run(fifo_filling_program(), {"--timeout", "300ms"});
  EXPECT_EQ(limited.exit_code, 4) << limited.error;
  EXPECT_LT(limited.seconds.count(), 3 * kTimeBudget);
  EXPECT_THAT(limited.error, HasSubstr("the wall-clock limit was reached"));
  ProgramInput input;
  input.signal_after = std::chrono::milliseconds(500);
  for (const int signal : {SIGINT, SIGTERM}) {
    input.signal = signal;
    const ProgramResult stopped = run(fifo_filling_program(), {}, input);
    EXPECT_EQ(stopped.exit_code, 130) << stopped.error;
    EXPECT_LT(stopped.seconds.count(), 3 * kTimeBudget);
    EXPECT_THAT(stopped.error, HasSubstr("the user interrupted the run"));
  }
}

TEST_F(EndOfRun, no_limit_waits_until_others_have_caught_up_with_a_slow_cpu) {
  const std::vector<std::string> slow = {"--set", "cpu.clock=1s",  "--set", "traffic0.present=true",
                                         "--set", "fidelity=timed"};
  for (const char* limit : {"--timeout", "--max-time"}) {
    std::vector<std::string> options = slow;
    options.insert(options.end(), {limit, "10ms"});
    const ProgramResult result = run(spinning_program(), options);
    EXPECT_EQ(result.exit_code, 4) << result.error;
    EXPECT_LT(result.seconds.count(), 3 * kTimeBudget) << "a second of traffic takes longer";
  }
}

TEST_F(EndOfRun, ctrl_c_ends_the_run_with_its_report) {
  ProgramInput input;
  input.signal = SIGINT;
  const ProgramResult result = run(spinning_program(), {"--stats", folder.path("stats.json")}, input);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.error, HasSubstr("-- the user interrupted the run (exit code 130)"));
  EXPECT_THAT(result.error, HasSubstr("\n-- at 0x80000000 (start)\n"));
  EXPECT_THAT(result.error, HasSubstr(" instructions\n"));
  EXPECT_EQ(nlohmann::json::parse(
                TemporaryFolder::read(folder.path("stats.json")))["groups"]["run"]["values"]["exit_code"]["value"],
            130);
}

TEST_F(EndOfRun, a_guest_that_waits_for_console_input_waits_in_silence_and_can_be_interrupted) {
  ProgramInput input;
  input.open_end = true;
  input.signal = SIGINT;
  const ProgramResult result = run(waiting_program(), {"-q"}, input);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.error, "tinytpu-vp: the user interrupted the run at 0x80000030 (start+0x30)\n");
  input.signal = 0;
  EXPECT_EQ(run(waiting_program(), {"-q", "--timeout", "200ms"}, input).exit_code, 4);
}

TEST_F(EndOfRun, console_input_and_output_may_be_files) {
  const std::string input = folder.write("input", "from a file\nrest");
  const ProgramResult result = run(echo_program(), {"--uart-input", input, "--uart-output", folder.path("output")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(TemporaryFolder::read(folder.path("output")), "from a file\n");
  ProgramInput standard;
  standard.text = "from standard input\n";
  EXPECT_EQ(run(echo_program(), {"-q"}, standard).out, standard.text);
}

TEST_F(EndOfRun, a_cpu_that_only_polls_a_console_whose_input_has_ended_is_noticed) {
  ProgramInput input;
  input.text = "abc";
  const ProgramResult result =
      run(polling_program(), {"--stats", "-", "--uart-output", folder.path("out"), "--timeout", "20s"}, input);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the console's input has ended, and the CPU only polls it at 0x8000"));
  const auto run_values = nlohmann::json::parse(result.out)["groups"]["run"]["values"];
  EXPECT_EQ(run_values["end"]["value"], "input_ended");
  EXPECT_NEAR(run_values["simulated_time"]["value"].get<double>(), 1e10, 1e8);
}

TEST_F(EndOfRun, a_cpu_that_polls_an_ended_console_goes_on_if_asked_to) {
  const ProgramResult result = run(polling_program(), {"-q", "--on-input-end", "wait", "--max-time", "30ms"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.error, HasSubstr("the limit of 30.000 ms simulated time was reached"));
  expect_user_error(run(polling_program(), {"--on-input-end", "go"}), "'go' is none of stop, wait, ctrl-d");
}

TEST_F(EndOfRun, what_is_printed_before_the_uart_is_set_up_can_be_read_and_is_warned_of) {
  const ProgramResult result = run(polling_program());
  EXPECT_EQ(result.out, "H");
  EXPECT_THAT(result.error, HasSubstr("LCR was 0x00 when 0x48 was sent: the hardware would have sent characters of 5 "
                                      "bits, 0x08; the console shows all 8"));
  EXPECT_EQ(run(polling_program(), {"--set", "uart0.baud_timing=true"}).out, "\x08");
}

TEST_F(EndOfRun, public_test_suites_end_by_their_word_to_the_host_and_leave_a_signature) {
  const ProgramResult passed = run(test_suite_program(1), {"--signature", folder.path("signature")});
  EXPECT_EQ(passed.exit_code, 0) << passed.error;
  EXPECT_EQ(TemporaryFolder::read(folder.path("signature")), "12345678\n9abcdef0\n");
  const ProgramResult failed = run(test_suite_program(7 << 1 | 1));
  EXPECT_EQ(failed.exit_code, 7);
  EXPECT_THAT(failed.error, HasSubstr("the guest ended the run with code 7"));
  expect_user_error(run(failing_program(0), {"--signature", folder.path("signature")}),
                    "the program has no symbols begin_signature and end_signature");
}

TEST_F(EndOfRun, public_test_suites_print_by_their_host) {
  const ProgramResult result = run(test_suite_printing_program());
  EXPECT_EQ(result.exit_code, 5) << result.error;
  EXPECT_EQ(result.out, "Hello\n");
}

TEST_F(EndOfRun, a_generator_beside_a_cpu_with_a_long_quantum_delays_no_stop) {
  const std::vector<std::string> options = {"-q", "--set", "cpu.quantum=1s", "--set", "traffic0.present=true"};
  std::vector<std::string> limited = options;
  limited.insert(limited.end(), {"--timeout", "300ms"});
  const ProgramResult result = run(spinning_program(), limited);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_LT(result.seconds.count(), 3 * kTimeBudget);
}

TEST_F(EndOfRun, a_trace_has_a_line_an_instruction) {
  const ProgramResult result = run(stray_program(), {"--trace", folder.path("trace"), "--trace-pc", "start", "-q"});
  EXPECT_EQ(result.exit_code, 3);
  const std::string trace = TemporaryFolder::read(folder.path("trace"));
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 2);
  EXPECT_THAT(trace, HasSubstr("M 0000000080000000 430002b7 start                    lui t0,0x43000"));
  EXPECT_THAT(trace,
              HasSubstr("M 0000000080000004 0042a303 start+0x4                lw t1,4(t0)                  trap: load "
                        "access fault [0000000043000004]\n"));
}

TEST_F(EndOfRun, a_trace_in_spikes_format_has_a_line_an_instruction_that_was_committed) {
  run(stray_program(), {"--trace", folder.path("trace"), "--trace-pc", "start", "--trace-format", "spike", "-q"});
  EXPECT_EQ(TemporaryFolder::read(folder.path("trace")),
            "core   0: 3 0x0000000080000000 (0x430002b7) x5  0x0000000043000000\n");
}

TEST_F(EndOfRun, tracing_changes_no_figure) {
  const std::string program = failing_program(1);
  run(program, {"--stats", folder.path("a.json")});
  run(program, {"--stats", folder.path("b.json"), "--trace", folder.path("trace")});
  auto plain = nlohmann::json::parse(TemporaryFolder::read(folder.path("a.json")));
  auto traced = nlohmann::json::parse(TemporaryFolder::read(folder.path("b.json")));
  for (auto* statistics : {&plain, &traced}) remove_volatile_figures(*statistics);
  EXPECT_EQ(plain, traced);
}

TEST_F(EndOfRun, the_log_goes_to_a_file_at_the_level_asked_for) {
  run(stray_program(), {"--log-file", folder.path("log"), "--log-level", "debug"});
  const std::string log = TemporaryFolder::read(folder.path("log"));
  EXPECT_THAT(log, HasSubstr("info: "));
  EXPECT_THAT(log, HasSubstr("warning: load access fault at pc 0x80000004 (start+0x4)"));
}

TEST_F(EndOfRun, a_dumped_configuration_reproduces_the_run) {
  const std::string program = failing_program(7);
  const std::vector<std::string> settings = {"--set", "cpu.clock=50MHz", "--set", "dram0.latency=70ns"};
  std::vector<std::string> first = settings;
  first.insert(first.end(), {"--stats", folder.path("a.json"), "--dump-config", folder.path("a.ini")});
  run(program, first);
  run(program, {"--stats", folder.path("b.json"), "--config", folder.path("a.ini")});
  auto a = nlohmann::json::parse(TemporaryFolder::read(folder.path("a.json")));
  auto b = nlohmann::json::parse(TemporaryFolder::read(folder.path("b.json")));
  for (auto* statistics : {&a, &b}) remove_volatile_figures(*statistics);
  EXPECT_EQ(a, b);
}

TEST_F(EndOfRun, bad_programs_are_user_errors) {
  expect_user_error(run("not an ELF"), "is no ELF file");
  expect_user_error(run(spinning_program().substr(0, 70)), "truncated");
  expect_user_error(run(program_of({0x6f}, 0x1000'0000)), "is outside memory (dram0 0x80000000 to 0x8fffffff");
  expect_user_error(run_tinytpu_vp({"run", folder.path("missing.elf")}), "No such file");
  expect_user_error(run_tinytpu_vp({"run"}), "no program given");
  expect_user_error(run(small_program<32>(), {"--set", "cpu.isa=rv64imac"}), "has 32 bits, but cpu.isa is rv64imac");
}

TEST_F(EndOfRun, bad_options_and_settings_are_user_errors) {
  const std::string program = spinning_program();
  expect_user_error(run(program, {"--max-cylces", "3"}), "did you mean '--max-cycles'?");
  expect_user_error(run(program, {"--max-cycles", "many"}), "--max-cycles: ");
  expect_user_error(run(program, {"--max-time", "5"}), "--max-time: ");
  expect_user_error(run(program, {"--timeout", "0s"}), "--timeout: ");
  expect_user_error(run(program, {"--log-level", "wraning"}), "did you mean 'warning'?");
  expect_user_error(run(program, {"--trace-pc", "start"}), "--trace-pc needs --trace");
  expect_user_error(run(program, {"--trace-format", "spike"}), "--trace-format needs --trace");
  expect_user_error(run(program, {"--trace", folder.path("t"), "--trace-format", "qemu"}), "neither text nor spike");
  expect_user_error(run(program, {"--trace", folder.path("t"), "--trace-pc", "strat"}),
                    "neither an address nor a symbol");
  expect_user_error(run(program, {"--set", "tpu.matrix_width=1"}),
                    "tpu.matrix_width: 1 is out of range (allowed: 2 to 256)");
  expect_user_error(run(program, {"--set", "plic.base=0x80000000"}), "overlap");
  expect_user_error(run(program, {"--uart-input", "/none/x"}), "No such file");
  expect_user_error(run(program, {"--set", "tpu.matrix_width=256", "--set", "tpu.weight_depth=16777216"}),
                    "the tinyTPU's window of 8192 MiB is too large");
  ProgramInput input;
  input.environment = {"TINYTPU_VP_TPU__MATRIX_WITH=8"};
  expect_user_error(run(program, {}, input), "did you mean 'TINYTPU_VP_TPU__MATRIX_WIDTH'?");
}

TEST_F(EndOfRun, files_that_cannot_be_written_are_user_errors_and_leave_no_part) {
  const std::string program = failing_program(0);
  expect_user_error(run(program, {"-q", "--stats", "/dev/full"}), "'/dev/full': No space left on device");
  expect_user_error(run(program, {"-q", "--stats", "/none/s.json"}), "'/none/s.json': No such file or directory");
  expect_user_error(run(program, {"-q", "--trace", "/dev/full"}), "'/dev/full': No space left on device");
  expect_user_error(run(program, {"-q", "--log-file", "/none/log"}), "'/none/log': No such file or directory");
  expect_user_error(run(program, {"-q", "--dump-config", "/dev/full"}), "'/dev/full': No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(EndOfRun, a_refused_run_touches_no_output_file) {
  const std::string program = failing_program(0);
  const std::string kept = folder.write("kept", "of the run before\n");
  const auto refused = [&](std::vector<std::string> options, const std::string& part) {
    options.insert(options.begin(), "-q");
    expect_user_error(run(program, options), part);
    EXPECT_EQ(TemporaryFolder::read(kept), "of the run before\n");
    EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
  };
  for (const std::string& output : {kept, folder.path("new")})
    for (const std::vector<std::string>& option :
         {std::vector<std::string>{"--log-file", output},
          {"--trace", output},
          {"--uart-output", output},
          {"--set", "matmul.serial=none", "--set", "uart1.output=" + output}}) {
      const auto with = [&option](const std::string& name, const std::string& value) {
        std::vector<std::string> options = option;
        options.insert(options.end(), {name, value});
        return options;
      };
      refused(with("--set", "plic.base=0x80000000"), "overlap");
      refused(with("--dump-config", "/dev/full"), "No space left on device");
    }
  refused({"--log-file", folder.path("new"), "--trace", kept, "--trace-pc", "nowhere"}, "neither an address");
}

TEST_F(EndOfRun, console_output_to_a_full_disk_is_a_user_error) {
  ProgramInput input;
  input.text = "text\n";
  const ProgramResult result =
      run(echo_program(), {"-q", "--uart-output", "/dev/full", "--stats", folder.path("s.json")}, input);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("No space left on device"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("s.json")));
}

TEST_F(EndOfRun, start_up_takes_less_than_a_tenth_of_a_second) {
  double best = 1'000;
  for (int i = 0; i < 5; ++i) {
    const ProgramResult result = run(failing_program(0));
    EXPECT_EQ(result.exit_code, 0) << result.error;
    best = std::min(best, result.seconds.count());
  }
  EXPECT_LT(best, 0.1 * kTimeBudget);
}

}  // namespace
}  // namespace vp
