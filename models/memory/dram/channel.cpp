#include "models/memory/dram/channel.h"

#include <algorithm>

namespace vp::dram {

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
      ranks_(config.ranks(), RankState(config.timing)),
      columns_(config_, gaps_),
      posted_(controller_.transaction_queue) {
  reset();
}

void Channel::reset() {
  std::fill(banks_.begin(), banks_.end(), BankState{});
  columns_.clear();
  std::fill(posted_.begin(), posted_.end(), 0);
  latest_arrival_ = 0;
  const bool staggered = controller_.refresh == RefreshPolicy::staggered;
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].activates.clear();
    ranks_[rank].last_precharge = ranks_[rank].refresh_end = 0;
    ranks_[rank].refresh_due = config_.refresh_interval() * (staggered ? rank + 1 : 1);
  }
}

Channel::Times Channel::access(Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write,
                               Picoseconds beat_spacing) {
  const std::uint64_t burst_bytes = config_.burst_bytes();
  const std::uint64_t first = address / burst_bytes, last = (address + (bytes ? bytes - 1 : 0)) / burst_bytes;
  Times times;
  Picoseconds beat_arrival = arrival;
  for (std::uint64_t index = first; index <= last; ++index, beat_arrival += beat_spacing) {
    const Cycle cycle = clock_.edge_at_or_after(beat_arrival);
    const Cycle data_end = burst(cycle, index * burst_bytes, write);
    const Cycle end = write && controller_.posted_writes ? acknowledge_posted(cycle, data_end) : data_end;
    times.complete = std::max(times.complete, clock_.time_of(end));
    if (index == first) times.first = times.complete;
    statistics_.last_data = std::max(statistics_.last_data, clock_.time_of(data_end));
  }
  statistics_.first_arrival = std::min(statistics_.first_arrival, arrival);
  statistics_.direction[write].add(bytes, last - first + 1, times.complete - arrival);
  return times;
}

Cycle Channel::burst(Cycle arrival, std::uint64_t address, bool write) {
  statistics_.order_violations += arrival < latest_arrival_;
  latest_arrival_ = std::max(latest_arrival_, arrival);
  const Location at = map_.locate(address);
  return place(arrival, at, write) + gaps_.to_data_end[write];
}

Cycle Channel::acknowledge_posted(Cycle arrival, Cycle data_end) {
  // The queue holds so many writes; one more is accepted when the oldest of them has moved its data.
  Cycle& oldest = posted_[next_posted_];
  next_posted_ = next_posted_ + 1 == posted_.size() ? 0 : next_posted_ + 1;
  const Cycle accepted = std::max(arrival + controller_.front_end, oldest);
  oldest = data_end;
  return accepted;
}

Cycle Channel::place(Cycle arrival, const Location& at, bool write) {
  LatencyParts parts;
  parts.front_end = controller_.front_end;
  const Cycle ready = arrival + controller_.front_end;
  RankState& rank = ranks_[at.rank];
  if (rank.refresh_due <= ready) catch_up(at.rank, ready);
  BankState& bank = banks_[at.bank];
  const RowOutcome outcome = !bank.open           ? RowOutcome::closed
                             : bank.row == at.row ? RowOutcome::hit
                                                  : RowOutcome::conflict;
  Cycle command = kNoCycle;
  if (outcome == RowOutcome::conflict && controller_.scheduling == SchedulingPolicy::first_ready)
    command = reserve_in_earlier_row(ready, at, write, parts);
  ++statistics_.rows[static_cast<unsigned>(command == kNoCycle ? outcome : RowOutcome::hit)];
  Cycle start = ready;
  if (rank.refresh_end > ready && !bank.open) start = rank.refresh_end;
  while (command == kNoCycle) {
    parts = {};
    parts.front_end = controller_.front_end;
    parts.refresh = start - ready;
    command = reserve(start, at, write, rank.refresh_due, parts);
    if (command == kNoCycle) {
      refresh(at.rank);
      start = std::max(start, rank.refresh_end);
    }
  }
  statistics_.refresh_stalls += parts.refresh != 0;
  parts.data = gaps_.to_data_end[write];
  statistics_.parts += parts;
  return command;
}

