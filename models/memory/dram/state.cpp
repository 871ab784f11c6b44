// What the classes of a channel save.
#include "models/common/archive.h"
#include "models/memory/dram/dram_controller.h"

namespace vp::dram {

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

void Bank::persist(Archive& archive) {
  archive("open", open)("row", row)("hits", hits)("activate_ok", activate_ok)("column_ok", column_ok);
  archive("precharge_ok", precharge_ok)("refresh_ok", refresh_ok);
}

void Devices::Window::persist(Archive& archive) { archive("ends", ends).below("oldest", oldest, 4); }

void Devices::RankUse::persist(Archive& archive) { archive("open", open)("since", since)("active", active); }

void Devices::persist(Archive& archive) {
  archive.fixed("banks", banks_).fixed("windows", windows_).fixed("gates", gates_)("open", open_);
  archive.fixed("rank_use", rank_use_);
}

void QueuedRequest::persist(Archive& archive) {
  archive("id", id)("order", order)("bank", bank)("row", row)("column", column)("write", write);
  archive("found", found, RowOutcome::conflict);
}

void BankQueue::persist(Archive& archive) {
  archive("requests", requests_)("hits", hits_)("writes", writes_)("behind_read", behind_read_);
}

void TransactionQueue::Slot::persist(Archive& archive) { archive("request", request)("from", from)("next", next); }

void TransactionQueue::Line::persist(Archive& archive) { archive("first", first)("last", last); }

void TransactionQueue::persist(Archive& archive) {
  archive.fixed("slots", slots_).fixed("lines", lines_)("free", free_)("arriving", arriving_);
  archive("last_arriving", last_arriving_);
}

void PhysicalLimits::Bank::persist(Archive& archive) { archive("activates", activates)("first", first)("last", last); }

void PhysicalLimits::Rank::persist(Archive& archive) {
  archive("bursts", bursts)("last_data", last_data)("refreshes", refreshes)("last_refresh", last_refresh);
  archive("crowded", crowded)("overrun", overrun)("window_ends", window_ends).below("oldest", oldest, 4);
}

void PhysicalLimits::persist(Archive& archive) {
  archive.fixed("banks", banks_).fixed("ranks", ranks_)("since", since_)("broken_before", broken_before_);
}

void QueuedChannel::persist(Archive& archive) {
  archive("devices", devices_)("waiting", waiting_).fixed("queues", queues_)("scheduler", *scheduler_);
  archive("limits", limits_)("unfinished", unfinished_)("presented", presented_)("served", served_)("now", now_);
  archive("wake", wake_)("next_refresh", next_refresh_).below("next_rank", next_rank_, config_.ranks())("due", due_);
  archive("refresh_step", refresh_step_)("refreshes", refreshes_)("activates", activates_);
  archive("reads", columns_[0])("writes", columns_[1]);
  archive("precharges", precharges_)("fruitless_refreshes", fruitless_refreshes_);
  if (!archive.loading()) return;
  for (unsigned bank = 0; bank < devices_.bank_count(); ++bank) {
    waiting_.room(bank, !queues_[bank].full());
    scheduler_->changed(bank);
  }
  choice_ = {};
  choose_again_ = true;
}

void DramController::Job::persist(Archive& archive) {
  archive("token", token)("arrival", arrival)("since", since)("address", address)("bytes", bytes)("write", write);
  archive("at_once", at_once)("bursts", bursts)("entered", entered)("served", served)("answered", answered);
  archive("first", times.first)("complete", times.complete);
}

void DramController::Burst::persist(Archive& archive) {
  archive("arrival", arrival)("job", job)("first", first)("alone", alone)("refreshes", refreshes);
}

void DramController::Lone::persist(Archive& archive) {
  archive("valid", valid)("burst", burst)("end", end)("parts", parts);
}

void DramController::persist(Archive& archive) {
  archive("channel", channel_)("next_entry", next_entry_)("jobs", jobs_)("free_jobs", free_jobs_);
  archive("bursts", bursts_)("free_bursts", free_bursts_)("lone", lone_)("latency_sum", latency_sum_)("statistics",
                                                                                                      statistics_);
}

}  // namespace vp::dram
