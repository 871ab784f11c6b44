#include "models/tinytpu/host_order.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/handler_knowledge.h"

namespace vp::tinytpu {

void HostOrder::issued(const Issue& issue) {
  next_issue_ = issue.number + 1;
  switch (issue.instruction.kind()) {
    case InstructionKind::synchronize:
      ordered_below_ = issue.number + 1;
      noted_ = std::max(noted_, told_below());
      break;
    case InstructionKind::read_weights:
      latest_[static_cast<unsigned>(Unit::weights)] = issue;
      break;
    case InstructionKind::matrix_multiply:
      latest_[static_cast<unsigned>(Unit::multiply)] = issue;
      break;
    case InstructionKind::activate:
      latest_[static_cast<unsigned>(Unit::activate)] = issue;
      break;
    case InstructionKind::nothing:
      break;
  }
}

void HostOrder::looked() {
  if (told_below() >= ordered_below_) return;
  learnt_ = knowledge_ ? knowledge_->learn() : 0;
  learnt_below_ = ordered_below_;
  if (learnt_ == 0) seen_below_ = ordered_below_;
  noted_ = std::max(noted_, told_below());
}

std::uint64_t HostOrder::told_below() {
  if (!looks_expected_) return ordered_below_;
  if (learnt_ != 0 && knowledge_ && knowledge_->told(learnt_)) {
    seen_below_ = learnt_below_;
    learnt_ = 0;
  }
  return seen_below_;
}

std::uint64_t HostOrder::known_below() {
  const std::uint64_t told = told_below();
  return learnt_ != 0 && knowledge_ && knowledge_->in_handler() ? learnt_below_ : told;
}

/// Enters what has been pushed since the last time into the maps.
void HostOrder::note() {
  const InstructionLog& log = report_.log();
  for (noted_ = std::max(noted_, told_below()); noted_ < log.next(); ++noted_) {
    const Instruction in = log.find(noted_).instruction;
    switch (in.kind()) {
      case InstructionKind::read_weights:
        loaded_.insert(in.weight_address(), in.length, noted_, 0);
        break;
      case InstructionKind::matrix_multiply:
        read_.insert(in.buffer, in.length, noted_, 0);
        break;
      case InstructionKind::activate:
        written_.insert(in.buffer, in.length, noted_, 0);
        break;
      case InstructionKind::synchronize:
      case InstructionKind::nothing:
        break;
    }
  }
}

/// Edge at which an instruction issued, none if it waits still. Of one that has been forgotten an edge that is late
/// enough: its unit has taken another one since.
std::optional<Edge> HostOrder::issue_of(std::uint64_t number) const {
  if (number >= next_issue_) return std::nullopt;
  const PushedInstruction pushed = report_.log().find(number);
  if (pushed.issued != kNoEdge) return pushed.issued;
  for (const Issue& latest : latest_)
    if (latest.number == number) return latest.edge;
  return 0;
}

void HostOrder::buffer_read(unsigned row, Edge edge, const Origin& origin) {
  if (all_ordered()) return;
  note();
  check(HazardKind::host_read_too_early, written_, row, edge, width_ + 19, origin);
}

/// A multiply that reads at the same edge gets the new data already.
void HostOrder::buffer_written(unsigned row, Edge edge, const Origin& origin) {
  if (all_ordered()) return;
  note();
  check(HazardKind::host_write_too_early, read_, row, edge, 4 + 1, origin);
  check(HazardKind::host_write_too_early, written_, row, edge, width_ + 19, origin);
}

void HostOrder::weights_written(unsigned row, Edge edge, const Origin& origin) {
  if (all_ordered()) return;
  note();
  check(HazardKind::host_weights_too_early, loaded_, row, edge, 4 + 1, origin);
}

/// `first_use`: edges after its issue from which on the instruction is done with its first row.
void HostOrder::check(HazardKind kind, const RowMap& rows, unsigned row, Edge edge, Edge first_use,
                      const Origin& origin) {
  std::uint64_t position = 0;
  const RowMap::Piece* const piece = rows.find(row, position);
  if (!piece || piece->number < known_below()) return;
  const std::optional<Edge> issue = issue_of(piece->number);
  Hazard hazard{kind, piece->number, kNoInstruction, row, 1, edge, edge, row};
  hazard.by_timing = issue && *issue + first_use + position <= edge;
  hazard.unseen = piece->number < ordered_below_;
  hazard.other_pushed.origin = origin;
  report_.add(hazard);
}

void HostOrder::reset() {
  ordered_below_ = seen_below_ = noted_ = next_issue_ = report_.log().next();
  learnt_ = 0;
}

void HostOrder::persist(Archive& archive) {
  archive("ordered_below", ordered_below_)("next_issue", next_issue_)("latest", latest_)("noted", noted_);
  archive("loaded", loaded_)("read", read_)("written", written_);
  if (archive.version() >= 2) archive("seen_below", seen_below_);
  if (archive.version() >= 3) archive("learnt", learnt_)("learnt_below", learnt_below_);
}

}  // namespace vp::tinytpu
