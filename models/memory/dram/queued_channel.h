#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/memory/dram/address_map.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/devices.h"
#include "models/memory/dram/scheduler.h"

namespace vp::dram {

/// A request whose data has a known end.
struct Completion {
  std::uint64_t id;
  bool write;
  Cycle at;  ///< end of its last data beat
};

/// A channel with real queues: requests are presented in the order of time, wait, and are served as the scheduling
/// policy decides, at most one command a cycle. It is the reference for Channel, which answers at once: its answer to a
/// request depends on requests that come later, so it can only be used where time is exact (`sync`, replays).
class QueuedChannel {
 public:
  explicit QueuedChannel(const ChannelConfig& config);

  /// First cycle not yet simulated.
  Cycle now() const { return now_; }
  /// Whether the transaction queue has room for one more request in cycle now().
  bool can_accept() const { return waiting_.size() < config_.controller.transaction_queue; }
  /// Presents a request for one burst in cycle `cycle`, at or after now(). Throws std::logic_error if there is no room
  /// or the cycle is past.
  void present(std::uint64_t id, std::uint64_t address, bool write, Cycle cycle);
  /// Simulates the cycles before `limit`, but stops behind the next cycle that gives a request its end of data. Throws
  /// UserError where refreshes leave the requests no time, for ever.
  std::optional<Completion> step(Cycle limit);
  /// Requests presented whose end is not known yet.
  std::size_t unfinished() const { return unfinished_; }
  /// Cycles of all refresh commands so far (reference data lists them).
  const std::vector<Cycle>& refreshes() const { return refreshes_; }
  std::uint64_t activates() const { return activates_; }

 private:
  struct Waiting {
    QueuedRequest request;
    Cycle ready;  // earliest cycle in which it may be in a bank's queue
  };

  std::optional<Completion> tick(Cycle now);
  void take_due_refreshes(Cycle now);
  /// Carries out what the pending refresh needs next, if it can be done now. Returns the cycle for which to wait
  /// otherwise.
  std::optional<Cycle> work_on_refresh(Cycle now);
  std::optional<Cycle> close_banks(unsigned rank, Cycle now);
  std::optional<Completion> issue(const Choice& choice, Cycle now);
  /// Moves the first waiting request whose bank has room; one a cycle.
  bool move_one(Cycle ready_by);

  const ChannelConfig config_;
  const AddressMap map_;
  Devices devices_;
  std::unique_ptr<Scheduler> scheduler_;
  std::deque<Waiting> waiting_;
  BankQueues queues_;
  std::size_t unfinished_ = 0;
  std::uint64_t presented_ = 0;
  Cycle now_ = 0;
  Cycle wake_ = 0;  // nothing happens before, unless a request comes
  Cycle next_refresh_;
  unsigned next_rank_ = 0;
  std::deque<unsigned> due_;  // ranks to refresh
  std::vector<Cycle> refreshes_;
  std::uint64_t activates_ = 0;
  unsigned fruitless_refreshes_ = 0;  // since a request was served
};

}  // namespace vp::dram
