#include "models/memory/dram/scheduler.h"

namespace vp::dram {
namespace {

/// Keeps `best` the earlier of two choices.
void take_earlier(Choice& best, const Choice& other) {
  if (other.at < best.at) best = other;
}

class InOrder : public Scheduler {
 public:
  Choice choose(const BankQueues& queues, const Devices& devices, unsigned blocked, Cycle now) override {
    Choice ready, next;
    std::uint64_t oldest = ~std::uint64_t{0};
    for (unsigned bank = 0; bank < queues.size(); ++bank) {
      if (queues[bank].empty()) continue;
      const QueuedRequest& head = queues[bank].front();
      if (blocked >> head.at.rank & 1) continue;
      const Choice choice = head_command(head, devices);
      if (choice.at <= now && head.order < oldest) {
        oldest = head.order;
        ready = choice;
      }
      take_earlier(next, choice);
    }
    return ready.command == Command::none ? next : ready;
  }

  void issued(const Choice& choice) override { next_column_ += choice.command == Command::column; }

 private:
  Choice head_command(const QueuedRequest& head, const Devices& devices) const {
    const Bank& bank = devices.bank(head.at.bank);
    if (!bank.open) return {Command::activate, head.at.bank, 0, devices.earliest_activate(head.at)};
    if (bank.row != head.at.row) return {Command::precharge, head.at.bank, 0, devices.earliest_precharge(head.at.bank)};
    if (head.order != next_column_) return {};
    return {Command::column, head.at.bank, 0, devices.earliest_column(head.at, head.write)};
  }

  std::uint64_t next_column_ = 0;
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

std::unique_ptr<Scheduler> make_in_order_scheduler() { return std::make_unique<InOrder>(); }
std::unique_ptr<Scheduler> make_first_ready_scheduler(unsigned row_hit_limit) {
  return std::make_unique<FirstReady>(row_hit_limit);
}

}  // namespace vp::dram
