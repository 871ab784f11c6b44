#pragma once

#include <array>
#include <optional>

#include "models/common/clock.h"
#include "models/common/instruction_source.h"
#include "models/matmul/core.h"

namespace vp::matmul {

/// The log of a MatMul device's instructions: pushed when the word was stored into the thread's instruction memory,
/// issued with its fetch, done with the next fetch or the thread's rest. Numbers count fetches of both threads.
class ThreadLog : public InstructionSource, private CoreObserver {
 public:
  ThreadLog(Core& core, Picoseconds clock_period) : core_(core), clock_(clock_period) {}

  void log_to(InstructionSink& sink) override;
  void end_log() override;

 private:
  void on_fetch(unsigned thread, std::uint64_t cycle) override;
  void on_issue(unsigned thread, std::uint32_t pc, Opcode opcode, bool disabled) override;
  void on_rest(unsigned thread, std::uint64_t cycle, bool disabled) override;
  void finish(unsigned thread, std::uint64_t cycle);

  Core& core_;
  const Clock clock_;
  InstructionSink* sink_ = nullptr;
  std::uint64_t fetches_ = 0;
  std::array<std::uint64_t, kThreads> fetched_{};                ///< clock of the latest fetch
  std::array<std::optional<LoggedInstruction>, kThreads> open_;  ///< in work
};

}  // namespace vp::matmul
