#pragma once

#include <atomic>

namespace vp {

/// Whether a run is to end soon. Asked for from any thread of the host (Ctrl-C, a limit of wall-clock time). Whoever
/// can work for more than 0.1 s of wall-clock time within one call looks at it meanwhile and gives the rest up: nobody
/// will see its result.
class StopRequest {
 public:
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  bool asked() const { return asked_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> asked_{false};
};

}  // namespace vp
