#include "models/memory/dram/physical_limits.h"

#include <algorithm>

#include "models/memory/dram/gaps.h"

namespace vp::dram {
namespace {

/// Between the column commands before and after a refresh lie closing a row, tRP, tRFC and opening a row. Where that
/// is less than a burst besides tRFC, data may still move in the rest of it.
unsigned overlap_with_bursts(const ChannelConfig& config) {
  const Gaps gaps(config);
  const unsigned around = std::min(gaps.to_refresh[0], gaps.to_refresh[1]) + gaps.activate_to_column;
  return config.burst_cycles() - std::min(config.burst_cycles(), around);
}

}  // namespace

PhysicalLimits::PhysicalLimits(const ChannelConfig& config)
    : burst_(config.burst_cycles()),
      faw_(config.timing.faw),
      row_cycle_(config.timing.ras + config.timing.rp),
      rfc_(config.timing.rfc),
      hidden_(std::min(config.timing.rfc, overlap_with_bursts(config))),
      banks_(config.ranks() * config.banks_per_rank()),
      ranks_(config.ranks()) {}

void PhysicalLimits::refresh(unsigned index, Cycle now, std::uint64_t count) {
  Rank& rank = ranks_[index];
  // Data of the last bursts may move while the refresh begins.
  rank.overrun |= overruns(rank, rank.refreshes, std::max(now, rank.last_data));
  rank.refreshes += count;
  rank.last_refresh = now;
}

void PhysicalLimits::restart(Cycle since) {
  broken_before_ = broken();
  since_ = since;
  std::fill(banks_.begin(), banks_.end(), Bank{});
  std::fill(ranks_.begin(), ranks_.end(), Rank{});
}

std::string PhysicalLimits::broken() const {
  if (!broken_before_.empty()) return broken_before_;
  std::uint64_t bursts = 0;
  Cycle last_data = since_;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const Rank& rank = ranks_[i];
    bursts += rank.bursts;
    last_data = std::max(last_data, rank.last_data);
    const std::string name = "rank " + std::to_string(i);
    if (rank.crowded != 0) return name + " opened more than four rows in tFAW";
    const bool all_ended = rank.refreshes != 0 && rank.last_refresh + rfc_ <= rank.last_data;
    if (rank.overrun || (all_ended && overruns(rank, rank.refreshes, rank.last_data)))
      return name + " moved data for longer than its refreshes left it time";
  }
  if (bursts * burst_ > last_data - since_) return "the data bus moved more than one burst at a time";
  for (std::size_t i = 0; i < banks_.size(); ++i)
    if (banks_[i].activates > (banks_[i].last - banks_[i].first) / row_cycle_ + 1)
      return "bank " + std::to_string(i) + " opened its rows faster than tRC";
  return "";
}

}  // namespace vp::dram
