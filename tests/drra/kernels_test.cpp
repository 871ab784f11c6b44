// The kernels of sw/drra against the same arithmetic on the host, and the cycles that the README gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "platform/files/whole_file.h"
#include "sw/drra/kernels.h"
#include "tests/drra/program_runner.h"

namespace vp::drra {
namespace {

ProgramRun kernel(const std::string& name) {
  return ProgramRun(read_file(std::string(VP_SOURCE_DIR "/sw/drra/") + name + ".drra"));
}

int saturated(int value) { return std::clamp(value, -32768, 32767); }

TEST(DrraKernels, the_filter_gives_every_output_in_six_cycles) {
  const ProgramRun run = kernel("fir");
  for (unsigned i = 0; i < 28; ++i) {
    int sum = 0;
    for (unsigned k = 0; k < 4; ++k) sum += run.reg(32 + k) * run.reg(i + k);
    EXPECT_EQ(run.reg(36 + i), saturated(sum)) << i;
  }
  EXPECT_EQ(run.log.registers.back().cycle - run.log.registers.front().cycle, 27 * 6u);
  EXPECT_EQ(run.halted(), 179u);
  EXPECT_EQ(run.core.findings().total(), 0u);
}

TEST(DrraKernels, the_product_gives_every_row_in_ten_cycles) {
  const ProgramRun run = kernel("matvec");
  for (unsigned i = 0; i < 6; ++i) {
    int sum = 0;
    for (unsigned k = 0; k < 8; ++k) sum += run.reg(8 * i + k) * run.reg(48 + k);
    EXPECT_EQ(run.reg(56 + i), saturated(sum)) << i;
  }
  EXPECT_EQ(run.log.registers.back().cycle - run.log.registers.front().cycle, 5 * 10u);
  EXPECT_EQ(run.halted(), 72u);
  EXPECT_EQ(run.core.findings().total(), 0u);
}

TEST(DrraKernels, the_activation_brings_a_row_through_the_cell) {
  const ProgramRun run = kernel("activation");
  for (unsigned j = 0; j < kBlockWords; ++j) {
    const double x = run.core.dimarch().tile(1, 0, 0)[j] / 2048.0;
    EXPECT_NEAR(run.core.dimarch().tile(1, 0, 1)[j], 2048 / (1 + std::exp(-x)), 4) << j;
  }
  EXPECT_EQ(run.core.last_activity(), 28u);
  EXPECT_EQ(run.core.findings().total(), 0u);
}

TEST(DrraKernels, the_convolution_of_both_rows_goes_from_memory_to_memory) {
  const ProgramRun run = kernel("convolution");
  const Dimarch& memories = run.core.dimarch();
  for (unsigned row = 0; row < kRows; ++row) {
    const auto word = [&](unsigned first, unsigned number) {
      return memories.tile(row + 1, 0, first + number / kBlockWords)[number % kBlockWords];
    };
    for (unsigned i = 0; i < 28; ++i) {
      int sum = 0;
      for (unsigned k = 0; k < 4; ++k) sum += word(2, k) * word(0, i + k);
      EXPECT_EQ(word(3, 4 + i), saturated(sum)) << row << ' ' << i;
    }
  }
  EXPECT_EQ(run.core.last_activity(), 195u);
  EXPECT_EQ(run.core.findings().total(), 0u);
}

TEST(DrraKernels, pairs_of_cells_add_their_halves_of_a_product) {
  const ProgramRun run = kernel("matvec_pairs");
  const Dimarch& memories = run.core.dimarch();
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned i = 0; i < 6; ++i) {
      int halves[2] = {0, 0};
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned k = 0; k < 8; ++k)
          halves[half] += memories.tile(row + 1, half, i / 2)[i % 2 * 8 + k] * memories.tile(row + 1, half, 3)[k];
      EXPECT_EQ(memories.tile(row + 1, 0, 4)[8 + i], saturated(saturated(halves[0]) + saturated(halves[1]))) << row;
    }
  EXPECT_EQ(run.core.last_activity(), 96u);
  EXPECT_EQ(run.core.findings().total(), 0u);
}

TEST(DrraKernels, words_for_drivers_are_those_of_the_assembly) {
  const auto words = [](const drra_kernel& one) {
    return std::vector<std::uint32_t>(one.words, one.words + one.count);
  };
  const auto assembled = [](const char* name) {
    const std::string path = std::string(VP_SOURCE_DIR "/sw/drra/") + name + ".drra";
    return assemble(read_file(path), path).cells;
  };
  auto cells = assembled("convolution");
  EXPECT_EQ(words(drra_convolution_near), (cells[{0, 0}].words));
  EXPECT_EQ(words(drra_convolution_far), (cells[{1, 0}].words));
  cells = assembled("matvec_pairs");
  EXPECT_EQ(words(drra_matvec_near_left), (cells[{0, 0}].words));
  EXPECT_EQ(words(drra_matvec_near_right), (cells[{0, 1}].words));
  EXPECT_EQ(words(drra_matvec_far_left), (cells[{1, 0}].words));
  EXPECT_EQ(words(drra_matvec_far_right), (cells[{1, 1}].words));
}

}  // namespace
}  // namespace vp::drra
