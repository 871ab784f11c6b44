#pragma once

#include <cstdint>
#include <string>

namespace vp {

/// "0x80000000"
std::string hexadecimal(std::uint64_t value);

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

}  // namespace vp
