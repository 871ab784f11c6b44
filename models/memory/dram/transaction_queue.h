#pragma once

#include <optional>
#include <vector>

#include "models/memory/dram/bank_queue.h"
#include "models/memory/dram/bank_set.h"
#include "models/memory/dram/config.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// The requests accepted by the controller that are not in a bank's queue yet. Each cycle one may move on: the oldest
/// one whose bank has room, so that younger ones overtake those of full banks.
class TransactionQueue {
 public:
  TransactionQueue(unsigned capacity, unsigned banks);

  bool full() const { return free_ == kNone; }
  /// Takes a request that may move on from cycle `from` on, not before those already here.
  void push(const QueuedRequest& request, Cycle from);
  /// Lets those move on whose time has come; has_room(bank) says for each of them whether its bank has room.
  template <typename HasRoom>
  void arrive(Cycle now, HasRoom has_room) {
    while (arriving_ != kNone && slots_[arriving_].from <= now) {
      const unsigned bank = slots_[arriving_].request.bank;
      link_next();
      movable_.put(bank, has_room(bank));
    }
  }
  /// When the next of those to come may move on.
  Cycle next_arrival() const { return arriving_ == kNone ? kNoCycle : slots_[arriving_].from; }
  bool any_movable() const { return !movable_.empty(); }
  /// The oldest one whose bank has room leaves; any_movable(). To be followed by room().
  QueuedRequest pop();
  /// The bank's queue has got room, or has none any more.
  void room(unsigned bank, bool has) { movable_.put(bank, has && lines_[bank].first != kNone); }
  void clear();
  /// When it has been loaded, room() is to be called for each bank.
  void persist(Archive& archive);

 private:
  static constexpr unsigned kNone = ~0u;
  struct Slot {
    QueuedRequest request;
    Cycle from;
    unsigned next;  // in the line of its bank, among the arriving or among the free ones
    void persist(Archive& archive);
  };
  /// The requests of one bank, oldest first.
  struct Line {
    unsigned first = kNone;
    unsigned last = kNone;
    void persist(Archive& archive);
  };

  void link_next();

  std::vector<Slot> slots_;
  std::vector<Line> lines_;  // by bank
  BankSet movable_;          // banks with a line and room
  unsigned free_ = kNone;
  unsigned arriving_ = kNone;
  unsigned last_arriving_ = kNone;
};

}  // namespace vp::dram
