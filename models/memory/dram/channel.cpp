#include "models/memory/dram/channel.h"

#include <algorithm>
#include <stdexcept>

namespace vp::dram {
namespace {

constexpr unsigned kMostCallers = 4096;
constexpr std::size_t kVisitsKept = 128;  // of each bank

}  // namespace

Channel::Channel(const ChannelConfig& config)
    : config_(config),
      timing_(config_.timing),
      controller_(config_.controller),
      gaps_(config),
      map_(config),
      clock_(config.clock_period),
      refresh_period_(controller_.refresh == RefreshPolicy::staggered ? config.refresh_interval() * config.ranks()
                                                                      : config.refresh_interval()),
      banks_(config.ranks() * config.banks_per_rank()),
      visits_(banks_.size(), RecentSchedule<Visit>(kVisitsKept)),
      runs_(banks_.size(), BankRuns(controller_.bank_queue)),
      ranks_(config.ranks(), RankState(config.timing)),
      columns_(config_, gaps_),
      backlog_(config_, gaps_),
      posted_(controller_.transaction_queue) {
  const bool staggered = controller_.refresh == RefreshPolicy::staggered;
  for (unsigned rank = 0; rank < ranks_.size(); ++rank)
    ranks_[rank].refresh_due = config_.refresh_interval() * (staggered ? rank + 1 : 1);
}

void Channel::reset() {
  std::fill(banks_.begin(), banks_.end(), BankState{});
  columns_.clear();
  backlog_.clear();
  for (auto& visits : visits_) visits.clear();
  for (BankRuns& runs : runs_) runs.clear();
  std::fill(posted_.begin(), posted_.end(), 0);
  latest_arrival_ = 0;
  // Refreshes go on as they were due, so that none is counted twice.
  for (RankState& rank : ranks_) {
    rank.activates.clear();
    rank.last_precharge = rank.refresh_end = 0;
  }
}

Channel::Times Channel::access(Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write,
                               Picoseconds beat_spacing, Caller caller) {
  const unsigned bits = map_.offset_bits();
  const std::uint64_t first = address >> bits, last = (address + (bytes ? bytes - 1 : 0)) >> bits;
  Times times;
  Picoseconds beat_arrival = arrival;
  for (std::uint64_t index = first; index <= last; ++index, beat_arrival += beat_spacing) {
    const Cycle cycle = clock_.edge_at_or_after(beat_arrival);
    if (index == first) note_caller(cycle, caller);
    const Cycle data_end = serve(cycle, index << bits, write, caller.id);
    const Cycle end = write && controller_.posted_writes ? acknowledge_posted(cycle, data_end) : data_end;
    times.complete = std::max(times.complete, clock_.time_of(end));
    if (index == first) times.first = times.complete;
    statistics_.last_data = std::max(statistics_.last_data, clock_.time_of(data_end));
  }
  statistics_.first_arrival = std::min(statistics_.first_arrival, arrival);
  statistics_.direction[write].add(bytes, last - first + 1, times.complete - arrival);
  return times;
}

Cycle Channel::burst(Cycle arrival, std::uint64_t address, bool write, Caller caller) {
  note_caller(arrival, caller);
  return serve(arrival, address, write, caller.id);
}

Cycle Channel::serve(Cycle arrival, std::uint64_t address, bool write, unsigned caller) {
  const bool late = arrival < latest_arrival_;
  if (late)
    ++statistics_.order_violations;
  else
    latest_arrival_ = arrival;
  const bool backlog = !late && looks_ahead() && columns_.several_after(arrival);
  const Burst burst{arrival, map_.locate(address), write, caller, late, backlog};
  if (backlog) backlog_.advance(arrival, columns_);
  const auto& visits = visits_[burst.at.bank];
  Cycle command = kNoCycle;
  if (!visits.empty() && arrival < visits.back().at) command = place_between(burst);
  if (command == kNoCycle) command = place(burst);
  const Cycle data_end = command + gaps_.to_data_end[write];
  latency_sum_ += data_end - arrival;
  if (on_data_) on_data_(clock_.time_of(data_end - config_.burst_cycles()), clock_.time_of(data_end));
  return data_end;
}

std::string Channel::broken_conservation() const {
  const ChannelStatistics& s = statistics_;
  if (s.parts.total() != latency_sum_) return "the parts of the bursts' latency do not add up to it";
  const std::uint64_t bursts = s.direction[0].bursts + s.direction[1].bursts;
  if (s.rows[0] + s.rows[1] + s.rows[2] != bursts) return "hits, closed rows and conflicts are not the bursts";
  if (bursts != 0 && bursts * config_.burst_cycles() * config_.clock_period > s.last_data - s.first_arrival)
    return "the data bus was busy for longer than the time";
  return "";
}

void Channel::note_caller(Cycle arrival, Caller caller) {
  if (caller.id >= kMostCallers) throw std::logic_error("DRAM: a caller's number is not small");
  if (caller.id >= callers_.size()) callers_.resize(caller.id + 1);
  if (callers_.size() == 1) return;
  local_ = arrival;
  callers_[caller.id] = std::max(callers_[caller.id], arrival);
  const Cycle settled = clock_.edge_at_or_after(caller.settled);
  if (settled > settled_) {
    quantum_ = ahead_;
    settled_ = settled;
    ahead_ = 0;
  }
  if (arrival > settled_) ahead_ = std::max(ahead_, arrival - settled_);
}

std::optional<unsigned> Channel::foresee(const Location& at, unsigned caller) const {
  const auto& visits = visits_[at.bank];
  if (visits.empty()) return std::nullopt;
  const Cycle last = visits.back().at;
  for (std::size_t i = visits.end(); i > visits.begin() && visits[i - 1].at + quantum_ > last; --i) {
    const Visit& visit = visits[i - 1];
    const Cycle again = visit.at + quantum_;
    if (visit.refresh || visit.caller == caller || again > local_) continue;
    if (again <= std::max(settled_, callers_[visit.caller]))
      return std::nullopt;  // the others' past is known up to here
    if (visit.row == at.row) return std::nullopt;
    return visit.row;
  }
  return std::nullopt;
}

Cycle Channel::acknowledge_posted(Cycle arrival, Cycle data_end) {
  // The queue holds so many writes; one more is accepted when the oldest of them has moved its data.
  Cycle& oldest = posted_[next_posted_];
  next_posted_ = next_posted_ + 1 == posted_.size() ? 0 : next_posted_ + 1;
  const Cycle accepted = std::max(arrival + controller_.front_end, oldest);
  oldest = data_end;
  return accepted;
}

Cycle Channel::place(const Burst& burst) {
  const Location& at = burst.at;
  const Cycle ready = burst.arrival + controller_.front_end;
  RankState& rank = ranks_[at.rank];
  if (rank.refresh_due <= ready) catch_up(at.rank, ready);
  BankState& bank = banks_[at.bank];
  RowOutcome outcome = !bank.open ? RowOutcome::closed : bank.row == at.row ? RowOutcome::hit : RowOutcome::conflict;
  LatencyParts parts;
  if (outcome == RowOutcome::conflict && looks_ahead()) {
    Cycle command = reserve_in_earlier_row(burst, parts);
    if (command == kNoCycle && runs_[at.bank].can_join(at.row, ready)) command = join_run(burst, parts);
    if (command != kNoCycle) {
      count(RowOutcome::hit, parts, burst.write);
      return command;
    }
  }
  Visit visit;
  if (outcome == RowOutcome::hit && quantum_ != 0)
    if (const auto row = foresee(at, burst.caller)) {
      outcome = RowOutcome::conflict;
      bank.row = *row;
    }
  Cycle start = rank.refresh_end > ready && !bank.open ? rank.refresh_end : ready;
  for (;;) {
    parts = {};
    parts.refresh = start - ready;
    visit.at = burst.arrival;
    visit.column = reserve(burst, start, visit, parts);
    if (visit.column != kNoCycle) break;
    refresh(at.rank);
    start = std::max(start, rank.refresh_end);
  }
  visit.row = at.row;
  visit.caller = burst.caller;
  visit.open = bank.open;
  visit.column_ok = bank.column_ok;
  visit.release = bank.open ? bank.precharge_ok : bank.activate_ok;
  auto& visits = visits_[at.bank];
  visits.insert(visits.after(burst.arrival), visit);
  count(outcome, parts, burst.write);
  return visit.column;
}

void Channel::count(RowOutcome outcome, LatencyParts parts, bool write) {
  parts.front_end = controller_.front_end;
  parts.data = gaps_.to_data_end[write];
  ++statistics_.rows[static_cast<unsigned>(outcome)];
  statistics_.refresh_stalls += parts.refresh != 0;
  statistics_.parts += parts;
}

Cycle Channel::place_between(const Burst& burst) {
  const Location& at = burst.at;
  auto& visits = visits_[at.bank];
  for (std::size_t next = visits.after(burst.arrival); next < visits.end(); ++next) {
    const Visit nothing;  // older than what is kept: a bank long closed
    Plan plan = plan_after(next > visits.begin() ? visits[next - 1] : nothing, burst);
    Visit& visit = plan.visit;
    visit.caller = burst.caller;
    if (visit.column >= ranks_[at.rank].refresh_due) return kNoCycle;
    if (visits[next].refresh && visit.column >= visits[next].at) continue;
    // What was answered stands. So that latencies stay right on average, the late request pays for the delay it should
    // have caused.
    const Cycle delay = delay_caused(visit, visits[next]);
    plan.parts.bank += delay;
    if (visit.activate != 0) add_activate(burst, visit.activate);
    add_column(burst, plan.earliest, visit.column);
    visits.insert(next, visit);
    count(plan.outcome, plan.parts, burst.write);
    return visit.column + delay;
  }
  return kNoCycle;
}

Cycle Channel::delay_caused(const Visit& visit, const Visit& next) const {
  if (next.refresh || (visit.open && next.row == visit.row)) return 0;
  const Cycle start = std::max(next.at + controller_.front_end, visit.release);
  const Cycle activate = start + (visit.open ? timing_.rp : 0);
  if (next.activate != 0) return activate - std::min(activate, next.activate);
  const Cycle column = activate + gaps_.activate_to_column;
  return column - std::min(column, next.column);
}

Channel::Plan Channel::plan_after(const Visit& before, const Burst& burst) const {
  const Location& at = burst.at;
  const Cycle ready = burst.arrival + controller_.front_end;
  Plan plan;
  Visit& visit = plan.visit;
  LatencyParts& parts = plan.parts;
  visit.at = std::max(burst.arrival, before.at);  // keeps the order of the list if it had to wait for later arrivals
  visit.row = at.row;
  visit.column_ok = before.column_ok;
  Cycle earliest = std::max(ready, before.column_ok);
  const Cycle idle = std::max(ready, before.release);
  if (before.open && before.row == at.row) {
    parts.bank = earliest - ready;
  } else {
    plan.outcome = before.open ? RowOutcome::conflict : RowOutcome::closed;
    (before.refresh ? parts.refresh : parts.bank) = idle - ready;
    parts.row = (before.open ? timing_.rp : 0) + gaps_.activate_to_column;
    const Cycle from = idle + (before.open ? timing_.rp : 0);
    visit.activate = find_activate(burst, from);
    parts.activate = visit.activate - from;
    earliest = visit.column_ok = visit.activate + gaps_.activate_to_column;
  }
  visit.column = find_column(burst, earliest);
  parts.bus = visit.column - earliest;
  plan.earliest = earliest;
  visit.open = controller_.page == PagePolicy::open;
  const Cycle opened = visit.activate != 0 ? visit.activate + gaps_.activate_to_precharge : before.release;
  visit.release = visit.open ? std::max(opened, visit.column + gaps_.to_precharge[burst.write])
                             : std::max(opened + timing_.rp, visit.column + gaps_.to_activate[burst.write]);
  return plan;
}

Cycle Channel::reserve_in_earlier_row(const Burst& burst, LatencyParts& parts) {
  const Cycle ready = burst.arrival + controller_.front_end;
  const BankState& bank = banks_[burst.at.bank];
  const unsigned to_precharge = gaps_.to_precharge[burst.write];
  if (bank.earlier_row != burst.at.row || bank.earlier_closed <= ready + to_precharge) return kNoCycle;
  const Cycle earliest = std::max(ready, bank.earlier_column_ok);
  const Cycle command = columns_.find(earliest, burst.at.group, burst.write);
  if (command + to_precharge > bank.earlier_closed) return kNoCycle;
  columns_.add(command, burst.at.group, burst.write, burst.arrival);
  parts.bank = earliest - ready;
  parts.bus = command - earliest;
  return command;
}

Cycle Channel::join_run(Burst burst, LatencyParts& parts) {
  const Cycle ready = burst.arrival + controller_.front_end;
  burst.joins = true;
  // What it would have delayed was answered; it takes the cycles behind that.
  const Cycle earliest = std::max(ready, banks_[burst.at.bank].column_ok);
  parts.bank = earliest - ready;
  const Cycle command = reserve_column(burst, earliest, parts);
  if (command != kNoCycle)
    runs_[burst.at.bank].join(burst.at.row, ready, command, gaps_.column[burst.write][burst.write][0]);
  return command;
}

Cycle Channel::reserve(const Burst& burst, Cycle ready, Visit& visit, LatencyParts& parts) {
  const Location& at = burst.at;
  BankState& bank = banks_[at.bank];
  RankState& rank = ranks_[at.rank];
  BankRuns& runs = runs_[at.bank];
  visit.activate = 0;
  Cycle earliest = std::max(ready, bank.column_ok);
  if (bank.open && bank.row == at.row) {
    parts.bank += earliest - ready;
  } else {
    Cycle now = ready;
    if (bank.open) {
      const Cycle precharge = apart_from_last_precharge(rank, std::max(now, bank.precharge_ok));
      if (precharge >= rank.refresh_due) return kNoCycle;
      parts.bank += precharge - now;
      parts.row += timing_.rp;
      close_row(at.bank, rank, precharge);
      now = precharge + timing_.rp;
    }
    const Cycle idle = std::max(now, bank.activate_ok);
    parts.bank += idle - now;
    const Cycle activate = find_activate(burst, idle);
    if (activate >= rank.refresh_due) return kNoCycle;
    add_activate(burst, activate);
    runs.open(at.row);
    parts.activate += activate - idle;
    parts.row += gaps_.activate_to_column;
    visit.activate = activate;
    bank.open = true;
    bank.row = at.row;
    bank.activate_ok = activate + gaps_.activate_to_activate;
    bank.precharge_ok = activate + gaps_.activate_to_precharge;
    earliest = bank.column_ok = activate + gaps_.activate_to_column;
  }
  const Cycle command = reserve_column(burst, earliest, parts);
  if (command != kNoCycle) runs.add(command);
  return command;
}

Backlog::Waiting Channel::in_queue(const Burst& burst, Cycle earliest) const {
  const BankRuns& runs = runs_[burst.at.bank];
  const Cycle open =
      burst.joins
          ? burst.arrival + controller_.front_end
          : std::max(earliest, banks_[burst.at.bank].column_ok + backlog_.put_off_since(runs.before_open_row()));
  return {earliest, std::max(open, runs.room()), burst.at.group, burst.write};
}

Cycle Channel::find_column(const Burst& burst, Cycle earliest) const {
  return burst.backlog ? backlog_.find_column(in_queue(burst, earliest))
                       : columns_.find(in_turn(burst.arrival, earliest), burst.at.group, burst.write);
}

void Channel::add_column(const Burst& burst, Cycle earliest, Cycle command) {
  columns_.add(command, burst.at.group, burst.write, burst.arrival);
  if (burst.backlog)
    runs_[burst.at.bank].plan(backlog_.add_column(in_queue(burst, earliest), command));
  else if (burst.late)
    backlog_.add_late_column(command, burst.at.group, burst.write);
  else
    backlog_.end();
}

Cycle Channel::find_activate(const Burst& burst, Cycle earliest) const {
  const Cycle at = ranks_[burst.at.rank].activates.find(earliest, burst.at.group);
  return burst.backlog && at > earliest ? std::min(at, backlog_.find_activate(earliest, burst.at.rank)) : at;
}

void Channel::add_activate(const Burst& burst, Cycle command) {
  ranks_[burst.at.rank].activates.add(command, burst.at.group);
  if (burst.backlog) backlog_.add_activate(command, burst.at.rank);
}

Cycle Channel::reserve_column(const Burst& burst, Cycle earliest, LatencyParts& parts) {
  const Location& at = burst.at;
  BankState& bank = banks_[at.bank];
  const Cycle command = find_column(burst, earliest);
  if (command >= ranks_[at.rank].refresh_due) return kNoCycle;
  add_column(burst, earliest, command);
  parts.bus += command - earliest;
  if (controller_.page == PagePolicy::closed) {
    bank.open = false;
    bank.activate_ok = std::max(bank.activate_ok, command + gaps_.to_activate[burst.write]);
    bank.refresh_ok = std::max(bank.refresh_ok, command + gaps_.to_refresh[burst.write]);
  } else if (burst.joins) {
    bank.precharge_ok += gaps_.column[burst.write][burst.write][0];  // what it puts off the later rows by
  } else {
    bank.precharge_ok = std::max(bank.precharge_ok, command + gaps_.to_precharge[burst.write]);
  }
  return command;
}

Cycle Channel::apart_from_last_precharge(const RankState& rank, Cycle earliest) const {
  const bool near = earliest < rank.last_precharge + timing_.ppd && rank.last_precharge < earliest + timing_.ppd;
  return near ? rank.last_precharge + timing_.ppd : earliest;
}

void Channel::close_row(unsigned index, RankState& rank, Cycle now) {
  BankState& bank = banks_[index];
  rank.last_precharge = now;
  bank.open = false;
  bank.earlier_row = bank.row;
  bank.earlier_column_ok = bank.column_ok;
  bank.earlier_closed = now;
  runs_[index].close(now);
  bank.activate_ok = std::max(bank.activate_ok, now + timing_.rp);
  bank.refresh_ok = now + timing_.rp;
}

void Channel::catch_up(unsigned index, Cycle now) {
  RankState& rank = ranks_[index];
  refresh(index);
  // All banks are closed now: the following refreshes happen when they are due. Only the last one matters.
  if (rank.refresh_due > now) return;
  const Cycle skipped = (now - rank.refresh_due) / refresh_period_;
  rank.refresh_due += skipped * refresh_period_;
  statistics_.refreshes += skipped;
  refresh(index);
}

void Channel::refresh(unsigned index) {
  RankState& rank = ranks_[index];
  const unsigned per_rank = config_.banks_per_rank(), first = index * per_rank;
  Cycle now = rank.refresh_due, last_precharge = 0, all_ready = 0;
  bool any_open = false;
  for (unsigned bank = first; bank < first + per_rank; ++bank)
    if (banks_[bank].open) {
      any_open = true;
      all_ready = std::max(all_ready, banks_[bank].precharge_ok);
    }
  now = apart_from_last_precharge(rank, controller_.precharge_all ? std::max(now, all_ready) : now);
  while (any_open) {  // the first bank that is ready, one a cycle
    any_open = false;
    Cycle next = kNoCycle;
    BankState* chosen = nullptr;
    for (unsigned bank = first; bank < first + per_rank; ++bank) {
      BankState& state = banks_[bank];
      if (!state.open) continue;
      if (state.precharge_ok > now) {
        any_open = true;
        next = std::min(next, state.precharge_ok);
      } else if (chosen == nullptr || controller_.precharge_all) {
        chosen = &state;
        close_row(bank, rank, now);
        last_precharge = now;
      } else {
        any_open = true;
      }
    }
    if (any_open) now = chosen ? now + std::max(1u, timing_.ppd) : next;
  }
  Cycle start = std::max(rank.refresh_due, last_precharge);
  for (unsigned bank = first; bank < first + per_rank; ++bank) start = std::max(start, banks_[bank].refresh_ok);
  rank.refresh_end = start + timing_.rfc;
  Visit visit;
  visit.at = rank.refresh_due;
  visit.release = rank.refresh_end;
  visit.refresh = true;
  for (unsigned bank = first; bank < first + per_rank; ++bank) {
    banks_[bank].activate_ok = std::max(banks_[bank].activate_ok, rank.refresh_end);
    banks_[bank].refresh_ok = rank.refresh_end;
    visits_[bank].insert(visits_[bank].after(visit.at), visit);
  }
  rank.refresh_due += refresh_period_;
  ++statistics_.refreshes;
}

}  // namespace vp::dram
