#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/memory/dram/devices.h"

namespace vp::dram {

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

/// in_order: column commands strictly in the order of the requests; activates and precharges of other banks may go
/// ahead, the oldest first. As DRAMSys with Scheduler "Fifo" and CmdMux "Strict". first_ready: banks take turns, and
/// within its queue a bank serves the first request that can go, so row hits overtake; after `row_hit_limit` hits the
/// oldest request of the bank may close the row. As DRAMsim3's command queue. oldest_ready: a bank serves row hits
/// first, then its oldest request; of the banks that can go, the one whose request is oldest. As DRAMSys with Scheduler
/// "FrFcfs" and CmdMux "Oldest".
std::unique_ptr<Scheduler> make_scheduler(const Controller& controller);

}  // namespace vp::dram
