#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "models/common/origin.h"

namespace vp {

/// An instruction of an accelerator, for a log.
struct LoggedInstruction {
  std::uint64_t number = 0;     ///< counted from 0 by the accelerator
  std::string unit = {};        ///< which of several took it: "thread 1"; empty: there is one
  std::string text = {};        ///< as the disassembler writes it
  Picoseconds pushed = kNever;  ///< when the accelerator got it; kNever: it was there from the start
  Origin origin{};              ///< of the store that brought the last of it, if one did
  Picoseconds issued = kNever;  ///< when it began; kNever: it never did
  Picoseconds done = kNever;    ///< when its last effect came; kNever: not up to now
};

/// Takes a log.
class InstructionSink {
 public:
  virtual ~InstructionSink() = default;
  virtual void take(const LoggedInstruction& instruction) = 0;
};

/// Something that executes instructions of its own and can tell of each.
class InstructionSource {
 public:
  virtual ~InstructionSource() = default;
  /// Tells `sink` of each from now on, as soon as its times are known. Before the simulation starts.
  virtual void log_to(InstructionSink& sink) = 0;
  /// The run has ended: tells of those that wait or are under way, too.
  virtual void end_log() = 0;
};

}  // namespace vp
