#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/memory/dram/bank_queue.h"
#include "models/memory/dram/bank_set.h"
#include "models/memory/dram/devices.h"

namespace vp {
class Archive;
}

namespace vp::dram {

enum class Command { none, activate, precharge, column, refresh };

/// What to do next: `command` for entry `index` of queue `bank`, in cycle `at`.
struct Choice {
  Command command = Command::none;
  unsigned bank = 0;
  unsigned index = 0;
  Cycle at = kNoCycle;
};

/// Decides which command the controller issues: the policy. One object a channel. For each bank with requests it keeps
/// the commands that the bank offers and what they wait for, so that a choice compares times and looks into no queue.
class Scheduler {
 public:
  /// Both must outlive it.
  Scheduler(const std::vector<BankQueue>& queues, const Devices& devices)
      : queues_(queues),
        devices_(devices),
        active_(devices.bank_count()),
        offers_(devices.bank_count(), kNone),
        more_offers_(devices.bank_count()) {}
  virtual ~Scheduler() = default;

  /// The command to issue at or after `earliest`, if nothing changes until then. Ranks about to be refreshed take no
  /// commands: bit r of `blocked` is set for rank r.
  virtual Choice choose(Cycle earliest, unsigned blocked) const = 0;
  /// From when the bank has a command to issue; it has requests.
  Cycle next_of(unsigned bank) const {
    const Cycle next = offers_[bank].at(devices_);
    return offers_[bank].more ? std::min(next, next_of_more(bank)) : next;
  }
  /// A request came to the bank or left it, or its row was opened or closed.
  void changed(unsigned bank);
  /// A command for the bank was carried out; `served`: column commands so far.
  virtual void issued(unsigned bank, std::uint64_t served) = 0;
  /// All queues are empty; the banks' turns start again.
  virtual void reset();
  /// When it has been loaded, changed() is to be called for each bank.
  virtual void persist(Archive& archive) = 0;

 protected:
  /// A command that a bank could do next: when the bank alone would allow it, and the gate of the devices that it waits
  /// for besides.
  struct Offer {
    Cycle ready;
    unsigned gate;
    bool more;  ///< it is the first one of several
    Cycle at(const Devices& devices) const { return std::max(ready, devices.gate(gate)); }
  };
  /// All offers of a bank: closing or opening the row, a read, a write.
  struct Offers {
    Offer all[3];
    unsigned count = 0;
    void add(Cycle ready, unsigned gate) { all[count++] = {ready, gate, false}; }
  };

  static constexpr Offer kNone{kNoCycle, 0, false};

  virtual Offers offers(unsigned bank) const = 0;
  Cycle next_of_more(unsigned bank) const {
    return std::min(more_offers_[bank][0].at(devices_), more_offers_[bank][1].at(devices_));
  }
  bool blocks(unsigned blocked, unsigned bank) const {
    return blocked != 0 && (blocked >> devices_.bank(bank).rank & 1) != 0;
  }

  const std::vector<BankQueue>& queues_;
  const Devices& devices_;
  BankSet active_;             // banks with requests
  std::vector<Offer> offers_;  // the first one of each bank
  std::vector<std::array<Offer, 2>> more_offers_;
};

/// in_order: column commands strictly in the order of the requests; activates and precharges of other banks may go
/// ahead, the oldest first. As DRAMSys with Scheduler "Fifo" and CmdMux "Strict". first_ready: banks take turns, and
/// within its queue a bank serves the first request that can go, so row hits overtake; after `row_hit_limit` hits the
/// oldest request of the bank may close the row. As DRAMsim3's command queue. oldest_ready: a bank serves row hits
/// first, then its oldest request; of the banks that can go, the one whose request is oldest. As DRAMSys with Scheduler
/// "FrFcfs" and CmdMux "Oldest".
std::unique_ptr<Scheduler> make_scheduler(const Controller& controller, const std::vector<BankQueue>& queues,
                                          const Devices& devices);

}  // namespace vp::dram
