#pragma once

#include <cstdint>
#include <optional>

#include "models/common/clock.h"
#include "models/common/target_model.h"

namespace vp::cpu {

/// What the hart sees of the world outside: implemented by the SystemC shell over TLM, and by tests over arrays.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;

  /// One data access of 1 to 8 bytes, not crossing an 8-byte boundary, in guest byte order. `time` is the local time at
  /// which it leaves the hart; the port adds the latency. Any result but ok makes the hart take an access fault.
  virtual AccessResult access(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) = 0;
  /// True if the last access came back with the hint that direct() may be granted now.
  virtual bool direct_hint() const = 0;

  /// Memory around `address` that may be read (or written) through a host pointer, at the latency that access() would
  /// add.
  virtual std::optional<DmiRegion> direct(std::uint64_t address, bool write) = 0;

  /// Memory around `address` whose bytes may be reached by host pointer; its latencies mean nothing, since the hart
  /// accounts for the time by transfer(). Memory for which this is refused is not cached.
  virtual std::optional<DmiRegion> contents(std::uint64_t address, bool write) = 0;
  /// One transaction of a cache: `size` bytes from or to `host`, where they are in memory already, so only time passes.
  virtual AccessResult transfer(bool write, std::uint64_t address, std::uint8_t* host, unsigned size,
                                Picoseconds& time) = 0;
  /// Time behind which local time must not fall: an access may have waited for the kernel.
  virtual Picoseconds now() const = 0;

  /// Reads code without taking time or having an effect. Returns how many of the `size` bytes (from the first) exist.
  virtual unsigned fetch(std::uint64_t address, void* data, unsigned size) = 0;

  /// The `time` counter at local time `now`; false if the machine has none (then the CSR does not exist).
  virtual bool time_counter(Picoseconds now, std::uint64_t& value) = 0;
};

}  // namespace vp::cpu
