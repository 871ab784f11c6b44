#include "models/tinytpu/issue_log.h"

#include "models/tinytpu/asm.h"

namespace vp::tinytpu {

void IssueLog::log_to(InstructionSink& sink) {
  sink_ = &sink;
  core_.set_instruction_observer(this);
}

void IssueLog::pushed(const Instruction& instruction, std::uint64_t number, Edge edge, const Origin& origin) {
  waiting_.push_back({instruction, number, edge, origin});
}

/// They issue in the order in which they were pushed.
void IssueLog::issued(const Issue& issue) {
  if (waiting_.empty()) return;  // pushed before the log began
  LoggedInstruction entry = this->entry(waiting_.front());
  waiting_.pop_front();
  entry.issued = issue.edge * core_.config().clock_period;
  entry.done = done(issue) * core_.config().clock_period;
  sink_->take(entry);
}

void IssueLog::dropped() {
  for (const Waiting& waiting : waiting_) sink_->take(entry(waiting));
  waiting_.clear();
}

void IssueLog::end_log() {
  if (sink_) dropped();
}

/// Edge of its last memory event; its issue, if it has none.
Edge IssueLog::done(const Issue& issue) const {
  const Edge last = issue.edge + issue.instruction.length - 1, width = core_.config().matrix_width;
  if (issue.instruction.length == 0) return issue.edge;
  switch (issue.instruction.kind()) {
    case InstructionKind::read_weights:
      return last + 7;
    case InstructionKind::matrix_multiply:
      return last + width + 15;
    case InstructionKind::activate:
      return last + width + 19;
    case InstructionKind::synchronize:
    case InstructionKind::nothing:
      break;
  }
  return issue.edge;
}

LoggedInstruction IssueLog::entry(const Waiting& waiting) const {
  LoggedInstruction entry;
  entry.number = waiting.number;
  entry.text = disassemble(waiting.instruction);
  entry.pushed = waiting.edge * core_.config().clock_period;
  entry.origin = waiting.origin;
  return entry;
}

}  // namespace vp::tinytpu
