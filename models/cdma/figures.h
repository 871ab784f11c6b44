#pragma once

#include <cstdint>

#include "models/common/clock.h"

namespace vp::cdma {

/// What a CDMA has done.
struct Figures {
  std::uint64_t transfers = 0;  ///< that have completed
  std::uint64_t failed = 0;     ///< that have ended with an error
  std::uint64_t cancelled = 0;  ///< that a reset has ended
  std::uint64_t bytes = 0;      ///< of those that have completed
  std::uint64_t read_bursts = 0, write_bursts = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0;
  Picoseconds busy = 0;  ///< from the write of BTT to Idle

  template <typename List>
  void list(List& list) const {
    list.figure("transfers", transfers, "", "transfers that have completed");
    list.figure("failed", failed, "", "transfers that have ended with an error");
    list.figure("cancelled", cancelled, "", "transfers that a reset has ended");
    list.figure("bytes", bytes, "bytes", "copied by the transfers that have completed");
    list.figure("read_bursts", read_bursts, "", "bursts that have left on the read channel");
    list.figure("write_bursts", write_bursts, "", "bursts that have left on the write channel");
    list.figure("busy", busy, "ps", "time from a start to Idle");
  }
};

}  // namespace vp::cdma
