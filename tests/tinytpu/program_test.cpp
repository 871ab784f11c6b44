#include "models/tinytpu/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/tinytpu/asm.h"

namespace vp::tinytpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TinyTpuConfig of_width(unsigned width) {
  TinyTpuConfig config;
  config.matrix_width = width;
  return config;
}

template <typename Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TinyTpuProgram, PushesFollowTheGapUntilTheFifoIsFull) {
  TinyTpuConfig config = of_width(4);
  config.fifo_depth = 2;
  Core core(config);
  const ProgramRun run = run_program(core,
                                     assemble("matrix_multiply.u 0, 0, 50\n"
                                              "matrix_multiply.u 0, 0, 50\nnop\nnop\nnop\nnop\nnop\nnop",
                                              "test"),
                                     {3});
  // The second multiply stops everything in cycle 8 and issues at edge 59 (5 + 50 + 4). One nop is in a stage then, two
  // fill the FIFO, the gaps between them stay.
  EXPECT_THAT(run.pushes, ElementsAre(0, 3, 6, 9, 12, 60, 63, 66));
}

TEST(TinyTpuProgram, EverySynchronizeIsListedWithItsRuntime) {
  Core core(of_width(4));
  const ProgramRun run =
      run_program(core, assemble("synchronize\nmatrix_multiply.u 0, 0, 10\nsynchronize", "test"), {1});
  EXPECT_THAT(run.synchronizes, ElementsAre(5, 29));
  EXPECT_THAT(run.runtimes, ElementsAre(4, 4))
      << "fetches ended before the first pulse: the counter does not start again";
  EXPECT_FALSE(run.stuck);
}

TEST(TinyTpuProgram, ALimitEndsARun) {
  Core core(of_width(4));
  const ProgramRun run = run_program(core, assemble("matrix_multiply.u 0, 0, 100000\nsynchronize", "test"), {1}, 5000);
  EXPECT_TRUE(run.stuck);
  EXPECT_TRUE(run.synchronizes.empty());
  EXPECT_EQ(run.last_edge, 5000U);
  Core second(of_width(4));
  EXPECT_TRUE(run_program(second, assemble("nop", "test"), {1}, kNoEdge, [] { return true; }).stuck);
}

TEST(TinyTpuProgram, BufferTextGivesRows) {
  const std::vector<BufferRow> rows =
      parse_buffer("# inputs\n 0x10: 01 02 03 ff\n\n05060708 # follows\n2:00000001", "in.txt", 4, 32);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].row, 16U);
  EXPECT_THAT(rows[0].bytes, ElementsAre(1, 2, 3, 255));
  EXPECT_EQ(rows[1].row, 17U);
  EXPECT_EQ(format_buffer_row(rows[2].row, rows[2].bytes), "2: 00000001");
}

TEST(TinyTpuProgram, BadBufferTextIsRefusedWithItsLine) {
  EXPECT_THAT(error_of([] { parse_buffer("\n0102", "in.txt", 4, 32); }), HasSubstr("in.txt:2: "));
  EXPECT_THAT(error_of([] { parse_buffer("32: 01020304", "in.txt", 4, 32); }), HasSubstr("0 to 31"));
  EXPECT_THAT(error_of([] { parse_buffer("x: 01020304", "in.txt", 4, 32); }), HasSubstr("'x'"));
  EXPECT_THAT(error_of([] { parse_buffer("0102030g", "in.txt", 4, 32); }), HasSubstr("8 hexadecimal"));
  EXPECT_THAT(error_of([] { split_buffer("123456789", "in.bin", 4, 2); }), HasSubstr("at most 8"));
}

TEST(TinyTpuProgram, BinaryBuffersArePaddedWithZeros) {
  const std::vector<BufferRow> rows = split_buffer(std::string("\x01\x02\x03\x04\x05", 5), "in.bin", 4, 2);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[1].bytes, ElementsAre(5, 0, 0, 0));
}

}  // namespace
}  // namespace vp::tinytpu
