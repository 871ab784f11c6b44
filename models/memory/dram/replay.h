#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/memory/dram/config.h"
#include "models/memory/dram/queued_channel.h"

namespace vp::dram {

/// One burst of a recorded request list.
struct TraceRequest {
  std::uint64_t address = 0;
  bool write = false;
  Cycle arrival = 0;  ///< for arrival-driven replays only
};

/// What a replay gave, in cycles.
struct ReplayResult {
  std::vector<Cycle> presented;  ///< by request: from when it asked to enter, as far as its window (arrival) decides
  std::vector<Cycle> accepted;   ///< by request: when it entered the transaction queue
  std::vector<Cycle> latency;    ///< by request: end of data minus acceptance (window) or arrival
  Cycle first = 0;               ///< first acceptance or arrival
  Cycle end = 0;                 ///< last data beat of all
  // Commands up to `end`; only explicit precharges count.
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t refreshes = 0;
  std::string broken_limit;  ///< QueuedChannel::broken_limit() afterwards
};

/// Replays on a QueuedChannel. A request is presented as soon as fewer than `window` are outstanding, at most one a
/// cycle, in trace order, from cycle 1 on, and held while the channel's queue is full; a completed request makes room
/// in the window in the cycle in which its data ends.
ReplayResult replay_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned window,
                           QueuedChannel::CommandObserver observer = nullptr);

/// Replays on a QueuedChannel. A request is presented in its arrival cycle, at most one a cycle, in order, later if the
/// channel's queue is full; its latency counts from its arrival.
ReplayResult replay_arrivals(const ChannelConfig& config, const std::vector<TraceRequest>& trace,
                             QueuedChannel::CommandObserver observer = nullptr);

}  // namespace vp::dram
