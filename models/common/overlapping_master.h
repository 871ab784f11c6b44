#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "models/common/master_port.h"
#include "models/common/pending_access.h"
#include "models/common/ring.h"
#include "models/common/tlm_initiator.h"

namespace vp {

class Archive;

/// A master with several accesses under way: what a DMA engine's module holds, and its core sees as a MasterPort. No
/// threads: it acts at the kernel's time, with one kernel event for the next burst that leaves or completes.
///
/// Bursts of a channel leave in order, at most one a port cycle (a write: one a port cycle and beat of its data), and
/// complete in order, the data of a read one beat a port cycle (beats count in timed mode). It tells the bus when its
/// next burst may leave, so that others run ahead of it as long as it is idle.
class OverlappingMaster : public sc_core::sc_module, public MasterPort {
 public:
  struct Options {
    unsigned outstanding = 8;       ///< bursts under way on each channel
    unsigned longest_burst = 4096;  ///< bytes, at most 4096
  };

  OverlappingMaster(sc_core::sc_module_name name, Options options);

  /// Bound by Bus::connect_initiator; also for debug accesses.
  TlmInitiator socket{"socket"};
  /// Called by the bus.
  void set_bus(AccessBus& bus);

  /// Bytes that targets have delivered or taken, of bursts still under way, too.
  std::uint64_t bytes(bool write) const { return channels_[write].bytes; }

  /// With what is under way, as far as it has been answered: that it will complete is known then. Throws UserError
  /// while an answer is still to come. To be loaded after the core (Client::data_of).
  void persist(Archive& archive);

  // MasterPort
  void attach(Client& client) override { client_ = &client; }
  void issue(const Transfer& transfer) override;
  bool can_issue(bool write) const override;
  unsigned under_way(bool write) const override { return static_cast<unsigned>(channels_[write].transfers.size()); }
  void abandon() override;
  void plan(Picoseconds next) override;
  Picoseconds now() const override;
  Picoseconds cycle() const override { return cycle_; }
  unsigned bytes_per_cycle() const override { return bytes_per_cycle_; }

 private:
  /// A transfer that was asked for.
  struct Order {
    Transfer transfer;
    std::uint64_t sent = 0;  // bytes
    unsigned bursts = 0;     // under way
    Answer answer;           // the first that was not ok
    bool issued = false;
    bool forgotten = false;  // nobody is told
    bool all_sent() const { return sent == transfer.size || !answer.ok(); }
    void persist(Archive& archive);
  };
  struct Channel;
  class Burst : public PendingAccess {
   public:
    Burst(OverlappingMaster& master, Channel& its_channel) : channel(its_channel), master_(master) {}
    void answer(const Answer& answer) override { master_.answered(*this, answer); }
    Channel& channel;
    Order* order = nullptr;
    Picoseconds answered = kNever;    // the bus says: over then
    Answer refusal;                   // if it was not ok
    Picoseconds completion = kNever;  // in order, with the port's beats; known when all before it are answered

   private:
    OverlappingMaster& master_;
  };
  struct Channel {
    std::deque<Order> orders;  // of the transfers, and free ones; they stay where they are
    std::vector<Order*> free_orders;
    Ring<Order*> transfers;  // in order; those in front have bursts under way
    std::size_t next = 0;    // the first one that is not all sent
    Ring<Burst*> under_way;  // in order
    std::size_t known = 0;   // of these, in front: those whose completion is known
    std::vector<Burst*> free;
    Picoseconds can_send = 0;  // the cycle after the last burst left
    Picoseconds last_completion = 0;
    std::uint64_t bytes = 0;
  };

  struct SavedBurst;
  struct SavedChannel;
  SavedChannel saved(const Channel& channel) const;
  void restore(Channel& channel, SavedChannel saved);
  static Order& free_order(Channel& channel);
  Burst& free_burst(Channel& channel);
  void act();
  bool complete_one(Channel& channel, Picoseconds now);
  bool send_one(Channel& channel, Picoseconds now);
  Picoseconds next_send(const Channel& channel) const;
  Picoseconds alone_until(const Burst& burst) const;
  void answered(Burst& burst, const Answer& answer);
  void retire(Channel& channel, Picoseconds now);
  /// Sets the event of what comes next, and tells the bus when a burst may leave: as planned, or in answer to a
  /// completion.
  void look_again() {
    if (!acting_ && bus_ != nullptr) look_at_all();
  }
  void look_at_all();
  unsigned next_burst(const Order& order) const;
  unsigned beats_of(unsigned size) const { return (size + bytes_per_cycle_ - 1) / bytes_per_cycle_; }

  const Options options_;
  AccessBus* bus_ = nullptr;
  Picoseconds cycle_ = 0;
  unsigned bytes_per_cycle_ = 1;
  Client* client_ = nullptr;
  Channel channels_[2];  // read, write
  std::deque<Burst> bursts_;
  sc_core::sc_event due_;
  Picoseconds due_at_ = kNever;
  Picoseconds planned_ = kNever;
  bool acting_ = false;
};

}  // namespace vp
