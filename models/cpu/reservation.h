#pragma once

#include <cstdint>

#include "models/cpu/hart_context.h"

namespace vp::cpu {

/// The bytes of memory that LR has reserved by host pointer. The port keeps them, in order with the writes of others;
/// but as long as nobody else comes, the hart keeps them to itself, and tells the port before anybody can.
template <typename Word>
class Reservation {
 public:
  explicit Reservation(HartContext<Word>& hart) : hart_(hart) {}

  /// Reserves these bytes at the present local time.
  bool reserve(std::uint64_t physical, unsigned size);
  /// They are still reserved. That ends here.
  bool claim(std::uint64_t physical, unsigned size);

  /// Before this time nobody else comes, so that the port need not be told; 0: it must be.
  Picoseconds private_until() {
    if (!known_) look();
    return in_port_ ? 0 : alone_until_;
  }
  /// What only the hart knows of; `size` 0: nothing.
  struct Bytes {
    std::uint64_t physical = 0;
    unsigned size = 0;
  };
  const Bytes& own() const { return own_; }
  void set_own(const Bytes& bytes) { own_ = bytes; }

  /// Before the port is used and whenever the hart stops: then others may come.
  void hand_over() {
    known_ = false;
    if (own_.size != 0) tell();
  }
  /// The port may keep one, or not: LR has gone through it, or a state has been loaded.
  void set_in_port(bool in_port) { in_port_ = in_port; }

 private:
  void look();
  void tell();
  bool ask(std::uint64_t physical, unsigned size, bool claim);

  HartContext<Word>& hart_;
  Bytes own_;
  bool in_port_ = false;  ///< it keeps one, perhaps
  bool known_ = false;    ///< `alone_until_` is
  Picoseconds alone_until_ = 0;
};

}  // namespace vp::cpu
