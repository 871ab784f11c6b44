#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/bus_window.h"

namespace vp {

/// Which window an address belongs to.
class AddressMap {
 public:
  static constexpr unsigned kNone = ~0u;

  /// Throws UserError: two windows overlap, have one name, are empty, or reach past the end of the address space.
  explicit AddressMap(std::vector<BusWindow> windows);

  /// Windows in order of their addresses; an index into it names a window.
  const std::vector<BusWindow>& windows() const { return windows_; }
  /// The window that holds all of address … address + size - 1 (size at least 1), or kNone.
  unsigned find(std::uint64_t address, std::uint64_t size) const;
  /// The window of that name; std::logic_error if there is none.
  unsigned find(const std::string& name) const;
  /// The window that holds the address or is next to it, kNone without windows.
  unsigned nearest(std::uint64_t address) const;

 private:
  std::vector<BusWindow> windows_;
};

}  // namespace vp
