#include "models/virtio/entropy.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/figures.h"
#include "models/virtio/queue.h"

namespace vp::virtio {

Entropy::Entropy(const EntropyConfig& config)
    : source_(config.source), generator_(config.seed), medium_(config.medium) {}

void Entropy::begin(Queue& queue, Picoseconds now) {
  if (queue.readable() != 0) return queue.refuse("a request for entropy has buffers that the device would read");
  moving_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(queue.writable(), Queue::kBuffer));
  fill(queue.buffer(), moving_);
  medium_.begin(now);
  queue.store(moving_, medium_.move(moving_));
}

void Entropy::moved(Queue& queue, Picoseconds now) {
  done_.bytes += moving_;
  queue.finish(now);
}

void Entropy::fill(std::uint8_t* bytes, std::uint32_t count) {
  if (source_ == EntropySource::host) {
    std::random_device host;
    for (std::uint32_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(host());
    return;
  }
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i % 8 == 0) word = generator_();
    bytes[i] = static_cast<std::uint8_t>(word >> (8 * (i % 8)));
  }
}

void Entropy::report(Statistics& group) const { write_figures(done_, group); }

void Entropy::persist(Archive& archive) {
  if (source_ == EntropySource::host)
    throw UserError("random bytes of the host cannot be had a second time: no state of this machine can be kept.");
  archive("generator", generator_)("medium", medium_)("moving", moving_)("bytes", done_.bytes);
}

}  // namespace vp::virtio
