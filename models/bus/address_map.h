#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vp {

/// A target's place in the address space.
struct BusWindow {
  std::string name;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  /// Plain memory: nothing happens there by itself, so accesses to it need not synchronise with the horizon.
  bool memory = false;
  /// Every access synchronises with the kernel, horizon or not: for what acts on the whole machine (a reset, the end of
  /// the run), whose time must not depend on how far its initiator ran ahead.
  bool exact = false;

  std::uint64_t last() const { return base + size - 1; }
  /// "uart0 (0x10000000 to 0x100000ff)"
  std::string text() const;
};

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

/// "0x80000000"
std::string hexadecimal(std::uint64_t value);

}  // namespace vp
