#pragma once

#include <cstdint>
#include <functional>

#include "models/cpu/core.h"

namespace vp {

/// Notices a trap handler that traps on its own way, for ever: a stack overflow makes its first store fault, and with
/// it every further one.
class TrapLoop {
 public:
  /// Eight bytes of memory at an address; false where there is none.
  using Memory = std::function<bool(std::uint64_t, std::uint64_t&)>;

  /// Every trap in its order, with the instructions retired before it. Returns true once, when it is a loop: the same
  /// exception a thousand times, each time a straight way behind the handler's first instruction, on which no mret
  /// or sret is.
  bool add(const cpu::TrapRecord& trap, std::uint64_t retired, const Memory& memory);
  /// The trap before the loop: what led there.
  const cpu::TrapRecord& beginning() const { return before_; }

 private:
  static bool straight(const cpu::TrapRecord& trap, std::uint64_t instructions);
  static bool returns_on_the_way(const cpu::TrapRecord& trap, const Memory& memory);

  cpu::TrapRecord last_, before_;
  std::uint64_t last_retired_ = 0;
  unsigned repeats_ = 0;
};

}  // namespace vp
