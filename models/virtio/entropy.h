#pragma once

#include <cstdint>
#include <random>

#include "models/virtio/device.h"
#include "models/virtio/figures.h"
#include "models/virtio/medium.h"

namespace vp::virtio {

/// A source of random bytes (section 5.4): fills the buffers that it is given, up to Queue::kBuffer bytes a request.
class Entropy : public Device {
 public:
  explicit Entropy(const EntropyConfig& config);

  std::uint32_t id() const override { return 4; }
  void begin(Queue& queue, Picoseconds now) override;
  void moved(Queue& queue, Picoseconds now) override;
  void drop(unsigned) override {}

  const EntropyFigures& figures() const { return done_; }
  void report(Statistics& group) const override;
  std::uint64_t bytes() const override { return done_.bytes; }
  /// Throws UserError if its bytes come from the host.
  void persist(Archive& archive) override;

 private:
  void fill(std::uint8_t* bytes, std::uint32_t count);

  const EntropySource source_;
  std::mt19937_64 generator_;
  Medium medium_;
  std::uint32_t moving_ = 0;
  EntropyFigures done_;
};

}  // namespace vp::virtio
