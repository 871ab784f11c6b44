#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"

namespace vp {

/// Addresses and pauses of one initiator.
struct Traffic {
  bool random = false;         ///< anywhere in a quarter of the memory; else it walks 8 KiB, again and again
  std::uint64_t base = 0;      ///< first address
  unsigned bytes = 64;         ///< of an access
  unsigned writes = 0;         ///< percent
  Picoseconds pause = 50'000;  ///< mean time between an answer and the next access; half to one and a half
  Picoseconds start = 0;       ///< of its first access
};

/// An SC_THREAD that sends accesses, each after the answer to the one before, at most a quantum ahead of the kernel.
class PausingInitiator : public sc_core::sc_module {
 public:
  /// reach: size of the memory in bytes. It stops at `end`. It runs ahead up to the horizon, if it is given one, as a
  /// CPU does.
  PausingInitiator(sc_core::sc_module_name module_name, const Traffic& traffic, unsigned seed, std::uint64_t reach,
                   Picoseconds quantum, Picoseconds end, const Horizon* horizon = nullptr)
      : sc_module(module_name),
        socket("socket"),
        traffic_(traffic),
        random_(seed),
        places_((traffic.random ? reach / 4 : 8192) / traffic.bytes),
        data_(traffic.bytes),
        quantum_(quantum),
        end_(end),
        horizon_(horizon) {
    SC_HAS_PROCESS(PausingInitiator);
    SC_THREAD(run);
  }
  TlmInitiator socket;
  double latency_sum = 0;
  double accesses = 0;
  std::uint64_t bytes = 0;

  double mean_latency() const { return latency_sum / accesses; }

 private:
  void run() {
    Picoseconds now = traffic_.start;
    while (now < end_) {
      catch_up(now);
      const Picoseconds limit =
          std::min({kernel_time() + quantum_, end_, horizon_ == nullptr ? kNever : horizon_->earliest()});
      while (now < limit) {
        const Picoseconds before = now;
        const bool write = random_() % 100 < traffic_.writes;
        const AccessResult result = write ? socket.write(address(), data_.data(), traffic_.bytes, now)
                                          : socket.read(address(), data_.data(), traffic_.bytes, now);
        if (result != AccessResult::ok) SC_REPORT_FATAL(name(), "an access failed");
        latency_sum += static_cast<double>(now - before);
        ++accesses;
        bytes += traffic_.bytes;
        now += traffic_.pause / 2 + random_() % (traffic_.pause + 1);
      }
    }
  }
  /// Lets the kernel come to `now`.
  void catch_up(Picoseconds now) {
    if (horizon_ != nullptr)
      synchronize(*horizon_, now);
    else if (now > kernel_time())
      wait(to_sc_time(now - kernel_time()));
  }
  std::uint64_t address() {
    return traffic_.base + (traffic_.random ? random_() : position_++) % places_ * traffic_.bytes;
  }

  const Traffic traffic_;
  std::mt19937_64 random_;
  const std::uint64_t places_;
  std::vector<std::uint8_t> data_;  ///< no local of a process, which ends in the middle of itself
  const Picoseconds quantum_;
  const Picoseconds end_;
  const Horizon* const horizon_;
  std::uint64_t position_ = 0;
};

/// Two of them, a quantum of 1 us each, on a bus of 400 MHz with one memory of 64 MiB, in timed mode.
struct TwoInitiators {
  static constexpr std::uint64_t kSize = 64u << 20;

  TwoInitiators(const std::string& name, const std::string& preset, const Traffic& first, const Traffic& second,
                BusOrder order, Arbitration arbitration = Arbitration::first_come, Picoseconds end = 500'000'000) {
    constexpr Picoseconds kQuantum = 1'000'000;
    BusConfig config;
    config.clock = 2'500;
    config.sync = order;
    config.arbitration = arbitration;
    MemoryConfig memory;
    memory.size = kSize;
    memory.channel.preset = preset;
    ram = std::make_unique<Memory>((name + "_ram").c_str(), memory, config.clock);
    bus = std::make_unique<Bus>((name + "_bus").c_str(), config, horizon, std::vector<std::string>{"cpu", "dma"},
                                std::vector<BusWindow>{{"ram", 0, kSize, true}});
    cpu = std::make_unique<PausingInitiator>((name + "_cpu").c_str(), first, 1, kSize, kQuantum, end);
    dma = std::make_unique<PausingInitiator>((name + "_dma").c_str(), second, 2, kSize, kQuantum, end);
    bus->connect_initiator("cpu", cpu->socket);
    bus->connect_initiator("dma", dma->socket);
    bus->connect_target("ram", ram->socket);
    ram->set_fidelity(Fidelity::timed);
    bus->set_fidelity(Fidelity::timed);
  }
  double accesses() const { return cpu->accesses + dma->accesses; }
  /// Of both, in picoseconds.
  double mean_latency() const { return (cpu->latency_sum + dma->latency_sum) / accesses(); }
  /// Share of the accesses that waited in the kernel for their turn.
  double ordered() const { return static_cast<double>(bus->figures().ordered.value()) / accesses(); }
  /// Empty, or what is wrong with the figures of bus and memory.
  std::string broken_conservation() const {
    if (ram->bytes(false) + ram->bytes(true) != cpu->bytes + dma->bytes) return "other bytes than were asked for";
    return bus->broken_conservation() + ram->broken_conservation();
  }

  Horizon horizon;
  std::unique_ptr<Memory> ram;
  std::unique_ptr<Bus> bus;
  std::unique_ptr<PausingInitiator> cpu, dma;
};

}  // namespace vp