Cycle Channel::reserve_in_earlier_row(Cycle ready, const Location& at, bool write, LatencyParts& parts) {
  const BankState& bank = banks_[at.bank];
  if (bank.earlier_row != at.row || bank.earlier_closed <= ready + gaps_.to_precharge[write]) return kNoCycle;
  const Cycle earliest = std::max(ready, bank.earlier_column_ok);
  const Cycle command =
      columns_.reserve(earliest, at.group, write, bank.earlier_closed - gaps_.to_precharge[write] + 1);
  if (command != kNoCycle) {
    parts.bank = earliest - ready;
    parts.bus = command - earliest;
  }
  return command;
}

Cycle Channel::reserve(Cycle ready, const Location& at, bool write, Cycle refresh_due, LatencyParts& parts) {
  BankState& bank = banks_[at.bank];
  if (bank.open && bank.row == at.row) {
    const Cycle earliest = std::max(ready, bank.column_ok);
    parts.bank += earliest - ready;
    return column(bank, at, write, earliest, refresh_due, parts);
  }
  Cycle now = ready;
  if (bank.open) {
    const Cycle precharge = apart_from_last_precharge(ranks_[at.rank], std::max(now, bank.precharge_ok));
    if (precharge >= refresh_due) return kNoCycle;
    parts.bank += precharge - now;
    parts.row += timing_.rp;
    close_row(bank, ranks_[at.rank], precharge);
    now = precharge + timing_.rp;
  }
  const Cycle earliest = std::max(now, bank.activate_ok);
  parts.bank += earliest - now;
  const Cycle activate = ranks_[at.rank].activates.reserve(earliest, at.group, refresh_due);
  if (activate == kNoCycle) return kNoCycle;
  parts.activate += activate - earliest;
  parts.row += gaps_.activate_to_column;
  bank.open = true;
  bank.row = at.row;
  bank.activate_ok = activate + gaps_.activate_to_activate;
  bank.column_ok = activate + gaps_.activate_to_column;
  bank.precharge_ok = activate + gaps_.activate_to_precharge;
  return column(bank, at, write, bank.column_ok, refresh_due, parts);
}

Cycle Channel::column(BankState& bank, const Location& at, bool write, Cycle earliest, Cycle limit,
                      LatencyParts& parts) {
  const Cycle in_turn =
      controller_.scheduling == SchedulingPolicy::in_order ? std::max(earliest, columns_.latest()) : earliest;
  const Cycle command = columns_.reserve(in_turn, at.group, write, limit);
  if (command == kNoCycle) return kNoCycle;
  parts.bus += command - earliest;
  if (controller_.page == PagePolicy::closed) {
    bank.open = false;
    bank.activate_ok = std::max(bank.activate_ok, command + gaps_.to_activate[write]);
    bank.refresh_ok = std::max(bank.refresh_ok, command + gaps_.to_refresh[write]);
  } else {
    bank.precharge_ok = std::max(bank.precharge_ok, command + gaps_.to_precharge[write]);
  }
  return command;
}

Cycle Channel::apart_from_last_precharge(const RankState& rank, Cycle earliest) const {
  const bool near = earliest < rank.last_precharge + timing_.ppd && rank.last_precharge < earliest + timing_.ppd;
  return near ? rank.last_precharge + timing_.ppd : earliest;
}

void Channel::close_row(BankState& bank, RankState& rank, Cycle now) {
  rank.last_precharge = now;
  bank.open = false;
  bank.earlier_row = bank.row;
  bank.earlier_column_ok = bank.column_ok;
  bank.earlier_closed = now;
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
        close_row(state, rank, now);
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
  for (unsigned bank = first; bank < first + per_rank; ++bank) {
    banks_[bank].activate_ok = std::max(banks_[bank].activate_ok, rank.refresh_end);
    banks_[bank].refresh_ok = rank.refresh_end;
  }
  rank.refresh_due += refresh_period_;
  ++statistics_.refreshes;
}

}  // namespace vp::dram
