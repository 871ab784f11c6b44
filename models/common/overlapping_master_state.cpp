// What a master with several accesses under way saves.
#include <algorithm>
#include <utility>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/overlapping_master.h"

namespace vp {
namespace {

void persist_refusal(Archive& archive, Answer& answer) {
  std::string why = answer.why;
  archive("result", answer.result, AccessResult::no_answer)("why", why);
  answer.why = why;
}

}  // namespace

void OverlappingMaster::Order::persist(Archive& archive) {
  archive("write", transfer.write)("address", transfer.address)("size", transfer.size)("tag", transfer.tag);
  archive("not_before", transfer.not_before)("pc", transfer.pc)("sent", sent)("issued", issued);
  archive("forgotten", forgotten);
  persist_refusal(archive, answer);
}

/// A burst that has been answered.
struct OverlappingMaster::SavedBurst {
  std::uint64_t order = 0;  // number of its transfer
  Picoseconds completion = 0;
  Answer refusal;
  void persist(Archive& archive) {
    archive("order", order)("completion", completion);
    persist_refusal(archive, refusal);
  }
};

struct OverlappingMaster::SavedChannel {
  std::deque<Order> transfers;
  std::uint64_t next = 0;
  std::vector<SavedBurst> bursts;
  Picoseconds can_send = 0, last_completion = 0;
  std::uint64_t bytes = 0;
  void persist(Archive& archive) {
    archive("transfers", transfers).below("next", next, transfers.size() + 1)("bursts", bursts);
    for (SavedBurst& burst : bursts) archive.require(burst.order < transfers.size(), "bursts", "is out of range");
    archive("can_send", can_send)("last_completion", last_completion)("bytes", bytes);
  }
};

OverlappingMaster::SavedChannel OverlappingMaster::saved(const Channel& channel) const {
  SavedChannel saved{{}, channel.next, {}, channel.can_send, channel.last_completion, channel.bytes};
  const std::vector<Order*> transfers = channel.transfers.values();
  for (const Order* const order : transfers) saved.transfers.push_back(*order);
  for (const Burst* const burst : channel.under_way.values()) {
    if (burst->answered == kNever)
      throw UserError(std::string(name()) + " has accesses under way that have not been answered yet, which is no " +
                      "state that can be kept.");
    const auto order = std::find(transfers.begin(), transfers.end(), burst->order);
    saved.bursts.push_back({static_cast<std::uint64_t>(order - transfers.begin()), burst->completion, burst->refusal});
  }
  return saved;
}

void OverlappingMaster::restore(Channel& channel, SavedChannel saved) {
  for (Burst* const burst : channel.under_way.values()) channel.free.push_back(burst);
  channel.under_way.clear();
  for (Order* const order : channel.transfers.values()) channel.free_orders.push_back(order);
  channel.transfers.clear();
  for (Order& saved_order : saved.transfers) {
    Order& order = free_order(channel);
    order = std::move(saved_order);
    channel.transfers.push_back(&order);
  }
  channel.next = saved.next;
  channel.can_send = saved.can_send;
  channel.last_completion = saved.last_completion;
  channel.bytes = saved.bytes;
  for (const SavedBurst& one : saved.bursts) {
    Burst& burst = free_burst(channel);
    burst.order = channel.transfers[one.order];
    ++burst.order->bursts;
    burst.answered = burst.completion = one.completion;
    burst.refusal = one.refusal;
  }
  channel.known = channel.under_way.size();
  for (std::size_t i = channel.next; i < channel.transfers.size(); ++i) {
    MasterPort::Transfer& transfer = channel.transfers[i]->transfer;
    transfer.data = client_->data_of(transfer.tag);
  }
}

void OverlappingMaster::persist(Archive& archive) {
  archive.same("outstanding", options_.outstanding).same("longest_burst", options_.longest_burst);
  for (Channel& channel : channels_) {
    SavedChannel state = saved(channel);
    archive(&channel == channels_ ? "reads" : "writes", state);
    if (archive.loading()) restore(channel, std::move(state));
  }
  archive("planned", planned_);
  if (archive.loading()) look_again();
}

}  // namespace vp
