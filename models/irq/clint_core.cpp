#include "models/irq/clint_core.h"

namespace vp {

void ClintConfig::declare(ParameterGroup g) { g.clock("timer_clock", timer_clock, "clock of mtime"); }

ClintCore::ClintCore(const ClintConfig& config, VisibleTimer& wake_up, VisibleTimer& supervisor_wake_up,
                     std::function<Picoseconds()> present)
    : TargetModel(Reads::move_nothing),
      period_(config.timer_clock),
      wake_up_(wake_up),
      supervisor_wake_up_(supervisor_wake_up),
      present_(std::move(present)) {
  msip_.on_write = [this](std::uint32_t value, Picoseconds&) {
    msip_.value = value;
    software_interrupts_ += msip_bit_ && !software.level();
    software.set(msip_bit_);
  };
  mtimecmp_.on_write = [this](std::uint64_t value, Picoseconds& now) {
    mtimecmp_.value = value;
    update_timers(now);
  };
  mtime_.on_read = [this](Picoseconds& now) { return mtime(now); };
  mtime_.on_peek = [this](Picoseconds now) { return mtime(now); };
  mtime_.on_write = [this](std::uint64_t value, Picoseconds& now) {
    offset_ = value - now / period_;
    update_timers(now);
  };
}

void ClintCore::set_supervisor_compare(std::uint64_t value, Picoseconds now) {
  supervisor_compare_ = value;
  compare(value, now, supervisor_timer, supervisor_wake_up_);
}

void ClintCore::update_timers(Picoseconds now) {
  const bool before = timer.level();
  compare(mtimecmp_.value, now, timer, wake_up_);
  timer_interrupts_ += timer.level() && !before;
  compare(supervisor_compare_, now, supervisor_timer, supervisor_wake_up_);
}

void ClintCore::compare(std::uint64_t value, Picoseconds now, InterruptLine& line, VisibleTimer& wake_up) {
  const std::uint64_t count = mtime(now);
  const bool high = count >= value;
  line.set(high);
  // The level changes next when the counter reaches the value, or falls back to 0 after 2^64.
  const std::uint64_t ticks_left = high ? 0 - count : value - count;
  const std::uint64_t tick = now / period_ + ticks_left;
  const bool always = value == 0;
  const bool never = always || ticks_left == 0 || tick < ticks_left || tick > kNever / period_;
  wake_up.set(never ? kNever : tick * period_);
}

void ClintCore::reset(Picoseconds now) {
  bank_.reset();
  offset_ = 0 - now / period_;
  supervisor_compare_ = ~std::uint64_t{0};
  software.set(false);
  update_timers(now);
}

ClintCoreFigures ClintCore::figures() const { return {timer_interrupts_, software_interrupts_}; }

}  // namespace vp
