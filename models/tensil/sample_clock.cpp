#include "models/tensil/sample_clock.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::tensil {

void SampleClock::set_interval(std::uint32_t interval, std::uint64_t cycle) {
  changes_.push_back({cycle, interval});
  apply_changes();
}

/// The counter of the hardware reloads with the interval of the sample's own cycle, and stands at zero without one.
void SampleClock::apply_changes() {
  while (!changes_.empty() && changes_.front().cycle <= next_) {
    const Change change = changes_.front();
    changes_.pop_front();
    if (change.interval == 0)
      next_ = kNone;
    else if (next_ == kNone)
      next_ = change.cycle;
    interval_ = change.interval;
  }
}

void SampleClock::advance() {
  next_ += interval_;
  apply_changes();
}

std::uint64_t SampleClock::pass(std::uint64_t cycle) {
  std::uint64_t passed = 0;
  while (next_ < cycle) {
    const std::uint64_t end = changes_.empty() ? cycle : std::min(cycle, changes_.front().cycle);
    const std::uint64_t count = (end - next_ + interval_ - 1) / interval_;
    passed += count;
    next_ += count * interval_;
    apply_changes();
  }
  return passed;
}

std::uint64_t SampleClock::after(std::uint64_t count) const {
  if (next_ == kNone) return kNone;
  const std::uint64_t cycle = next_ + count * interval_;
  return changes_.empty() ? cycle : std::min(cycle, changes_.front().cycle);
}

void SampleClock::Change::persist(Archive& archive) { archive("cycle", cycle)("interval", interval); }

void SampleClock::persist(Archive& archive) {
  archive("interval", interval_)("next", next_)("changes", changes_);
  archive.require(next_ == kNone || interval_ != 0, "interval", "is out of range");
}

}  // namespace vp::tensil
