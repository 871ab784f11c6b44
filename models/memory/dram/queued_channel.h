#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/bank_queue.h"
#include "models/memory/dram/channel_statistics.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/devices.h"
#include "models/memory/dram/energy.h"
#include "models/memory/dram/physical_limits.h"
#include "models/memory/dram/scheduler.h"
#include "models/memory/dram/transaction_queue.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// A request whose data has a known end.
struct Completion {
  std::uint64_t id;
  bool write;
  Cycle at;  ///< end of its last data beat
  RowOutcome found;
};

/// What a request that was alone on the channel got.
struct Alone {
  Cycle at;  ///< end of its last data beat
  RowOutcome found;
  LatencyParts parts;
};

/// A channel with real queues: requests are presented in the order of time, wait, and are served as the scheduling
/// policy decides, at most one command a cycle. What a request gets depends on those that come while it waits, so its
/// end is known only when time has come to its column command. It moves from event to event, not from cycle to cycle.
class QueuedChannel {
 public:
  explicit QueuedChannel(const ChannelConfig& config);

  /// First cycle not yet simulated: a request cannot come earlier.
  Cycle now() const { return now_; }
  /// Whether the transaction queue has room for one more request in cycle now().
  bool can_accept() const { return !waiting_.full(); }
  /// Presents a request for one burst in cycle `cycle`, at or after now(). Throws std::logic_error if there is no room
  /// or the cycle is past.
  void present(std::uint64_t id, std::uint64_t address, bool write, Cycle cycle);
  /// Simulates the cycles before `limit`, but stops behind the next cycle that gives a request its end of data. Throws
  /// UserError where refreshes leave the requests no time, for ever.
  std::optional<Completion> step(Cycle limit);
  /// The next cycle in which anything happens if no request comes: until then, no end of data becomes known and no room
  /// free.
  Cycle next_event() const { return wake_; }
  /// Requests presented whose end is not known yet.
  std::size_t unfinished() const { return unfinished_; }

  /// Serves a request at once that is presented in cycle `cycle` while unfinished() is 0: exactly as if it were
  /// presented and waited for. Nothing, and nothing has changed, if its column command would not come before cycle
  /// `before` (from which on another request is there) or if a refresh comes first. The cycle is at or after now(), or
  /// the request follows() the one served alone before it.
  std::optional<Alone> serve_alone(std::uint64_t address, bool write, Cycle cycle, Cycle before = kNoCycle);
  /// The cycle of the column command that it would have, or nothing if a refresh comes first.
  std::optional<Cycle> column_alone(std::uint64_t address, bool write, Cycle cycle) const;
  /// What it would get, if neither another request nor a refresh comes before its column command.
  Alone foresee_alone(std::uint64_t address, bool write, Cycle cycle) const;
  /// A command in that cycle would have to wait for a refresh.
  bool refresh_comes_before(Cycle cycle) const { return cycle >= next_refresh_ || !due_.empty(); }
  /// Cycles from a column command to that of the next request for the same row, in the same direction.
  unsigned hit_to_hit(bool write) const {
    return gaps_.column[write][write][static_cast<unsigned>(Relation::same_group)];
  }

  /// Whether two requests are for the same row of the same bank.
  bool same_row(std::uint64_t address, std::uint64_t other) const {
    const Location one = map_.locate(address), two = map_.locate(other);
    return one.bank == two.bank && one.row == two.row;
  }

  /// Forgets rows and requests, as after power-on. Time may start again at `now`; refreshes go on as they were due.
  void reset(Cycle now);
  void persist(Archive& archive);

  /// Refresh commands and explicit precharges so far.
  std::uint64_t refreshes() const { return refreshes_; }
  std::uint64_t precharges() const { return precharges_; }
  std::uint64_t activates() const { return activates_; }
  /// What the devices were told to do, in the cycles before `end` or now(), whichever is later.
  CommandCounts commands(Cycle end) const;
  /// Cycles from the column command of a read (write) to the end of its data.
  unsigned to_data_end(bool write) const { return gaps_.to_data_end[write]; }
  unsigned activate_to_column() const { return gaps_.activate_to_column; }
  /// Empty, or the physical limit of the devices that was exceeded.
  std::string broken_limit() const { return limits_.broken(); }

  /// Is told of every command: what, of which bank (refresh: rank), and in which cycle.
  using CommandObserver = std::function<void(Command, unsigned, Cycle)>;
  void on_command(CommandObserver observer) { on_command_ = std::move(observer); }

 private:
  /// The commands of a request that is alone.
  struct AlonePlan {
    Location at{};
    Cycle precharge_at = 0, activate_at = 0, column_at = 0;  // as far as `found` needs them
    RowOutcome found = RowOutcome::hit;
    LatencyParts parts;
  };
  AlonePlan plan_alone(std::uint64_t address, bool write, Cycle cycle) const;
  std::optional<Completion> tick(Cycle now);
  /// Sets the next cycle in which anything happens after `now`.
  void plan_wake(Cycle now);
  void take_due_refreshes(Cycle now);
  /// Refreshes that nobody waits for, before `limit`, in one go.
  void skip_idle_refreshes(Cycle limit);
  /// Carries out what the pending refresh needs next, if it can be done now; true if it was. Else it sets the cycle for
  /// which to wait.
  bool work_on_refresh(Cycle now);
  bool close_banks(unsigned rank, Cycle now);
  std::optional<Completion> issue(const Choice& choice, Cycle now);
  // The command, without what it means for queues and scheduler.
  void command_activate(unsigned bank, unsigned row, Cycle now);
  void command_precharge(unsigned bank, Cycle now);
  Cycle command_column(unsigned bank, bool write, Cycle now);
  void activate(unsigned bank, unsigned row, Cycle now);
  void precharge(unsigned bank, Cycle now);
  Cycle column(unsigned bank, bool write, Cycle now);
  void changed(unsigned bank) {
    scheduler_->changed(bank);
    choose_again_ = true;
  }
  void tell(Command command, unsigned where, Cycle now) {
    if (on_command_) on_command_(command, where, now);
  }
  /// Moves one request on to the queue of its bank, if one can be.
  void move_one(Cycle now);
  void move_oldest();

  const ChannelConfig config_;
  const Gaps gaps_;
  const AddressMap map_;
  const Cycle ahead_;  // so many cycles before its first command a request moves on
  Devices devices_;
  TransactionQueue waiting_;
  std::vector<BankQueue> queues_;
  std::unique_ptr<Scheduler> scheduler_;
  PhysicalLimits limits_;
  Choice choice_;              // the next command
  bool choose_again_ = false;  // something changed since
  std::size_t unfinished_ = 0;
  std::uint64_t presented_ = 0;
  std::uint64_t served_ = 0;
  Cycle now_ = 0;
  Cycle wake_;  // nothing happens before, unless a request comes
  Cycle next_refresh_;
  unsigned next_rank_ = 0;
  std::deque<unsigned> due_;       // ranks to refresh
  Cycle refresh_step_ = kNoCycle;  // of the first of them: its next command
  std::uint64_t refreshes_ = 0;
  std::uint64_t activates_ = 0;
  std::uint64_t precharges_ = 0;
  std::uint64_t columns_[2] = {};     // reads, writes
  unsigned fruitless_refreshes_ = 0;  // since a request was served
  CommandObserver on_command_;
};

}  // namespace vp::dram
