#pragma once

#include <cstdint>

#include "models/common/clock.h"
#include "models/common/sentence.h"

namespace vp {

/// How a memory-mapped access ended.
enum class AccessResult {
  ok,
  address_error,  ///< nothing answers at this address (offset, or the size at this offset)
  command_error,  ///< something is there, but it cannot be read (or written)
  error,          ///< the target refuses for a reason of its own
  no_answer,      ///< the target never answers; the bus ends the run after `bus.timeout`
};

enum class AccessKind : std::uint8_t {
  plain,
  reserve,      ///< a read that also reserves its bytes for its initiator (RISC-V: LR)
  conditional,  ///< a write that is done only if they are still reserved (SC); Answer::stored says so
  atomic,       ///< reads, computes (AtomicOperation), writes, and nobody comes between (AMO)
};

/// What an atomic access writes, from what is in memory and its operand.
enum class AtomicOperation : std::uint8_t {
  swap,
  add,
  exclusive_or,
  bitwise_and,
  bitwise_or,
  minimum,
  maximum,
  minimum_unsigned,
  maximum_unsigned,
};

/// No instruction is behind an access.
constexpr std::uint64_t kNoPc = ~std::uint64_t{0};

/// A memory-mapped access, as a value: all that the one who is asked may know.
struct Access {
  bool write = false;  ///< of a plain access; the other kinds say it themselves
  AccessKind kind = AccessKind::plain;
  AtomicOperation operation = AtomicOperation::swap;
  unsigned size = 0;                      ///< bytes, at least 1
  std::uint64_t address = 0;              ///< of the first byte; an offset into its window once it is at its target
  std::uint8_t* data = nullptr;           ///< a write does not change them; an atomic access finds its operand here and
                                          ///< leaves what was in memory. nullptr: time only, no byte moves (memories)
  const std::uint8_t* strobes = nullptr;  ///< one a byte, 0: it is not accessed; nullptr: all are
  Picoseconds time = 0;                   ///< absolute local time at which it leaves its initiator, or is at its target
  unsigned initiator = 0;                 ///< number on the bus, small; the bus fills it in
  std::uint64_t pc = kNoPc;               ///< of the load or store behind it
};

/// What came of it.
struct Answer {
  AccessResult result = AccessResult::ok;
  Picoseconds completion = 0;  ///< absolute local time at which the last beat was delivered (accepted)
  Picoseconds streamed = 0;    ///< of that time, the part in which beats after the first moved; a bus overlaps its own
  bool dmi = false;            ///< host pointers are worth asking for
  bool stored = true;          ///< a conditional write: it was done
  bool moved = true;  ///< what lets its initiator run ahead may have changed: the horizon, the kernel's time or
                      ///< what it has planned, an interrupt. False only where the answerer knows that it has not
  Sentence why;       ///< with no_answer: one sentence that says why

  bool ok() const { return result == AccessResult::ok; }
};

/// What an atomic access writes to `size` (4 or 8) bytes that hold `memory`; little-endian values.
std::uint64_t apply(AtomicOperation operation, unsigned size, std::uint64_t memory, std::uint64_t operand);

}  // namespace vp
