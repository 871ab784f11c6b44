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
      map_(config),
      devices_(config),
      scheduler_(make_scheduler(config.controller)),
      queues_(devices_.bank_count()),
      next_refresh_(config.refresh_interval()) {}

void QueuedChannel::present(std::uint64_t id, std::uint64_t address, bool write, Cycle cycle) {
  if (cycle < now_) throw std::logic_error("DRAM: a request is presented in a cycle that is past");
  if (!can_accept()) throw std::logic_error("DRAM: a request is presented to a full queue");
  waiting_.push_back({{id, presented_++, map_.locate(address), write}, cycle + config_.controller.front_end});
  ++unfinished_;
  wake_ = std::min(wake_, std::max(cycle, now_));
}

std::optional<Completion> QueuedChannel::step(Cycle limit) {
  while (wake_ < limit) {
    const Cycle cycle = wake_;
    now_ = cycle + 1;
    if (auto done = tick(cycle)) return done;
  }
  now_ = std::max(now_, limit);
  return std::nullopt;
}

std::optional<Completion> QueuedChannel::tick(Cycle now) {
  take_due_refreshes(now);
  bool busy = config_.controller.front_end == 0 && move_one(now);
  std::optional<Completion> done;
  Cycle next = next_refresh_;
  std::optional<Cycle> refresh_step = kNoCycle;
  if (!due_.empty()) refresh_step = work_on_refresh(now);
  if (!refresh_step) {
    busy = true;
  } else {
    next = std::min(next, *refresh_step);
    const unsigned blocked = due_.empty() ? 0 : 1u << due_.front();
    const Choice choice = scheduler_->choose(queues_, devices_, blocked, now);
    if (choice.at <= now) {
      done = issue(choice, now);
      busy = true;
    } else {
      next = std::min(next, choice.at);
    }
  }
  busy |= config_.controller.front_end > 0 && move_one(now + 1);
  const Cycle ahead = config_.controller.front_end > 0 ? 1 : 0;  // moved in the cycle before
  for (const Waiting& waiting : waiting_)
    if (waiting.ready > now + ahead) {  // in order of time: the first such is the earliest
      next = std::min(next, waiting.ready - ahead);
      break;
    }
  wake_ = busy ? now + 1 : std::max(next, now + 1);
  return done;
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
}

std::optional<Cycle> QueuedChannel::work_on_refresh(Cycle now) {
  const unsigned rank = due_.front();
  const unsigned first = rank * devices_.banks_per_rank(), end = first + devices_.banks_per_rank();
  Cycle ready = 0;
  for (unsigned bank = first; bank < end; ++bank) {
    if (devices_.bank(bank).open) return close_banks(rank, now);
    ready = std::max(ready, devices_.bank(bank).refresh_ok);
  }
  if (ready > now) return ready;
  devices_.refresh(rank, now);
  refreshes_.push_back(now);
  fruitless_refreshes_ = unfinished_ == 0 ? 0 : fruitless_refreshes_ + 1;
  if (fruitless_refreshes_ > kMostFruitless)
    throw UserError("DRAM '" + config_.name +
                    "': with these timings each refresh closes the rows before they are used.");
  due_.pop_front();
  return std::nullopt;
}

std::optional<Cycle> QueuedChannel::close_banks(unsigned rank, Cycle now) {
  const unsigned first = rank * devices_.banks_per_rank(), end = first + devices_.banks_per_rank();
  Cycle earliest = kNoCycle, latest = 0;
  for (unsigned bank = first; bank < end; ++bank) {
    if (!devices_.bank(bank).open) continue;
    const Cycle ready = devices_.earliest_precharge(bank);
    if (ready <= now && !config_.controller.precharge_all) {
      devices_.precharge(bank, now);
      return std::nullopt;
    }
    earliest = std::min(earliest, ready);
    latest = std::max(latest, ready);
  }
  if (!config_.controller.precharge_all) return earliest;
  if (latest > now) return latest;
  for (unsigned bank = first; bank < end; ++bank)
    if (devices_.bank(bank).open) devices_.precharge(bank, now);
  return std::nullopt;
}

std::optional<Completion> QueuedChannel::issue(const Choice& choice, Cycle now) {
  auto& queue = queues_[choice.bank];
  const QueuedRequest request = queue[choice.index];
  scheduler_->issued(choice);
  switch (choice.command) {
    case Command::activate:
      devices_.activate(request.at, now);
      ++activates_;
      return std::nullopt;
    case Command::precharge:
      devices_.precharge(choice.bank, now);
      return std::nullopt;
    case Command::column:
      queue.erase(queue.begin() + choice.index);
      --unfinished_;
      fruitless_refreshes_ = 0;
      return Completion{request.id, request.write, devices_.column(request.at, request.write, now)};
    case Command::none:
      break;
  }
  throw std::logic_error("DRAM: the scheduler chose no command");
}

bool QueuedChannel::move_one(Cycle ready_by) {
  for (auto it = waiting_.begin(); it != waiting_.end() && it->ready <= ready_by; ++it) {
    auto& queue = queues_[it->request.at.bank];
    if (queue.size() >= config_.controller.bank_queue) continue;
    queue.push_back(it->request);
    waiting_.erase(it);
    return true;
  }
  return false;
}

}  // namespace vp::dram
