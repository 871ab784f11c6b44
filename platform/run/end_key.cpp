#include "platform/run/end_key.h"

#include <utility>

#include "models/common/machine_roles.h"
#include "models/common/tlm_time.h"

namespace vp {

namespace {

constexpr Picoseconds kLookPeriod = 1'000'000'000'000;
/// A machine in which nothing happens for so long has nothing left to do, which the run is to notice.
constexpr unsigned kLongestStill = 100;

}  // namespace

EndKey::EndKey(sc_core::sc_module_name module_name, Board& board, cpu::Cpu& cpu)
    : sc_module(module_name), board_(board), cpu_(cpu) {
  SC_HAS_PROCESS(EndKey);
  SC_METHOD(look);
  sensitive << look_;
  dont_initialize();
}

void EndKey::begin() { look_.notify(to_sc_time(kLookPeriod)); }

void EndKey::look() {
  const Picoseconds slept_now = slept();
  const std::uint64_t retired = cpu_.core().retired();
  const bool idles = slept_now - std::exchange(slept_before_, slept_now) >= kLookPeriod / 10 * 9;
  still_ = retired == std::exchange(retired_before_, retired) ? still_ + 1 : 0;
  if (idles)
    for (const auto& [part, stream] : board_.roles().all<HostStream>()) stream->type_end();
  if (still_ < kLongestStill) look_.notify(to_sc_time(kLookPeriod));
}

/// Up to now; the sleep under way is not in the hart's times yet.
Picoseconds EndKey::slept() const {
  const cpu::CpuTimes times = cpu_.core().times();
  const Picoseconds now = kernel_time();
  return times.idle + (cpu_.sleeps() && now > times.total ? now - times.total : 0);
}

}  // namespace vp
