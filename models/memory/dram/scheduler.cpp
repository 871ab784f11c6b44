#include "models/memory/dram/scheduler.h"

#include <stdexcept>

#include "models/common/archive.h"

namespace vp::dram {
void Scheduler::changed(unsigned bank) {
  if (queues_[bank].empty()) {
    active_.erase(bank);
    return;
  }
  const Offers offered = offers(bank);
  active_.insert(bank);
  offers_[bank] = offered.count > 0 ? offered.all[0] : kNone;
  if (offered.count <= 1) return;
  offers_[bank].more = true;
  more_offers_[bank] = {offered.all[1], offered.count > 2 ? offered.all[2] : kNone};
}

void Scheduler::reset() { active_.clear(); }

namespace {

class FirstReady final : public Scheduler {
 public:
  FirstReady(const std::vector<BankQueue>& queues, const Devices& devices, unsigned row_hit_limit)
      : Scheduler(queues, devices), row_hit_limit_(row_hit_limit) {
    FirstReady::reset();
  }

  /// Of those that can go in the same cycle, the first in turn.
  Choice choose(Cycle earliest, unsigned blocked) const override {
    const Offer* const offers = offers_.data();
    const Cycle* const gates = devices_.gates();
    Cycle first = kNoCycle;
    unsigned which = 0;
    active_.for_each_from(turn_, [&](unsigned bank) {
      if (blocks(blocked, bank)) return false;
      const Offer& offer = offers[bank];
      Cycle at = std::max(offer.ready, gates[offer.gate]);
      if (offer.more) at = std::min(at, next_of_more(bank));
      which = at < first ? bank : which;
      first = std::min(first, at);
      return at <= earliest;  // nobody comes before it
    });
    if (first == kNoCycle) return {};
    return command(which, std::max(first, earliest));
  }

  void issued(unsigned bank, std::uint64_t) override { turn_ = bank + 1 == devices_.bank_count() ? 0 : bank + 1; }

  void reset() override {
    Scheduler::reset();
    issued(0, 0);  // bank 0 comes last at first
  }

  void persist(Archive& archive) override { archive.below("turn", turn_, devices_.bank_count()); }

 private:
  bool may_close(const Bank& bank, const BankQueue& queue) const {
    return (queue.hits() & 1) == 0 && (bank.hits >= row_hit_limit_ || queue.hits() == 0);
  }

  Offers offers(unsigned index) const override {
    const Bank& bank = devices_.bank(index);
    const BankQueue& queue = queues_[index];
    Offers all;
    if (!bank.open) {
      all.add(bank.activate_ok, devices_.activate_gate(bank));
      return all;
    }
    if (may_close(bank, queue)) all.add(bank.precharge_ok, devices_.precharge_gate(bank));
    for (const bool write : {false, true})
      if (queue.hits(write) != 0) all.add(bank.column_ok, devices_.column_gate(bank, write));
    return all;
  }

  /// What the bank does in cycle `at`: closing its row comes first, then the first entry of its queue that can go.
  Choice command(unsigned index, Cycle at) const {
    const Bank& bank = devices_.bank(index);
    const BankQueue& queue = queues_[index];
    if (!bank.open) return {Command::activate, index, 0, at};
    if (may_close(bank, queue) && devices_.earliest_precharge(bank) <= at) return {Command::precharge, index, 0, at};
    std::uint64_t ready = 0;
    for (const bool write : {false, true})
      if (devices_.earliest_column(bank, write) <= at) ready |= queue.hits(write);
    return {Command::column, index, lowest_bit(ready), at};
  }

  const unsigned row_hit_limit_;
  unsigned turn_ = 0;
};

/// Each bank proposes the command of one request; of those that can go the one of the oldest request goes.
class OldestProposal : public Scheduler {
 public:
  using Scheduler::Scheduler;

  Choice choose(Cycle earliest, unsigned blocked) const override {
    Choice best;
    std::uint64_t oldest = ~std::uint64_t{0};
    active_.for_each([&](unsigned bank) {
      const Cycle next = next_of(bank), at = std::max(next, earliest);
      if (next == kNoCycle || at > best.at || blocks(blocked, bank)) return;
      const unsigned index = chosen(queues_[bank]);
      const std::uint64_t order = queues_[bank][index].order;
      if (at == best.at && order > oldest) return;
      best = {command(bank, index), bank, index, at};
      oldest = order;
    });
    return best;
  }

  void issued(unsigned, std::uint64_t served) override { served_ = served; }
  void persist(Archive& archive) override { archive("served", served_); }

 protected:
  /// Column commands so far.
  std::uint64_t served_ = 0;

 private:
  /// Index of the request that the bank works on.
  virtual unsigned chosen(const BankQueue& queue) const = 0;
  virtual bool may_move_data(const QueuedRequest& request) const = 0;

  Command command(unsigned bank_index, unsigned index) const {
    const Bank& bank = devices_.bank(bank_index);
    if (!bank.open) return Command::activate;
    return bank.row == queues_[bank_index][index].row ? Command::column : Command::precharge;
  }

  Offers offers(unsigned bank_index) const override {
    const Bank& bank = devices_.bank(bank_index);
    const unsigned index = chosen(queues_[bank_index]);
    const QueuedRequest& request = queues_[bank_index][index];
    Offers all;
    switch (command(bank_index, index)) {
      case Command::activate:
        all.add(bank.activate_ok, devices_.activate_gate(bank));
        break;
      case Command::precharge:
        all.add(bank.precharge_ok, devices_.precharge_gate(bank));
        break;
      default:
        if (may_move_data(request)) all.add(bank.column_ok, devices_.column_gate(bank, request.write));
    }
    return all;
  }
};

class InOrder final : public OldestProposal {
 public:
  using OldestProposal::OldestProposal;

  void issued(unsigned bank, std::uint64_t served) override {
    if (served == served_) return;
    OldestProposal::issued(bank, served);
    // The next request in turn waits at the head of one of the queues, if it is here.
    for (unsigned i = 0; i < devices_.bank_count(); ++i)
      if (!queues_[i].empty() && queues_[i][0].order == served_) changed(i);
  }

 private:
  unsigned chosen(const BankQueue&) const override { return 0; }
  bool may_move_data(const QueuedRequest& request) const override { return request.order == served_; }
};

class OldestReady final : public OldestProposal {
  using OldestProposal::OldestProposal;
  unsigned chosen(const BankQueue& queue) const override { return queue.hits() != 0 ? lowest_bit(queue.hits()) : 0; }
  bool may_move_data(const QueuedRequest&) const override { return true; }
};

}  // namespace

std::unique_ptr<Scheduler> make_scheduler(const Controller& controller, const std::vector<BankQueue>& queues,
                                          const Devices& devices) {
  switch (controller.scheduling) {
    case SchedulingPolicy::in_order:
      return std::make_unique<InOrder>(queues, devices);
    case SchedulingPolicy::first_ready:
      return std::make_unique<FirstReady>(queues, devices, controller.row_hit_limit);
    case SchedulingPolicy::oldest_ready:
      return std::make_unique<OldestReady>(queues, devices);
  }
  throw std::logic_error("DRAM: unknown scheduling policy");
}

}  // namespace vp::dram
