#include "models/memory/dram/replay.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "models/memory/dram/channel.h"
#include "models/memory/dram/queued_channel.h"

namespace vp::dram {
namespace {

using Earliest = std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>>;

/// Keeps the figures of a replay.
class Recorder {
 public:
  explicit Recorder(const std::vector<TraceRequest>& trace) : started_(trace.size()) {
    result_.latency.resize(trace.size());
  }

  void start(std::uint64_t id, Cycle at) { started_[id] = at; }
  void finish(std::uint64_t id, Cycle at) {
    result_.latency[id] = at - started_[id];
    result_.end = std::max(result_.end, at);
  }
  ReplayResult take() {
    result_.first = started_.empty() ? 0 : started_.front();
    return std::move(result_);
  }

 private:
  std::vector<Cycle> started_;
  ReplayResult result_;
};

void drain(QueuedChannel& channel, Recorder& recorder) {
  while (channel.unfinished() > 0)
    if (const auto done = channel.step(kNoCycle)) recorder.finish(done->id, done->at);
}

}  // namespace

ReplayResult replay_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned window) {
  QueuedChannel channel(config);
  Recorder recorder(trace);
  Earliest ends;  // known ends of outstanding requests
  Cycle now = 1;
  for (std::uint64_t id = 0; id < trace.size(); ++id, ++now) {
    for (;;) {
      while (!ends.empty() && ends.top() <= now) ends.pop();
      const bool room = ends.size() + channel.unfinished() < window;
      if (room && channel.now() >= now && channel.can_accept()) break;
      // Up to `now` first; if there is no room then, up to the next end of data known or found.
      const Cycle limit = channel.now() < now ? now : room ? now + 1 : ends.empty() ? kNoCycle : ends.top();
      if (const auto done = channel.step(limit)) {
        recorder.finish(done->id, done->at);
        ends.push(done->at);
        now = std::max(now, channel.now());
      } else {
        now = std::max(now, limit);
      }
    }
    recorder.start(id, now);
    channel.present(id, trace[id].address, trace[id].write, now);
  }
  drain(channel, recorder);
  return recorder.take();
}

ReplayResult replay_arrivals(const ChannelConfig& config, const std::vector<TraceRequest>& trace) {
  QueuedChannel channel(config);
  Recorder recorder(trace);
  Cycle now = 0;
  for (std::uint64_t id = 0; id < trace.size(); ++id, ++now) {
    now = std::max(now, trace[id].arrival);
    while (channel.now() < now || !channel.can_accept()) {
      const Cycle limit = channel.now() < now ? now : channel.now() + 1;
      if (const auto done = channel.step(limit)) recorder.finish(done->id, done->at);
      now = std::max(now, channel.now());
    }
    recorder.start(id, trace[id].arrival);
    channel.present(id, trace[id].address, trace[id].write, now);
  }
  drain(channel, recorder);
  return recorder.take();
}

ReplayResult replay_window_at_once(const ChannelConfig& config, const std::vector<TraceRequest>& trace,
                                   unsigned window) {
  Channel channel(config);
  Recorder recorder(trace);
  Earliest ends;
  Cycle now = 1;
  for (std::uint64_t id = 0; id < trace.size(); ++id, ++now) {
    if (ends.size() >= window) now = std::max(now, ends.top());
    while (!ends.empty() && ends.top() <= now) ends.pop();
    recorder.start(id, now);
    const Cycle end = channel.burst(now, trace[id].address, trace[id].write);
    recorder.finish(id, end);
    ends.push(end);
  }
  return recorder.take();
}

ReplayResult replay_arrivals_at_once(const ChannelConfig& config, const std::vector<TraceRequest>& trace) {
  Channel channel(config);
  Recorder recorder(trace);
  for (std::uint64_t id = 0; id < trace.size(); ++id) {
    recorder.start(id, trace[id].arrival);
    recorder.finish(id, channel.burst(trace[id].arrival, trace[id].address, trace[id].write));
  }
  return recorder.take();
}

}  // namespace vp::dram
