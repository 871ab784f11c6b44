#include "tests/memory_dram/reference_controller.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace vp::dram::reference {
namespace {

void raise(Cycle& time, Cycle to) { time = std::max(time, to); }

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

std::unique_ptr<Scheduler> make_scheduler(const vp::dram::Controller& controller) {
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

}  // namespace

Devices::Devices(const ChannelConfig& config)
    : gaps_(config),
      timing_(config.timing),
      auto_precharge_(config.controller.page == PagePolicy::closed),
      groups_per_rank_(config.structure.bank_groups),
      banks_per_rank_(config.banks_per_rank()),
      banks_(config.ranks() * config.banks_per_rank()),
      ranks_(config.ranks()),
      group_activate_ok_(config.ranks() * groups_per_rank_),
      rank_precharge_ok_(config.ranks()) {
  for (auto& table : group_column_ok_) table.resize(group_activate_ok_.size());
}

void Devices::activate(const Location& at, Cycle now) {
  Bank& bank = banks_[at.bank];
  bank.open = true;
  bank.row = at.row;
  bank.hits = 0;
  raise(bank.activate_ok, now + gaps_.activate_to_activate);
  raise(bank.column_ok, now + gaps_.activate_to_column);
  raise(bank.precharge_ok, now + gaps_.activate_to_precharge);
  Rank& rank = ranks_[at.rank];
  raise(rank.activate_ok, now + timing_.rrd_s);
  raise(group_activate_ok_[at.group], now + timing_.rrd_l);
  rank.recent_activates[rank.oldest] = now + timing_.faw;
  rank.oldest = (rank.oldest + 1) % 4;
}

Cycle Devices::column(const Location& at, bool write, Cycle now) {
  const unsigned first = at.rank * groups_per_rank_, last = first + groups_per_rank_;
  for (unsigned group = 0; group < group_activate_ok_.size(); ++group) {
    const Relation relation = group == at.group                ? Relation::same_group
                              : group >= first && group < last ? Relation::same_rank
                                                               : Relation::other_rank;
    for (unsigned next = 0; next < 2; ++next)
      raise(group_column_ok_[next][group], now + gaps_.column[write][next][static_cast<unsigned>(relation)]);
  }
  Bank& bank = banks_[at.bank];
  if (auto_precharge_) {
    bank.open = false;
    bank.hits = 0;
    raise(bank.activate_ok, now + gaps_.to_activate[write]);
    raise(bank.refresh_ok, now + gaps_.to_refresh[write]);
  } else {
    ++bank.hits;
    raise(bank.precharge_ok, now + gaps_.to_precharge[write]);
  }
  return now + gaps_.to_data_end[write];
}

void Devices::precharge(unsigned index, Cycle now) {
  Bank& bank = banks_[index];
  bank.open = false;
  bank.hits = 0;
  raise(bank.activate_ok, now + timing_.rp);
  raise(bank.refresh_ok, now + timing_.rp);
  raise(rank_precharge_ok_[index / banks_per_rank_], now + timing_.ppd);
}

void Devices::refresh(unsigned rank, Cycle now) {
  for (unsigned bank = rank * banks_per_rank_; bank < (rank + 1) * banks_per_rank_; ++bank) {
    raise(banks_[bank].activate_ok, now + timing_.rfc);
    raise(banks_[bank].refresh_ok, now + timing_.rfc);
  }
}

Controller::Controller(const ChannelConfig& config)
    : config_(config),
      map_(config),
      devices_(config),
      scheduler_(make_scheduler(config.controller)),
      queues_(devices_.bank_count()),
      next_refresh_(config.refresh_interval()) {}

void Controller::present(std::uint64_t id, std::uint64_t address, bool write) {
  waiting_.push_back({{id, presented_++, map_.locate(address), write}, now_ + config_.controller.front_end});
  ++unfinished_;
}

std::optional<std::pair<std::uint64_t, Cycle>> Controller::tick() {
  take_due_refreshes();
  if (config_.controller.front_end == 0) move_one(now_);
  std::optional<std::pair<std::uint64_t, Cycle>> done;
  if (due_.empty() || !work_on_refresh()) {
    const Choice choice = scheduler_->choose(queues_, devices_, due_.empty() ? 0 : 1u << due_.front(), now_);
    if (choice.at <= now_) done = issue(choice);
  }
  if (config_.controller.front_end > 0) move_one(now_ + 1);
  ++now_;
  return done;
}

void Controller::take_due_refreshes() {
  if (next_refresh_ > now_) return;
  if (config_.controller.refresh == RefreshPolicy::all_ranks) {
    for (unsigned rank = 0; rank < config_.ranks(); ++rank) due_.push_back(rank);
  } else {
    due_.push_back(next_rank_);
    next_rank_ = (next_rank_ + 1) % config_.ranks();
  }
  next_refresh_ += config_.refresh_interval();
}

bool Controller::work_on_refresh() {
  const unsigned rank = due_.front();
  const unsigned first = rank * devices_.banks_per_rank(), end = first + devices_.banks_per_rank();
  Cycle ready = 0;
  for (unsigned bank = first; bank < end; ++bank) {
    if (devices_.bank(bank).open) return close_banks(first, end);
    ready = std::max(ready, devices_.bank(bank).refresh_ok);
  }
  if (ready > now_) return false;
  devices_.refresh(rank, now_);
  ++refreshes_;
  due_.pop_front();
  return true;
}

bool Controller::close_banks(unsigned first, unsigned end) {
  bool all = true, any = false;
  for (unsigned bank = first; bank < end; ++bank) {
    if (!devices_.bank(bank).open) continue;
    const bool ready = devices_.earliest_precharge(bank) <= now_;
    all &= ready;
    if (!ready || config_.controller.precharge_all) continue;
    devices_.precharge(bank, now_);
    return true;
  }
  for (unsigned bank = first; bank < end && all && config_.controller.precharge_all; ++bank)
    if (devices_.bank(bank).open) {
      devices_.precharge(bank, now_);
      any = true;
    }
  return any;
}

std::optional<std::pair<std::uint64_t, Cycle>> Controller::issue(const Choice& choice) {
  auto& queue = queues_[choice.bank];
  const QueuedRequest request = queue[choice.index];
  scheduler_->issued(choice);
  switch (choice.command) {
    case Command::activate:
      devices_.activate(request.at, now_);
      return std::nullopt;
    case Command::precharge:
      devices_.precharge(choice.bank, now_);
      return std::nullopt;
    case Command::column:
      queue.erase(queue.begin() + choice.index);
      --unfinished_;
      return std::pair(request.id, devices_.column(request.at, request.write, now_));
    case Command::none:
      break;
  }
  throw std::logic_error("reference: the scheduler chose no command");
}

void Controller::move_one(Cycle ready_by) {
  for (auto it = waiting_.begin(); it != waiting_.end() && it->ready <= ready_by; ++it) {
    auto& queue = queues_[it->request.at.bank];
    if (queue.size() >= config_.controller.bank_queue) continue;
    queue.push_back(it->request);
    waiting_.erase(it);
    return;
  }
}

std::optional<ReplayResult> replay_window(const ChannelConfig& config, const std::vector<TraceRequest>& trace,
                                          unsigned window, Cycle patience) {
  Controller channel(config);
  ReplayResult result;
  result.accepted.resize(trace.size());
  result.latency.resize(trace.size());
  std::multiset<Cycle> ends;
  channel.tick();  // the first request comes in cycle 1
  for (std::uint64_t id = 0; id < trace.size() || channel.unfinished() > 0;) {
    const Cycle now = channel.now();
    ends.erase(ends.begin(), ends.upper_bound(now));
    if (id < trace.size() && ends.size() + channel.unfinished() < window && channel.can_accept()) {
      result.accepted[id] = now;
      channel.present(id, trace[id].address, trace[id].write);
      ++id;
    }
    if (const auto done = channel.tick()) {
      result.latency[done->first] = done->second - result.accepted[done->first];
      result.end = std::max(result.end, done->second);
      ends.insert(done->second);
    }
    if (now > patience) return std::nullopt;
  }
  result.first = result.accepted.front();
  result.refreshes = channel.refreshes();
  return result;
}

}  // namespace vp::dram::reference
