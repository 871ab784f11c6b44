#include "models/memory/dram/replay.h"

#include <algorithm>
#include <queue>

#include "models/memory/dram/queued_channel.h"

namespace vp::dram {
namespace {

/// Keeps the figures of a replay.
class Recorder {
 public:
  explicit Recorder(std::size_t requests) {
    result_.presented.resize(requests);
    result_.accepted.resize(requests);
    result_.latency.resize(requests);
  }

  /// A request that was presented entered; its latency counts from `since`.
  void start(std::uint64_t id, Cycle presented, Cycle at, Cycle since) {
    if (id == 0) result_.first = since;
    result_.presented[id] = presented;
    result_.accepted[id] = at;
    result_.latency[id] = since;
  }
  void finish(std::uint64_t id, Cycle at) {
    result_.latency[id] = at - result_.latency[id];
    result_.end = std::max(result_.end, at);
  }
  /// Waits for all requests, and takes the channel's counts up to the last data.
  ReplayResult drain(QueuedChannel& channel) {
    while (channel.unfinished() > 0)
      if (const auto done = channel.step(kNoCycle)) finish(done->id, done->at);
    channel.step(result_.end + 1);
    result_.activates = channel.activates();
    result_.precharges = channel.precharges();
    result_.refreshes = channel.refreshes();
    result_.broken_limit = channel.broken_limit();
    return std::move(result_);
  }

 private:
  ReplayResult result_;
};

/// Known ends of requests. Those of reads become known in their order, as those of writes, but not both together.
class KnownEnds {
 public:
  std::size_t size() const { return ends_[0].size() + ends_[1].size(); }
  void add(const Completion& done) { ends_[done.write].push(done.at); }
  /// kNoCycle if there is none.
  Cycle first() const { return std::min(front(0), front(1)); }
  void drop_until(Cycle now) {
    for (auto& ends : ends_)
      while (!ends.empty() && ends.front() <= now) ends.pop();
  }

 private:
  Cycle front(int kind) const { return ends_[kind].empty() ? kNoCycle : ends_[kind].front(); }
  std::queue<Cycle> ends_[2];
};

}  // namespace

ReplayResult replay_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace, unsigned window,
                           QueuedChannel::CommandObserver observer) {
  QueuedChannel channel(config);
  channel.on_command(std::move(observer));
  Recorder recorder(trace.size());
  KnownEnds ends;
  Cycle now = 1;
  for (std::uint64_t id = 0; id < trace.size(); ++id, ++now) {
    for (Cycle presented = kNoCycle;;) {
      ends.drop_until(now);
      const bool room = ends.size() + channel.unfinished() < window;
      if (room) presented = std::min(presented, now);
      if (room && channel.now() >= now && channel.can_accept()) {
        recorder.start(id, presented, now, now);
        break;
      }
      // Up to `now` first; if there is no room then, up to the next end of data known or found, or to the next move.
      const Cycle limit = channel.now() < now ? now : room ? channel.next_event() + 1 : ends.first();
      if (const auto done = channel.step(limit)) {
        recorder.finish(done->id, done->at);
        ends.add(*done);
        now = std::max(now, channel.now());
      } else {
        now = std::max(now, limit);
      }
    }
    channel.present(id, trace[id].address, trace[id].write, now);
  }
  return recorder.drain(channel);
}

ReplayResult replay_arrivals(const ChannelConfig& config, const std::vector<TraceRequest>& trace,
                             QueuedChannel::CommandObserver observer) {
  QueuedChannel channel(config);
  channel.on_command(std::move(observer));
  Recorder recorder(trace.size());
  Cycle now = 0;
  for (std::uint64_t id = 0; id < trace.size(); ++id, ++now) {
    now = std::max(now, trace[id].arrival);
    const Cycle presented = now;
    while (channel.now() < now || !channel.can_accept()) {
      const Cycle limit = channel.now() < now ? now : channel.next_event() + 1;
      if (const auto done = channel.step(limit)) recorder.finish(done->id, done->at);
      now = std::max(now, channel.now());
    }
    recorder.start(id, presented, now, trace[id].arrival);
    channel.present(id, trace[id].address, trace[id].write, now);
  }
  return recorder.drain(channel);
}

}  // namespace vp::dram
