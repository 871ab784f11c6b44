#include "models/memory/dram/scheduler.h"

#include <stdexcept>

namespace vp::dram {
namespace {

/// Keeps `best` the earlier of two choices.
void take_earlier(Choice& best, const Choice& other) {
  if (other.at < best.at) best = other;
}

/// Each bank proposes the command of one request; of those that can go now the one of the oldest request goes.
class OldestProposal : public Scheduler {
 public:
  Choice choose(const BankQueues& queues, const Devices& devices, unsigned blocked, Cycle now) override {
    Choice ready, next;
    std::uint64_t oldest = ~std::uint64_t{0};
    for (const auto& queue : queues) {
      if (queue.empty() || (blocked >> queue.front().at.rank & 1)) continue;
      const unsigned index = pick(queue, devices.bank(queue.front().at.bank));
      const Choice choice = command(queue[index], index, devices);
      if (choice.at <= now && queue[index].order < oldest) {
        oldest = queue[index].order;
        ready = choice;
      }
      take_earlier(next, choice);
    }
    return ready.command == Command::none ? next : ready;
  }

  void issued(const Choice& choice) override { columns_ += choice.command == Command::column; }

 protected:
  /// Column commands issued so far.
  std::uint64_t columns() const { return columns_; }

 private:
  /// Index of the request that the bank works on.
  virtual unsigned pick(const std::vector<QueuedRequest>& queue, const Bank& bank) const = 0;
  virtual bool may_move_data(const QueuedRequest& request) const = 0;

  Choice command(const QueuedRequest& request, unsigned index, const Devices& devices) const {
    const Location& at = request.at;
    const Bank& bank = devices.bank(at.bank);
    if (!bank.open) return {Command::activate, at.bank, index, devices.earliest_activate(at)};
    if (bank.row != at.row) return {Command::precharge, at.bank, index, devices.earliest_precharge(at.bank)};
    if (!may_move_data(request)) return {};
    return {Command::column, at.bank, index, devices.earliest_column(at, request.write)};
  }

  std::uint64_t columns_ = 0;
};

class InOrder : public OldestProposal {
  unsigned pick(const std::vector<QueuedRequest>&, const Bank&) const override { return 0; }
  bool may_move_data(const QueuedRequest& request) const override { return request.order == columns(); }
};

class OldestReady : public OldestProposal {
  unsigned pick(const std::vector<QueuedRequest>& queue, const Bank& bank) const override {
    for (unsigned i = 0; bank.open && i < queue.size(); ++i)
      if (queue[i].at.row == bank.row) return i;
    return 0;
  }
  bool may_move_data(const QueuedRequest&) const override { return true; }
};

class FirstReady : public Scheduler {
 public:
  explicit FirstReady(unsigned row_hit_limit) : row_hit_limit_(row_hit_limit) {}

  Choice choose(const BankQueues& queues, const Devices& devices, unsigned blocked, Cycle now) override {
    Choice next;
    const unsigned count = static_cast<unsigned>(queues.size());
    for (unsigned turn = 0, bank = last_bank_; turn < count; ++turn) {
      bank = bank + 1 == count ? 0 : bank + 1;
      if (queues[bank].empty() || (blocked >> queues[bank].front().at.rank & 1)) continue;
      const Choice choice = bank_command(queues[bank], devices, now);
      if (choice.at <= now) return choice;
      take_earlier(next, choice);
    }
    return next;
  }

  void issued(const Choice& choice) override { last_bank_ = choice.bank; }

 private:
  /// The first entry of the queue that can go now, else the one that can go earliest.
  Choice bank_command(const std::vector<QueuedRequest>& queue, const Devices& devices, Cycle now) const {
    const QueuedRequest& head = queue.front();
    const Bank& bank = devices.bank(head.at.bank);
    if (!bank.open) return {Command::activate, head.at.bank, 0, devices.earliest_activate(head.at)};
    Choice next;
    if (bank.row != head.at.row && (bank.hits >= row_hit_limit_ || !any_hit(queue, bank.row))) {
      next = {Command::precharge, head.at.bank, 0, devices.earliest_precharge(head.at.bank)};
      if (next.at <= now) return next;
    }
    bool seen[2] = {false, false};  // later entries of a kind are ready no earlier than the first
    for (unsigned i = 0; i < queue.size() && !(seen[0] && seen[1]); ++i) {
      const QueuedRequest& request = queue[i];
      if (request.at.row != bank.row || seen[request.write]) continue;
      if (request.write && reads_same_burst_first(queue, i)) continue;
      seen[request.write] = true;
      const Choice hit{Command::column, head.at.bank, i, devices.earliest_column(request.at, request.write)};
      if (hit.at <= now) return hit;
      take_earlier(next, hit);
    }
    return next;
  }

  static bool any_hit(const std::vector<QueuedRequest>& queue, unsigned row) {
    for (const QueuedRequest& request : queue)
      if (request.at.row == row) return true;
    return false;
  }

  static bool reads_same_burst_first(const std::vector<QueuedRequest>& queue, unsigned write) {
    for (unsigned i = 0; i < write; ++i)
      if (!queue[i].write && queue[i].at.row == queue[write].at.row && queue[i].at.column == queue[write].at.column)
        return true;
    return false;
  }

  const unsigned row_hit_limit_;
  unsigned last_bank_ = 0;
};

}  // namespace

std::unique_ptr<Scheduler> make_scheduler(const Controller& controller) {
  switch (controller.scheduling) {
    case SchedulingPolicy::in_order:
      return std::make_unique<InOrder>();
    case SchedulingPolicy::first_ready:
      return std::make_unique<FirstReady>(controller.row_hit_limit);
    case SchedulingPolicy::oldest_ready:
      return std::make_unique<OldestReady>();
  }
  throw std::logic_error("DRAM: unknown scheduling policy");
}

}  // namespace vp::dram
