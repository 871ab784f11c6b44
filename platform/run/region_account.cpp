#include "platform/run/region_account.h"

#include <algorithm>
#include <utility>

namespace vp {

namespace {

/// What both moments know of is combined; parts have their places in the lists from the start.
template <typename T, typename Combine>
std::vector<T> combined(const std::vector<T>& one, const std::vector<T>& other, Combine combine) {
  std::vector<T> result = one.size() >= other.size() ? one : other;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) combine(result[i], one[i], other[i]);
  return result;
}

/// Of a peak that is a mean over time, the time-weighted combination; of a constant one that constant.
double combined_peak(double one, Picoseconds one_time, double other, Picoseconds other_time, bool subtract) {
  if (one == other) return one;
  const double a = one * static_cast<double>(one_time), b = other * static_cast<double>(other_time);
  const auto time = static_cast<double>(subtract ? one_time - other_time : one_time + other_time);
  return time > 0 ? (subtract ? a - b : a + b) / time : one;
}

void combine_carried(BusUse& into, const BusUse& other, bool subtract) {
  for (const BusUse::Carried& one : other.carried) {
    const auto same = std::find_if(into.carried.begin(), into.carried.end(), [&](const BusUse::Carried& each) {
      return each.initiator == one.initiator && each.target == one.target;
    });
    if (same == into.carried.end())
      into.carried.push_back(one);  // of a sum: a difference has all that its beginning had
    else
      same->bytes = subtract ? same->bytes - one.bytes : same->bytes + one.bytes;
  }
}

/// `one` with `other` added, or taken away.
Bounds combine(const Bounds& one, const Bounds& other, bool subtract) {
  const auto number = [subtract](auto& into, auto a, auto b) { into = subtract ? a - b : a + b; };
  Bounds result = one;
  number(result.functional_time, one.functional_time, other.functional_time);
  number(result.timed_time, one.timed_time, other.timed_time);
  result.hosts = combined(one.hosts, other.hosts, [&](HostUse& into, const HostUse& a, const HostUse& b) {
    number(into.total, a.total, b.total);
    number(into.executing, a.executing, b.executing);
    number(into.bus, a.bus, b.bus);
    number(into.memory, a.memory, b.memory);
    number(into.asleep, a.asleep, b.asleep);
    number(into.instructions, a.instructions, b.instructions);
  });
  result.computes =
      combined(one.computes, other.computes, [&](ComputeUse& into, const ComputeUse& a, const ComputeUse& b) {
        number(into.mapped_macs, a.mapped_macs, b.mapped_macs);
        into.useful_macs.reset();
        if (a.useful_macs && b.useful_macs) number(into.useful_macs.emplace(), *a.useful_macs, *b.useful_macs);
        number(into.minimum_cycles, a.minimum_cycles, b.minimum_cycles);
        number(into.cycles, a.cycles, b.cycles);
        into.held_up_by = combined(
            a.held_up_by, b.held_up_by,
            [&](HeldUpBy& cause, const HeldUpBy& c, const HeldUpBy& d) { number(cause.cycles, c.cycles, d.cycles); });
      });
  result.memories =
      combined(one.memories, other.memories, [&](MemoryUse& into, const MemoryUse& a, const MemoryUse& b) {
        into.peak_bytes_per_second =
            combined_peak(a.peak_bytes_per_second, one.time(), b.peak_bytes_per_second, other.time(), subtract);
      });
  result.buses = combined(one.buses, other.buses,
                          [&](BusUse& into, const BusUse&, const BusUse& b) { combine_carried(into, b, subtract); });
  result.movers = combined(one.movers, other.movers, [&](MoverUse& into, const MoverUse& a, const MoverUse& b) {
    number(into.bytes, a.bytes, b.bytes);
    number(into.busy, a.busy, b.busy);
  });
  result.engines = combined(one.engines, other.engines, [&](EngineUse& into, const EngineUse& a, const EngineUse& b) {
    number(into.running, a.running, b.running);
    into.uses = combined(a.uses, b.uses, [&](EngineUse::Use& use, const EngineUse::Use& c, const EngineUse::Use& d) {
      number(use.time, c.time, d.time);
    });
  });
  return result;
}

}  // namespace

Bounds between(const Bounds& earlier, const Bounds& later) { return combine(later, earlier, true); }

Bounds sum(const Bounds& one, const Bounds& other) { return combine(one, other, false); }

bool RegionAccount::is_name(const std::string& name) {
  constexpr std::size_t kLongest = 64;
  if (name.empty() || name.size() > kLongest || name.front() == '.' || name.back() == '.') return false;
  if (name.find("..") != std::string::npos) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

bool RegionAccount::enter(const std::string& name, const Bounds& now) {
  leave(now);
  const auto known =
      std::find_if(regions_.begin(), regions_.end(), [&](const Region& region) { return region.name == name; });
  const auto index = static_cast<std::size_t>(known - regions_.begin());
  if (known == regions_.end()) {
    if (index == kMost) return false;
    regions_.push_back({name, 0, now.time(), {}});
  }
  ++regions_[index].entries;
  open_ = index;
  entered_ = now;
  return true;
}

void RegionAccount::leave(const Bounds& now) {
  if (!open_) return;
  Region& region = regions_[*open_];
  const Bounds use = between(entered_, now);
  region.use = region.entries == 1 ? use : sum(region.use, use);
  if (visits_.size() < kMostVisits) visits_.push_back({*open_, entered_.time(), now.time()});
  open_.reset();
}

}  // namespace vp
