#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/common/horizon.h"
#include "models/common/interrupt_line.h"
#include "models/common/visible_timer.h"

namespace vp {

class Archive;

/// The one kernel event of a device: calls the device at the time of its next visible event, and keeps that time in the
/// device's slot of the horizon until it has been delivered, so that no initiator runs past it unnoticed.
class EventTimer : public sc_core::sc_module, public VisibleTimer {
 public:
  /// deliver(due) is called when the event is due; it may set the next one.
  EventTimer(sc_core::sc_module_name name, Horizon& horizon, std::function<void(Picoseconds due)> deliver);

  /// Replaces the next event. A time that is not in the future is delivered in the next delta cycle of the present
  /// instant.
  void set(Picoseconds when) override;
  /// The event not yet delivered, kNever if none.
  Picoseconds next() const { return next_; }

  /// Events that were asked for when the kernel was past them already, and the longest such delay in picoseconds. Zero
  /// with one active initiator; with several at most a quantum.
  std::uint64_t late_events() const { return late_events_; }
  Picoseconds latest() const { return latest_; }
  /// The kernel's time is that at which the state was saved.
  void persist(Archive& archive);

 private:
  void fire();
  void notify();

  Horizon::Slot slot_;
  std::function<void(Picoseconds)> deliver_;
  Picoseconds next_ = kNever;
  std::uint64_t late_events_ = 0;
  Picoseconds latest_ = 0;
  sc_core::sc_event event_;
};

/// An interrupt line whose edges happen at times of their own: the device queues them while its core runs ahead, each
/// is delivered at its time. Advancing a core past an edge therefore never loses it.
class TimedInterruptLine : public sc_core::sc_module {
 public:
  TimedInterruptLine(sc_core::sc_module_name name, Horizon& horizon);

  void bind(InterruptLine::Receiver receiver) { line_.bind(std::move(receiver)); }
  /// Queues an edge. Edges of one time are delivered in the order of the calls.
  void push(Picoseconds time, bool level);
  /// Reset: drops what is queued and drives the line low now.
  void reset();
  bool level() const { return line_.level(); }
  const EventTimer& timer() const { return timer_; }
  void persist(Archive& archive);

 private:
  struct Edge {
    Picoseconds time;
    bool level;
    void persist(Archive& archive);
  };
  void deliver(Picoseconds due);

  InterruptLine line_;
  std::deque<Edge> edges_;
  EventTimer timer_;
};

}  // namespace vp
