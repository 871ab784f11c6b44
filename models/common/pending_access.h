#pragma once

#include "models/common/access.h"

namespace vp {

/// An access whose answer may come later. Whoever begins it keeps it until answer() has been called.
class PendingAccess {
 public:
  virtual ~PendingAccess() = default;

  Access access;
  /// Whoever passes it on knows that no other access will come before this time (absolute): on its way those of the
  /// same master, at its target anybody's. 0: not known.
  Picoseconds alone_until = 0;

  /// To be called once, in AccessTarget::begin() or later, at a kernel time not after the completion.
  virtual void answer(const Answer& answer) = 0;
};

/// Where accesses with later answers go: a bus, a target. A call, no payload and no thread; it must not wait.
class AccessTarget {
 public:
  virtual ~AccessTarget() = default;
  /// access.time: absolute, when the access is here; not before the kernel's time.
  virtual void begin(PendingAccess& pending) = 0;
  /// The run has ended, and nobody begins an access any more: answers those under way, so that the figures hold them.
  virtual void end_accesses() {}
};

/// What a master announces that sleeps until a visible event wakes it.
inline constexpr Picoseconds kAsleep = kNever - 1;

/// A bus, as a master that has accesses under way sees it.
class AccessBus : public AccessTarget {
 public:
  /// A plain access whose answer can be had by a call, without waiting and without a transaction: gives it and returns
  /// true. False: nothing has been done, and it has to go as a transaction. The answer is the same either way.
  virtual bool answer_at_once(const Access& access, Answer& answer) = 0;
  /// The master will begin no access that leaves before this time (absolute; kNever: none, until a call of somebody
  /// else makes it; kAsleep). Others may run ahead of the kernel that far, so a promise must hold. Without one: any
  /// time.
  virtual void announce(Picoseconds next) = 0;
  /// The master has written these bytes by host pointer for their contents (DmiUse): what others have reserved there
  /// ends.
  virtual void written(std::uint64_t address, unsigned size) = 0;
  /// Somebody else has reserved bytes there, so such writes have to be told; else they need not be. A master that
  /// writes without telling looks again whenever its host pointers have been taken back.
  virtual bool watched(std::uint64_t address, unsigned size) const = 0;
  /// Before this time (absolute) nobody else begins an access, as far as they have announced what they will do: until
  /// somebody's thread goes on, or this master makes an access.
  virtual Picoseconds alone_until() const = 0;
  /// Changes whenever memory may have been written by anybody else, a loader or debugger included.
  virtual std::uint64_t writes_of_others() const = 0;
  /// Accesses wait for each other's beats (timed mode).
  virtual bool has_occupancy() const = 0;
  /// What the bus moves in a cycle of this port, and the cycle.
  virtual unsigned bytes_per_cycle() const = 0;
  virtual Picoseconds cycle() const = 0;
};

}  // namespace vp
