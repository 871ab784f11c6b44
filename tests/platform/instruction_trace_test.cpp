#include "platform/trace/instruction_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  std::string traced(TraceWindow window) {
    InstructionTrace trace(folder.path("trace"), window, 64, symbols);
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
  EXPECT_EQ(traced({}),
            "        1234.560 M 0000000080000004 00a50533 main+0x4                 add a0,a0,a0                 "
            "a0=0000000000000006\n");
}

TEST_F(InstructionTraceTest, the_window_is_inclusive_in_pc_and_half_open_in_time) {
  EXPECT_NE(traced({0x80000004, 0x80000004}), "");
  EXPECT_EQ(traced({0x80000005, ~0ull}), "");
  EXPECT_EQ(traced({0, 0x80000003}), "");
  EXPECT_NE(traced({0, ~0ull, 1'234'560, 1'234'561}), "");
  EXPECT_EQ(traced({0, ~0ull, 0, 1'234'560}), "");
}

TEST_F(InstructionTraceTest, a_pc_window_is_a_range_an_address_or_a_symbol) {
  EXPECT_EQ(parse_pc_window("main", symbols).last_pc, 0x8000000Fu);
  EXPECT_EQ(parse_pc_window("0x10-0x1f", symbols).last_pc, 0x1Fu);
  EXPECT_EQ(parse_pc_window("0x10", symbols).last_pc, 0x10u);
  EXPECT_THROW(parse_pc_window("mian", symbols), UserError);
  EXPECT_THROW(parse_pc_window("0x20-0x1f", symbols), UserError);
}

TEST_F(InstructionTraceTest, a_file_that_cannot_be_written_is_the_users_error) {
  EXPECT_THROW(InstructionTrace("/none/trace", {}, 64, symbols), UserError);
  InstructionTrace full("/dev/full", {}, 64, symbols);
  full.begin();
  full(record);
  EXPECT_THROW(full.close(), UserError);
}

}  // namespace
}  // namespace vp
