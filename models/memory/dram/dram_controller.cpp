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
  if (under_way_ == 0 && channel_.unfinished() == 0 && !posted(write) && is_in_one_row(job)) {
    serve_alone(job);
    if (job.served == job.bursts) {
      statistics_.direction[write].add(bytes, job.bursts, job.times.complete - arrival);
      return job.times;
    }
  }
  const unsigned index = start(job);
  while (!jobs_[index].answered) run_on(kNoCycle);
  if (jobs_[index].served == jobs_[index].bursts) free_jobs_.push_back(index);
  jobs_[index].at_once = false;
  return jobs_[index].times;
}

/// Then each of its bursts has to wait for those before it whatever the policy, and gets what it would get alone. Not
/// more than the queues take, so that none is held at the input.
bool DramController::is_in_one_row(const Job& job) const {
  if (job.bursts == 1) return true;
  if (job.bursts > std::min(config_.controller.bank_queue, config_.controller.transaction_queue)) return false;
  for (unsigned i = 1; i < job.bursts; ++i)
    if (!channel_.same_row(job.address, job.address + i * config_.burst_bytes())) return false;
  return true;
}

/// Bursts in closed form, until one has to wait for a refresh.
void DramController::serve_alone(Job& job) {
  for (; job.served < job.bursts; ++job.entered) {
    const Cycle since = arrival_of(job, job.served), cycle = std::max(since, next_entry_);
    const auto got = channel_.serve_alone(job.address + job.served * config_.burst_bytes(), job.write, cycle);
    if (!got) return;
    LatencyParts parts = got->parts;
    parts.queue = cycle - since;
    count(parts, got->found, since, got->at);
    next_entry_ = cycle + 1;
    end_burst(job, job.served == 0, got->at);
  }
}

void DramController::push(Token token, Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write) {
  start(job_of(token, arrival, address, bytes, write));
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
  for (unsigned burst = job.served; burst < job.bursts; ++burst)
    input_.push_back({arrival_of(job, burst), job.address + burst * config_.burst_bytes(), index, burst == 0});
  ++under_way_;
  return index;
}

Picoseconds DramController::next_event() const {
  Picoseconds next = kNever;
  for (const Answered& one : answered_) next = std::min(next, one.times.complete);
  if (under_way_ == 0) return next;
  const Cycle event = channel_.unfinished() != 0 ? channel_.next_event() : kNoCycle;
  Cycle column = event;
  if (!input_.empty()) {
    Cycle entry = std::max({input_.front().arrival, next_entry_, channel_.now()});
    if (!channel_.can_accept()) entry = std::max(entry, event + 1);
    column = std::min(column, entry);
    if (config_.controller.posted_writes) next = std::min(next, clock_.time_of(entry));
  }
  return column == kNoCycle ? next : std::min(next, clock_.time_of(column + shortest_));
}

bool DramController::run_on(Cycle limit) {
  Cycle target = limit;
  if (!input_.empty()) {
    const Cycle entry = std::max(input_.front().arrival, next_entry_);
    if (entry > channel_.now()) {
      target = std::min(limit, entry);
    } else if (channel_.can_accept()) {
      enter(channel_.now());
      return true;
    } else {
      target = std::min(limit, std::max(channel_.next_event(), channel_.now()) + 1);  // room may come with it
    }
  }
  if (channel_.now() >= limit) return false;
  if (const auto done = channel_.step(target)) finish(*done);
  return true;
}

void DramController::enter(Cycle cycle) {
  Burst burst = input_.front();
  input_.pop_front();
  next_entry_ = cycle + 1;
  Job& job = jobs_[burst.job];
  ++job.entered;
  if (enter_alone(burst, cycle)) return;
  burst.alone = channel_.unfinished() == 0;
  burst.refreshes = channel_.refreshes();
  channel_.present(take_free(bursts_, free_bursts_, burst), burst.address, job.write, cycle);
  if (!posted(job.write)) return;
  const Picoseconds accepted = clock_.time_of(cycle + config_.controller.front_end);
  if (burst.first) job.times.first = accepted;
  job.times.complete = accepted;
  if (job.entered == job.bursts) answer(burst.job);
}

bool DramController::enter_alone(const Burst& burst, Cycle cycle) {
  Job& job = jobs_[burst.job];
  if (!job.at_once || channel_.unfinished() != 0 || posted(job.write)) return false;
  const Cycle before = input_.empty() ? kNoCycle : std::max(input_.front().arrival, next_entry_);
  const auto got = channel_.serve_alone(burst.address, job.write, cycle, before);
  if (!got) return false;
  LatencyParts parts = got->parts;
  parts.queue = cycle - burst.arrival;
  count(parts, got->found, burst.arrival, got->at);
  end_burst(burst.job, burst.first, got->at);
  return true;
}

void DramController::finish(const Completion& done) {
  const Burst burst = bursts_[done.id];
  free_bursts_.push_back(static_cast<unsigned>(done.id));
  LatencyParts parts;
  parts.front_end = config_.controller.front_end;
  parts.data = channel_.to_data_end(done.write);
  if (done.found != RowOutcome::hit) parts.row = channel_.activate_to_column();
  if (done.found == RowOutcome::conflict) parts.row += config_.timing.rp;
  const bool refreshed = channel_.refreshes() != burst.refreshes;
  (refreshed && burst.alone ? parts.refresh : parts.queue) = done.at - burst.arrival - parts.total();
  statistics_.refresh_stalls += refreshed;
  count(parts, done.found, burst.arrival, done.at);
  end_burst(burst.job, burst.first, done.at);
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

void DramController::end_burst(unsigned index, bool first, Cycle data_end) {
  Job& job = jobs_[index];
  end_burst(job, first, data_end);
  if (job.served != job.bursts) return;
  if (!posted(job.write)) answer(index);
  if (!job.at_once) free_jobs_.push_back(index);
}

void DramController::answer(unsigned index) {
  Job& job = jobs_[index];
  job.answered = true;
  --under_way_;
  statistics_.direction[job.write].add(job.bytes, job.bursts, job.times.complete - job.arrival);
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
  under_way_ = 0;
  next_entry_ = 0;
  channel_.reset(clock_.edge_at_or_after(now));
}

ChannelStatistics DramController::statistics() const {
  ChannelStatistics statistics = statistics_;
  statistics.refreshes = channel_.refreshes();
  return statistics;
}

std::string DramController::broken_conservation() const {
  const ChannelStatistics& s = statistics_;
  if (s.parts.total() != latency_sum_) return "the parts of the bursts' latency do not add up to it";
  return channel_.broken_limit();
}

}  // namespace vp::dram
