#include "platform/trace/instruction_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>

#include "models/common/error.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

struct InstructionTraceTest : testing::Test {
  InstructionTraceTest() {
    symbols.add(0x80000000, 0x10, 0x80000100, "main");
    symbols.sort();
    record.time = 1'234'560;
    record.pc = 0x80000004;
    record.encoding = 0x00a50533;
    record.rd = 10;
    record.value = 6;
  }
  std::string traced(TraceStyle style = TraceStyle::text, unsigned xlen = 64) {
    InstructionTrace trace(folder.path("trace"), {}, style, xlen, symbols);
    trace.begin();
    trace(record);
    trace.close();
    return TemporaryFolder::read(folder.path("trace"));
  }
  TemporaryFolder folder;
  SymbolTable symbols;
  cpu::TraceRecord record;
};

TEST_F(InstructionTraceTest, a_line_has_time_mode_pc_encoding_symbol_text_and_result) {
  EXPECT_EQ(traced(),
            "        1234.560 M 0000000080000004 00a50533 main+0x4                 add a0,a0,a0                 "
            "a0=0000000000000006\n");
}

TEST_F(InstructionTraceTest, a_line_shows_what_was_stored_and_what_a_csr_holds_now) {
  record.rd = 0;
  record.has_address = true;
  record.address = 0x80001000;
  record.stored = 2;
  record.stored_value = 0x1234abcd;
  EXPECT_THAT(traced(), HasSubstr(" [0000000080001000]=abcd\n"));
  record.stored = 0;
  record.loaded = 2;
  record.rd = 10;
  EXPECT_THAT(traced(), HasSubstr(" a0=0000000000000006 [0000000080001000]\n"));
  record.has_address = false;
  record.csr = 0x300;
  record.csr_value = 0x88;
  EXPECT_THAT(traced(TraceStyle::text, 32), HasSubstr(" a0=00000006 mstatus=00000088\n"));
}

TEST_F(InstructionTraceTest, a_floating_point_register_has_64_bits_on_both_widths) {
  record.encoding = 0x02b57553;
  record.rd = 0;
  record.fd = 10;
  record.float_value = 0x3ff8000000000000;
  record.csr = 1;
  record.csr_value = 1;
  EXPECT_THAT(traced(TraceStyle::text, 32), HasSubstr(" fadd.d fa0,fa0,fa1 "));
  EXPECT_THAT(traced(TraceStyle::text, 32), HasSubstr(" fa0=3ff8000000000000 fflags=00000001\n"));
  record.fd = 9;
  EXPECT_THAT(traced(TraceStyle::spike), HasSubstr(" f9  0x3ff8000000000000 c1_fflags 0x0000000000000001\n"));
}

TEST_F(InstructionTraceTest, a_trap_says_its_cause) {
  record.rd = 0;
  record.trapped = true;
  record.cause = 2;
  EXPECT_THAT(traced(), HasSubstr(" trap: illegal instruction\n"));
}

TEST_F(InstructionTraceTest, interrupts_and_failed_fetches_of_the_window_have_lines_of_their_own) {
  cpu::TrapRecord trap;
  trap.interrupt = true;
  trap.cause = 7;
  trap.pc = 0x80000008;
  trap.handler = 0x80000040;
  trap.time = 2'000'001;
  cpu::TraceWindow window;
  window.from = 1'000'000;
  InstructionTrace trace(folder.path("trace"), window, TraceStyle::text, 64, symbols);
  trace.begin();
  trace(trap);
  trap.interrupt = false;
  trap.cause = 5;  // its instruction has a line
  trace(trap);
  trap.cause = 1;
  trace(trap);
  trap.time = 999'999;
  trace(trap);
  trace.close();
  EXPECT_EQ(
      TemporaryFolder::read(folder.path("trace")),
      "        2000.001 M 0000000080000008          main+0x8                 takes the timer interrupt; handler at "
      "0000000080000040\n"
      "        2000.001 M 0000000080000008          main+0x8                 trap: instruction access fault; handler "
      "at 0000000080000040\n");
}

// riscv-isa-sim, riscv/execute.cc, commit_log_print_insn().
TEST_F(InstructionTraceTest, spikes_format_is_that_of_its_log_of_commits) {
  EXPECT_EQ(traced(TraceStyle::spike), "core   0: 3 0x0000000080000004 (0x00a50533) x10 0x0000000000000006\n");
  record.rd = 5;
  EXPECT_EQ(traced(TraceStyle::spike, 32), "core   0: 3 0x80000004 (0x00a50533) x5  0x00000006\n");
  record.length = 2;
  record.encoding = 0x8082;
  record.rd = 0;
  record.mode = cpu::Mode::kUser;
  EXPECT_EQ(traced(TraceStyle::spike), "core   0: 0 0x0000000080000004 (0x8082)\n");
}

