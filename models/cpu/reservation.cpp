#include "models/cpu/reservation.h"

#include <utility>

namespace vp::cpu {

/// In timed mode the port is used all the time.
template <typename Word>
void Reservation<Word>::look() {
  alone_until_ = hart_.fidelity == Fidelity::functional ? hart_.port.alone_until() : 0;
  known_ = true;
}

template <typename Word>
bool Reservation<Word>::reserve(std::uint64_t physical, unsigned size) {
  if (hart_.state.time >= private_until()) return ask(physical, size, false);
  own_ = {physical, size};
  return true;
}

template <typename Word>
bool Reservation<Word>::claim(std::uint64_t physical, unsigned size) {
  if (hart_.state.time >= private_until()) return ask(physical, size, true);
  const Bytes held = std::exchange(own_, {});
  return held.physical == physical && held.size == size;
}

/// If that had to wait for the kernel, the run loop looks at everything afresh.
template <typename Word>
bool Reservation<Word>::ask(std::uint64_t physical, unsigned size, bool claim) {
  hand_over();
  const Picoseconds before = hart_.port.now();
  const bool held = hart_.port.reserve(physical, size, hart_.state.time, claim);
  hart_.port_used |= hart_.port.now() != before;
  in_port_ = !claim;
  return held;
}

/// At the kernel's time, since nobody has been there from then on: so it need not wait.
template <typename Word>
void Reservation<Word>::tell() {
  const Bytes bytes = std::exchange(own_, {});
  hart_.port.reserve(bytes.physical, bytes.size, hart_.port.now(), false);
  in_port_ = true;
}

template class Reservation<std::uint32_t>;
template class Reservation<std::uint64_t>;

}  // namespace vp::cpu
