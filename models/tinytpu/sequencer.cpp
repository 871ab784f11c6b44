#include "models/tinytpu/sequencer.h"

#include <algorithm>
#include <stdexcept>

namespace vp::tinytpu {

Sequencer::Sequencer(unsigned matrix_width, unsigned fifo_depth) : width_(matrix_width), depth_(fifo_depth) {
  for (auto& lane : lanes_) lane.resize(depth_);
}

/// What run() does with its findings: the real one tells the listener and keeps the books, ...
struct Sequencer::Listening {
  SequencerListener& listener;
  Activity& activity;
  bool stop() const { return false; }
  void issued(const Stage& stage, Edge edge) {
    activity.issued(stage.kind);
    listener.issued({stage.instruction, stage.number, edge});
  }
  void fetched(const Stage& stage, Edge edge) { listener.fetched(stage.number, edge); }
  void spent(Wait wait, Edge first, Edge last, const State& state) {
    activity.add(wait, first, last, state.free_from);
    listener.spent(wait, first, last, state.free_from);
  }
};

/// ... the others only look ahead.
struct Sequencer::UntilSynchronize {
  Edge found = kNoEdge;
  bool stop() const { return found != kNoEdge; }
  void issued(const Stage& stage, Edge edge) {
    if (stage.kind == InstructionKind::synchronize) found = edge;
  }
  void fetched(const Stage&, Edge) {}
  void spent(Wait, Edge, Edge, const State&) {}
};

struct Sequencer::UntilFetch {
  Edge found = kNoEdge;
  bool stop() const { return found != kNoEdge; }
  void issued(const Stage&, Edge) {}
  void fetched(const Stage&, Edge edge) { found = edge; }
  void spent(Wait, Edge, Edge, const State&) {}
};

struct Sequencer::Silent {
  bool stop() const { return false; }
  void issued(const Stage&, Edge) {}
  void fetched(const Stage&, Edge) {}
  void spent(Wait, Edge, Edge, const State&) {}
};

Sequencer::Blocked Sequencer::blocked(const State& state) {
  const auto& free_from = state.free_from;
  const auto w = static_cast<unsigned>(Unit::weights), m = static_cast<unsigned>(Unit::multiply),
             a = static_cast<unsigned>(Unit::activate);
  switch (state.coordinator.kind) {
    case InstructionKind::read_weights:
      return {free_from[w], Wait::weights_busy};
    case InstructionKind::matrix_multiply:
      return {free_from[m], Wait::multiply_busy};
    case InstructionKind::activate:
      if (free_from[m] >= free_from[a]) return {free_from[m], Wait::multiply_busy};
      return {free_from[a], Wait::activate_busy};
    case InstructionKind::synchronize:
      return {*std::max_element(state.resource_free_from.begin(), state.resource_free_from.end()), Wait::synchronize};
    case InstructionKind::nothing:
      break;
  }
  return {0, Wait::fill};
}

void Sequencer::occupy(State& state, const Stage& stage) const {
  const Edge until = state.next + stage.instruction.length;  // issue edge + L
  const auto set = [&](Unit unit, Edge resource) {
    state.free_from[static_cast<unsigned>(unit)] = until + 4;
    state.resource_free_from[static_cast<unsigned>(unit)] = until + resource;
  };
  switch (stage.kind) {
    case InstructionKind::read_weights:
      set(Unit::weights, 7);
      break;
    case InstructionKind::matrix_multiply:
      set(Unit::multiply, width_ + 9);
      break;
    case InstructionKind::activate:
      set(Unit::activate, width_ + 19);
      break;
    case InstructionKind::synchronize:
    case InstructionKind::nothing:
      break;
  }
}

Sequencer::Stage Sequencer::head(const State& state) const {
  const std::size_t at = state.popped % depth_;
  Stage stage;
  stage.valid = true;
  stage.instruction = decode({lanes_[0][at], lanes_[1][at], lanes_[2][at]});
  stage.kind = stage.instruction.kind();
  stage.number = numbered_before_reset_ + state.popped;
  return stage;
}

std::vector<Sequencer::Inside> Sequencer::inside() const {
  std::vector<Inside> all;
  const auto add = [&all](const char* place, const Stage& stage) {
    if (stage.valid) all.push_back({place, stage.number, stage.instruction});
  };
  add("coordinator", state_.coordinator);
  add("look-ahead output", state_.output);
  add("look-ahead", state_.pipe);
  add("look-ahead input", state_.input);
  State further = state_;
  for (; !fifo_empty(further); ++further.popped) add("FIFO", head(further));
  return all;
}

std::optional<Wait> Sequencer::waits_for() const {
  if (!state_.coordinator.valid) return {};
  const Blocked block = blocked(state_);
  return block.until > state_.next ? std::optional(block.wait) : std::nullopt;
}

bool Sequencer::quiet(const State& state) const {
  const bool held = state.pipe.valid && state.pipe.instruction.waits_for_successor();
  return !state.coordinator.valid && !state.output.valid && !state.input.valid && (!state.pipe.valid || held) &&
         fifo_empty(state);
}

template <typename Observer>
void Sequencer::step(State& state, Observer& observer) const {
  const Edge edge = state.next;
  observer.spent(Wait::fill, edge, edge, state);
  if (state.coordinator.valid) {
    occupy(state, state.coordinator);
    observer.issued(state.coordinator, edge);
  }
  state.coordinator = state.output;
  if (state.pipe.valid && state.pipe.instruction.waits_for_successor() && !state.input.valid) {
    state.output.valid = false;
  } else {
    state.output = state.pipe;
    state.pipe = state.input;
  }
  if (fifo_empty(state)) {
    state.input.valid = false;
  } else {
    state.input = head(state);
    ++state.popped;
    observer.fetched(state.input, edge);
  }
  ++state.next;
}

template <typename Observer>
void Sequencer::run(State& state, Edge target, Observer& observer) const {
  while (state.next <= target && !observer.stop()) {
    if (state.coordinator.valid) {
      const Blocked block = blocked(state);
      if (block.until > state.next) {
        const Edge last = std::min(block.until - 1, target);
        observer.spent(block.wait, state.next, last, state);
        state.next = last + 1;
        continue;
      }
    } else if (quiet(state)) {
      observer.spent(state.pipe.valid ? Wait::successor : Wait::empty, state.next, target, state);
      state.next = target + 1;
      return;
    }
    step(state, observer);
  }
}

void Sequencer::advance_to(Edge edge, SequencerListener& listener) {
  Listening observer{listener, activity_};
  run(state_, edge, observer);
}

bool Sequencer::push(unsigned lane, std::uint32_t word) {
  if (fill(lane) >= depth_) throw std::logic_error("tinyTPU: push into a full lane of the instruction FIFO");
  lanes_[lane][pushed_[lane] % depth_] = word;
  ++pushed_[lane];
  const std::uint64_t before = completed_;
  completed_ = *std::min_element(pushed_.begin(), pushed_.end());
  return completed_ != before;
}

bool Sequencer::full() const { return fill(0) >= depth_ || fill(1) >= depth_ || fill(2) >= depth_; }

std::uint64_t Sequencer::completed() const { return numbered_before_reset_ + completed_; }

Edge Sequencer::predict_synchronize() const {
  State future = state_;
  UntilSynchronize search;
  run(future, kNoEdge - 1, search);
  return search.found;
}

Edge Sequencer::predict_fetch() const {
  State future = state_;
  UntilFetch search;
  run(future, kNoEdge - 1, search);
  return search.found;
}

Edge Sequencer::predict_quiet() const {
  State future = state_;
  Silent silent;
  // Step from stall to stall until nothing moves; quiet() then holds and the units' times are final.
  while (!quiet(future)) {
    const Edge target = future.coordinator.valid ? std::max(blocked(future).until, future.next) : future.next;
    run(future, target, silent);
  }
  const Edge resource = *std::max_element(future.resource_free_from.begin(), future.resource_free_from.end());
  return std::max(future.next, resource);
}

std::optional<Issue> Sequencer::held() const {
  if (!state_.pipe.valid || !state_.pipe.instruction.waits_for_successor() || !quiet(state_)) return std::nullopt;
  return Issue{state_.pipe.instruction, state_.pipe.number, state_.next};
}

Sequencer::Standing Sequencer::standing() const {
  Standing standing;
  const std::array<const Stage*, 4> stages = {&state_.input, &state_.pipe, &state_.output, &state_.coordinator};
  for (std::size_t i = 0; i < stages.size(); ++i)
    if (stages[i]->valid)
      standing.stages[i] = {true, stages[i]->kind, stages[i]->instruction.waits_for_successor(),
                            stages[i]->instruction.length};
  const auto left = [this](Edge until) { return until > state_.next ? until - state_.next : 0; };
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    standing.busy[unit] = left(state_.free_from[unit]);
    standing.busy[kUnits + unit] = left(state_.resource_free_from[unit]);
  }
  standing.fill = completed_ - state_.popped;
  return standing;
}

void Sequencer::reset() {
  const Edge next = state_.next;
  numbered_before_reset_ += completed_;
  pushed_ = {};
  completed_ = 0;
  state_ = State{};
  state_.next = next;
  activity_.reset();
}

}  // namespace vp::tinytpu
