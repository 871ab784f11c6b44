#pragma once

#include <functional>
#include <utility>

namespace vp {

class Archive;

/// The output end of an interrupt wire. Setting a level reaches the other end in the same instant, by a call: no
/// signal, no delta cycle. A device sets it directly when a guest's own access changes the level (at that access's
/// local time), and through a TimedInterruptLine when the level changes by itself later.
class InterruptLine {
 public:
  using Receiver = std::function<void(bool level)>;

  /// Connects the other end, which is told the present level at once if it is high. An unconnected line goes nowhere.
  void bind(Receiver receiver) {
    receiver_ = std::move(receiver);
    if (level_ && receiver_) receiver_(true);
  }
  /// Drives the wire. The receiver is called for changes only.
  void set(bool level) {
    if (level == level_) return;
    level_ = level;
    if (receiver_) receiver_(level);
  }
  bool level() const { return level_; }
  /// The other end keeps its own state: it is not told.
  void persist(Archive& archive);

 private:
  Receiver receiver_;
  bool level_ = false;
};

}  // namespace vp
