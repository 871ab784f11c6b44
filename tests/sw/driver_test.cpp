// The tinyTPU driver and its compatibility layer against the window model.
#include <gtest/gtest.h>

#include <cerrno>
#include <numeric>
#include <vector>

#include "sw/driver/tinytpu/compat/tinyTPU_access.h"
#include "sw/driver/tinytpu/tinytpu.h"
#include "tests/sw/mapped_window.h"

namespace vp::test {
namespace {

std::vector<uint8_t> counting(size_t count, uint8_t first = 1) {
  std::vector<uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

TEST(TinytpuLayout, IsTheOriginalsMapAtTheOriginalsSize) {
  const tinytpu_geometry geometry{14, 32768, 4096};
  tinytpu_window window;
  ASSERT_TRUE(tinytpu_layout(&geometry, &window));
  EXPECT_EQ(window.stride, 16u);
  EXPECT_EQ(window.unified_buffer, 0x80000u);
  EXPECT_EQ(window.instruction, 0x90000u);
  EXPECT_EQ(window.size, 0x100000u);
}

TEST(TinytpuLayout, GrowsWithWidthAndDepths) {
  const tinytpu_geometry wide{32, 32768, 4096}, deep{8, 16, 1024}, widest{256, 32768, 4096};
  tinytpu_window window;
  ASSERT_TRUE(tinytpu_layout(&wide, &window));
  EXPECT_EQ(window.stride, 32u);
  EXPECT_EQ(window.unified_buffer, 0x100000u);
  EXPECT_EQ(window.instruction, 0x120000u);
  EXPECT_EQ(window.size, 0x200000u);
  ASSERT_TRUE(tinytpu_layout(&deep, &window));
  EXPECT_EQ(window.unified_buffer, 0x8000u) << "twice the unified buffer where that is more than the weights";
  EXPECT_EQ(window.instruction, 0xC000u);
  EXPECT_EQ(window.size, 0x10000u);
  ASSERT_TRUE(tinytpu_layout(&widest, &window));
  EXPECT_EQ(window.size, 16u << 20);
}

TEST(TinytpuLayout, RefusesSizesThatCannotBe) {
  tinytpu_window window;
  for (const tinytpu_geometry& geometry :
       {tinytpu_geometry{0, 1, 1}, tinytpu_geometry{257, 1, 1}, tinytpu_geometry{14, 0, 1}, tinytpu_geometry{14, 1, 0},
        tinytpu_geometry{256, 0xFFFFFFFF, 1}}) {
    EXPECT_FALSE(tinytpu_layout(&geometry, &window));
    ::tinytpu device;
    EXPECT_EQ(tinytpu_init(&device, 0, &geometry), -EINVAL);
  }
}

TEST(TinytpuVectors, ComeBackAsWrittenAtEveryWidthAndAlignment) {
  for (unsigned width : {2u, 3u, 6u, 7u, 8u, 13u, 14u, 15u, 16u, 17u, 32u, 255u, 256u}) {
    DrivenModel driven({width, 64, 64});
    const auto data = counting(5 * width + 3);
    for (unsigned skew = 0; skew < 4; ++skew) {
      std::vector<uint8_t> read(5 * width, 0xEE);
      ASSERT_EQ(tinytpu_write_inputs(driven.device(), 59, 5, data.data() + skew % 4, width), 0);
      ASSERT_EQ(tinytpu_read_outputs(driven.device(), 59, 5, read.data(), width), 0);
      EXPECT_TRUE(std::equal(read.begin(), read.end(), data.begin() + skew % 4)) << width << " skew " << skew;
    }
    EXPECT_TRUE(driven.model().violations().empty());
  }
}

TEST(TinytpuVectors, OutsideTheBuffersAreRefusedUntouched) {
  DrivenModel driven({14, 100, 50});
  std::vector<uint8_t> data(14 * 3, 7);
  EXPECT_EQ(tinytpu_write_weights(driven.device(), 98, 3, data.data(), 14), -EFAULT);
  EXPECT_EQ(tinytpu_write_weights(driven.device(), 0xFFFFFFFF, 2, data.data(), 14), -EFAULT);
  EXPECT_EQ(tinytpu_write_inputs(driven.device(), 50, 1, data.data(), 14), -EFAULT);
  EXPECT_EQ(tinytpu_write_inputs(driven.device(), 48, 3, data.data(), 14), -EFAULT);
  EXPECT_EQ(tinytpu_read_outputs(driven.device(), 50, 1, data.data(), 14), -EFAULT);
  ASSERT_EQ(tinytpu_read_outputs(driven.device(), 48, 1, data.data(), 14), 0);
  EXPECT_EQ(data[0], 0);
}

// The 80 bits as one number's hex digits would show them: upper, middle, lower.
void expect_words(const tinytpu_instruction& instruction, uint16_t upper, uint32_t middle, uint32_t lower) {
  EXPECT_EQ(instruction.upper, upper);
  EXPECT_EQ(instruction.middle, middle);
  EXPECT_EQ(instruction.lower, lower);
}

TEST(TinytpuInstructions, HaveTheirFieldsAtTheHardwaresBits) {
  expect_words(tinytpu_read_weights(0xABCDEF0123, 0x11223344, true), 0xABCD, 0xEF012311, 0x22334409);
  expect_words(tinytpu_read_weights(5, 14, false), 0, 0x500, 0xE08);
  expect_words(tinytpu_matrix_multiply(0xABCDEF, 0x0123, 0x11223344, TINYTPU_SIGNED_DATA | TINYTPU_ACCUMULATE), 0xABCD,
               0xEF012311, 0x22334423);
  expect_words(tinytpu_matrix_multiply(0, 0, 1, 0), 0, 0, 0x120);
  expect_words(tinytpu_activate(0xABCDEF, 0x0123, 0x11223344, TINYTPU_SIGMOID, true), 0xABCD, 0xEF012311, 0x22334499);
  expect_words(tinytpu_activate(0, 0, 14, TINYTPU_RELU, false), 0, 0, 0xE81);
  expect_words(tinytpu_nop(), 0, 0, 0);
}

// One tile through all units. Inputs are the unit vectors, so the results are the rounded weights.
TEST(TinytpuProgram, OfOneTileComputesAndTakesTheHardwaresCycles) {
  for (unsigned width : {7u, 14u, 32u}) {
    DrivenModel driven({width, 64, 128});
    ::tinytpu* device = driven.device();
    for (unsigned row = 0; row < width; ++row) {
      std::vector<uint8_t> unit(width), weight(width, static_cast<uint8_t>(row));
      unit[row] = 0x40;
      ASSERT_EQ(tinytpu_write_inputs(device, row, 1, unit.data(), 0), 0);
      ASSERT_EQ(tinytpu_write_weights(device, row, 1, weight.data(), 0), 0);
    }
    tinytpu_push(device, tinytpu_read_weights(0, width, true));
    tinytpu_push(device, tinytpu_matrix_multiply(0, 0, width, TINYTPU_SIGNED_DATA));
    tinytpu_push(device, tinytpu_activate(width, 0, width, TINYTPU_RELU, true));
    tinytpu_synchronize(device);
    EXPECT_EQ(tinytpu_runtime(device), 3 * width + 28);
    for (unsigned row = 0; row < width; ++row) {
      std::vector<uint8_t> result(width);
      ASSERT_EQ(tinytpu_read_outputs(device, width + row, 1, result.data(), 0), 0);
      EXPECT_EQ(result, std::vector<uint8_t>(width, static_cast<uint8_t>((row * 64 + 128) / 256)));
    }
    EXPECT_TRUE(driven.model().violations().empty());
  }
}

TEST(TinytpuSynchronize, CanBeStartedAndFinishedSeparately) {
  DrivenModel driven({14, 64, 64});
  const uint32_t first = tinytpu_start_synchronize(driven.device());
  tinytpu_finish(driven.device(), first);
  const uint32_t second = tinytpu_start_synchronize(driven.device());
  EXPECT_NE(first, second);
  tinytpu_finish(driven.device(), second);
  EXPECT_EQ(driven.device()->completed, 2u);
}

TEST(OriginalDriver, WorksThroughItsOwnNamesAndTypes) {
  WindowModel model(TPU_VECTOR_SIZE, WEIGHT_BUFFER_SIZE, UNIFIED_BUFFER_SIZE);
  MappedWindow window(model, TPU_BASE);
  tpu_vector_t vector{};
  for (int row = 0; row < TPU_VECTOR_SIZE; ++row) {
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) vector.byte_vector[i] = i == row ? 0xFF : 0;
    ASSERT_EQ(write_weight_vector(&vector, row), 0);
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) vector.byte_vector[i] = static_cast<uint8_t>(16 * row + i);
    ASSERT_EQ(write_input_vector(&vector, row), 0);
  }
  const auto push = [](uint8_t op, uint8_t length, uint8_t buffer) {
    instruction_t instruction{};
    instruction.op_code = op;
    instruction.calc_length[0] = length;
    instruction.buf_address[0] = buffer;
    EXPECT_EQ(write_instruction(&instruction), 0);
  };
  push(0x08, 14, 0);
  push(0x20, 14, 0);
  push(0x89, 14, 14);
  push(0xFF, 0, 0);
  EXPECT_TRUE(model.take_interrupt());
  for (int row = 0; row < TPU_VECTOR_SIZE; ++row) {
    ASSERT_EQ(read_output_vector(&vector, 14 + row), 0);
    for (int i = 0; i < TPU_VECTOR_SIZE; ++i) {
      EXPECT_EQ(vector.byte_vector[i], activation(0xFFu * static_cast<uint8_t>(16 * row + i), 9, false));
    }
    EXPECT_EQ(vector.transfer_vector[3] >> 16, 0u) << "the padding reads as zero";
  }
  uint32_t cycles = 0;
  EXPECT_EQ(read_runtime(&cycles), 0);
  EXPECT_EQ(cycles, 3u * 14 + 28);
  EXPECT_EQ(write_weight_vector(&vector, WEIGHT_BUFFER_SIZE), EFAULT);
  EXPECT_EQ(write_input_vector(&vector, UNIFIED_BUFFER_SIZE), EFAULT);
  EXPECT_EQ(read_output_vector(&vector, UNIFIED_BUFFER_SIZE), EFAULT);
  EXPECT_TRUE(model.violations().empty());
}

TEST(OriginalDriver, InstructionBytesAndWordsAreTwoViewsOfOneThing) {
  instruction_t instruction{};
  instruction.op_code = 0xAB;
  instruction.calc_length[0] = 0x0D;
  instruction.acc_address[0] = 0x02;
  instruction.buf_address[1] = 0xFF;
  EXPECT_EQ(sizeof instruction, 10u);
  EXPECT_EQ(instruction.lower_word, 0x00000DABu);
  EXPECT_EQ(instruction.middle_word, 0x00000200u);
  EXPECT_EQ(instruction.upper_word, 0x00FFu);
}

}  // namespace
}  // namespace vp::test
