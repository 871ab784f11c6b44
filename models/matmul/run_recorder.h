#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/matmul/core.h"

namespace vp::matmul {

/// One instruction of a run.
struct InstructionRecord {
  Opcode opcode = Opcode::term;
  bool disabled = false;  ///< no instruction: a fetch that found the enable bit cleared
  std::uint32_t pc = 0;
  std::optional<std::uint64_t> cycles;  ///< from its fetch to the next; none while it is in work
};

/// What a thread did from one start to its next rest.
struct RunRecord {
  std::uint64_t start = 0;              ///< clock at which the first fetch was entered
  std::optional<std::uint64_t> finish;  ///< clock at which idle or disabled was entered; none while it runs
  bool disabled = false;                ///< ended by the enable bit, not by TERM
  std::vector<InstructionRecord> instructions;
};

/// Writes down all runs of both threads.
class RunRecorder : public CoreObserver {
 public:
  using Runs = std::array<std::vector<RunRecord>, kThreads>;

  void on_fetch(unsigned thread, std::uint64_t cycle) override;
  void on_issue(unsigned thread, std::uint32_t pc, Opcode opcode, bool disabled) override;
  void on_rest(unsigned thread, std::uint64_t cycle, bool disabled) override;

  const Runs& runs() const { return runs_; }
  /// Hands over what was recorded. A run in work is handed over unfinished and continues as a new record.
  Runs take();

 private:
  void end_instruction(unsigned thread, std::uint64_t cycle);

  Runs runs_;
  std::array<std::uint64_t, kThreads> fetched_{};
};

}  // namespace vp::matmul
