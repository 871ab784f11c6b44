#include "models/cpu/debug_points.h"

#include <algorithm>

namespace vp::cpu {

void DebugPoints::insert_breakpoint(std::uint64_t address) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), address);
  if (place == breakpoints_.end() || *place != address) breakpoints_.insert(place, address);
}

bool DebugPoints::remove_breakpoint(std::uint64_t address) {
  const auto place = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), address);
  if (place == breakpoints_.end() || *place != address) return false;
  breakpoints_.erase(place);
  return true;
}

bool DebugPoints::breakpoint_at(std::uint64_t address) const {
  return std::binary_search(breakpoints_.begin(), breakpoints_.end(), address);
}

bool DebugPoints::insert_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) {
  if (length == 0 || address + (length - 1) < address) return false;
  const Watchpoint wanted{watch, address, address + (length - 1)};
  if (std::find(watchpoints_.begin(), watchpoints_.end(), wanted) == watchpoints_.end()) watchpoints_.push_back(wanted);
  return true;
}

bool DebugPoints::remove_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) {
  const auto place =
      std::find(watchpoints_.begin(), watchpoints_.end(), Watchpoint{watch, address, address + (length - 1)});
  if (place == watchpoints_.end()) return false;
  watchpoints_.erase(place);
  return true;
}

const DebugPoints::Watchpoint* DebugPoints::find(bool write, std::uint64_t first, std::uint64_t last) const {
  const auto wanted = static_cast<std::uint8_t>(write ? Watch::write : Watch::read);
  const auto found = std::find_if(watchpoints_.begin(), watchpoints_.end(), [&](const Watchpoint& one) {
    return (static_cast<std::uint8_t>(one.watch) & wanted) && one.first <= last && first <= one.last;
  });
  return found == watchpoints_.end() ? nullptr : &*found;
}

std::optional<DebugStop> DebugPoints::hit(bool write, std::uint64_t first, std::uint64_t last) const {
  const Watchpoint* const found = find(write, first, last);
  if (!found) return std::nullopt;
  DebugStop stop;
  stop.reason = DebugStop::Reason::watchpoint;
  stop.watch = found->watch;
  stop.address = std::max(first, found->first);
  stop.write = write;
  return stop;
}

void DebugPoints::clear() {
  breakpoints_.clear();
  watchpoints_.clear();
}

}  // namespace vp::cpu
