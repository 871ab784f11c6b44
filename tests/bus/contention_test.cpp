// Two initiators on a bus in timed mode: who waits for whom, and what running ahead of each other costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/error.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "tests/support/recording_model.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr std::uint64_t kSize = 64u << 20;

/// Addresses and pauses of one generator of traffic.
struct Traffic {
  bool random = false;         ///< else it walks a row of its own
  unsigned bytes = 64;         ///< of an access
  unsigned writes = 0;         ///< percent
  Picoseconds pause = 50'000;  ///< mean time between an answer and the next access; half to one and a half
};

/// An SC_THREAD that sends accesses, each after the answer to the one before, at most a quantum ahead of the kernel.
class Generator : public sc_core::sc_module {
 public:
  Generator(sc_core::sc_module_name module_name, const Traffic& traffic, unsigned seed, std::uint64_t base,
            Picoseconds quantum, Picoseconds end)
      : sc_module(module_name),
        socket("socket"),
        traffic_(traffic),
        random_(seed),
        base_(base),
        quantum_(quantum),
        end_(end) {
    SC_HAS_PROCESS(Generator);
    SC_THREAD(run);
  }
  TlmInitiator socket;
  double latency_sum = 0;
  double accesses = 0;
  std::uint64_t bytes = 0;

 private:
  void run() {
    std::vector<std::uint8_t> data(traffic_.bytes);
    Picoseconds now = 0;
    while (now < end_) {
      const Picoseconds limit = kernel_time() + quantum_;
      while (now < std::min(limit, end_)) {
        const Picoseconds before = now;
        const bool write = random_() % 100 < traffic_.writes;
        const AccessResult result = write ? socket.write(address(), data.data(), traffic_.bytes, now)
                                          : socket.read(address(), data.data(), traffic_.bytes, now);
        ASSERT_EQ(result, AccessResult::ok);
        latency_sum += static_cast<double>(now - before);
        ++accesses;
        bytes += traffic_.bytes;
        now += traffic_.pause / 2 + random_() % (traffic_.pause + 1);
      }
      if (now > kernel_time()) wait(to_sc_time(now - kernel_time()));
    }
  }
  std::uint64_t address() {
    const std::uint64_t places = (traffic_.random ? kSize / 4 : 8192) / traffic_.bytes;
    return base_ + (traffic_.random ? random_() : position_++) % places * traffic_.bytes;
  }

  const Traffic traffic_;
  std::mt19937_64 random_;
  const std::uint64_t base_;
  const Picoseconds quantum_;
  const Picoseconds end_;
  std::uint64_t position_ = 0;
};

struct Setting {
  std::string name;
  std::string preset;
  Traffic first, second;
  std::uint64_t second_base = kSize / 2;
  Arbitration arbitration = Arbitration::first_come;
};
std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }

/// Both generators on one bus with one memory.
struct System {
  System(const std::string& name, const Setting& setting, bool sync) {
    constexpr Picoseconds kEnd = 500 * kMicrosecond;
    BusConfig config;
    config.clock = 2'500;
    config.sync = sync;
    config.arbitration = setting.arbitration;
    MemoryConfig memory;
    memory.size = kSize;
    memory.channel.preset = setting.preset;
    ram = std::make_unique<Memory>((name + "_ram").c_str(), memory, config.clock);
    bus = std::make_unique<Bus>((name + "_bus").c_str(), config, horizon, std::vector<std::string>{"cpu", "dma"},
                                std::vector<BusWindow>{{"ram", 0, kSize, true}});
    cpu = std::make_unique<Generator>((name + "_cpu").c_str(), setting.first, 1, 0, kMicrosecond, kEnd);
    dma = std::make_unique<Generator>((name + "_dma").c_str(), setting.second, 2, setting.second_base, kMicrosecond,
                                      kEnd);
    bus->connect_initiator("cpu", cpu->socket);
    bus->connect_initiator("dma", dma->socket);
    bus->connect_target("ram", ram->socket);
    ram->set_fidelity(Fidelity::timed);
    bus->set_fidelity(Fidelity::timed);
  }
  double mean_latency() const { return (cpu->latency_sum + dma->latency_sum) / (cpu->accesses + dma->accesses); }

