#pragma once

#include <deque>

#include "models/common/instruction_source.h"
#include "models/tinytpu/core.h"

namespace vp::tinytpu {

/// The log of a tinyTPU's instructions: pushed when the last of the three words arrived, issued when the coordinator
/// handed it to its unit, done with its last memory event (README, Timing).
class IssueLog : public InstructionSource, private InstructionObserver {
 public:
  explicit IssueLog(Core& core) : core_(core) {}

  void log_to(InstructionSink& sink) override;
  void end_log() override;

 private:
  struct Waiting {
    Instruction instruction;
    std::uint64_t number;
    Edge edge;
    Origin origin;
  };

  void pushed(const Instruction& instruction, std::uint64_t number, Edge edge, const Origin& origin) override;
  void issued(const Issue& issue) override;
  void dropped() override;
  Edge done(const Issue& issue) const;
  LoggedInstruction entry(const Waiting& waiting) const;

  Core& core_;
  InstructionSink* sink_ = nullptr;
  std::deque<Waiting> waiting_;
};

}  // namespace vp::tinytpu
