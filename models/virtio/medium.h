#pragma once

#include <algorithm>
#include <cstdint>

#include "models/common/archive.h"
#include "models/common/clock.h"
#include "models/virtio/config.h"

namespace vp::virtio {

/// When the medium behind a device is done with a request's bytes: after its latency it moves them one after the other.
class Medium {
 public:
  explicit Medium(const MediumConfig& config) : config_(config) {}

  void begin(Picoseconds now) { done_ = now + config_.latency; }
  /// So many bytes more (at most 16 MiB), which are there at `now` at the earliest. Returns when they have been moved.
  Picoseconds move(std::uint64_t bytes, Picoseconds now = 0) {
    constexpr std::uint64_t kPicosecondsInASecond = 1'000'000'000'000;
    done_ = std::max(done_, now);
    if (config_.bandwidth != 0) done_ += (bytes * kPicosecondsInASecond + config_.bandwidth - 1) / config_.bandwidth;
    return done_;
  }
  void persist(Archive& archive) { archive("done", done_); }

 private:
  const MediumConfig config_;
  Picoseconds done_ = 0;
};

}  // namespace vp::virtio
