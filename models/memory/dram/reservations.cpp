#include "models/memory/dram/reservations.h"

#include <algorithm>

namespace vp::dram {
namespace {

// Long enough for a caller that is some microseconds ahead of another at full bandwidth.
constexpr std::size_t kColumnsKept = 1024;
constexpr std::size_t kActivatesKept = 256;

}  // namespace

ColumnReservations::ColumnReservations(const ChannelConfig& config, const Gaps& gaps)
    : gaps_(gaps), groups_(config.structure.bank_groups), schedule_(kColumnsKept) {
  for (auto& table : next_ok_) table.resize(config.ranks() * groups_);
}

void ColumnReservations::clear() {
  schedule_.clear();
  for (auto& table : next_ok_) std::fill(table.begin(), table.end(), 0);
}

void ColumnReservations::add(Cycle at, unsigned group, bool write, Cycle arrival) {
  schedule_.insert(schedule_.after(at), {at, arrival, group, write});
  const unsigned first = group - group % groups_, end = first + groups_;
  for (unsigned next = 0; next < 2; ++next) {
    const unsigned* distance = gaps_.column[write][next];
    std::vector<Cycle>& ok = next_ok_[next];
    for (unsigned other = 0; other < first; ++other) ok[other] = std::max(ok[other], at + distance[2]);
    for (unsigned other = first; other < end; ++other) ok[other] = std::max(ok[other], at + distance[1]);
    for (unsigned other = end; other < ok.size(); ++other) ok[other] = std::max(ok[other], at + distance[2]);
    ok[group] = std::max(ok[group], at + distance[0]);
  }
}

Cycle ColumnReservations::find_between(Cycle earliest, unsigned group, bool write) const {
  Cycle at = earliest;
  std::size_t position = schedule_.after(at);
  for (;;) {
    // Earlier commands: those further back than the longest gap cannot matter.
    for (std::size_t i = position; i > schedule_.begin() && schedule_[i - 1].at + gaps_.longest_column > at; --i) {
      const Entry& before = schedule_[i - 1];
      at = std::max(at, before.at + gap(before.group, before.write, group, write));
    }
    if (position < schedule_.end() && schedule_[position].at <= at) {
      ++position;
      continue;
    }
    bool fits = true;
    for (std::size_t i = position; fits && i < schedule_.end() && schedule_[i].at < at + gaps_.longest_column; ++i)
      fits = at + gap(group, write, schedule_[i].group, schedule_[i].write) <= schedule_[i].at;
    if (fits) return at;
    at = schedule_[position].at;  // no room here: try behind the next command
    ++position;
  }
}

Cycle ColumnReservations::latest(Cycle arrival) const {
  for (std::size_t i = schedule_.end(); i > schedule_.begin(); --i)
    if (schedule_[i - 1].arrival <= arrival) return schedule_[i - 1].at;
  return 0;
}

ActivateReservations::ActivateReservations(const Timing& timing) : timing_(timing), schedule_(kActivatesKept) {}

Cycle ActivateReservations::behind(std::size_t position, Cycle at, unsigned group) const {
  std::size_t i = position;
  for (unsigned back = 1; back <= 4 && i > schedule_.begin(); ++back) {
    const Entry& before = schedule_[--i];
    // tRRD_L to one of the same group further back than the neighbour still counts.
    at = std::max(at, before.at + gap(before.group, group));
    if (back == 4) at = std::max(at, before.at + timing_.faw);
  }
  return at;
}

bool ActivateReservations::fits_before(std::size_t position, Cycle at, unsigned group) const {
  // The new one and its neighbours: with k of the last four before it, the (4 - k)th after it closes a window of five.
  for (unsigned ahead = 1; ahead <= 4 && position + ahead - 1 < schedule_.end(); ++ahead) {
    const Entry& later = schedule_[position + ahead - 1];
    if (at + gap(group, later.group) > later.at) return false;
    const std::size_t back = 4 - ahead;  // entries before the new one in the window of five that ends with `later`
    const Cycle first = back == 0 ? at : position >= schedule_.begin() + back ? schedule_[position - back].at : 0;
    if ((back == 0 || position >= schedule_.begin() + back) && first + timing_.faw > later.at) return false;
  }
  return true;
}

Cycle ActivateReservations::find(Cycle earliest, unsigned group) const {
  Cycle at = earliest;
  for (std::size_t position = schedule_.after(at);; ++position) {
    // The neighbours alone leave no room in most places.
    if (position > schedule_.begin())
      at = std::max(at, schedule_[position - 1].at + gap(schedule_[position - 1].group, group));
    if (position < schedule_.end() && at + gap(group, schedule_[position].group) > schedule_[position].at) {
      at = std::max(at, schedule_[position].at);
      continue;
    }
    at = behind(position, at, group);
    if (position == schedule_.end()) return at;
    if (at < schedule_[position].at && fits_before(position, at, group)) return at;
    at = std::max(at, schedule_[position].at);
  }
}

}  // namespace vp::dram
