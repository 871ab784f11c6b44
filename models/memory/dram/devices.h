#pragma once

#include <algorithm>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// State of one bank: its row and the earliest next command of each kind, as far as the bank alone decides.
struct Bank {
  unsigned group;  ///< within the channel, as `rank`
  unsigned rank;
  bool open = false;
  unsigned row = 0;
  unsigned hits = 0;  ///< column commands since the row was opened
  Cycle activate_ok = 0;
  Cycle column_ok = 0;
  Cycle precharge_ok = 0;
  Cycle refresh_ok = 0;

  void persist(Archive& archive);
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
  bool all_closed() const { return open_ == 0; }

  /// What a command has to wait for besides its own bank, as an index of gate(): an activate for tRRD and tFAW, a
  /// column command for the data bus, a precharge for tPPD.
  unsigned activate_gate(const Bank& bank) const { return bank.group; }
  unsigned column_gate(const Bank& bank, bool write) const { return (1 + write) * groups_ + bank.group; }
  unsigned precharge_gate(const Bank& bank) const { return 3 * groups_ + bank.rank; }
  /// From when the commands behind it may be issued.
  Cycle gate(unsigned index) const { return gates_[index]; }
  const Cycle* gates() const { return gates_.data(); }

  /// Earliest activate of a closed bank: its own recovery, tRRD and tFAW.
  Cycle earliest_activate(const Bank& bank) const { return std::max(bank.activate_ok, gate(activate_gate(bank))); }
  /// Earliest column command to the open row of the bank: tRCD and the data bus.
  Cycle earliest_column(const Bank& bank, bool write) const {
    return std::max(bank.column_ok, gate(column_gate(bank, write)));
  }
  /// The same if the row were opened in cycle `activate`.
  Cycle earliest_column_after(Cycle activate, const Bank& bank, bool write) const {
    return std::max(earliest_column(bank, write), activate + gaps_.activate_to_column);
  }
  Cycle earliest_precharge(const Bank& bank) const { return std::max(bank.precharge_ok, gate(precharge_gate(bank))); }

  void activate(unsigned bank, unsigned row, Cycle now);
  /// Returns the cycle in which the burst's data has ended.
  Cycle column(unsigned bank, bool write, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// All banks of the rank are closed.
  void refresh(unsigned rank, Cycle now);
  /// As after power-on: all banks closed and ready.
  void reset(Cycle now);
  /// Sum over the ranks of the cycles before `end` in which one of its rows was open.
  Cycle active_cycles(Cycle end) const;
  void persist(Archive& archive);

 private:
  /// Cycles at which each of the last four activates of a rank leaves the tFAW window.
  struct Window {
    Cycle ends[4] = {};
    unsigned oldest = 0;
    void persist(Archive& archive);
  };

  /// How long a rank has had open rows.
  struct RankUse {
    unsigned open = 0;  // banks
    Cycle since = 0;    // when the first of them was opened
    Cycle active = 0;   // before that
    void persist(Archive& archive);
  };

  void open(Bank& bank, Cycle now);
  void close(Bank& bank, Cycle now);
  /// Least cycles between two column commands, in a row for the groups of the second one.
  std::vector<unsigned> column_gaps(const ChannelConfig& config) const;

  const Gaps gaps_;
  const Timing timing_;
  const bool auto_precharge_;
  const unsigned banks_per_rank_;
  const unsigned groups_per_rank_;
  const unsigned groups_;
  const std::vector<unsigned> column_gaps_;
  unsigned open_ = 0;  // banks
  std::vector<Bank> banks_;
  std::vector<Window> windows_;    // by rank
  std::vector<RankUse> rank_use_;  // by rank
  std::vector<Cycle> gates_;
};

}  // namespace vp::dram
