#include <algorithm>

#include "models/common/archive.h"
#include "models/memory/dram/channel.h"

// What the classes of a channel save.

namespace vp::dram {

// ---- reservations

template <typename Entry>
void RecentSchedule<Entry>::persist(Archive& archive) {
  archive.fixed("ring", ring_)("end", end_);
}

void ColumnReservations::Entry::persist(Archive& archive) {
  archive("at", at)("arrival", arrival)("group", group)("write", write);
}

void ColumnReservations::persist(Archive& archive) {
  archive("schedule", schedule_).fixed("next_read", next_ok_[0]).fixed("next_write", next_ok_[1]);
}

void ActivateReservations::Entry::persist(Archive& archive) { archive("at", at)("group", group); }

void ActivateReservations::persist(Archive& archive) { archive("schedule", schedule_); }

// ---- backlog

void Lane::Word::persist(Archive& archive) { archive("index", index)("taken", taken); }

void Lane::persist(Archive& archive) { archive.fixed("words", words_)("latest", latest_); }

void Backlog::Place::persist(Archive& archive) { archive("phase", phase)("put_off", put_off); }

void Backlog::Phase::persist(Archive& archive) {
  archive("number", number)("write", write)("start", start)("end", end)("group", group);
}

void Backlog::persist(Archive& archive) {
  archive("bus_lanes", bus_lanes_)("data_lane", data_lane_).fixed("group_lanes", group_lanes_);
  archive.fixed("activate_lanes", activate_lanes_)("phases", phases_)("newest_phase", newest_phase_);
  archive.fixed("put_off", put_off_);
}

void BankRuns::Run::persist(Archive& archive) { archive("row", row)("count", count)("closed", closed); }

void BankRuns::persist(Archive& archive) {
  archive.fixed("columns", columns_).below("next_column", next_column_, columns_.size()).fixed("runs", runs_);
  archive.below("newest", newest_, runs_.size())("last", last_)("before_open_row", before_open_row_);
}

// ---- channel

void LatencyParts::persist(Archive& archive) {
  archive("front_end", front_end)("refresh", refresh)("bank", bank)("row", row)("activate", activate);
  archive("bus", bus)("data", data)("queue", queue);
}

void ChannelStatistics::Direction::persist(Archive& archive) {
  archive("transactions", transactions)("bytes", bytes)("bursts", bursts)("latency", latency);
}

void ChannelStatistics::persist(Archive& archive) {
  archive("direction", direction)("rows", rows)("refreshes", refreshes)("refresh_stalls", refresh_stalls);
  archive("order_violations", order_violations)("parts", parts)("first_arrival", first_arrival);
  archive("last_data", last_data);
}

void Channel::BankState::persist(Archive& archive) {
  archive("open", open)("row", row)("activate_ok", activate_ok)("column_ok", column_ok);
  archive("precharge_ok", precharge_ok)("refresh_ok", refresh_ok)("earlier_row", earlier_row);
  archive("earlier_column_ok", earlier_column_ok)("earlier_closed", earlier_closed);
}

void Channel::Visit::persist(Archive& archive) {
  archive("at", at)("activate", activate)("column", column)("column_ok", column_ok)("release", release)("row", row);
  archive("open", open)("refresh", refresh)("caller", caller);
}

void Channel::RankState::persist(Archive& archive) {
  archive("activates", activates)("last_precharge", last_precharge)("refresh_due", refresh_due);
  archive("refresh_end", refresh_end);
}

void Channel::persist(Archive& archive) {
  archive.fixed("banks", banks_).fixed("visits", visits_).fixed("runs", runs_).fixed("ranks", ranks_);
  archive("columns", columns_)("backlog", backlog_).fixed("posted", posted_);
  archive.below("next_posted", next_posted_, std::max<std::size_t>(posted_.size(), 1))("latest_arrival",
                                                                                       latest_arrival_);
  archive("callers", callers_)("local", local_)("settled", settled_)("ahead", ahead_)("latency_sum", latency_sum_);
  archive("quantum", quantum_)("statistics", statistics_);
}

}  // namespace vp::dram
