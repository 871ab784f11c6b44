#include "models/bus/reservations.h"

namespace vp {

void Reservations::reserve(unsigned initiator, std::uint64_t address, std::uint64_t size) {
  Reservation& one = held_[initiator];
  count_ += !one.valid;
  one = {true, address & ~(kBlock - 1), (address + size - 1) | (kBlock - 1), address, size};
}

bool Reservations::claim(unsigned initiator, std::uint64_t address, std::uint64_t size) {
  Reservation& one = held_[initiator];
  const bool held = one.valid && one.address == address && one.size == size;
  end(one);
  return held;
}

void Reservations::end(Reservation& one) {
  count_ -= one.valid;
  one.valid = false;
}

void Reservations::end_others(unsigned initiator, std::uint64_t address, std::uint64_t size) {
  for (unsigned other = 0; other < held_.size(); ++other)
    if (other != initiator && held_[other].first <= address + size - 1 && address <= held_[other].last)
      end(held_[other]);
}

bool Reservations::held_by_others(unsigned initiator, std::uint64_t first, std::uint64_t last) const {
  for (unsigned other = 0; other < held_.size(); ++other)
    if (other != initiator && held_[other].valid && held_[other].first <= last && first <= held_[other].last)
      return true;
  return false;
}

void Reservations::clear() {
  for (Reservation& one : held_) end(one);
}

}  // namespace vp
