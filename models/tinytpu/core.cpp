#include "models/tinytpu/core.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/tinytpu/instruction_check.h"

namespace vp::tinytpu {
namespace {

/// Row data may stay this many cycles behind control, so that many short calls do not cut the datapath's windows.
constexpr Edge kLongestLag = 1 << 16;

}  // namespace

Core::Core(const TinyTpuConfig& config)
    : config_(config),
      sequencer_(config.matrix_width, config.fifo_depth),
      hazards_(config.hazard_report, config.fifo_depth),
      unit_order_(hazards_, config.matrix_width, config.unified_buffer_depth),
      host_order_(hazards_, config.matrix_width, config.weight_depth, config.unified_buffer_depth),
      datapath_(config_, hazards_) {}

void Core::advance_to(Edge edge) {
  if (edge < sequencer_.next_edge()) return;
  sequencer_.advance_to(edge, *this);
  if (datapath_.next_edge() + kLongestLag <= edge) datapath_.advance_to(edge);
}

/// Processes `edge` itself in the control part only: the datapath gets it together with a host access.
void Core::advance_control_to(Edge edge) {
  if (edge < sequencer_.next_edge() - (sequencer_.next_edge() > 0))
    throw std::logic_error("tinyTPU: host access in the past");
  if (edge > 0) advance_to(edge - 1);
  sequencer_.advance_to(edge, *this);
}

void Core::settle() {
  if (sequencer_.next_edge() > 0) datapath_.advance_to(sequencer_.next_edge() - 1);
}

void Core::issued(const Issue& issue) {
  const InstructionKind kind = issue.instruction.kind();
  ++issued_by_kind_[static_cast<unsigned>(kind)];
  // The data must not lag by more than a few instructions' worth of bookkeeping when control jumps far ahead.
  if (datapath_.next_edge() + kLongestLag <= issue.edge) datapath_.advance_to(issue.edge);
  switch (kind) {
    case InstructionKind::synchronize:
      pulses_.push_back(issue.edge);
      --synchronizes_inside_;
      predicted_ = kNoEdge;
      counter_.synchronized(issue.edge);
      break;
    case InstructionKind::read_weights:
      rows_by_unit_[0] += issue.instruction.length;
      break;
    case InstructionKind::matrix_multiply:
      rows_by_unit_[1] += issue.instruction.length;
      break;
    case InstructionKind::activate:
      rows_by_unit_[2] += issue.instruction.length;
      break;
    case InstructionKind::nothing:
      break;
  }
  datapath_.issue(issue);
  if (hazards_.enabled()) {
    hazards_.log().issued(issue.number, issue.edge);
    check_instruction(issue, config_, hazards_);
    unit_order_.issued(issue);
    host_order_.issued(issue);
  }
  if (observer_) observer_->issued(issue);
  if (instruction_observer_) instruction_observer_->issued(issue);
}

void Core::fetched(std::uint64_t number, Edge edge) {
  counter_.fetched(edge);
  if (observer_) observer_->fetched(number, edge);
}

Edge Core::predict_push_edge(Edge edge) {
  if (edge > 0) advance_to(edge - 1);
  const Edge next = std::max(edge, sequencer_.next_edge());
  if (!sequencer_.full()) return next;
  // A fetch takes a word from every lane; the slot is free in the cycle after.
  const Edge fetch = sequencer_.predict_fetch();
  return fetch == kNoEdge ? kNoEdge : std::max(next, fetch + 1);
}

void Core::push_word(unsigned lane, std::uint32_t word, Edge edge, const Origin& origin) {
  advance_to(edge);
  words_[lane].push_back({word, edge, origin});
  if (!sequencer_.push(lane, word)) return;
  InstructionWords words{};
  for (unsigned i = 0; i < words.size(); ++i) {
    words[i] = words_[i].front().value;
    words_[i].pop_front();
  }
  const Instruction instruction = decode(words);
  if (hazards_.enabled()) {
    hazards_.log().add(sequencer_.completed() - 1, instruction, origin);
    host_order_.pushed();
  }
  if (instruction_observer_) instruction_observer_->pushed(instruction, sequencer_.completed() - 1, edge, origin);
  if (instruction.kind() == InstructionKind::synchronize) ++synchronizes_inside_;
}

void Core::push(const Instruction& instruction, Edge edge) {
  const InstructionWords words = encode(instruction);
  for (unsigned lane = 0; lane < words.size(); ++lane) push_word(lane, words[lane], edge);
}

Edge Core::next_synchronize() {
  if (!pulses_.empty()) return pulses_.front();
  if (synchronizes_inside_ == 0) return kNoEdge;
  if (predicted_ == kNoEdge) predicted_ = sequencer_.predict_synchronize();
  return predicted_;
}

Edge Core::take_synchronize() {
  const Edge edge = next_synchronize();
  if (edge == kNoEdge) throw std::logic_error("tinyTPU: no synchronize to take");
  advance_to(edge);
  pulses_.pop_front();
  return edge;
}

std::uint32_t Core::runtime(Edge edge) {
  advance_to(edge);
  if (!counter_.running()) host_order_.looked();
  return counter_.value(edge);
}

void Core::host_access(const HostAccess& access, Edge edge, std::uint8_t* row_read) {
  advance_control_to(edge);
  if (hazards_.enabled()) look_at(access, edge);
  datapath_.host_access(edge, access, row_read);
}

void Core::look_at(const HostAccess& access, Edge edge) {
  if (!access.data) return host_order_.buffer_read(access.row, edge, access.origin);
  const std::uint8_t* const end = access.enable + config_.matrix_width;
  if (std::any_of(access.enable, end, [](std::uint8_t enabled) { return enabled != 0; }))
    host_order_.buffer_written(access.row, edge, access.origin);
}

void Core::host_wrapped(Memory memory, unsigned row, Edge edge, const Origin& origin) {
  if (!hazards_.enabled()) return;
  Hazard hazard{HazardKind::address_wrapped, kNoInstruction, kNoInstruction, row, 1, edge, edge, row, memory};
  hazard.depth = memory == Memory::weight_buffer ? config_.weight_depth : config_.unified_buffer_depth;
  hazard.other_pushed.origin = origin;
  hazards_.add(hazard);
}

std::vector<std::uint8_t> Core::host_access(const HostAccess& access, Edge edge) {
  std::vector<std::uint8_t> row(config_.matrix_width);
  host_access(access, edge, row.data());
  return row;
}

void Core::host_write_weights(unsigned row, const std::uint8_t* data, const std::uint8_t* enable, Edge edge,
                              const Origin& origin) {
  advance_control_to(edge);
  if (hazards_.enabled()) host_order_.weights_written(row, edge, origin);
  if (datapath_.loading() && edge > 0) datapath_.advance_to(edge - 1);
  datapath_.host_write_weights(edge, row, data, enable);
}

void Core::read_unified_buffer(unsigned row, std::uint8_t* bytes) {
  settle();
  std::copy_n(datapath_.unified_buffer().at(row), config_.matrix_width, bytes);
}

void Core::write_unified_buffer(unsigned row, const std::uint8_t* bytes) {
  settle();
  std::copy_n(bytes, config_.matrix_width, datapath_.unified_buffer().at(row));
}

void Core::read_weights(unsigned row, std::uint8_t* bytes) {
  std::copy_n(std::as_const(datapath_).weights().at(row), config_.matrix_width, bytes);
}

void Core::write_weights(unsigned row, const std::uint8_t* bytes) {
  settle();
  std::copy_n(bytes, config_.matrix_width, datapath_.weights().at(row));
}

std::vector<std::uint32_t> Core::accumulators(unsigned row) {
  settle();
  const std::uint32_t* values = datapath_.accumulators(row);
  return {values, values + config_.matrix_width};
}

void Core::reset(Edge edge) {
  advance_to(edge);
  settle();
  counter_.stop(edge);
  sequencer_.reset();
  datapath_.reset();
  if (instruction_observer_) instruction_observer_->dropped();
  unit_order_.reset();
  host_order_.reset();
  for (auto& lane : words_) lane.clear();
  synchronizes_inside_ = 0;
  predicted_ = kNoEdge;
  ++resets_;
  if (observer_) observer_->reset();
}

Edge Core::predict_finish() const {
  // Resource times end after the last row has landed, except for the extra rows of an activate.
  return sequencer_.predict_quiet() + config_.matrix_width + 19;
}

HazardReport Core::hazards() {
  settle();
  HazardReport findings = hazards_;
  if (const std::optional<Issue> waiting = held(); waiting && findings.enabled())
    findings.add({HazardKind::never_ran, waiting->number, kNoInstruction, 0, 1, waiting->edge, waiting->edge});
  if (findings.enabled()) add_waiting_words(findings);
  return findings;
}

/// Words of instructions that are not complete.
void Core::add_waiting_words(HazardReport& findings) const {
  const Word* first = nullptr;
  Hazard hazard{HazardKind::lanes_uneven};
  for (unsigned lane = 0; lane < words_.size(); ++lane) {
    hazard.lanes[lane] = static_cast<unsigned>(words_[lane].size());
    hazard.rows += hazard.lanes[lane];
    if (!words_[lane].empty() && (!first || words_[lane].front().edge < first->edge)) first = &words_[lane].front();
  }
  if (!first) return;
  hazard.first_edge = hazard.last_edge = first->edge;
  hazard.other_pushed.origin = first->origin;
  findings.add(hazard);
}

Edge Core::given_up_at() {
  settle();
  return datapath_.given_up_at();
}

CoreFigures Core::figures() {
  settle();
  const auto issued = [this](InstructionKind kind) { return issued_by_kind_[static_cast<unsigned>(kind)]; };
  CoreFigures figures;
  figures.instructions = {issued(InstructionKind::read_weights), issued(InstructionKind::matrix_multiply),
                          issued(InstructionKind::activate),     issued(InstructionKind::synchronize),
                          issued(InstructionKind::nothing),      held() ? 1U : 0U};
  figures.rows = {rows_by_unit_[0], rows_by_unit_[1], rows_by_unit_[2]};
  figures.resets = resets_;
  const std::string broken = sequencer_.activity().broken_conservation();
  if (!broken.empty()) throw std::logic_error("tinyTPU: " + broken);
  figures.cycles = sequencer_.activity().figures();
  if (config_.hazard_report) {
    const HazardReport report = hazards();
    figures.hazards = HazardFigures{report.counts()};
    figures.works_only_by_timing = report.by_timing_count();
  }
  return figures;
}

}  // namespace vp::tinytpu
