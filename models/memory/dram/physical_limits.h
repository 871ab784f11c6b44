#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/memory/dram/config.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// What no DRAM can exceed, whatever its controller does, kept rank by rank and bank by bank from the commands issued.
/// It knows only the timing numbers, none of the rules that chose the commands.
class PhysicalLimits {
 public:
  explicit PhysicalLimits(const ChannelConfig& config);

  void activate(unsigned rank, unsigned bank, Cycle now) {
    Bank& b = banks_[bank];
    if (b.activates++ == 0) b.first = now;
    b.last = now;
    Rank& r = ranks_[rank];
    if (now < r.window_ends[r.oldest]) ++r.crowded;
    r.window_ends[r.oldest] = now + faw_;
    r.oldest = (r.oldest + 1) % 4;
  }
  void column(unsigned rank, Cycle data_end) {
    ++ranks_[rank].bursts;
    ranks_[rank].last_data = std::max(ranks_[rank].last_data, data_end);
  }
  /// `count` refreshes of the rank, the last one in cycle `now`; all before it have ended.
  void refresh(unsigned rank, Cycle now, std::uint64_t count = 1);
  /// The devices were reset at `since`: distances to earlier commands mean nothing any more.
  void restart(Cycle since);

  /// Empty, or the limit that was exceeded.
  std::string broken() const;
  void persist(Archive& archive);

 private:
  struct Bank {
    std::uint64_t activates = 0;
    Cycle first = 0, last = 0;
    void persist(Archive& archive);
  };
  struct Rank {
    std::uint64_t bursts = 0;
    Cycle last_data = 0;
    std::uint64_t refreshes = 0;
    Cycle last_refresh = 0;
    std::uint64_t crowded = 0;  // activates inside the tFAW of the fourth before
    bool overrun = false;       // more data than its refreshes left time for
    Cycle window_ends[4] = {};  // of the last four activates
    unsigned oldest = 0;
    void persist(Archive& archive);
  };

  /// Whether the bursts so far and `refreshes` completed ones take longer than the time until `now`.
  bool overruns(const Rank& rank, std::uint64_t refreshes, Cycle now) const {
    return rank.bursts * burst_ + refreshes * (rfc_ - hidden_) > now - since_;
  }

  const unsigned burst_;
  const unsigned faw_;
  const unsigned row_cycle_;
  const unsigned rfc_;
  const unsigned hidden_;  // cycles of a refresh that bursts before and after it may overlap
  std::vector<Bank> banks_;
  std::vector<Rank> ranks_;
  Cycle since_ = 0;
  std::string broken_before_;  // the restart
};

}  // namespace vp::dram
