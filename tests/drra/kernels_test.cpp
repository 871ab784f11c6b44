// The kernels of sw/drra against the same arithmetic on the host, and the cycles that the README gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "platform/files/whole_file.h"
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

}  // namespace
}  // namespace vp::drra
