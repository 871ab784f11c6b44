#pragma once

#include <cstdint>

#include "models/common/target_model.h"
#include "models/common/visible_timer.h"

namespace vp {

/// Reads and writes a model's registers by value, as a guest does. Holds the time and the result of the last access.
class RegisterAccess {
 public:
  explicit RegisterAccess(TargetModel& model) : model_(model) {}

  std::uint64_t read(std::uint64_t offset, unsigned size) {
    std::uint8_t bytes[8] = {};
    result = model_.read(offset, bytes, size, now);
    return value_of(bytes);
  }
  void write(std::uint64_t offset, std::uint64_t value, unsigned size) {
    std::uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
    result = model_.write(offset, bytes, size, now);
  }
  std::uint64_t peek(std::uint64_t offset, unsigned size) {
    std::uint8_t bytes[8] = {};
    model_.debug_read(offset, bytes, size);
    return value_of(bytes);
  }

  Picoseconds now = 0;
  AccessResult result = AccessResult::ok;

 private:
  static std::uint64_t value_of(const std::uint8_t (&bytes)[8]) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
  }
  TargetModel& model_;
};

/// A VisibleTimer that only remembers.
struct RecordingTimer : VisibleTimer {
  void set(Picoseconds time) override { when = time; }
  Picoseconds when = kNever;
};

}  // namespace vp
