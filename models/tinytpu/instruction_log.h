#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "models/common/origin.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/isa.h"

namespace vp::tinytpu {

/// An instruction as a finding names it.
struct PushedInstruction {
  bool known = false;
  Instruction instruction;
  Origin origin;          ///< of the store that brought its last word
  Edge issued = kNoEdge;  ///< its issue, if it has been issued
  void persist(Archive& archive);
};

/// The instructions that were pushed last, so that a finding can say what they are and who pushed them. A finding can
/// name one that has been forgotten (weights that were loaded long ago): then it has its number only.
class InstructionLog {
 public:
  /// More than can be pushed over the port while row data lag behind control, and in a FIFO of any usual depth.
  static constexpr std::size_t kKept = 8192;

  explicit InstructionLog(unsigned fifo_depth) : room_(kKept + fifo_depth) {}

  /// Numbers come in their order, without gaps.
  void add(std::uint64_t number, const Instruction& instruction, const Origin& origin) {
    if (kept_.size() == room_) kept_.pop_front();
    kept_.push_back({true, instruction, origin, kNoEdge});
    next_ = number + 1;
  }
  void issued(std::uint64_t number, Edge edge) {
    if (const std::uint64_t age = next_ - number; age >= 1 && age <= kept_.size())
      kept_[kept_.size() - age].issued = edge;
  }
  PushedInstruction find(std::uint64_t number) const {
    const std::uint64_t age = next_ - number;  // 1: the latest
    return age >= 1 && age <= kept_.size() ? kept_[kept_.size() - age] : PushedInstruction();
  }
  /// Number of the next instruction.
  std::uint64_t next() const { return next_; }
  void persist(Archive& archive);

 private:
  std::size_t room_;
  std::deque<PushedInstruction> kept_;
  std::uint64_t next_ = 0;
};

}  // namespace vp::tinytpu
