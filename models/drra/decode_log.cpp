#include "models/drra/decode_log.h"

#include "models/drra/isa.h"

namespace vp::drra {

void DecodeLog::log_to(InstructionSink& sink) {
  sink_ = &sink;
  core_.set_observer(this);
}

void DecodeLog::on_instruction(Cycle cycle, const Cell& cell, unsigned pc, const Instruction& in) {
  std::optional<LoggedInstruction>& open = open_[cell.index];
  const Picoseconds now = clock_.time_of(cycle);
  if (open) {
    open->done = now;
    sink_->take(*open);
  }
  open.emplace();
  open->number = count_++;
  open->unit = "cell " + std::to_string(cell.row) + "," + std::to_string(cell.column);
  open->text = "pc " + std::to_string(pc) + ": " + to_text(in);
  open->pushed = pushed_;
  open->origin = origin_;
  open->issued = now;
  if (in.operation != Operation::halt) return;
  open->done = now;  // nothing follows
  sink_->take(*open);
  open.reset();
}

void DecodeLog::end_log() {
  for (auto& open : open_) {
    if (sink_ && open) sink_->take(*open);
    open.reset();
  }
}

}  // namespace vp::drra
