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
#include "tests/support/two_initiators.h"

namespace vp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Picoseconds kMicrosecond = 1'000'000;

struct Mix {
  std::string name;
  std::string preset;
  Traffic first, second;
  Arbitration arbitration = Arbitration::first_come;
};
std::ostream& operator<<(std::ostream& out, const Mix& mix) { return out << mix.name; }

struct System : TwoInitiators {
  System(const char* name, const Mix& mix, BusOrder order)
      : TwoInitiators(name, mix.preset, mix.first, mix.second, order, mix.arbitration) {}
};

class SharedLink : public testing::TestWithParam<Mix> {};

TEST_P(SharedLink, running_ahead_where_nobody_can_come_gives_the_same_as_exact_order) {
  System exact("exact", GetParam(), BusOrder::exact), shared("shared", GetParam(), BusOrder::shared);
  sc_core::sc_start();
  EXPECT_EQ(shared.cpu->latency_sum, exact.cpu->latency_sum);
  EXPECT_EQ(shared.dma->latency_sum, exact.dma->latency_sum);
  EXPECT_EQ(shared.accesses(), exact.accesses());
  EXPECT_EQ(exact.broken_conservation(), "");
  EXPECT_EQ(shared.broken_conservation(), "");
}

constexpr std::uint64_t kOtherRow = TwoInitiators::kSize / 2;
constexpr std::uint64_t kOtherBank = kOtherRow + 5 * 8192;

/// The same mix on each of the presets, its name after the preset's.
class Mixes {
 public:
  explicit Mixes(std::vector<std::string> presets) : presets_(std::move(presets)) {}
  void add(const std::string& name, const Traffic& first, Traffic second, std::uint64_t second_base = kOtherBank,
           Arbitration arbitration = Arbitration::first_come) {
    second.base = second_base;
    second.start = 1'000;  // two at one instant have no order
    for (const std::string& preset : presets_) {
      std::string tag = preset;
      std::replace(tag.begin(), tag.end(), '-', '_');
      mixes_.push_back({tag + "_" + name, preset, first, second, arbitration});
    }
  }
  const std::vector<Mix>& all() const { return mixes_; }

 private:
  std::vector<std::string> presets_;
  std::vector<Mix> mixes_;
};

Traffic walk(Picoseconds pause, unsigned bytes = 64, unsigned writes = 0) { return {false, 0, bytes, writes, pause}; }
Traffic anywhere(Picoseconds pause, unsigned writes = 0) { return {true, 0, 64, writes, pause}; }

void add_mixes_without_rhythm(Mixes& mixes) {
  mixes.add("row_local", walk(50'000), walk(50'000));
  mixes.add("row_local_dense", walk(10'000), walk(10'000));
  mixes.add("random", anywhere(50'000), anywhere(50'000));
  mixes.add("random_writes", anywhere(50'000, 30), anywhere(50'000, 30));
  mixes.add("random_dense", anywhere(10'000, 30), anywhere(10'000, 30));
  mixes.add("row_local_and_random", walk(50'000), anywhere(50'000));
  mixes.add("blocks_and_random", walk(400'000, 512), anywhere(50'000));
  mixes.add("priority", anywhere(50'000), anywhere(50'000, 30), kOtherRow, Arbitration::fixed_priority);
  mixes.add("round_robin", walk(10'000), anywhere(50'000), kOtherBank, Arbitration::round_robin);
}

std::vector<Mix> all_mixes() {
  Mixes mixes({"fixed", "ddr3-1600", "ddr4-2400", "ddr4-3200", "lpddr4-3200"});
  add_mixes_without_rhythm(mixes);
  for (const Picoseconds pause : {0, 2'000, 20'000, 50'000, 100'000}) {
    const std::string tag = "_" + std::to_string(pause / 1000) + "ns";
    mixes.add("one_bank" + tag, walk(pause), walk(pause), kOtherRow);
    mixes.add("two_banks" + tag, walk(pause), walk(pause));
    mixes.add("two_banks_writes" + tag, walk(pause, 64, 30), walk(pause, 64, 30));
  }
  mixes.add("blocks", walk(200'000, 512), walk(200'000, 512));
  mixes.add("blocks_in_one_bank", walk(200'000, 512), walk(200'000, 512), kOtherRow);
  mixes.add("pages_and_random", walk(1'000'000, 4096), anywhere(50'000));
  mixes.add("dense_and_sparse", walk(20'000), walk(20'000'000), kOtherRow);
  return mixes.all();
}

std::string name_of(const testing::TestParamInfo<Mix>& mix) { return mix.param.name; }

INSTANTIATE_TEST_SUITE_P(TwoInitiators, SharedLink, testing::ValuesIn(all_mixes()), name_of);

/// Two initiators, a device of 5 ns an access and a memory, in timed mode. One thread plays both initiators, and each
/// has promised never to come, so that the other does not wait in the kernel.
struct TimedBus : testing::Test {
  TimedBus() {
    bus.connect_initiator("cpu", cpu);
    bus.connect_initiator("dma", dma);
    bus.connect_target("ram", ram.socket);
    bus.connect_target("device", device.socket);
    bus.set_fidelity(Fidelity::timed);
    ram.set_fidelity(Fidelity::timed);
    cpu.bus()->announce(kNever);
    dma.bus()->announce(kNever);
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x10000;
    return config;
  }
  Horizon horizon;
  Bus bus{"bus", {}, horizon, {"cpu", "dma"}, {{"ram", 0x8000, 0x8000, true}, {"device", 0, 0x40, false}}};
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

TEST_F(TimedBus, one_who_comes_before_another_that_ran_ahead_is_answered_at_its_time_and_counted) {
  simulate([&] {
    Picoseconds ahead = 500'000, joins = 0, again = 100'000;
    cpu.read(0x8000, data.data(), 8, ahead);
    dma.read(0x8040, data.data(), 8, joins);
    EXPECT_EQ(joins, 510'000u + 10'000 + 50'000) << "as if it had arrived with the first, behind its beat";
    dma.read(0x8040, data.data(), 8, again);
    Statistics statistics;
    bus.report(statistics);
    const auto value = [&](const char* path) { return std::get<double>(*statistics.find(path)); };
    EXPECT_EQ(std::get<std::uint64_t>(*statistics.find("links.ram.late_arrivals.number")), 2u);
    EXPECT_EQ(value("links.ram.late_arrivals.worst"), 500.0);
    EXPECT_EQ(value("links.ram.late_arrivals.sum"), 900.0);
    EXPECT_EQ(value("dma.timed.waiting.ram.overtaken"), 900.0);
    EXPECT_EQ(bus.broken_conservation(), "");
  });
}

TEST_F(TimedBus, HostPointersAreForTheContentsOnly) {
  simulate([&] {
    Access access;
    access.address = 0x8000;
    access.data = data.data();
    access.size = 4;
    EXPECT_FALSE(cpu.access(access).dmi);
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

TEST(BusOrderSetting, running_ahead_of_each_other_is_refused_with_the_reason) {
  BusConfig config;
  config.sync = BusOrder::decoupled;
  Horizon horizon;
  EXPECT_THAT(
      [&] {
        Bus("bus", config, horizon, {"cpu"}, {{"ram", 0, 64, true}});
      },
      ThrowsMessage<UserError>(HasSubstr("depend on the quantum")));
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
