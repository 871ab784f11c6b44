#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/latency_figures.h"
#include "models/common/statistics.h"
#include "models/memory/figures.h"

namespace vp {

class Archive;

/// How long a memory takes to answer. Policies behind this interface: `FixedTiming`, and the DRAM channel of `dram/`,
/// whose answer to an access depends on those that come while it is under way.
class MemoryTiming {
 public:
  struct Answer {
    Picoseconds completion = 0;  ///< absolute time at which the last beat has been delivered (accepted)
    Picoseconds streamed =
        0;  ///< part of it in which the second and later beats moved; a bus overlaps its own beats with it
  };
  /// What every access costs while time depends on nothing but the size.
  struct Fixed {
    Picoseconds read = 0;        ///< up to 4 bytes
    Picoseconds write = 0;       ///< up to 4 bytes
    Picoseconds wide_extra = 0;  ///< added for 8 bytes
  };

  virtual ~MemoryTiming() = default;
  /// An access of `size` bytes (at least 1) at `offset` (within the memory) that arrives at `arrival` (absolute).
  virtual Answer access(bool write, std::uint64_t offset, unsigned size, Picoseconds arrival) = 0;

  /// An access that was pushed is over.
  struct Later {
    std::uint64_t token = 0;
    Answer answer;
  };
  /// What has become of an access that was pushed.
  struct Pushed {
    bool over = false;
    Answer answer;              ///< if it is over
    Picoseconds look = kNever;  ///< else: by when advance_to() is to be called for its sake
  };
  /// The time depends on the accesses that come meanwhile: they are to be pushed, and are answered by advance_to().
  virtual bool answers_later() const { return false; }
  /// Nobody's access comes before `alone_until`; if that is enough to know its end, it is over at once.
  virtual Pushed push(std::uint64_t /*token*/, bool write, std::uint64_t offset, unsigned size, Picoseconds arrival,
                      Picoseconds /*alone_until*/) {
    return {true, access(write, offset, size, arrival), kNever};
  }
  /// By when advance_to() is to be called; kNever: nothing is under way.
  virtual Picoseconds next_event() const { return kNever; }
  /// Nothing is pushed with an earlier arrival from now on. Gives what has been found to be over.
  virtual void advance_to(Picoseconds /*now*/, std::vector<Later>& over) { over.clear(); }
  /// The same ahead of time, as far as what is under way needs it.
  virtual void settle(Picoseconds /*until*/, std::vector<Later>& over) { over.clear(); }

  /// Memory grants host pointers (DMI) only while this has a value.
  virtual std::optional<Fixed> fixed() const { return std::nullopt; }
  /// Forgets all state at `now`; figures stay. What is under way is over with the next advance_to().
  virtual void reset(Picoseconds /*now*/) {}
  virtual void report(Statistics&) const {}
  /// What it keeps from one access to the next, figures included.
  virtual void persist(Archive&) {}
  /// What it can move at most.
  virtual double peak_bytes_per_second() const = 0;
  /// Is told when data moved on the memory's own bus (start, end, absolute), in the order of calls; timings without
  /// such a bus never call it.
  using DataObserver = std::function<void(Picoseconds, Picoseconds)>;
  virtual void on_data(DataObserver) {}
  /// Empty, or what is wrong with the model's own figures.
  virtual std::string broken_conservation() const { return ""; }
};

/// A latency and a bandwidth: latency + (beats - 1) × beat time, beats = size / bytes a beat, rounded up. No
/// contention.
class FixedTiming : public MemoryTiming {
 public:
  FixedTiming(Picoseconds latency, unsigned bytes_per_beat, Picoseconds beat_time)
      : latency_(latency), bytes_per_beat_(bytes_per_beat), beat_time_(beat_time) {}

  Answer access(bool write, std::uint64_t offset, unsigned size, Picoseconds arrival) override;
  std::optional<Fixed> fixed() const override;
  double peak_bytes_per_second() const override {
    return static_cast<double>(bytes_per_beat_) * 1e12 / static_cast<double>(beat_time_);
  }
  FixedTimingFigures figures() const;
  void report(Statistics& statistics) const override;
  void persist(Archive& archive) override;

 private:
  Picoseconds streaming_time(unsigned size) const {
    return ((size + bytes_per_beat_ - 1) / bytes_per_beat_ - 1) * beat_time_;
  }

  Picoseconds latency_;
  unsigned bytes_per_beat_;
  Picoseconds beat_time_;
  LatencyFigures latency_of_[2];  // read, write
};

}  // namespace vp
