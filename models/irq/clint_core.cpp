#include "models/irq/clint_core.h"

namespace vp {

void ClintConfig::declare(ParameterGroup g) { g.clock("timer_clock", timer_clock, "clock of mtime"); }

ClintCore::ClintCore(const ClintConfig& config, VisibleTimer& wake_up, std::function<Picoseconds()> present)
    : period_(config.timer_clock), wake_up_(wake_up), present_(std::move(present)) {
  msip_.on_write = [this](std::uint32_t value, Picoseconds&) {
    msip_.value = value;
    software_interrupts_ += msip_bit_ && !software.level();
    software.set(msip_bit_);
  };
  mtimecmp_.on_write = [this](std::uint64_t value, Picoseconds& now) {
    mtimecmp_.value = value;
    update_timer(now);
  };
  mtime_.on_read = [this](Picoseconds& now) { return mtime(now); };
  mtime_.on_peek = [this](Picoseconds now) { return mtime(now); };
  mtime_.on_write = [this](std::uint64_t value, Picoseconds& now) {
    offset_ = value - now / period_;
    update_timer(now);
  };
}

void ClintCore::update_timer(Picoseconds now) {
  const std::uint64_t count = mtime(now);
  const bool high = count >= mtimecmp_.value;
  timer_interrupts_ += high && !timer.level();
  timer.set(high);
  // The level changes next when the counter reaches mtimecmp, or falls back to 0 after 2^64.
  const std::uint64_t ticks_left = high ? 0 - count : mtimecmp_.value - count;
  const std::uint64_t tick = now / period_ + ticks_left;
  const bool always = mtimecmp_.value == 0;
  const bool never = always || ticks_left == 0 || tick < ticks_left || tick > kNever / period_;
  wake_up_.set(never ? kNever : tick * period_);
}

void ClintCore::reset(Picoseconds now) {
  bank_.reset();
  offset_ = 0 - now / period_;
  software.set(false);
  update_timer(now);
}

ClintCoreFigures ClintCore::figures() const { return {timer_interrupts_, software_interrupts_}; }

}  // namespace vp
