#pragma once

#include <cstdint>
#include <vector>

#include "models/tinytpu/isa.h"
#include "platform/workload/tiling.h"

namespace vp::workload {

/// From this width on an accumulating multiply of several tiles is safe: its rows come round after N vectors, and a sum
/// is written 6 cycles after its addend was read.
inline constexpr unsigned kStreamingWidth = 7;

/// Instructions that a host pushes one after the other, some of them again and again: first `instructions`, then
/// `inner`, and all of that `repeats` times. Rows are those of the first repetition; they do not matter for time.
struct Stream {
  std::vector<tinytpu::Instruction> instructions;
  std::vector<Stream> inner;
  std::uint64_t repeats = 1;
};

/// The stream of a step, its synchronize at the end. It is free of hazards at any width and any feed: a multiply stands
/// right behind the read_weights whose tiles it takes, tiles go one by one where several would be summed up wrongly
/// (N < 7, or fewer than N vectors), the group of fewer vectors goes first, since an activate that comes right behind a
/// longer one makes that one write rows beyond its end, and nothing reads what an activate of the same step writes.
Stream step_stream(const Step& step, unsigned matrix_width);

/// The same, every instruction written out with the rows of its own, in a buffer in which the step's weights begin at
/// row 0, its activations too, and results behind them: what runs on a device.
std::vector<tinytpu::Instruction> step_program(const Step& step, unsigned matrix_width);

}  // namespace vp::workload
