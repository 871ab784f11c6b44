#include "models/matmul/thread_log.h"

#include <string>

namespace vp::matmul {

void ThreadLog::log_to(InstructionSink& sink) {
  sink_ = &sink;
  core_.add_observer(*this);
}

void ThreadLog::on_fetch(unsigned thread, std::uint64_t cycle) {
  finish(thread, cycle);
  fetched_[thread] = cycle;
}

void ThreadLog::on_issue(unsigned thread, std::uint32_t pc, Opcode, bool disabled) {
  if (disabled) return;  // it read nothing
  LoggedInstruction& entry = open_[thread].emplace();
  entry.number = fetches_++;
  entry.unit = "thread " + std::to_string(thread);
  std::string text = disassemble({core_.thread(thread).stored(pc)});
  text.pop_back();  // the end of the line
  entry.text = "pc " + std::to_string(pc) + ": " + text;
  entry.issued = clock_.time_of(fetched_[thread]);
  if (const StoredInstruction* const stored = core_.stored(thread, pc)) {
    entry.pushed = clock_.time_of(stored->cycle);
    entry.origin = stored->origin;
  }
}

void ThreadLog::on_rest(unsigned thread, std::uint64_t cycle, bool) { finish(thread, cycle); }

void ThreadLog::finish(unsigned thread, std::uint64_t cycle) {
  if (!open_[thread]) return;
  open_[thread]->done = clock_.time_of(cycle);
  sink_->take(*open_[thread]);
  open_[thread].reset();
}

void ThreadLog::end_log() {
  for (auto& open : open_) {
    if (sink_ && open) sink_->take(*open);
    open.reset();
  }
}

}  // namespace vp::matmul
