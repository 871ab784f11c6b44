#pragma once

#include <optional>
#include <vector>

#include "models/common/clock.h"
#include "models/common/instruction_source.h"
#include "models/drra/core.h"

namespace vp::drra {

/// The log of a fabric's instructions: issued in the cycle in which a cell decodes it, done when the cell decodes its
/// next one; what it has started (a stream of addresses) may go on. Pushed is what starts the run, since an instruction
/// memory may be filled at any time before it; a fabric alone is started by nobody.
class DecodeLog : public InstructionSource, private CoreObserver {
 public:
  explicit DecodeLog(Core& core) : core_(core), clock_(core.config().clock_period), open_(core.cells()) {}

  void log_to(InstructionSink& sink) override;
  void end_log() override;
  /// A run begins, by this store.
  void run_begins(Picoseconds now, const Origin& origin) {
    pushed_ = now;
    origin_ = origin;
  }

 private:
  void on_instruction(Cycle cycle, const Cell& cell, unsigned pc, const Instruction& in) override;

  Core& core_;
  const Clock clock_;
  InstructionSink* sink_ = nullptr;
  std::uint64_t count_ = 0;
  Picoseconds pushed_ = kNever;
  Origin origin_;
  std::vector<std::optional<LoggedInstruction>> open_;  ///< of each cell
};

}  // namespace vp::drra
