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
  /// which it leaves the hart. Any result but ok makes the hart take an access fault; `dmi` says that direct() may be
  /// granted now. LR, SC and AMO come as kinds of their own where the hart has no host pointer. Unless `moved` is false
  /// the hart stops behind it, so that its caller can look at everything afresh.
  virtual Answer access(const vp::Access& access) = 0;

  /// Memory around `address` that may be read (or written) through a host pointer, at the latency that access() would
  /// add.
  virtual std::optional<DmiRegion> direct(std::uint64_t address, bool write) = 0;

  /// Memory around `address` whose bytes may be reached by host pointer; its latencies mean nothing, since the hart
  /// accounts for the time by transfer(). Memory for which this is refused is not cached.
  virtual std::optional<DmiRegion> contents(std::uint64_t address, bool write) = 0;
  /// One transaction of a cache; its data are in memory already, so only time passes.
  virtual Answer transfer(const vp::Access& access) = 0;
  /// The same for a write whose end the hart does not wait for; at most one is under way.
  virtual void post(const vp::Access& access) = 0;
  /// When the last one posted has been done; may wait for the kernel until that is known.
  virtual Picoseconds posted() = 0;
  /// LR and SC by host pointer: reserves bytes at this local time, or asks whether they are still reserved and ends
  /// that
  /// (`claim`). Takes no time; may wait for the kernel.
  virtual bool reserve(std::uint64_t address, unsigned size, Picoseconds time, bool claim) = 0;
  /// Before this time nobody else accesses memory, as long as neither the kernel goes on nor the hart uses the port: so
  /// long reserve() need not be told at once. 0: that is not known, or nothing can be reserved.
  virtual Picoseconds alone_until() const = 0;

  /// Bytes have been written by a pointer of contents(): reservations of others end. Need not be called for bytes that
  /// are not watched() until invalidate_direct() is.
  virtual void written(std::uint64_t address, unsigned size) = 0;
  virtual bool watched(std::uint64_t address, unsigned size) const = 0;

  /// The time of the world outside; it moves when an access has to wait.
  virtual Picoseconds now() const = 0;

  /// Changes whenever memory may have been written by somebody else than this hart: another master, a loader.
  virtual std::uint64_t writes_of_others() const = 0;

  /// Reads code without taking time or having an effect. Returns how many of the `size` bytes (from the first) exist.
  virtual unsigned fetch(std::uint64_t address, void* data, unsigned size) = 0;

  /// The `time` counter at local time `now`; false if the machine has none (then the CSR does not exist).
  virtual bool time_counter(Picoseconds now, std::uint64_t& value) = 0;
  /// From `now` on the line of supervisor mode's own timer is to be high while the `time` counter is at least this.
  virtual void set_supervisor_timer(std::uint64_t /*compare*/, Picoseconds /*now*/) {}
};

}  // namespace vp::cpu
