#pragma once

#include <cstdint>

#include "models/common/clock.h"

namespace vp::cpu {

/// Memory that the hart may read or write through a host pointer (a TLM direct-memory grant).
struct DirectRegion {
  std::uint8_t* host = nullptr;  ///< of the byte at `first`
  std::uint64_t first = 0;       ///< guest address of the first byte
  std::uint64_t last = 0;        ///< guest address of the last byte
  Picoseconds read_latency = 0;  ///< of one access of 1 to 8 bytes, as the slow path would add it
  Picoseconds write_latency = 0;
  bool readable = false;
  bool writable = false;
};

/// Answer to an access through the slow path.
struct AccessResult {
  bool ok = false;           ///< false: nothing there, or the target refused; the hart takes an access fault
  bool direct_hint = false;  ///< the target says that direct() may now be granted
};

/// What the hart sees of the world outside: implemented by the SystemC shell over TLM, and by tests over arrays.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;

  /// One data access of 1 to 8 bytes, not crossing an 8-byte boundary, in guest byte order. `time` is the local time at
  /// which it leaves the hart; the port adds the latency.
  virtual AccessResult access(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) = 0;

  /// Asks for direct access at `address`. False if there is none.
  virtual bool direct(std::uint64_t address, bool write, DirectRegion& region) = 0;

  /// Reads code without taking time or having an effect. Returns how many of the `size` bytes (from the first) exist.
  virtual unsigned fetch(std::uint64_t address, void* data, unsigned size) = 0;

  /// The `time` counter at local time `now`; false if the machine has none (then the CSR does not exist).
  virtual bool time_counter(Picoseconds now, std::uint64_t& value) = 0;
};

}  // namespace vp::cpu
