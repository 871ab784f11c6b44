#include "models/bus/address_map.h"

#include <algorithm>
#include <stdexcept>

#include "models/common/error.h"

namespace vp {

AddressMap::AddressMap(std::vector<BusWindow> windows) : windows_(std::move(windows)) {
  std::sort(windows_.begin(), windows_.end(), [](const BusWindow& a, const BusWindow& b) { return a.base < b.base; });
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const BusWindow& window = windows_[i];
    if (window.size == 0) throw UserError("the address window of " + window.name + " is empty");
    if (window.last() < window.base)
      throw UserError("the address window of " + window.name + " at " + hexadecimal(window.base) +
                      " reaches past the end of the address space");
    if (i > 0 && windows_[i - 1].last() >= window.base)
      throw UserError("the address windows of " + windows_[i - 1].text() + " and " + window.text() + " overlap");
    for (std::size_t j = 0; j < i; ++j)
      if (windows_[j].name == window.name) throw UserError("two address windows are called " + window.name);
  }
}

unsigned AddressMap::find(std::uint64_t address, std::uint64_t size) const {
  const auto after = std::upper_bound(windows_.begin(), windows_.end(), address,
                                      [](std::uint64_t key, const BusWindow& window) { return key < window.base; });
  if (after == windows_.begin()) return kNone;
  const BusWindow& window = *std::prev(after);
  const std::uint64_t offset = address - window.base;
  if (offset >= window.size || size > window.size - offset) return kNone;
  return static_cast<unsigned>(std::prev(after) - windows_.begin());
}

unsigned AddressMap::find(const std::string& name) const {
  for (std::size_t i = 0; i < windows_.size(); ++i)
    if (windows_[i].name == name) return static_cast<unsigned>(i);
  throw std::logic_error("the bus has no target " + name);
}

unsigned AddressMap::nearest(std::uint64_t address) const {
  unsigned best = kNone;
  std::uint64_t best_distance = 0;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const BusWindow& window = windows_[i];
    const std::uint64_t distance =
        address < window.base ? window.base - address : (address > window.last() ? address - window.last() : 0);
    if (best != kNone && distance >= best_distance) continue;
    best = static_cast<unsigned>(i);
    best_distance = distance;
  }
  return best;
}

}  // namespace vp
