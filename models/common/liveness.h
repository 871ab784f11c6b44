#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "models/common/horizon.h"

namespace vp {

/// Who will still do something by itself: parties that say so (a CPU that runs, a DMA transfer under way) and devices
/// with a visible event planned (the horizon). One a platform. A generator of traffic only fills: when nobody else is
/// alive it rests, so that the simulation can run out of events and the run end.
class Liveness {
 public:
  class Member;

  explicit Liveness(const Horizon& horizon) : horizon_(horizon) {}
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;

  bool anyone() const { return alive_ != 0 || horizon_.earliest() != kNever; }
  /// The same besides so many parties.
  bool anyone_besides(unsigned parties) const { return alive_ > parties || horizon_.earliest() != kNever; }
  /// Is told when a member has become alive while none was.
  void on_revival(std::function<void()> callback) { revived_.push_back(std::move(callback)); }

 private:
  const Horizon& horizon_;
  unsigned alive_ = 0;
  std::vector<std::function<void()>> revived_;
};

/// One party; not alive at first.
class Liveness::Member {
 public:
  explicit Member(Liveness& liveness) : liveness_(liveness) {}
  ~Member() { liveness_.alive_ -= alive_; }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  bool alive() const { return alive_; }
  void set(bool alive) {
    if (alive == alive_) return;
    alive_ = alive;
    if (!alive) {
      --liveness_.alive_;
    } else if (liveness_.alive_++ == 0) {
      for (const auto& callback : liveness_.revived_) callback();
    }
  }
  /// As a saved state says: nobody is told, since all are loaded as they were.
  void restore(bool alive) {
    liveness_.alive_ += static_cast<unsigned>(alive) - static_cast<unsigned>(alive_);
    alive_ = alive;
  }

 private:
  Liveness& liveness_;
  bool alive_ = false;
};

}  // namespace vp
