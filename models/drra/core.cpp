#include "models/drra/core.h"

#include <algorithm>
#include <stdexcept>

namespace vp::drra {
namespace {

/// Calls visit(cell) for each cell of a set in the order of numbers. What is added behind the present one while it runs
/// is visited, too.
template <typename Set, typename Visit>
void for_each(const Set& set, Visit visit) {
  for (unsigned word = 0; word < set.size(); ++word) {
    std::uint64_t done = 0;
    while (const std::uint64_t left = set[word] & ~done) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(left));
      done |= (std::uint64_t{2} << bit) - 1;
      visit(word * 64 + bit);
    }
  }
}

}  // namespace

Core::Core(const DrraConfig& config)
    : config_(config), dimarch_(config, [this](FindingKind kind, Cycle cycle, unsigned cell, unsigned pc) {
        report(kind, cycle, cells_[cell], pc);
      }) {
  reset();
}

void Core::set_observer(CoreObserver* observer) {
  observer_ = observer;
  dimarch_.set_observer(observer);
}

void Core::reset() {
  const unsigned count = kRows * config_.columns;
  cells_.resize(count);
  outputs_.assign(count * kOutputs + 1, 0);
  listeners_.assign(outputs_.size(), CellSet{});
  for (unsigned i = 0; i < count; ++i) {
    Cell& cell = cells_[i];
    RegisterFile registers = cell.registers;
    registers.reset();
    const CellCounters counters = cell.counters;
    cell = Cell();
    cell.registers = registers;
    cell.counters = counters;
    cell.index = i;
    cell.row = i / config_.columns;
    cell.column = i % config_.columns;
    cell.dpu = Dpu(config_.acc_autoclear);
    cell.sources.fill(static_cast<std::uint16_t>(count * kOutputs));
  }
  awake_ = {};
  wake_ups_ = {};
  live_cells_ = 0;
  dimarch_.reset();
}

void Core::load(unsigned row, unsigned column, const std::vector<std::uint32_t>& words) {
  Sequencer& sequencer = cells_.at(row * config_.columns + column).sequencer;
  if (sequencer.state() == SequencerState::running) throw std::logic_error("a program is loaded into a running cell");
  sequencer.load(words, config_.profile);
}

void Core::start() {
  started_ = cycle_;
  for (Cell& cell : cells_) {
    if (cell.sequencer.state() == SequencerState::running) continue;
    cell.sequencer.start(cycle_ + 1 + (config_.start_skew ? cell.row + cell.column : 0));
    note_liveness(cell);
    if (cell.live) wake(cell.index);
  }
}

bool Core::any_awake() const {
  return std::any_of(awake_.begin(), awake_.end(), [](std::uint64_t word) { return word != 0; });
}

Cycle Core::next_event() const {
  if (any_awake()) return cycle_ + 1;
  return std::min(wake_ups_.empty() ? kNever : wake_ups_.top().first, dimarch_.next());
}

void Core::advance_to(Cycle cycle) {
  while (cycle_ < cycle) {
    const Cycle next = next_event();
    if (next > cycle) {
      cycle_ = cycle;
      return;
    }
    run_cycle(next);
  }
}

void Core::run_to(Cycle cycle) {
  while (cycle_ < cycle && !done()) {
    const Cycle next = next_event();
    if (next > cycle) {
      cycle_ = cycle;
      return;
    }
    run_cycle(next);
  }
}

void Core::step() {
  for (unsigned i = 0; i < cells(); ++i) wake(i);
  run_cycle(cycle_ + 1);
}

void Core::wake_due(Cycle cycle) {
  while (!wake_ups_.empty() && wake_ups_.top().first <= cycle) {
    Cell& cell = cells_[wake_ups_.top().second];
    if (cell.queued == wake_ups_.top().first) cell.queued = kNever;
    wake(cell.index);
    wake_ups_.pop();
  }
}

void Core::sleep_until(Cell& cell, Cycle cycle) {
  awake_[cell.index / kCellsAWord] &= ~(std::uint64_t{1} << cell.index % kCellsAWord);
  if (cycle == kNever || cycle == cell.queued) return;
  cell.queued = cycle;
  wake_ups_.emplace(cycle, cell.index);
}

void Core::note_liveness(Cell& cell) {
  const bool live = cell.sequencer.next() != kNever || cell.registers.next() != kNever;
  if (live == cell.live) return;
  cell.live = live;
  live_cells_ += live ? 1 : -1u;
}

// Memories first, so that rows are where cells look for them; then what all cells drive; then what they take from that.
void Core::run_cycle(Cycle cycle) {
  wake_due(cycle);
  work_ = 0;
  const std::uint64_t rows = dimarch_.rows_read() + dimarch_.rows_written();
  dimarch_.clock(cycle);
  if (dimarch_.rows_read() + dimarch_.rows_written() != rows) work_ = moved;
  for_each(awake_, [&](unsigned index) { drive_outputs(cells_[index], cycle); });
  const CellSet awake = awake_;
  for_each(awake, [&](unsigned index) {
    Cell& cell = cells_[index];
    const unsigned condition = cell.dpu.condition();
    const bool settled = clock_cell(cell, cycle);
    if (cell.sequencer.next() == cycle) decode(cell, cycle, condition);
    note_liveness(cell);
    const Cycle next = std::min(cell.sequencer.next(), cell.registers.next());
    if (settled && next > cycle + 1 && cell.late_until <= cycle) sleep_until(cell, next);
  });
  count_work();
  cycle_ = cycle;
}

void Core::count_work() {
  if (work_ & computed)
    ++work_cycles_.compute;
  else if (work_ & moved)
    ++work_cycles_.data;
  else if (work_ & decoded)
    ++work_cycles_.instructions;
}

}  // namespace vp::drra
