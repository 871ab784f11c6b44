#include "models/common/overlapping_master.h"

#include <algorithm>

#include "models/common/tlm_time.h"

namespace vp {
namespace {

constexpr std::uint64_t kBoundary = 4096;  // no burst crosses one

}  // namespace

OverlappingMaster::OverlappingMaster(sc_core::sc_module_name module_name, Options options)
    : sc_module(module_name), options_(options), due_("due") {
  SC_HAS_PROCESS(OverlappingMaster);
  SC_METHOD(act);
  sensitive << due_;
  dont_initialize();
}

void OverlappingMaster::set_bus(AccessBus& bus) {
  bus_ = &bus;
  cycle_ = bus.cycle();
  bytes_per_cycle_ = bus.bytes_per_cycle();
  look_again();
}

Picoseconds OverlappingMaster::now() const { return kernel_time(); }

void OverlappingMaster::issue(const Transfer& transfer) {
  Channel& channel = channels_[transfer.write];
  Order& order = free_order(channel);
  order.transfer = transfer;
  channel.transfers.push_back(&order);
  look_again();
}

bool OverlappingMaster::can_issue(bool write) const {
  const Channel& channel = channels_[write];
  return channel.next == channel.transfers.size() && channel.under_way.size() < options_.outstanding;
}

void OverlappingMaster::abandon() {
  for (Channel& channel : channels_) {
    for (std::size_t i = 0; i < channel.transfers.size(); ++i) {
      Order& order = *channel.transfers[i];
      order.forgotten = true;
      order.transfer.size = order.sent;
    }
    channel.next = channel.transfers.size();
    retire(channel, kernel_time());
  }
  look_again();
}

void OverlappingMaster::plan(Picoseconds next) {
  planned_ = next;
  look_again();
}

/// Up to the end of the transfer, the next boundary, or the longest burst.
unsigned OverlappingMaster::next_burst(const Order& order) const {
  const std::uint64_t address = order.transfer.address + order.sent;
  const std::uint64_t room = kBoundary - address % kBoundary;
  return static_cast<unsigned>(
      std::min({order.transfer.size - order.sent, room, std::uint64_t{options_.longest_burst}}));
}

/// When the channel's next burst can leave; kNever: none waits, or the window is full.
Picoseconds OverlappingMaster::next_send(const Channel& channel) const {
  if (channel.next == channel.transfers.size() || channel.under_way.size() == options_.outstanding) return kNever;
  return std::max(channel.can_send, channel.transfers[channel.next]->transfer.not_before);
}

/// When another burst may leave unless this one completes: as planned, or when one before it completes.
Picoseconds OverlappingMaster::alone_until(const Burst& burst) const {
  Picoseconds until = planned_;
  for (const Channel& channel : channels_) {
    until = std::min(until, next_send(channel));
    if (channel.under_way.empty() || channel.under_way.front() == &burst) continue;
    const Picoseconds completion = channel.under_way.front()->completion;
    until = std::min(until, completion == kNever ? 0 : completion);
  }
  return until;
}

/// As new.
OverlappingMaster::Order& OverlappingMaster::free_order(Channel& channel) {
  if (channel.free_orders.empty()) return channel.orders.emplace_back();
  Order& order = *channel.free_orders.back();
  channel.free_orders.pop_back();
  order.sent = 0;
  if (!order.answer.ok()) order.answer = {};
  order.issued = order.forgotten = false;
  return order;
}

/// The next of those under way, nothing known of it yet.
OverlappingMaster::Burst& OverlappingMaster::free_burst(Channel& channel) {
  if (channel.free.empty()) channel.free.push_back(&bursts_.emplace_back(*this, channel));
  Burst& burst = *channel.free.back();
  channel.free.pop_back();
  burst.answered = burst.completion = kNever;
  if (!burst.refusal.ok()) burst.refusal = {};
  channel.under_way.push_back(&burst);
  return burst;
}

bool OverlappingMaster::send_one(Channel& channel, Picoseconds now) {
  if (next_send(channel) > now) return false;
  Order& order = *channel.transfers[channel.next];
  Burst& burst = free_burst(channel);
  Access& access = burst.access;
  access.write = order.transfer.write;
  access.address = order.transfer.address + order.sent;
  access.data = order.transfer.data == nullptr ? nullptr : order.transfer.data + order.sent;
  access.size = next_burst(order);
  access.time = now;
  access.pc = order.transfer.pc;
  burst.order = &order;
  ++order.bursts;
  order.sent += access.size;
  if (order.all_sent()) ++channel.next;
  channel.can_send = now + (access.write && bus_->has_occupancy() ? beats_of(access.size) : 1) * cycle_;
  if (!order.issued) {
    order.issued = true;
    client_->issued(order.transfer.tag, now);
  }
  burst.alone_until = alone_until(burst);
  bus_->begin(burst);
  return true;
}

/// The bus knows when a burst is over; the port may take longer for its beats, and completes in order.
void OverlappingMaster::answered(Burst& burst, const Answer& answer) {
  burst.answered = answer.completion;
  if (!answer.ok()) burst.refusal = answer;
  Channel& channel = burst.channel;
  if (answer.ok()) channel.bytes += burst.access.size;
  const std::size_t known_before = channel.known;
  for (; channel.known < channel.under_way.size(); ++channel.known) {
    Burst& one = *channel.under_way[channel.known];
    if (one.answered == kNever) break;
    const bool streams = !one.access.write && bus_->has_occupancy();
    const Picoseconds beats = streams ? beats_of(one.access.size) * cycle_ : 0;
    one.completion = std::max({one.answered, channel.last_completion + beats, kernel_time()});
    channel.last_completion = one.completion;
  }
  if (known_before == 0 && channel.known != 0) look_again();  // the first one's is what comes next
}

bool OverlappingMaster::complete_one(Channel& channel, Picoseconds now) {
  if (channel.under_way.empty() || channel.under_way.front()->completion > now) return false;
  Burst& burst = *channel.under_way.front();
  channel.under_way.pop_front();
  --channel.known;
  channel.free.push_back(&burst);
  Order& order = *burst.order;
  --order.bursts;
  if (!burst.refusal.ok() && order.answer.ok()) {
    if (!order.all_sent()) ++channel.next;  // the rest of it is not sent
    order.answer = burst.refusal;
  }
  retire(channel, now);
  return true;
}

/// Transfers that are over leave in order, and the core is told.
void OverlappingMaster::retire(Channel& channel, Picoseconds now) {
  while (!channel.transfers.empty() && channel.transfers.front()->all_sent() &&
         channel.transfers.front()->bursts == 0) {
    Order& order = *channel.transfers.front();
    channel.transfers.pop_front();
    --channel.next;
    order.answer.completion = now;
    if (!order.forgotten) client_->completed(order.transfer.tag, order.answer);
    channel.free_orders.push_back(&order);
  }
}

void OverlappingMaster::act() {
  due_at_ = kNever;
  acting_ = true;
  const Picoseconds now = kernel_time();
  for (bool again = true; again;) {
    again = false;
    for (Channel& channel : channels_)
      while (complete_one(channel, now)) again = true;
    for (Channel& channel : channels_)
      while (send_one(channel, now)) again = true;
  }
  acting_ = false;
  look_again();
}

void OverlappingMaster::look_at_all() {
  Picoseconds due = kNever, next_issue = planned_;
  for (const Channel& channel : channels_) {
    const Picoseconds send = next_send(channel);
    due = std::min(due, send);
    next_issue = std::min(next_issue, send);
    if (channel.under_way.empty()) continue;
    const Picoseconds completion = channel.under_way.front()->completion;
    due = std::min(due, completion);
    next_issue = std::min(next_issue, completion == kNever ? 0 : completion);
  }
  bus_->announce(next_issue);
  if (client_ != nullptr) client_->due(due);
  if (due == due_at_) return;
  due_at_ = due;
  due_.cancel();
  if (due == kNever) return;
  const Picoseconds now = kernel_time();
  due_.notify(due > now ? to_sc_time(due - now) : sc_core::SC_ZERO_TIME);
}

}  // namespace vp
