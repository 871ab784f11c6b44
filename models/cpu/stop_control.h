#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "models/cpu/debug_points.h"

namespace vp::cpu {

/// Who asks a hart to stop, and what it is to tell a debugger then.
class StopControl {
 public:
  enum Asker : std::uint8_t { caller = 1, debugger = 2 };

  // From any thread.
  void ask(Asker who) { asked_.fetch_or(who, std::memory_order_relaxed); }
  void clear(Asker who) { asked_.fetch_and(static_cast<std::uint8_t>(~who), std::memory_order_relaxed); }
  /// The askers, as bits.
  std::uint8_t asked() const { return asked_.load(std::memory_order_relaxed); }

  /// Asks for the debugger, with a reason; of several the first is told.
  void ask(DebugStop why) {
    if (stop_.reason == DebugStop::Reason::request) stop_ = std::move(why);
    ask(debugger);
  }
  /// The reason. From now on the debugger may ask again.
  DebugStop take() {
    clear(debugger);
    return std::exchange(stop_, {});
  }

 private:
  std::atomic<std::uint8_t> asked_{0};
  DebugStop stop_;
};

}  // namespace vp::cpu
