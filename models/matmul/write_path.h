#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/matmul/core_config.h"
#include "models/matmul/thread.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// A frame the device has begun to send.
struct SentFrame {
  std::uint64_t start_cycle;  ///< the edge after which the line is low
  std::uint8_t byte;
  void persist(Archive& archive);
};

/// Device → host: the WRITE lock, the transmit FIFO and the transmitter (README, line and timing).
class WritePath {
 public:
  using Requests = std::array<ThreadOutputs, kThreads>;
  /// What happened at one edge.
  struct Outcome {
    bool started = false;  ///< a frame began; `frame` says which
    SentFrame frame{};
    bool lost_to_fifo = false;  ///< the lock owner's byte was dropped
    bool lost_to_cts = false;   ///< the FIFO's head was dropped
  };

  explicit WritePath(const CoreConfig& config);

  void reset();
  Outcome clock(std::uint64_t cycle, const Requests& requests, bool cts);
  /// First edge after `cycle` at which something happens without a new request; ~0 if none.
  std::uint64_t next_edge(std::uint64_t cycle, const Requests& requests, bool cts) const;

  int owner() const { return owner_; }
  bool lock(unsigned thread) const { return owner_ == static_cast<int>(thread); }
  /// What the threads see: room in the FIFO.
  bool ready(const Requests& requests) const;
  bool fifo_empty() const { return count_ == 0; }
  unsigned fifo_count() const { return count_; }
  /// The transmitter is idle after edge `cycle`.
  bool idle(std::uint64_t cycle) const { return cycle >= busy_until_; }
  /// The edge after `cycle` takes a byte out of the FIFO, onto the line or (CTS low) to nowhere.
  bool takes_head(std::uint64_t cycle, bool cts) const { return idle(cycle) && count_ > 0 && (cts || cts_byte_loss_); }
  /// A byte waits for CTS only.
  bool waits_for_cts(std::uint64_t cycle, bool cts) const {
    return idle(cycle) && count_ > 0 && !cts && !cts_byte_loss_;
  }
  void persist(Archive& archive);

 private:
  bool offered(const Requests& requests) const {
    return owner_ >= 0 && requests[static_cast<unsigned>(owner_)].byte_valid;
  }
  int next_owner(const Requests& requests) const;

  const std::uint64_t frame_clocks_;
  const bool fifo_byte_loss_, cts_byte_loss_;
  std::vector<std::uint8_t> fifo_;
  std::size_t head_ = 0;
  unsigned count_ = 0;
  int owner_ = -1;
  std::uint64_t busy_until_ = 0;
};

}  // namespace vp::matmul
