#include "models/memory/dram/devices.h"

namespace vp::dram {
namespace {

void raise(Cycle& time, Cycle to) { time = std::max(time, to); }

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

}  // namespace vp::dram
