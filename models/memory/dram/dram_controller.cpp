#include "models/memory/dram/dram_controller.h"

#include <algorithm>

namespace vp::dram {
namespace {

unsigned log2_of(std::uint64_t value) {
  unsigned bits = 0;
  while (value >>= 1) ++bits;
  return bits;
}

template <typename Value>
unsigned take_free(std::vector<Value>& values, std::vector<unsigned>& free, const Value& value) {
  if (free.empty()) {
    values.push_back(value);
    return static_cast<unsigned>(values.size() - 1);
  }
  const unsigned index = free.back();
  free.pop_back();
  values[index] = value;
  return index;
}

}  // namespace

DramController::DramController(const ChannelConfig& config, BusBeats beats)
    : config_(config),
      beats_(beats),
      clock_(config.clock_period),
      offset_bits_(log2_of(config.burst_bytes())),
      channel_(config),
      shortest_(std::min(channel_.to_data_end(false), channel_.to_data_end(true))) {}

Cycle DramController::cycle_of(Picoseconds arrival) {
  const Cycle cycle = clock_.edge_at_or_after(arrival);
  if (cycle >= channel_.now()) return cycle;
  ++statistics_.order_violations;
  return channel_.now();
}

DramController::Times DramController::access(Picoseconds arrival, std::uint64_t address, std::uint64_t bytes,
                                             bool write) {
  Job job = job_of(0, arrival, address, bytes, write);
  job.at_once = true;
  if (is_idle() && serve_alone(job, kNoCycle)) return over(job);
  const unsigned index = start(job);
  while (!jobs_[index].answered) run_on(kNoCycle);
  if (jobs_[index].served == jobs_[index].bursts) free_jobs_.push_back(index);
  jobs_[index].at_once = false;
  return jobs_[index].times;
}

DramController::Pushed DramController::push(Token token, Picoseconds arrival, std::uint64_t address,
                                            std::uint64_t bytes, bool write, Picoseconds alone_until) {
  Job job = job_of(token, arrival, address, bytes, write);
  const bool idle = is_idle();
  if (idle && alone_until > arrival) {
    if (channel_.next_event() < job.since) channel_.step(job.since);
    const Cycle before = alone_until == kNever ? kNoCycle : clock_.edge_at_or_after(alone_until);
    if (serve_alone(job, before)) return {true, over(job), kNever};
  }
  start(job);
  // Even a burst that finds its row open takes so long.
  const Cycle seen = std::max(job.since, next_entry_);
  return {false, {}, idle ? next_event() : clock_.time_of(posted(write) ? seen : seen + shortest_)};
}

bool DramController::is_in_one_row(const Job& job) const {
  if (job.bursts == 1) return true;
  if (config_.controller.page == PagePolicy::closed) return false;
  for (unsigned i = 1; i < job.bursts; ++i)
    if (!channel_.same_row(job.address, job.address + i * config_.burst_bytes())) return false;
  return true;
}

/// Not if so many wait at a time that the queues might hold one at the input.
std::optional<Cycle> DramController::last_column_alone(const Job& job) const {
  if (!is_in_one_row(job)) return std::nullopt;
  const bool may_wait = job.bursts <= std::min(config_.controller.bank_queue, config_.controller.transaction_queue);
  Cycle entry = std::max(job.since, next_entry_);
  std::optional<Cycle> column = channel_.column_alone(job.address, job.write, entry);
  for (unsigned i = 1; column && i < job.bursts; ++i) {
    entry = std::max(arrival_of(job, i), entry + 1);
    if (!may_wait && *column >= entry) return std::nullopt;
    column = std::max(*column + channel_.hit_to_hit(job.write), entry + config_.controller.front_end);
  }
  return column;
}

bool DramController::serve_alone(Job& job, Cycle before) {
  if (posted(job.write)) return false;
  if (job.bursts > 1) {
    const auto last = last_column_alone(job);
    if (!last || *last >= before || channel_.refresh_comes_before(*last)) return false;
  }
  for (unsigned i = 0; i < job.bursts; ++i) {
    const Cycle since = arrival_of(job, i), entry = std::max(since, next_entry_);
    const auto got = channel_.serve_alone(job.address + i * config_.burst_bytes(), job.write, entry, before);
    if (!got) return false;  // the first one
    serve_burst_alone(job, *got, since, entry);
  }
  return true;
}

void DramController::serve_burst_alone(Job& job, const Alone& got, Cycle since, Cycle entry) {
  LatencyParts parts = got.parts;
  if (job.entered != 0) {
    parts.bank = parts.activate = parts.bus = 0;
    parts.queue = got.at - since - parts.total();
  } else {
    parts.queue = entry - since;
  }
  count(parts, got.found, since, got.at);
  next_entry_ = entry + 1;
  ++job.entered;
  end_burst(job, job.entered == 1, got.at);
}

DramController::Job DramController::job_of(Token token, Picoseconds arrival, std::uint64_t address, std::uint64_t bytes,
                                           bool write) {
  const std::uint64_t first = address >> offset_bits_, last = (address + (bytes != 0 ? bytes - 1 : 0)) >> offset_bits_;
  Job job;
  job.token = token;
  job.arrival = arrival;
  job.since = cycle_of(arrival);
  job.address = first << offset_bits_;
  job.bytes = bytes;
  job.write = write;
  job.bursts = static_cast<unsigned>(last - first + 1);
  statistics_.first_arrival = std::min(statistics_.first_arrival, arrival);
  return job;
}

Cycle DramController::arrival_of(const Job& job, unsigned burst) const {
  if (burst == 0 || beats_.cycle == 0) return job.since;
  const Picoseconds beat = std::uint64_t{burst} * config_.burst_bytes() / beats_.bytes * beats_.cycle;
  return std::max(job.since, clock_.edge_at_or_after(job.arrival + beat));
}

unsigned DramController::start(const Job& job) {
  const unsigned index = take_free(jobs_, free_jobs_, job);
  if (input_.empty()) next_arrival_ = job.since;
  input_.push_back(index);
  ++under_way_;
  return index;
}

Picoseconds DramController::next_event() const {
  Picoseconds next = kNever;
  for (const Answered& one : answered_) next = std::min(next, one.times.complete);
  if (under_way_ == 0) return next;
  Cycle column = channel_.unfinished() != 0 ? channel_.next_event() : kNoCycle;
  if (!input_.empty()) {
    const Job& job = jobs_[input_.front()];
    Cycle entry = std::max({next_arrival_, next_entry_, channel_.now()});
    if (!channel_.can_accept()) entry = std::max(entry, column + 1);
    if (config_.controller.posted_writes) {
      next = std::min(next, clock_.time_of(entry));
    } else if (under_way_ == 1 && job.entered == 0 && channel_.unfinished() == 0) {
      if (const auto last = last_column_alone(job))
        return std::min(next, clock_.time_of(*last + channel_.to_data_end(job.write)));
    }
    column = std::min(column, entry);
  }
  return column == kNoCycle ? next : std::min(next, clock_.time_of(column + shortest_));
}

void DramController::settle(Picoseconds until) {
  std::size_t known = 0;
  Picoseconds first = until;
  do {
    for (; known < answered_.size(); ++known) first = std::min(first, answered_[known].times.complete);
  } while (under_way_ != 0 && run_on(first == kNever ? kNoCycle : clock_.edge_at_or_after(first)));
}

bool DramController::run_on(Cycle limit) {
  Cycle target = limit;
  if (!input_.empty()) {
    const Cycle entry = std::max(next_arrival_, next_entry_);
    if (entry > channel_.now()) {
      target = std::min(limit, entry);
    } else if (channel_.can_accept()) {
      enter(channel_.now(), limit);
      return true;
    } else {
      target = std::min(limit, std::max(channel_.next_event(), channel_.now()) + 1);  // room may come with it
    }
  }
  if (channel_.now() >= limit) return false;
  if (const auto done = channel_.step(target)) finish(*done);
  return true;
}

void DramController::enter(Cycle cycle, Cycle limit) {
  const unsigned index = input_.front();
  if (channel_.unfinished() == 0 && enter_alone(index, cycle, limit)) return;
  Job& job = jobs_[index];
  const Burst burst{next_arrival_, index, job.entered == 0, channel_.unfinished() == 0, channel_.refreshes()};
  const std::uint64_t address = job.address + job.entered * config_.burst_bytes();
  next_entry_ = cycle + 1;
  ++job.entered;
  next_at_input();
  const unsigned id = take_free(bursts_, free_bursts_, burst);
  if (burst.first && burst.alone) {
    const Alone foreseen = channel_.foresee_alone(address, job.write, cycle);
    lone_ = {true, id, foreseen.at, foreseen.parts};
  } else if (lone_.valid && bursts_[lone_.burst].job != index) {
    lone_.valid = false;
  }
  channel_.present(id, address, job.write, cycle);
  if (!posted(job.write)) return;
  const Picoseconds accepted = clock_.time_of(cycle + config_.controller.front_end);
  if (burst.first) job.times.first = accepted;
  job.times.complete = accepted;
  if (job.entered == job.bursts) answer(index);
}

void DramController::next_at_input() {
  if (jobs_[input_.front()].entered == jobs_[input_.front()].bursts) input_.pop_front();
  if (input_.empty()) return;
  const Job& job = jobs_[input_.front()];
  next_arrival_ = arrival_of(job, job.entered);
}

bool DramController::enter_alone(unsigned index, Cycle cycle, Cycle limit) {
  Job& job = jobs_[index];
  if (posted(job.write)) return false;
  const Cycle others = input_.size() > 1 ? std::max(jobs_[input_[1]].since, cycle + 1) : limit;
  if (job.entered != 0 || job.bursts == 1 || !serve_alone(job, others)) {
    const Cycle since = next_arrival_;
    Cycle before = others;
    if (job.entered + 1 < job.bursts) before = std::min(before, std::max(arrival_of(job, job.entered + 1), cycle + 1));
    const auto got = channel_.serve_alone(job.address + job.entered * config_.burst_bytes(), job.write, cycle, before);
    if (!got) return false;
    serve_burst_alone(job, *got, since, cycle);
  }
  next_at_input();
  if (job.served == job.bursts) retire(index);
  return true;
}

LatencyParts DramController::parts_of(const Burst& burst, const Completion& done, bool refreshed) const {
  LatencyParts parts;
  if (lone_.valid && lone_.burst == done.id && lone_.end == done.at && !refreshed) {
    parts = lone_.parts;
    parts.queue = done.at - burst.arrival - parts.total();
    return parts;
  }
  parts.front_end = config_.controller.front_end;
  parts.data = channel_.to_data_end(done.write);
  if (done.found != RowOutcome::hit) parts.row = channel_.activate_to_column();
  if (done.found == RowOutcome::conflict) parts.row += config_.timing.rp;
  const bool waited_for_refresh = refreshed && burst.first && burst.alone;
  (waited_for_refresh ? parts.refresh : parts.queue) = done.at - burst.arrival - parts.total();
  return parts;
}

void DramController::finish(const Completion& done) {
  const Burst burst = bursts_[done.id];
  const bool refreshed = channel_.refreshes() != burst.refreshes;
  const LatencyParts parts = parts_of(burst, done, refreshed);
  free_bursts_.push_back(static_cast<unsigned>(done.id));
  if (lone_.burst == done.id) lone_.valid = false;
  statistics_.refresh_stalls += refreshed;
  count(parts, done.found, burst.arrival, done.at);
  Job& job = jobs_[burst.job];
  end_burst(job, burst.first, done.at);
  if (job.served == job.bursts) retire(burst.job);
}

void DramController::count(const LatencyParts& parts, RowOutcome found, Cycle arrival, Cycle data_end) {
  statistics_.parts += parts;
  latency_sum_ += data_end - arrival;
  ++statistics_.rows[static_cast<unsigned>(found)];
  statistics_.last_data = std::max(statistics_.last_data, clock_.time_of(data_end));
  if (on_data_) on_data_(clock_.time_of(data_end - config_.burst_cycles()), clock_.time_of(data_end));
}

void DramController::end_burst(Job& job, bool first, Cycle data_end) {
  ++job.served;
  if (posted(job.write)) return;  // its times are those of its acceptance
  if (first) job.times.first = clock_.time_of(data_end);
  job.times.complete = std::max(job.times.complete, clock_.time_of(data_end));
}

void DramController::retire(unsigned index) {
  if (!posted(jobs_[index].write)) answer(index);
  if (!jobs_[index].at_once) free_jobs_.push_back(index);
}

DramController::Times DramController::over(const Job& job) {
  statistics_.direction[job.write].add(job.bytes, job.bursts, job.times.complete - job.arrival);
  return job.times;
}

void DramController::answer(unsigned index) {
  Job& job = jobs_[index];
  job.answered = true;
  --under_way_;
  over(job);
  if (!job.at_once) answered_.push_back({job.token, job.times});
}

void DramController::reset(Picoseconds now) {
  std::vector<bool> is_free(jobs_.size());
  for (const unsigned free : free_jobs_) is_free[free] = true;
  for (unsigned i = 0; i < jobs_.size(); ++i)
    if (!is_free[i] && !jobs_[i].answered) answered_.push_back({jobs_[i].token, {now, now}});
  jobs_.clear();
  free_jobs_.clear();
  bursts_.clear();
  free_bursts_.clear();
  input_.clear();
  lone_ = {};
  under_way_ = 0;
  next_entry_ = 0;
  channel_.reset(clock_.edge_at_or_after(now));
}

ChannelStatistics DramController::statistics() const {
  ChannelStatistics statistics = statistics_;
  statistics.refreshes = channel_.refreshes();
  return statistics;
}

ChannelFigures DramController::figures() const {
  ChannelFigures figures = statistics().figures(config_);
  figures.energy = energy_figures(config_, channel_.commands(clock_.edge_at_or_after(statistics_.last_data)));
  if (!figures.energy) figures.no_energy = why_no_energy(config_);
  return figures;
}

std::string DramController::broken_conservation() const {
  const ChannelStatistics& s = statistics_;
  if (s.parts.total() != latency_sum_) return "the parts of the bursts' latency do not add up to it";
  return channel_.broken_limit();
}

}  // namespace vp::dram
