#pragma once

#include <cstdint>

namespace vp {
class Archive;
}

namespace vp::drra {

using Cycle = std::uint64_t;
constexpr Cycle kNever = ~Cycle{0};

/// What REFI, SRAM and IO say about a stream of addresses.
struct StreamSettings {
  int first = 0;         ///< address
  unsigned delay = 0;    ///< cycles before the first address
  unsigned l1_more = 0;  ///< repetitions of the inner level after the first
  int l1_step = 0;
  unsigned l1_delay = 0;  ///< idle cycles between two addresses of the inner level
  unsigned l2_more = 0;
  int l2_step = 0;
  unsigned l2_delay = 0;  ///< idle cycles between the last address of one repetition and the first of the next
  void persist(Archive& archive);
};

/// A two-level address generator: first + j · l2_step + i · l1_step, one address at a time. The caller takes it modulo
/// its memory's size.
class AddressStream {
 public:
  /// Begins in cycle `start`: the first address comes after the initial delay.
  void start(const StreamSettings& settings, Cycle start) {
    settings_ = settings;
    i_ = j_ = 0;
    base_ = address_ = settings.first;
    next_ = start + settings.delay;
  }

  bool active() const { return next_ != kNever; }
  /// The cycle of the next address; kNever after the last one.
  Cycle next() const { return next_; }
  int address() const { return address_; }
  /// The cycle of the last address of a stream that has just been started.
  Cycle last() const {
    const Cycle inner = Cycle{settings_.l1_more} * (1 + settings_.l1_delay);
    return next_ + (settings_.l2_more + 1) * inner + Cycle{settings_.l2_more} * (1 + settings_.l2_delay);
  }
  /// Goes on to the address behind the present one.
  void advance() {
    if (i_ < settings_.l1_more) {
      ++i_;
      address_ += settings_.l1_step;
      next_ += 1 + settings_.l1_delay;
    } else if (j_ < settings_.l2_more) {
      ++j_;
      i_ = 0;
      address_ = base_ += settings_.l2_step;
      next_ += 1 + settings_.l2_delay;
    } else {
      next_ = kNever;
    }
  }
  void persist(Archive& archive);

 private:
  StreamSettings settings_;
  unsigned i_ = 0, j_ = 0;
  int base_ = 0;
  int address_ = 0;
  Cycle next_ = kNever;
};

}  // namespace vp::drra
