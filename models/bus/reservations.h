#pragma once

#include <cstdint>
#include <vector>

#include "models/common/clock.h"

namespace vp {

class Archive;

/// The bytes that initiators have reserved for a conditional write (LR/SC), one reservation an initiator. It stands for
/// the aligned block of 64 bytes (or two) that holds them, and ends with any write to that by somebody else, whatever
/// value it writes.
class Reservations {
 public:
  explicit Reservations(std::size_t initiators) : held_(initiators), own_writes_(initiators) {}

  void reserve(unsigned initiator, std::uint64_t address, std::uint64_t size);
  /// Ends the initiator's reservation; true if these bytes were still reserved.
  bool claim(unsigned initiator, std::uint64_t address, std::uint64_t size);
  /// Nobody that can reserve: a debugger or loader.
  static constexpr unsigned kNobody = ~0u;
  /// An initiator has written.
  void written(unsigned initiator, std::uint64_t address, std::uint64_t size) {
    ++writes_;
    if (initiator < own_writes_.size()) ++own_writes_[initiator];
    if (count_ != 0) end_others(initiator, address, size);
  }
  /// How often anybody else has.
  std::uint64_t writes_of_others(unsigned initiator) const { return writes_ - own_writes_[initiator]; }
  /// Somebody else has reserved bytes in this range (inclusive).
  bool others(unsigned initiator, std::uint64_t first, std::uint64_t last) const {
    return count_ != 0 && held_by_others(initiator, first, last);
  }
  void clear();
  void persist(Archive& archive);

  static constexpr std::uint64_t kBlock = 64;

 private:
  struct Reservation {
    bool valid = false;
    std::uint64_t first = 0, last = 0;  // of the block
    std::uint64_t address = 0, size = 0;
    void persist(Archive& archive);
  };
  void end(Reservation& one);
  bool held_by_others(unsigned initiator, std::uint64_t first, std::uint64_t last) const;
  void end_others(unsigned initiator, std::uint64_t address, std::uint64_t size);

  std::vector<Reservation> held_;  // by initiator
  unsigned count_ = 0;
  std::uint64_t writes_ = 0;
  std::vector<std::uint64_t> own_writes_;  // by initiator
};

}  // namespace vp
