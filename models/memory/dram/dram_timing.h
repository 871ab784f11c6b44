#pragma once

#include "models/common/figures.h"
#include "models/memory/dram/channel.h"
#include "models/memory/memory_timing.h"

namespace vp::dram {

/// A Channel as the timing of a memory. Its answers depend on state, so it grants no fixed latency (and the memory no
/// DMI).
class DramTiming : public MemoryTiming {
 public:
  /// beat_spacing: time between the arrivals of successive bursts of one access, for example the bus time of a burst.
  explicit DramTiming(const ChannelConfig& config, Picoseconds beat_spacing = 0)
      : channel_(config), beat_spacing_(beat_spacing) {}

  Answer access(bool write, std::uint64_t offset, unsigned size, Picoseconds arrival, Caller caller) override {
    const Channel::Times times = channel_.access(arrival, offset, size, write, beat_spacing_, caller);
    return {times.complete, times.complete - times.first};
  }
  void reset() override { channel_.reset(); }
  void persist(Archive& archive) override { channel_.persist(archive); }
  double peak_bytes_per_second() const override { return channel_.config().peak_bytes_per_second(); }
  void report(Statistics& statistics) const override { write_figures(channel_.figures(), statistics); }

  void on_data(DataObserver observer) override { channel_.on_data(std::move(observer)); }
  std::string broken_conservation() const override { return channel_.broken_conservation(); }

  Channel& channel() { return channel_; }

 private:
  Channel channel_;
  Picoseconds beat_spacing_;
};

}  // namespace vp::dram
