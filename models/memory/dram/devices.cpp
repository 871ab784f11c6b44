#include "models/memory/dram/devices.h"

namespace vp::dram {
namespace {

void raise(Cycle& time, Cycle to) { time = std::max(time, to); }

std::vector<Bank> closed_banks(const ChannelConfig& config) {
  std::vector<Bank> banks;
  for (unsigned bank = 0; bank < config.ranks() * config.banks_per_rank(); ++bank)
    banks.push_back({bank / config.structure.banks_per_group, bank / config.banks_per_rank()});
  return banks;
}

}  // namespace

Devices::Devices(const ChannelConfig& config)
    : gaps_(config),
      timing_(config.timing),
      auto_precharge_(config.controller.page == PagePolicy::closed),
      banks_per_rank_(config.banks_per_rank()),
      groups_per_rank_(config.structure.bank_groups),
      groups_(config.ranks() * groups_per_rank_),
      column_gaps_(column_gaps(config)),
      banks_(closed_banks(config)),
      windows_(config.ranks()),
      rank_use_(config.ranks()),
      gates_(3 * groups_ + config.ranks()) {}

std::vector<unsigned> Devices::column_gaps(const ChannelConfig& config) const {
  const Gaps gaps(config);
  std::vector<unsigned> table;
  for (const auto& first : gaps.column)
    for (unsigned from = 0; from < groups_; ++from)
      for (const auto& second : first)
        for (unsigned to = 0; to < groups_; ++to)
          table.push_back(
              second[static_cast<unsigned>(from == to                                         ? Relation::same_group
                                           : from / groups_per_rank_ == to / groups_per_rank_ ? Relation::same_rank
                                                                                              : Relation::other_rank)]);
  return table;
}

void Devices::open(Bank& bank, Cycle now) {
  if (bank.open) return;
  bank.open = true;
  ++open_;
  RankUse& use = rank_use_[bank.rank];
  if (use.open++ == 0) use.since = now;
}

void Devices::close(Bank& bank, Cycle now) {
  if (!bank.open) return;
  bank.open = false;
  --open_;
  RankUse& use = rank_use_[bank.rank];
  if (--use.open == 0) use.active += now - use.since;
}

Cycle Devices::active_cycles(Cycle end) const {
  Cycle cycles = 0;
  for (const RankUse& use : rank_use_) cycles += use.active + (use.open != 0 && end > use.since ? end - use.since : 0);
  return cycles;
}

void Devices::reset(Cycle now) {
  // Time may start again before the last command.
  for (Bank& bank : banks_) close(bank, std::max(now, rank_use_[bank.rank].since));
  for (Bank& bank : banks_) bank = {bank.group, bank.rank};
  std::fill(windows_.begin(), windows_.end(), Window{});
  std::fill(gates_.begin(), gates_.end(), 0);
}

void Devices::activate(unsigned index, unsigned row, Cycle now) {
  Bank& bank = banks_[index];
  open(bank, now);
  bank.row = row;
  bank.hits = 0;
  raise(bank.activate_ok, now + gaps_.activate_to_activate);
  raise(bank.column_ok, now + gaps_.activate_to_column);
  raise(bank.precharge_ok, now + gaps_.activate_to_precharge);
  Window& window = windows_[bank.rank];
  window.ends[window.oldest] = now + timing_.faw;
  window.oldest = (window.oldest + 1) % 4;
  const Cycle next = std::max(now + timing_.rrd_s, window.ends[window.oldest]);
  Cycle* const gates = &gates_[bank.rank * groups_per_rank_];
  for (unsigned group = 0; group < groups_per_rank_; ++group) raise(gates[group], next);
  raise(gates_[activate_gate(bank)], now + timing_.rrd_l);
}

Cycle Devices::column(unsigned index, bool write, Cycle now) {
  Bank& bank = banks_[index];
  // The gates of both kinds of column commands lie side by side, as their gaps do.
  Cycle* const gates = &gates_[groups_];
  const unsigned* const gaps = &column_gaps_[(write * groups_ + bank.group) * 2 * groups_];
  for (unsigned i = 0; i < 2 * groups_; ++i) raise(gates[i], now + gaps[i]);
  if (auto_precharge_) {
    close(bank, now);
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
  close(bank, now);
  bank.hits = 0;
  raise(bank.activate_ok, now + timing_.rp);
  raise(bank.refresh_ok, now + timing_.rp);
  raise(gates_[precharge_gate(bank)], now + timing_.ppd);
}

void Devices::refresh(unsigned rank, Cycle now) {
  for (unsigned bank = rank * banks_per_rank_; bank < (rank + 1) * banks_per_rank_; ++bank) {
    raise(banks_[bank].activate_ok, now + timing_.rfc);
    raise(banks_[bank].refresh_ok, now + timing_.rfc);
  }
}

}  // namespace vp::dram
