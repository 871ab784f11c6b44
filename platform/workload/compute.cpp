#include "platform/workload/compute.h"

#include <algorithm>
#include <optional>

#include "models/tinytpu/sequencer.h"

namespace vp::workload {
namespace {

using tinytpu::Edge;
using tinytpu::Unit;
using tinytpu::Wait;

/// Pushes between two questions whether to stop.
constexpr unsigned kPushesAtOnce = 4096;

/// Notes the edges that tell the time.
class Ends : public tinytpu::SequencerListener {
 public:
  void issued(const tinytpu::Issue& issue) override {
    if (issue.instruction.kind() == tinytpu::InstructionKind::synchronize) synchronized_ = issue.edge;
  }
  void fetched(std::uint64_t number, Edge edge) override {
    if (number == 0) first_fetch_ = edge;
  }
  void spent(Wait, Edge, Edge, const std::array<Edge, tinytpu::kUnits>&) override {}

  Edge synchronized() const { return synchronized_; }
  Edge first_fetch() const { return first_fetch_; }

 private:
  Edge synchronized_ = tinytpu::kNoEdge;
  Edge first_fetch_ = 0;
};

class Run {
 public:
  Run(const tinytpu::TinyTpuConfig& config, std::uint64_t feed_gap, const std::function<bool()>& stopped)
      : sequencer_(config.matrix_width, config.fifo_depth), gap_(feed_gap), stopped_(stopped) {}

  ComputeTime operator()(const Stream& stream) {
    run(stream);
    if (gave_up_) return {};
    sequencer_.advance_to(sequencer_.predict_synchronize(), ends_);
    ComputeTime time = spent();
    time.cycles = ends_.synchronized() - ends_.first_fetch() + skipped_.cycles;
    return time;
  }

 private:
  /// The present state, as far as it decides what comes.
  struct Standing {
    tinytpu::Sequencer::Standing control;
    Edge next_push;  // from now
    bool operator==(const Standing& other) const { return control == other.control && next_push == other.next_push; }
  };

  Standing standing() const {
    const Edge now = sequencer_.next_edge();
    return {sequencer_.standing(), next_push_ > now ? next_push_ - now : 0};
  }

  /// Up to now, without what was skipped on the way; cycles: the present edge.
  ComputeTime reached() const {
    ComputeTime time;
    time.cycles = sequencer_.next_edge();
    time.instructions = pushed_;
    time.busy = sequencer_.activity().busy(Unit::multiply);
    for (unsigned wait = 0; wait < tinytpu::kWaits; ++wait)
      time.waiting[wait] = sequencer_.activity().waiting(Unit::multiply, static_cast<Wait>(wait));
    return time;
  }

  ComputeTime spent() const {
    ComputeTime time = reached();
    time.add(skipped_, 1);
    return time;
  }

  void run(const Stream& stream) {
    const std::uint64_t begun = pushed_;
    std::optional<Standing> before;
    std::uint64_t pushed_before = 0;
    for (std::uint64_t i = 0; i < stream.repeats && !gave_up_; ++i) {
      const ComputeTime start = spent();
      for (const tinytpu::Instruction& instruction : stream.instructions) push(instruction);
      for (const Stream& inner : stream.inner) run(inner);
      if (stream.repeats == 1) return;
      // The FIFO holds the instructions pushed last. They are the same as a repetition ago if both times all of them
      // belong to the repetitions.
      const Standing now = standing();
      if (before && now == *before && now.control.fill <= pushed_before) return skip(start, stream.repeats - i - 1);
      before = now;
      pushed_before = pushed_ - begun;
    }
  }

  /// All that was spent since `start`, `times` more.
  void skip(const ComputeTime& start, std::uint64_t times) {
    const ComputeTime now = spent();
    ComputeTime period;
    period.cycles = now.cycles - start.cycles;
    period.instructions = now.instructions - start.instructions;
    period.busy = now.busy - start.busy;
    for (unsigned wait = 0; wait < tinytpu::kWaits; ++wait)
      period.waiting[wait] = now.waiting[wait] - start.waiting[wait];
    skipped_.add(period, times);
  }

  /// As run_program() pushes: at the later of the previous push + gap and the first edge with room.
  void push(const tinytpu::Instruction& instruction) {
    if (++pushed_ % kPushesAtOnce == 0 && stopped_ && stopped_()) gave_up_ = true;
    if (gave_up_) return;
    if (next_push_ > 0) sequencer_.advance_to(next_push_ - 1, ends_);
    Edge edge = std::max(next_push_, sequencer_.next_edge());
    if (sequencer_.full()) edge = std::max(edge, sequencer_.predict_fetch() + 1);
    sequencer_.advance_to(edge, ends_);
    const tinytpu::InstructionWords words = tinytpu::encode(instruction);
    for (unsigned lane = 0; lane < words.size(); ++lane) sequencer_.push(lane, words[lane]);
    next_push_ = edge + gap_;
  }

  tinytpu::Sequencer sequencer_;
  Ends ends_;
  const std::uint64_t gap_;
  const std::function<bool()>& stopped_;
  Edge next_push_ = 0;
  std::uint64_t pushed_ = 0;
  ComputeTime skipped_;
  bool gave_up_ = false;
};

}  // namespace

void ComputeTime::add(const ComputeTime& step, std::uint64_t count) {
  cycles += step.cycles * count;
  instructions += step.instructions * count;
  busy += step.busy * count;
  for (unsigned wait = 0; wait < tinytpu::kWaits; ++wait) waiting[wait] += step.waiting[wait] * count;
}

ComputeTime time_stream(const Stream& stream, const tinytpu::TinyTpuConfig& config, std::uint64_t feed_gap,
                        const std::function<bool()>& stopped) {
  return Run(config, feed_gap, stopped)(stream);
}

}  // namespace vp::workload
