#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/tinytpu/activity.h"
#include "models/tinytpu/config.h"
#include "platform/workload/stream.h"

namespace vp::workload {

/// Cycles of a tinyTPU for one step, and where those of its array went.
struct ComputeTime {
  std::uint64_t cycles = 0;        ///< from the first fetch to the synchronize: what the runtime counter shows
  std::uint64_t instructions = 0;  ///< pushed, the synchronize included
  std::uint64_t busy = 0;          ///< cycles of the array (matrix_multiply) in which it worked
  std::array<std::uint64_t, tinytpu::kWaits> waiting{};  ///< its other cycles, by cause

  /// Adds a step that is taken `count` times.
  void add(const ComputeTime& step, std::uint64_t count);
};

/// Exactly the cycles that the core takes for this stream, pushed as Feed{feed_gap} says. No values are worked on: the
/// cycles come from the core's own control part (tinytpu::Sequencer). What repeats itself is counted, not run: as soon
/// as the control part stands, at the end of a repetition, as it did at the end of the one before (same instructions in
/// FIFO and pipeline, same busy times and same time to the next push, all relative to the present cycle), the
/// repetitions that are left take as long as the last one did.
/// `stopped`, if given, is asked now and then; the time is then incomplete.
ComputeTime time_stream(const Stream& stream, const tinytpu::TinyTpuConfig& config, std::uint64_t feed_gap,
                        const std::function<bool()>& stopped = {});

}  // namespace vp::workload
