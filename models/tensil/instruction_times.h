#pragma once

#include "models/common/clock.h"
#include "models/common/instruction_source.h"
#include "models/tensil/core.h"

namespace vp::tensil {

/// The log of a TCU's instructions: issued when it begins, done when its unit has finished it, pushed when the
/// stream of a machine gave it away; without a machine it is there from the start.
class InstructionTimes : public InstructionSource, private CoreObserver {
 public:
  InstructionTimes(Core& core, Picoseconds clock_period) : core_(core), clock_(clock_period) {}

  void log_to(InstructionSink& sink) override;
  void end_log() override {}

 private:
  void executed(std::uint32_t program_counter, const Instruction& in, Picoseconds pushed, std::uint64_t begin,
                std::uint64_t end) override;

  Core& core_;
  const Clock clock_;
  InstructionSink* sink_ = nullptr;
  std::uint64_t count_ = 0;
};

}  // namespace vp::tensil