  Horizon horizon;
  std::unique_ptr<Memory> ram;
  std::unique_ptr<Bus> bus;
  std::unique_ptr<Generator> cpu, dma;
};

class TwoInitiators : public testing::TestWithParam<Setting> {};

TEST_P(TwoInitiators, AQuantumOfOneMicrosecondKeepsTheMeanLatencyWithinFivePercentOfExactOrder) {
  System exact("exact", GetParam(), true), decoupled("decoupled", GetParam(), false);
  sc_core::sc_start();
  RecordProperty("exact", std::to_string(exact.mean_latency()));
  RecordProperty("error", std::to_string(100 * (decoupled.mean_latency() / exact.mean_latency() - 1)));
  EXPECT_NEAR(decoupled.mean_latency() / exact.mean_latency(), 1, 0.05) << exact.mean_latency();
  EXPECT_NEAR(decoupled.cpu->latency_sum / decoupled.cpu->accesses, exact.cpu->latency_sum / exact.cpu->accesses,
              0.05 * exact.mean_latency());
  for (const System* system : {&exact, &decoupled}) {
    EXPECT_EQ(system->bus->broken_conservation(), "");
    EXPECT_EQ(system->ram->broken_conservation(), "");
    EXPECT_EQ(system->ram->bytes(false) + system->ram->bytes(true), system->cpu->bytes + system->dma->bytes);
  }
}

