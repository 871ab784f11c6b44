#include "models/matmul/run_recorder.h"

#include <utility>

namespace vp::matmul {

void RunRecorder::on_fetch(unsigned thread, std::uint64_t cycle) {
  std::vector<RunRecord>& runs = runs_[thread];
  if (runs.empty() || runs.back().finish) {
    runs.emplace_back();
    runs.back().start = cycle;
  }
  end_instruction(thread, cycle);
  fetched_[thread] = cycle;
}

void RunRecorder::on_issue(unsigned thread, std::uint32_t pc, Opcode opcode, bool disabled) {
  runs_[thread].back().instructions.push_back({opcode, disabled, pc, std::nullopt});
}

void RunRecorder::on_rest(unsigned thread, std::uint64_t cycle, bool disabled) {
  if (runs_[thread].empty()) return;  // the run began before the records were taken
  end_instruction(thread, cycle);
  runs_[thread].back().finish = cycle;
  runs_[thread].back().disabled = disabled;
}

void RunRecorder::end_instruction(unsigned thread, std::uint64_t cycle) {
  std::vector<InstructionRecord>& instructions = runs_[thread].back().instructions;
  if (!instructions.empty()) instructions.back().cycles = cycle - fetched_[thread];
}

RunRecorder::Runs RunRecorder::take() { return std::exchange(runs_, {}); }

}  // namespace vp::matmul