TEST_F(InstructionTraceTest, spikes_format_shows_csrs_by_number_and_name_then_loads_then_stores) {
  record.rd = 10;
  record.csr = 0x300;
  record.csr_value = 0x88;
  EXPECT_THAT(traced(TraceStyle::spike), HasSubstr(" x10 0x0000000000000006 c768_mstatus 0x0000000000000088\n"));
  record.csr = cpu::TraceRecord::kNoCsr;
  record.has_address = true;
  record.address = 0x80001000;
  record.loaded = record.stored = 4;
  record.stored_value = 0xffffffff'00000007;
  EXPECT_THAT(traced(TraceStyle::spike),
              HasSubstr(" x10 0x0000000000000006 mem 0x0000000080001000 mem 0x0000000080001000 0x00000007\n"));
}

TEST_F(InstructionTraceTest, spikes_format_leaves_out_what_trapped) {
  record.trapped = true;
  EXPECT_EQ(traced(TraceStyle::spike), "");
}

TEST_F(InstructionTraceTest, code_that_has_changed_is_shown_as_it_is_now) {
  InstructionTrace trace(folder.path("trace"), {}, TraceStyle::text, 64, symbols);
  trace.begin();
  trace(record);
  record.encoding = 0x40b50533;
  trace(record);
  trace.close();
  EXPECT_THAT(TemporaryFolder::read(folder.path("trace")), HasSubstr("sub a0,a0,a1"));
}

TEST_F(InstructionTraceTest, no_line_is_lost_at_the_end_of_a_buffer) {
  symbols.add(0x90000000, 0x10, 0x90000100, std::string(5000, 'n'));
  symbols.sort();
  InstructionTrace trace(folder.path("trace"), {}, TraceStyle::text, 64, symbols);
  trace.begin();
  for (unsigned i = 0; i < 5000; ++i) {
    record.pc = i % 10 == 0 ? 0x90000000 : 0x80000000 + 2 * i;
    record.value = i;
    trace(record);
  }
  trace.close();
  std::istringstream lines(TemporaryFolder::read(folder.path("trace")));
  std::string line;
  for (unsigned i = 0; i < 5000; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_EQ(std::stoull(line.substr(line.rfind('=') + 1), nullptr, 16), i);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(LineWriterTest, numbers_are_as_printf_writes_them) {
  for (const std::uint64_t value : {0ull, 7ull, 10ull, 999ull, 1000ull, 0xffffffffull, 18446744073709551615ull}) {
    std::array<char, 100> text{};
    std::array<char, 100> expected{};
    LineWriter to(text.data());
    to.decimal(value, 12);
    to.put('.');
    to.decimal(value % 1000, 3, '0');
    to.put(' ');
    to.hex(value, 16);
    to.hex(value, 2);
    const auto number = static_cast<unsigned long long>(value);
    std::snprintf(expected.data(), expected.size(), "%12llu.%03llu %016llx%02llx", number, number % 1000, number,
                  number & 0xff);
    EXPECT_STREQ(text.data(), expected.data());
  }
}

TEST_F(InstructionTraceTest, a_pc_window_is_a_range_an_address_or_a_symbol) {
  EXPECT_EQ(parse_pc_window("main", symbols).last_pc, 0x8000000Fu);
  EXPECT_EQ(parse_pc_window("0x10-0x1f", symbols).last_pc, 0x1Fu);
  EXPECT_EQ(parse_pc_window("0x10", symbols).last_pc, 0x10u);
  EXPECT_THROW(parse_pc_window("mian", symbols), UserError);
  EXPECT_THROW(parse_pc_window("0x20-0x1f", symbols), UserError);
}

TEST_F(InstructionTraceTest, a_file_that_cannot_be_written_is_the_users_error) {
  EXPECT_THROW(InstructionTrace("/none/trace", {}, TraceStyle::text, 64, symbols), UserError);
  InstructionTrace full("/dev/full", {}, TraceStyle::text, 64, symbols);
  full.begin();
  full(record);
  EXPECT_THROW(full.close(), UserError);
}

}  // namespace
}  // namespace vp
