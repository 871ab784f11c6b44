// A step's cycles are those of the whole core that runs its program, and its program has no hazards.
#include "platform/workload/compute.h"

#include <gtest/gtest.h>

#include <random>

#include "models/tinytpu/program.h"
#include "platform/workload/tiling.h"

namespace vp::workload {
namespace {

tinytpu::TinyTpuConfig array_of(unsigned width, unsigned fifo = 32) {
  tinytpu::TinyTpuConfig config;
  config.matrix_width = width;
  config.fifo_depth = fifo;
  return config;
}

/// Runs the step on a core with its data, and holds cycles and instructions against the counted ones.
void expect_as_on_the_core(const Step& step, const tinytpu::TinyTpuConfig& config, std::uint64_t gap) {
  SCOPED_TRACE(testing::Message() << "N " << config.matrix_width << ", gap " << gap << ", FIFO " << config.fifo_depth
                                  << ": " << step.groups << " x " << step.vectors << " + " << step.last << " vectors, "
                                  << step.blocks << " blocks, " << step.tiles << " tiles, " << step.begins
                                  << step.ends);
  const std::vector<tinytpu::Instruction> program = step_program(step, config.matrix_width);
  tinytpu::Core core(config);
  const tinytpu::ProgramRun run = tinytpu::run_program(core, program, {gap});
  const ComputeTime time = time_stream(step_stream(step, config.matrix_width), config, gap);
  ASSERT_EQ(run.runtimes.size(), 1u);
  EXPECT_EQ(time.cycles, run.runtimes[0]);
  EXPECT_EQ(time.instructions, program.size());
  const tinytpu::HazardReport hazards = core.hazards();
  for (unsigned kind = 0; kind < tinytpu::kHazardKinds; ++kind) {
    if (static_cast<tinytpu::HazardKind>(kind) == tinytpu::HazardKind::no_effect && config.matrix_width == 2)
      continue;  // the read_weights of no rows is there to take its time
    for (const tinytpu::Hazard& hazard : hazards.findings(static_cast<tinytpu::HazardKind>(kind)))
      ADD_FAILURE() << tinytpu::describe(hazard);
  }
  const tinytpu::CoreFigures figures = core.figures();
  EXPECT_EQ(figures.rows.vectors, step.all_vectors() * step.tiles * step.blocks);
  EXPECT_EQ(time.busy, figures.cycles.units[static_cast<unsigned>(tinytpu::Unit::multiply)].busy);
}

TEST(WorkloadCompute, counted_steps_take_the_cycles_of_the_core_without_hazards) {
  std::mt19937 random(3);
  for (unsigned i = 0; i < 400; ++i) {
    const unsigned width = i % 4 == 0 ? 2 + random() % 6 : 2 + random() % 30;
    Step step;
    step.vectors = random() % 2 ? width : 1 + random() % width;
    step.groups = random() % 4;
    step.last = step.vectors > 1 && (step.groups == 0 || random() % 2) ? 1 + random() % (step.vectors - 1) : 0;
    if (step.groups == 0 && step.last == 0) step.groups = 1;
    step.blocks = 1 + random() % 9;
    step.tiles = 1 + random() % 12;
    step.begins = random() % 4 != 0;
    step.ends = random() % 4 != 0;
    const std::uint64_t gaps[] = {1, 3, 12, 40, 104, 500};
    expect_as_on_the_core(step, array_of(width, random() % 3 ? 32 : 1 + random() % 40), gaps[random() % 6]);
  }
}

TEST(WorkloadCompute, long_layers_are_counted_in_no_time) {
  // 10^7 tiles, one by one.
  const Step step{1000, 4, 0, 100, 100, true, true};
  const Stream stream = step_stream(step, 4);
  const ComputeTime time = time_stream(stream, array_of(4), 1);
  EXPECT_EQ(time.instructions, 1000u * 100u * 201u + 1);
  EXPECT_GT(time.cycles, 1000u * 100u * 100u * 8u);  // a multiply of 4 vectors every 8 cycles
}

TEST(WorkloadCompute, a_slow_host_shows_as_waiting_for_it) {
  const ComputeTime time = time_stream(step_stream({1, 14, 0, 3, 5, true, true}, 14), array_of(14), 1000);
  EXPECT_GT(time.waiting[static_cast<unsigned>(tinytpu::Wait::host)], time.cycles / 2);
}

TEST(WorkloadCompute, stops_when_asked) {
  // 8000 blocks that fill a deep FIFO before anything repeats.
  const Step step{1, 256, 0, 8000, 2, true, true};
  unsigned asked = 0;
  time_stream(step_stream(step, 256), array_of(256, 65'536), 1, [&asked] { return ++asked == 2; });
  EXPECT_EQ(asked, 2u);
}

}  // namespace
}  // namespace vp::workload
