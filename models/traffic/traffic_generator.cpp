#include "models/traffic/traffic_generator.h"

#include <algorithm>
#include <utility>

#include "models/common/tlm_time.h"

namespace vp {

TrafficGenerator::TrafficGenerator(sc_core::sc_module_name module_name, const TrafficConfig& config,
                                   const Surroundings& surroundings)
    : sc_module(module_name),
      config_(config),
      quantum_(surroundings.quantum),
      end_(config.end == 0 ? kNever : config.end),
      transactions_(config),
      schedule_(config, surroundings.bus_cycle) {
  socket.on_dmi_invalidated([this](std::uint64_t, std::uint64_t) { memory_.reset(); });
  const unsigned threads = surroundings.accesses_wait ? config.outstanding : 1;
  for (unsigned thread = 0; thread < threads; ++thread) sc_core::sc_spawn([this] { run(); });
}

void TrafficGenerator::rest_while(std::function<bool()> nobody_else, const sc_core::sc_event& revival) {
  nobody_else_ = std::move(nobody_else);
  revival_ = &revival;
}

/// One thread at a time sees to the next transaction. While its access waits in the kernel another one does.
void TrafficGenerator::run() {
  for (;;) {
    while (deciding_) wait(decided_);
    deciding_ = true;
    const Picoseconds at = decide();
    deciding_ = false;
    decided_.notify();
    if (at >= end_) return;
    transact(at);
  }
}

/// When to issue the next transaction; waits until that is near. Waits are no longer than a quantum, also for one that
/// is far off: a pending event keeps the run alive.
Picoseconds TrafficGenerator::decide() {
  for (;;) {
    while (nobody_else_ && nobody_else_()) wait(*revival_);
    const Picoseconds next = schedule_.next(), now = kernel_time();
    const Picoseconds at = std::max(next, now);
    if (next == kNever)
      wait(answered_);
    else if (at >= end_ || at - now < quantum_)
      return at;
    else
      wait(to_sc_time(quantum_));
  }
}

void TrafficGenerator::transact(Picoseconds at) {
  const auto [address, write] = transactions_.next();
  const std::size_t place = schedule_.issue(at);
  std::uint8_t* const data = contents(address);
  Picoseconds answer = at;
  const AccessResult result =
      write ? socket.write(address, data, config_.burst, answer) : socket.read(address, data, config_.burst, answer);
  if (result != AccessResult::ok) SC_REPORT_FATAL(name(), "a memory refused a transaction");
  schedule_.answered(place, answer);
  answered_.notify();
  latency_[write].add(answer - at);
  last_answer_ = std::max(last_answer_, answer);
  if (observer_) observer_(at, answer);
}

std::uint8_t* TrafficGenerator::contents(std::uint64_t address) {
  if (!memory_) {
    memory_ = socket.request_dmi(config_.base, true, DmiUse::contents);
    if (!memory_ || memory_->last - config_.base < config_.size - 1)
      SC_REPORT_FATAL(name(), "the window is not inside one memory");
  }
  return memory_->host + (address - memory_->first);
}

void TrafficGenerator::report(Statistics& statistics) const {
  // What it has sent ahead of the kernel counts, and so does the time that this takes.
  const Picoseconds until = std::max(std::min(kernel_time(), end_), last_answer_);
  const Picoseconds time = until > config_.begin ? until - config_.begin : 0;
  const std::uint64_t moved = bytes(false) + bytes(true);
  const double reached = time ? static_cast<double>(moved) / (static_cast<double>(time) * 1e-12) : 0;
  statistics.add("transactions", latency_[0].count() + latency_[1].count(), "1", "reads and writes");
  statistics.add("bytes", moved, "bytes", "read and written");
  statistics.add("time", time, "ps", "from its begin to its end or the last answer");
  statistics.add("bandwidth", reached * 1e-9, "GB/s", "bytes / time, 1 GB = 10^9 bytes");
  if (config_.rate != 0) {
    const auto offered = static_cast<double>(config_.rate);
    statistics.add("offered", offered * 1e-9, "GB/s", "what it would have moved if nothing had held it up");
    statistics.add("bandwidth_of_offered", 100 * reached / offered, "%", "bandwidth / offered");
  }
  for (const bool write : {false, true}) {
    Statistics& one = statistics.group(write ? "write" : "read", write ? "writes" : "reads");
    one.add("transactions", latency_[write].count(), "1", "");
    one.add("bytes", bytes(write), "bytes", "");
    latency_[write].report(one, "from issue to answer");
  }
}

}  // namespace vp
