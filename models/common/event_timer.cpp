#include "models/common/event_timer.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/tlm_time.h"

namespace vp {

EventTimer::EventTimer(sc_core::sc_module_name name, Horizon& horizon, std::function<void(Picoseconds due)> deliver)
    : sc_module(name), slot_(horizon), deliver_(std::move(deliver)), event_("due") {
  SC_HAS_PROCESS(EventTimer);
  SC_METHOD(fire);
  sensitive << event_;
  dont_initialize();
}

void EventTimer::set(Picoseconds when) {
  if (when == next_) return;
  next_ = when;
  slot_.set(when);
  const Picoseconds now = kernel_time();
  if (when < now) {
    ++late_events_;
    latest_ = std::max(latest_, now - when);
  }
  notify();
}

void EventTimer::notify() {
  event_.cancel();  // the kernel ignores a notification later than the one it has
  if (next_ == kNever) return;
  const Picoseconds now = kernel_time();
  event_.notify(next_ > now ? to_sc_time(next_ - now) : sc_core::SC_ZERO_TIME);
}

void EventTimer::persist(Archive& archive) {
  archive("next", next_)("late_events", late_events_)("latest", latest_);
  if (!archive.loading()) return;
  slot_.set(next_);
  notify();
}

void EventTimer::fire() {
  // Another process of this instant has moved the event when it could not be withdrawn from the kernel any more.
  if (next_ == kNever || next_ > kernel_time()) return;
  const Picoseconds due = next_;
  next_ = kNever;
  slot_.set(kNever);
  deliver_(due);
}

TimedInterruptLine::TimedInterruptLine(sc_core::sc_module_name name, Horizon& horizon)
    : sc_module(name), timer_("timer", horizon, [this](Picoseconds due) { deliver(due); }) {}

void TimedInterruptLine::push(Picoseconds time, bool level) {
  auto place = edges_.end();
  while (place != edges_.begin() && std::prev(place)->time > time) --place;
  edges_.insert(place, Edge{time, level});
  timer_.set(edges_.front().time);
}

void TimedInterruptLine::reset() {
  edges_.clear();
  timer_.set(kNever);
  line_.set(false);
}

void TimedInterruptLine::deliver(Picoseconds due) {
  while (!edges_.empty() && edges_.front().time <= due) {
    const bool level = edges_.front().level;
    edges_.pop_front();
    line_.set(level);
  }
  timer_.set(edges_.empty() ? kNever : edges_.front().time);
}

void TimedInterruptLine::Edge::persist(Archive& archive) { archive("time", time)("level", level); }

void TimedInterruptLine::persist(Archive& archive) { archive("line", line_)("edges", edges_)("timer", timer_); }

}  // namespace vp
