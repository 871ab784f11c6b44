#pragma once

#include <algorithm>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"

namespace vp::dram {

/// State of one bank: its row and the earliest next command of each kind, as far as the bank alone decides.
struct Bank {
  bool open = false;
  unsigned row = 0;
  unsigned hits = 0;  ///< column commands since the row was opened
  Cycle activate_ok = 0;
  Cycle column_ok = 0;
  Cycle precharge_ok = 0;
  Cycle refresh_ok = 0;
};

/// The DRAM devices of a channel for a controller that issues its commands in the order of time. Answers "from when may
/// this command be issued" and takes note of what is issued. Issuing a command earlier than allowed is an error of the
/// caller that this class does not look for.
class Devices {
 public:
  explicit Devices(const ChannelConfig& config);

  const Bank& bank(unsigned index) const { return banks_[index]; }
  unsigned bank_count() const { return static_cast<unsigned>(banks_.size()); }
  unsigned banks_per_rank() const { return banks_per_rank_; }

  /// Earliest activate of a closed bank: its own recovery, tRRD and tFAW.
  Cycle earliest_activate(const Location& at) const {
    const Rank& rank = ranks_[at.rank];
    return std::max({banks_[at.bank].activate_ok, group_activate_ok_[at.group], rank.activate_ok,
                     rank.recent_activates[rank.oldest]});
  }
  /// Earliest column command to the open row of the bank: tRCD and the data bus.
  Cycle earliest_column(const Location& at, bool write) const {
    return std::max(banks_[at.bank].column_ok, group_column_ok_[write][at.group]);
  }
  Cycle earliest_precharge(unsigned bank) const {
    return std::max(banks_[bank].precharge_ok, rank_precharge_ok_[bank / banks_per_rank_]);
  }

  void activate(const Location& at, Cycle now);
  /// Returns the cycle in which the burst's data has ended.
  Cycle column(const Location& at, bool write, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// All banks of the rank are closed.
  void refresh(unsigned rank, Cycle now);

 private:
  struct Rank {
    Cycle activate_ok = 0;           // tRRD_S
    Cycle recent_activates[4] = {};  // cycles at which each of the last four activates leaves the tFAW window
    unsigned oldest = 0;
  };

  const Gaps gaps_;
  const Timing timing_;
  const bool auto_precharge_;
  const unsigned groups_per_rank_;
  const unsigned banks_per_rank_;
  std::vector<Bank> banks_;
  std::vector<Rank> ranks_;
  std::vector<Cycle> group_activate_ok_;   // tRRD_L
  std::vector<Cycle> group_column_ok_[2];  // read, write
  std::vector<Cycle> rank_precharge_ok_;   // tPPD
};

}  // namespace vp::dram
