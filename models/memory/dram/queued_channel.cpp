#include "models/memory/dram/queued_channel.h"

#include <algorithm>
#include <stdexcept>

#include "models/common/error.h"

namespace vp::dram {
namespace {

// Requests wait, but between so many refreshes none is served: it will never be.
constexpr unsigned kMostFruitless = 1000;

}  // namespace

QueuedChannel::QueuedChannel(const ChannelConfig& config)
    : config_(config),
      gaps_(config),
      map_(config),
      ahead_(config.controller.front_end > 0 ? 1 : 0),
      devices_(config),
      waiting_(config.controller.transaction_queue, devices_.bank_count()),
      queues_(devices_.bank_count(), BankQueue(config.controller.bank_queue)),
      scheduler_(make_scheduler(config.controller, queues_, devices_)),
      limits_(config),
      wake_(config.refresh_interval()),
      next_refresh_(config.refresh_interval()) {}

void QueuedChannel::reset(Cycle now) {
  devices_.reset(now);
  waiting_.clear();
  for (BankQueue& queue : queues_) queue.clear();
  presented_ = served_ = 0;
  scheduler_->reset();
  choice_ = {};
  choose_again_ = false;
  unfinished_ = 0;
  due_.clear();
  refresh_step_ = kNoCycle;
  fruitless_refreshes_ = 0;
  wake_ = next_refresh_;
  now_ = std::min(now_, now);
  step(now);  // refreshes that were due
  limits_.restart(now);
}

void QueuedChannel::present(std::uint64_t id, std::uint64_t address, bool write, Cycle cycle) {
  if (cycle < now_) throw std::logic_error("DRAM: a request is presented in a cycle that is past");
  const Location at = map_.locate(address);
  const Cycle from = cycle + config_.controller.front_end - ahead_;
  waiting_.push({id, presented_++, at.bank, at.row, at.column, write}, from);
  ++unfinished_;
  wake_ = std::min(wake_, from);
}

std::optional<Completion> QueuedChannel::step(Cycle limit) {
  if (unfinished_ == 0 && limit != kNoCycle) skip_idle_refreshes(limit);
  while (wake_ < limit) {
    const Cycle cycle = wake_;
    now_ = cycle + 1;
    if (auto done = tick(cycle)) return done;
  }
  now_ = std::max(now_, limit);
  return std::nullopt;
}

std::optional<Completion> QueuedChannel::tick(Cycle now) {
  if (next_refresh_ <= now) take_due_refreshes(now);
  if (ahead_ == 0) move_one(now);
  std::optional<Completion> done;
  if (due_.empty() || !work_on_refresh(now)) {
    if (choose_again_) {
      choice_ = scheduler_->choose(now, due_.empty() ? 0 : 1u << due_.front());
      choose_again_ = false;
    }
    if (choice_.at <= now) done = issue(choice_, now);
  }
  if (ahead_ != 0) move_one(now);
  plan_wake(now);
  return done;
}

void QueuedChannel::plan_wake(Cycle now) {
  if (waiting_.any_movable()) {  // the next cycle chooses, perhaps behind one more refresh
    wake_ = now + 1;
    return;
  }
  if (choose_again_) {
    choice_ = scheduler_->choose(now + 1, due_.empty() ? 0 : 1u << due_.front());
    choose_again_ = false;
  }
  wake_ = std::max(std::min({next_refresh_, refresh_step_, choice_.at, waiting_.next_arrival()}), now + 1);
}

void QueuedChannel::take_due_refreshes(Cycle now) {
  const unsigned ranks = config_.ranks();
  while (next_refresh_ <= now) {
    if (config_.controller.refresh == RefreshPolicy::all_ranks) {
      for (unsigned rank = 0; rank < ranks; ++rank) due_.push_back(rank);
    } else {
      due_.push_back(next_rank_);
      next_rank_ = (next_rank_ + 1) % ranks;
    }
    next_refresh_ += config_.refresh_interval();
  }
  refresh_step_ = now;
  choose_again_ = true;  // one rank less takes commands
}

void QueuedChannel::skip_idle_refreshes(Cycle limit) {
  if (!due_.empty() || !devices_.all_closed() || on_command_) return;
  const bool all = config_.controller.refresh == RefreshPolicy::all_ranks;
  const Cycle round = config_.refresh_interval() * (all ? 1 : config_.ranks());
  // The last round is done command by command: what comes next may have to wait for it.
  if (limit <= next_refresh_ + 2 * round) return;
  const std::uint64_t rounds = (limit - next_refresh_) / round - 1;
  const Cycle start = next_refresh_ + (rounds - 1) * round;  // of the last one skipped
  for (unsigned i = 0; i < config_.ranks(); ++i)
    limits_.refresh((next_rank_ + i) % config_.ranks(), start + i * (all ? 1 : config_.refresh_interval()), rounds);
  refreshes_ += rounds * config_.ranks();
  next_refresh_ += rounds * round;
  wake_ = next_refresh_;
}

bool QueuedChannel::work_on_refresh(Cycle now) {
  if (refresh_step_ > now) return false;
  const unsigned rank = due_.front();
  const unsigned first = rank * devices_.banks_per_rank(), end = first + devices_.banks_per_rank();
  Cycle ready = 0;
  for (unsigned bank = first; bank < end; ++bank) {
    if (devices_.bank(bank).open) return close_banks(rank, now);
    ready = std::max(ready, devices_.bank(bank).refresh_ok);
  }
  if (ready > now) {
    refresh_step_ = ready;
    return false;
  }
  devices_.refresh(rank, now);
  for (unsigned bank = first; bank < end; ++bank) changed(bank);
  limits_.refresh(rank, now);
  tell(Command::refresh, rank, now);
  ++refreshes_;
  fruitless_refreshes_ = unfinished_ == 0 ? 0 : fruitless_refreshes_ + 1;
  if (fruitless_refreshes_ > kMostFruitless)
    throw UserError("DRAM '" + config_.name +
                    "': with these timings each refresh closes the rows before they are used.");
  due_.pop_front();
  refresh_step_ = due_.empty() ? kNoCycle : now + 1;
  return true;
}

bool QueuedChannel::close_banks(unsigned rank, Cycle now) {
  const unsigned first = rank * devices_.banks_per_rank(), end = first + devices_.banks_per_rank();
  const bool together = config_.controller.precharge_all;
  Cycle earliest = kNoCycle, latest = 0;
  for (unsigned bank = first; bank < end; ++bank) {
    if (!devices_.bank(bank).open) continue;
    const Cycle ready = devices_.earliest_precharge(devices_.bank(bank));
    earliest = std::min(earliest, ready);
    latest = std::max(latest, ready);
    if (ready > now || together) continue;
    precharge(bank, now);
    refresh_step_ = now + 1;
    return true;
  }
  refresh_step_ = together ? latest : earliest;
  if (refresh_step_ > now) return false;
  for (unsigned bank = first; bank < end; ++bank)
    if (devices_.bank(bank).open) precharge(bank, now);
  refresh_step_ = now + 1;
  return true;
}

std::optional<Completion> QueuedChannel::issue(const Choice& choice, Cycle now) {
  BankQueue& queue = queues_[choice.bank];
  std::optional<Completion> done;
  switch (choice.command) {
    case Command::activate:
      queue.done_for_oldest(RowOutcome::closed);
      activate(choice.bank, queue[choice.index].row, now);
      break;
    case Command::precharge:
      queue.done_for_oldest(RowOutcome::conflict);
      precharge(choice.bank, now);
      break;
    case Command::column: {
      const QueuedRequest request = queue.take(choice.index);
      waiting_.room(choice.bank, true);
      --unfinished_;
      fruitless_refreshes_ = 0;
      done = Completion{request.id, request.write, column(choice.bank, request.write, now), request.found};
      break;
    }
    default:
      throw std::logic_error("DRAM: the scheduler chose no command");
  }
  scheduler_->issued(choice.bank, served_);
  return done;
}

CommandCounts QueuedChannel::commands(Cycle end) const {
  end = std::max(end, now_);
  return {activates_, columns_[0], columns_[1], refreshes_, devices_.active_cycles(end), end};
}

void QueuedChannel::command_activate(unsigned bank, unsigned row, Cycle now) {
  devices_.activate(bank, row, now);
  limits_.activate(devices_.bank(bank).rank, bank, now);
  ++activates_;
  tell(Command::activate, bank, now);
}

void QueuedChannel::command_precharge(unsigned bank, Cycle now) {
  devices_.precharge(bank, now);
  ++precharges_;
  tell(Command::precharge, bank, now);
}

Cycle QueuedChannel::command_column(unsigned bank, bool write, Cycle now) {
  const Cycle data_end = devices_.column(bank, write, now);
  limits_.column(devices_.bank(bank).rank, data_end);
  ++served_;
  ++columns_[write];
  tell(Command::column, bank, now);
  return data_end;
}

void QueuedChannel::activate(unsigned bank, unsigned row, Cycle now) {
  command_activate(bank, row, now);
  queues_[bank].row_opened(row);
  changed(bank);
}

void QueuedChannel::precharge(unsigned bank, Cycle now) {
  command_precharge(bank, now);
  queues_[bank].row_closed();
  changed(bank);
}

Cycle QueuedChannel::column(unsigned bank, bool write, Cycle now) {
  const Cycle data_end = command_column(bank, write, now);
  if (!devices_.bank(bank).open) queues_[bank].row_closed();
  changed(bank);
  return data_end;
}

void QueuedChannel::move_one(Cycle now) {
  waiting_.arrive(now, [this](unsigned bank) { return !queues_[bank].full(); });
  if (waiting_.any_movable()) move_oldest();
}

void QueuedChannel::move_oldest() {
  const QueuedRequest request = waiting_.pop();
  BankQueue& queue = queues_[request.bank];
  const Bank& bank = devices_.bank(request.bank);
  const bool first = queue.empty(), hit = bank.open && bank.row == request.row;
  queue.push(request, hit);
  waiting_.room(request.bank, !queue.full());
  if (!first && !hit) return;  // it is not its turn before something else changes
  scheduler_->changed(request.bank);
  // The choice stands if it is of another bank and comes before this one has a command.
  if (choice_.bank == request.bank || scheduler_->next_of(request.bank) <= choice_.at) choose_again_ = true;
}

QueuedChannel::AlonePlan QueuedChannel::plan_alone(std::uint64_t address, bool write, Cycle cycle) const {
  AlonePlan plan;
  plan.at = map_.locate(address);
  const Bank& bank = devices_.bank(plan.at.bank);
  const Cycle ready = cycle + config_.controller.front_end;
  LatencyParts& parts = plan.parts;
  parts.front_end = config_.controller.front_end;
  parts.data = gaps_.to_data_end[write];
  if (bank.open && bank.row == plan.at.row) {
    const Cycle earliest = std::max(ready, bank.column_ok);
    parts.bank = earliest - ready;
    plan.column_at = std::max(ready, devices_.earliest_column(bank, write));
    parts.bus = plan.column_at - earliest;
    return plan;
  }
  Cycle idle = ready;
  plan.found = bank.open ? RowOutcome::conflict : RowOutcome::closed;
  if (bank.open) {
    plan.precharge_at = std::max(ready, devices_.earliest_precharge(bank));
    parts.bank = plan.precharge_at - ready;
    parts.row = config_.timing.rp;
    idle = plan.precharge_at + config_.timing.rp;
  }
  const Cycle recovered = std::max(idle, bank.activate_ok);
  parts.bank += recovered - idle;
  plan.activate_at = std::max(recovered, devices_.earliest_activate(bank));
  parts.activate = plan.activate_at - recovered;
  parts.row += gaps_.activate_to_column;
  plan.column_at = devices_.earliest_column_after(plan.activate_at, bank, write);
  parts.bus = plan.column_at - plan.activate_at - gaps_.activate_to_column;
  return plan;
}

std::optional<Cycle> QueuedChannel::column_alone(std::uint64_t address, bool write, Cycle cycle) const {
  const Cycle column_at = plan_alone(address, write, cycle).column_at;
  if (refresh_comes_before(column_at)) return std::nullopt;
  return column_at;
}

Alone QueuedChannel::foresee_alone(std::uint64_t address, bool write, Cycle cycle) const {
  const AlonePlan plan = plan_alone(address, write, cycle);
  return {plan.column_at + gaps_.to_data_end[write], plan.found, plan.parts};
}

std::optional<Alone> QueuedChannel::serve_alone(std::uint64_t address, bool write, Cycle cycle, Cycle before) {
  const AlonePlan plan = plan_alone(address, write, cycle);
  if (plan.column_at >= before || refresh_comes_before(plan.column_at)) return std::nullopt;
  const unsigned bank = plan.at.bank;
  // The queues are empty, so the scheduler need not hear of it.
  if (plan.found == RowOutcome::conflict) command_precharge(bank, plan.precharge_at);
  if (plan.found != RowOutcome::hit) command_activate(bank, plan.at.row, plan.activate_at);
  const Cycle data_end = command_column(bank, write, plan.column_at);
  scheduler_->issued(bank, served_);
  ++presented_;
  fruitless_refreshes_ = 0;
  choose_again_ = false;  // there is nothing to choose from
  wake_ = next_refresh_;
  now_ = plan.column_at + 1;
  return Alone{data_end, plan.found, plan.parts};
}

}  // namespace vp::dram
