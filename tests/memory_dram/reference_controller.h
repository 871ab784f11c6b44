#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"
#include "models/memory/dram/replay.h"

/// The controller of QueuedChannel written the plain way: it looks at every request of every bank in every cycle. Slow,
/// and what QueuedChannel is compared with where no recorded run exists.
namespace vp::dram::reference {

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

/// A request in a bank's queue.
struct QueuedRequest {
  std::uint64_t id;     ///< the caller's name for it
  std::uint64_t order;  ///< how many requests were presented before it
  Location at;
  bool write;
};

using BankQueues = std::vector<std::vector<QueuedRequest>>;

enum class Command { none, activate, precharge, column };

/// What to do next: `command` for entry `index` of queue `bank`, allowed from cycle `at` on. If that lies in the
/// future, nothing can be issued before it.
struct Choice {
  Command command = Command::none;
  unsigned bank = 0;
  unsigned index = 0;
  Cycle at = kNoCycle;
};

/// Decides which command the controller issues: the policy. One object a channel.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// The command to issue in cycle `now`, or the earliest one to come. Ranks about to be refreshed take no commands:
  /// bit r of `blocked` is set for rank r.
  virtual Choice choose(const BankQueues& queues, const Devices& devices, unsigned blocked, Cycle now) = 0;
  /// The choice was carried out.
  virtual void issued(const Choice& choice) = 0;
};

/// A channel that is simulated cycle by cycle.
class Controller {
 public:
  explicit Controller(const ChannelConfig& config);

  Cycle now() const { return now_; }
  bool can_accept() const { return waiting_.size() < config_.controller.transaction_queue; }
  /// In cycle now().
  void present(std::uint64_t id, std::uint64_t address, bool write);
  /// Simulates cycle now(); the request that it gives its data, and when that ends.
  std::optional<std::pair<std::uint64_t, Cycle>> tick();
  std::size_t unfinished() const { return unfinished_; }
  std::uint64_t refreshes() const { return refreshes_; }

 private:
  struct Waiting {
    QueuedRequest request;
    Cycle ready;  // earliest cycle in which it may be in a bank's queue
  };

  void take_due_refreshes();
  /// True if the pending refresh took this cycle for a command.
  bool work_on_refresh();
  bool close_banks(unsigned first, unsigned end);
  std::optional<std::pair<std::uint64_t, Cycle>> issue(const Choice& choice);
  void move_one(Cycle ready_by);

  const ChannelConfig config_;
  const AddressMap map_;
  Devices devices_;
  std::unique_ptr<Scheduler> scheduler_;
  std::deque<Waiting> waiting_;
  BankQueues queues_;
  std::size_t unfinished_ = 0;
  std::uint64_t presented_ = 0;
  Cycle now_ = 0;
  Cycle next_refresh_;
  unsigned next_rank_ = 0;
  std::deque<unsigned> due_;  // ranks to refresh
  std::uint64_t refreshes_ = 0;
};

/// As vp::dram::replay_window(): latency, accepted, first and end only. Nothing if requests are not served within
/// `patience` cycles.
std::optional<ReplayResult> replay_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace,
                                          unsigned window, Cycle patience);

}  // namespace vp::dram::reference
