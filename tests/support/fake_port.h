#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/common/master_port.h"

namespace vp {

/// A port with a memory behind it, in a world of its own time: every burst takes a latency and a cycle a beat. step()
/// goes from event to event.
class FakePort : public MasterPort {
 public:
  struct Settings {
    Picoseconds cycle = 10'000;
    unsigned bytes_per_cycle = 8;
    Picoseconds latency = 60'000;
    unsigned outstanding = 4;
  };
  FakePort(std::size_t memory_bytes, const Settings& settings) : memory(memory_bytes), settings_(settings) {}

  void attach(Client& client) override { client_ = &client; }
  void issue(const Transfer& transfer) override {
    channel(transfer.write).waiting.push_back(transfer);
    tell();
  }
  bool can_issue(bool write) const override {
    const Channel& one = channels_[write];
    return one.waiting.empty() && one.flying.size() < settings_.outstanding;
  }
  unsigned under_way(bool write) const override {
    return static_cast<unsigned>(channels_[write].waiting.size() + channels_[write].flying.size());
  }
  void abandon() override {
    for (Channel& one : channels_) {
      one.waiting.clear();
      for (Flight& flight : one.flying) flight.abandoned = true;
    }
    tell();
  }
  Picoseconds now() const override { return now_; }
  Picoseconds cycle() const override { return settings_.cycle; }
  unsigned bytes_per_cycle() const override { return settings_.bytes_per_cycle; }

  /// Time of its next event, kNever if there is none.
  Picoseconds next_event() const {
    Picoseconds next = kNever;
    for (const Channel& one : channels_) next = std::min({next, leave_time(one), completion_time(one)});
    return next;
  }
  void advance_to(Picoseconds time) { now_ = std::max(now_, time); }
  /// Where a saved bench goes on; nothing may be under way.
  void set_now(Picoseconds time) { now_ = time; }
  /// Goes to its next event and lets it happen.
  void step() {
    const Picoseconds next = next_event();
    advance_to(next);
    happen(next);
    tell();
  }

  std::vector<std::uint8_t> memory;
  /// What an access to an address comes to; addresses beyond the memory are address errors anyway.
  std::function<AccessResult(const Transfer&)> refuse = [](const Transfer&) { return AccessResult::ok; };
  /// "r64@0 t=80000" of each burst that has left.
  std::vector<std::string> log;

 private:
  struct Flight {
    Transfer transfer;
    Picoseconds completion;
    AccessResult result;
    bool abandoned = false;
  };
  struct Channel {
    std::deque<Transfer> waiting;
    std::deque<Flight> flying;
    Picoseconds free = 0;   // for the next burst
    Picoseconds beats = 0;  // the data channel is taken until then
  };

  Channel& channel(bool write) { return channels_[write]; }
  void tell() {
    if (client_ != nullptr) client_->due(next_event());
  }
  void happen(Picoseconds next) {
    for (Channel& one : channels_)
      if (completion_time(one) == next) return complete(one);
    for (Channel& one : channels_)
      if (leave_time(one) == next) return leave(one);
  }
  Picoseconds leave_time(const Channel& one) const {
    if (one.waiting.empty() || one.flying.size() >= settings_.outstanding) return kNever;
    return std::max({now_, one.free, one.waiting.front().not_before});
  }
  Picoseconds completion_time(const Channel& one) const {
    return one.flying.empty() ? kNever : one.flying.front().completion;
  }
  void leave(Channel& one) {
    const Transfer transfer = one.waiting.front();
    one.waiting.pop_front();
    const Picoseconds beats = (transfer.size + settings_.bytes_per_cycle - 1) / settings_.bytes_per_cycle;
    one.free = now_ + settings_.cycle;
    one.beats = std::max(now_ + settings_.latency, one.beats) + beats * settings_.cycle;
    one.flying.push_back({transfer, one.beats, move(transfer)});
    log.push_back((transfer.write ? "w" : "r") + std::to_string(transfer.size) + "@" +
                  std::to_string(transfer.address) + " t=" + std::to_string(now_));
    client_->issued(transfer.tag, now_);
  }
  /// Writes take effect when they leave; the bytes of a read are handed over when it completes.
  AccessResult move(const Transfer& transfer) {
    if (transfer.address >= memory.size() || transfer.size > memory.size() - transfer.address)
      return AccessResult::address_error;
    const AccessResult result = refuse(transfer);
    if (result == AccessResult::ok && transfer.write)
      std::memcpy(&memory[transfer.address], transfer.data, transfer.size);
    return result;
  }
  void complete(Channel& one) {
    const Flight flight = one.flying.front();
    one.flying.pop_front();
    if (flight.result == AccessResult::ok && !flight.transfer.write)
      std::memcpy(flight.transfer.data, &memory[flight.transfer.address], flight.transfer.size);
    if (flight.abandoned) return;
    Answer answer;
    answer.result = flight.result;
    answer.completion = now_;
    client_->completed(flight.transfer.tag, answer);
  }

  const Settings settings_;
  Client* client_ = nullptr;
  Channel channels_[2];
  Picoseconds now_ = 0;
};

}  // namespace vp
