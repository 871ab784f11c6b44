#pragma once

#include <cstdint>

#include "models/common/clock.h"

namespace vp::axidma {

/// What one channel of an AXI DMA has done.
struct ChannelFigures {
  std::uint64_t transfers = 0;  ///< that have completed
  std::uint64_t failed = 0;     ///< that have ended with an error
  std::uint64_t cancelled = 0;  ///< that a reset has ended
  std::uint64_t bytes = 0;      ///< of those that have completed
  std::uint64_t bursts = 0;
  std::uint64_t lost = 0;  ///< bytes of S2MM that came without a transfer, or beyond its buffer
  Picoseconds busy = 0;    ///< from the write of LENGTH to Idle

  template <typename List>
  void list(List& list) const {
    list.figure("transfers", transfers, "", "transfers that have completed");
    list.figure("failed", failed, "", "transfers that have ended with an error");
    list.figure("cancelled", cancelled, "", "transfers that a reset has ended");
    list.figure("bytes", bytes, "bytes", "of the transfers that have completed");
    list.figure("bursts", bursts, "", "bursts that were asked for");
    list.figure("lost", lost, "bytes", "of the stream, that came without a transfer or beyond its buffer");
    list.figure("busy", busy, "ps", "time from a start to Idle");
  }
};

struct Figures {
  ChannelFigures mm2s, s2mm;

  template <typename List>
  void list(List& list) const {
    list.group("mm2s", "channel from memory to the stream", mm2s);
    list.group("s2mm", "channel from the stream to memory", s2mm);
  }
};

}  // namespace vp::axidma