std::vector<Setting> settings() {
  const Traffic local{false, 64, 0, 50'000}, random{true, 64, 0, 50'000}, mixed{true, 64, 30, 50'000};
  const Traffic dense{false, 64, 0, 10'000}, dense_random{true, 64, 30, 10'000}, blocks{false, 512, 0, 400'000};
  std::vector<Setting> all;
  for (const char* preset : {"fixed", "ddr3-1600", "ddr4-2400", "ddr4-3200"}) {
    std::string tag = preset;
    std::replace(tag.begin(), tag.end(), '-', '_');
    const auto add = [&](const char* what, const Traffic& a, const Traffic& b,
                         std::uint64_t base = kSize / 2 + (1 << 15),
                         Arbitration arbitration = Arbitration::first_come) {
      all.push_back({tag + "_" + what, preset, a, b, base, arbitration});
    };
    add("row_local", local, local);
    add("row_local_dense", dense, dense);
    add("random", random, random);
    add("random_writes", mixed, mixed);
    add("random_dense", dense_random, dense_random);
    add("row_local_and_random", local, random);
    add("blocks_and_random", blocks, random);
    add("priority", random, mixed, kSize / 2, Arbitration::fixed_priority);
    add("round_robin", dense, random, kSize / 2 + (1 << 15), Arbitration::round_robin);
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Setting>& setting) { return setting.param.name; }

INSTANTIATE_TEST_SUITE_P(Mixes, TwoInitiators, testing::ValuesIn(settings()), name_of);

/// Two initiators, a device of 5 ns an access and a memory, in timed mode.
struct TimedBus : testing::Test {
  TimedBus() {
    bus.connect_initiator("cpu", cpu);
    bus.connect_initiator("dma", dma);
    bus.connect_target("ram", ram.socket);
    bus.connect_target("device", device.socket);
    bus.set_fidelity(Fidelity::timed);
    ram.set_fidelity(Fidelity::timed);
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x10000;
    return config;
  }
  BusConfig config;
  Horizon horizon;
  Bus bus{"bus", config, horizon, {"cpu", "dma"}, {{"ram", 0x8000, 0x8000, true}, {"device", 0, 0x40, false}}};
  RecordingModel model{64, 5'000};
  TargetModule device{"device", model, {64, 4}};
  Memory ram{"ram", memory(), 10'000};
  InitiatorModule cpu_module{"cpu"}, dma_module{"dma"};
  TlmInitiator& cpu = cpu_module.socket;
  TlmInitiator& dma = dma_module.socket;
  std::array<std::uint8_t, 64> data{};
};

TEST_F(TimedBus, AnAccessAloneCostsWhatItCostsInFunctionalMode) {
  simulate([&] {
    for (const unsigned size : {4u, 8u, 64u}) {
      const Picoseconds start = size * kMicrosecond;  // each behind the one before
      Picoseconds timed = start, functional = start;
      cpu.read(0x8000, data.data(), size, timed);
      bus.set_fidelity(Fidelity::functional);
      cpu.read(0x8000, data.data(), size, functional);
      bus.set_fidelity(Fidelity::timed);
      EXPECT_EQ(timed, functional) << size;
    }
  });
}

TEST_F(TimedBus, TheSecondWaitsForTheFirstAndTheFiguresSaySo) {
  simulate([&] {
    Picoseconds first = 0, second = 0;
    cpu.read(0x8000, data.data(), 64, first);
    dma.read(0x8040, data.data(), 64, second);
    EXPECT_EQ(second, first + 80'000) << "eight beats";
    Picoseconds other = 0;
    dma.read(0, data.data(), 4, other);
    EXPECT_EQ(other, 15'000u) << "another link";
    EXPECT_EQ(bus.broken_conservation(), "");
    Statistics statistics;
    bus.report(statistics);
    const auto value = [&](const char* path) { return std::get<double>(*statistics.find(path)); };
    EXPECT_EQ(value("dma.timed.waiting.ram.behind_cpu"), 80.0);
    EXPECT_EQ(value("links.ram.time.busy"), 160.0);
    EXPECT_EQ(std::get<std::uint64_t>(*statistics.find("links.ram.bytes")), 128u);
    EXPECT_EQ(value("dma.timed.read.latency_max"), 210.0);
  });
}

TEST_F(TimedBus, HostPointersAreForTheContentsOnly) {
  simulate([&] {
    Picoseconds now = 0;
    cpu.read(0x8000, data.data(), 4, now);
    EXPECT_FALSE(cpu.dmi_hint());
    EXPECT_FALSE(cpu.request_dmi(0x8000, false));
    ASSERT_TRUE(cpu.request_dmi(0x8000, false, DmiUse::contents));
    EXPECT_EQ(cpu.request_dmi(0x8000, false, DmiUse::contents)->host, ram.data());
  });
}

TEST_F(TimedBus, TimedModeRevokesHostPointers) {
  int revoked = 0;
  cpu.on_dmi_invalidated(
      [&](std::uint64_t first, std::uint64_t last) { revoked += first <= 0x8000 && last >= 0xFFFF; });
  simulate([&] {
    bus.set_fidelity(Fidelity::functional);
    EXPECT_TRUE(cpu.request_dmi(0x8000, false));
    bus.set_fidelity(Fidelity::timed);
    EXPECT_EQ(revoked, 1);
  });
}

TEST_F(TimedBus, LinksTellWhenTheyWereBusy) {
  std::vector<std::array<Picoseconds, 3>> spans;
  bus.on_link_busy("ram", [&](unsigned initiator, Picoseconds start, Picoseconds end) {
    spans.push_back({initiator, start, end});
  });
  simulate([&] {
    Picoseconds first = 0, second = 0;
    cpu.read(0x8000, data.data(), 16, first);
    dma.read(0x8000, data.data(), 8, second);
    bus.set_fidelity(Fidelity::functional);
  });
  EXPECT_THAT(spans, testing::ElementsAre(std::array<Picoseconds, 3>{0, 10'000, 30'000},
                                          std::array<Picoseconds, 3>{1, 30'000, 40'000}));
}

TEST(BusPriority, NamesMustBeInitiators) {
  BusConfig config;
  Horizon horizon;
  const auto make = [&](const char* priority) {
    config.priority = priority;
    Bus bus("bus", config, horizon, {"cpu", "dma"}, {{"ram", 0, 64, true}});
  };
  EXPECT_THAT([&] { make("dma,gpu"); }, ThrowsMessage<UserError>(HasSubstr("'gpu'")));
  EXPECT_THAT([&] { make("dma,dma"); }, ThrowsMessage<UserError>(HasSubstr("twice")));
  EXPECT_NO_THROW(make("dma"));
}

}  // namespace
}  // namespace vp
