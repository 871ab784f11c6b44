#include "models/bus/bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "models/common/event_timer.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "tests/support/recording_model.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::ElementsAre;
using testing::Pair;

MemoryConfig ram_config() {
  MemoryConfig config;
  config.size = 0x1000;
  return config;
}

/// A bus of 64 bits at 100 MHz with one cycle a hop, a register device at 0x1000 (64 bytes in a window of 256, 5 ns an
/// access), memory at 0x8000, and two initiators.
struct BusTest : testing::Test {
  BusTest() {
    bus.connect_initiator("cpu", cpu);
    bus.connect_initiator("dma", dma);
    bus.connect_target("device", device.socket);
    bus.connect_target("ram", ram.socket);
  }
  BusConfig config;
  Horizon horizon;
  Bus bus{"bus", config, horizon, {"cpu", "dma"}, {{"ram", 0x8000, 0x800, true}, {"device", 0x1000, 0x100, false}}};
  RecordingModel model{64, 5'000};
  TargetModule device{"device", model, {64, 4}};
  Memory ram{"ram", ram_config(), 10'000};
  InitiatorModule cpu_module{"cpu"}, dma_module{"dma"};
  TlmInitiator& cpu = cpu_module.socket;
  TlmInitiator& dma = dma_module.socket;
  std::array<std::uint8_t, 64> data{};
};

TEST_F(BusTest, TranslatesAddressesAndTakesTheHop) {
  simulate([&] {
    Picoseconds now = 1'000;
    EXPECT_EQ(cpu.read(0x1010, data.data(), 4, now), AccessResult::ok);
    EXPECT_THAT(model.accesses, ElementsAre("r4@16 t=11000"));
    EXPECT_EQ(now, 16'000u);
    now = 0;
    EXPECT_EQ(cpu.read(0x8000, data.data(), 8, now), AccessResult::ok);
    EXPECT_EQ(now, 60'000u);
  });
}

TEST_F(BusTest, BurstsOverlapTheBeatsOfBusAndMemory) {
  simulate([&] {
    Picoseconds now = 0;
    cpu.read(0x8000, data.data(), 64, now);
    EXPECT_EQ(now, 10'000u + 50'000 + 7 * 10'000);
  });
}

TEST_F(BusTest, ABurstToADeviceThatTakesItAtOnceStillTakesTheBussBeats) {
  RecordingModel wide_model(64, 5'000);
  TargetModule wide("wide", wide_model, {64, 0});
  Bus other("other", config, horizon, {"cpu"}, {{"wide", 0, 64, false}});
  InitiatorModule initiator("initiator");
  other.connect_initiator("cpu", initiator.socket);
  other.connect_target("wide", wide.socket);
  simulate([&] {
    Picoseconds now = 0;
    initiator.socket.read(0, data.data(), 64, now);
    EXPECT_EQ(now, 10'000u + 5'000 + 7 * 10'000);
    wide_model.streams = 30'000;
    now = 0;
    initiator.socket.read(0, data.data(), 64, now);
    EXPECT_EQ(now, 10'000u + 5'000 + 4 * 10'000) << "three of its beats are in the target's time already";
  });
}

TEST_F(BusTest, UnmappedAddressesAreErrorsListedWithTheNearestDevice) {
  simulate([&] {
    Picoseconds now = 1'000;
    EXPECT_EQ(cpu.read(0x2000, data.data(), 4, now), AccessResult::address_error);
    EXPECT_EQ(now, 11'000u);
    EXPECT_EQ(cpu.write(0x10FE, data.data(), 4, now), AccessResult::address_error) << "crosses the window's end";
    EXPECT_EQ(dma.write(0x1080, data.data(), 4, now), AccessResult::address_error) << "the device refuses it";
    ASSERT_EQ(bus.bad_accesses().size(), 3u);
    const BadAccess& first = bus.bad_accesses()[0];
    EXPECT_EQ(first.initiator, "cpu");
    EXPECT_EQ(first.address, 0x2000u);
    EXPECT_EQ(first.size, 4u);
    EXPECT_FALSE(first.write);
    EXPECT_EQ(first.time, 11'000u);
    EXPECT_EQ(first.nearest, "3840 bytes after the end of device (0x00001000 to 0x000010ff)");
    EXPECT_EQ(bus.bad_accesses()[2].initiator, "dma");
    EXPECT_EQ(bus.bad_accesses()[2].nearest, "device, REGISTER");
    EXPECT_EQ(bus.describe(0x1100), "0 bytes after the end of device (0x00001000 to 0x000010ff)");
    EXPECT_EQ(bus.describe(0xFFF), "1 byte before device (0x00001000 to 0x000010ff)");
    EXPECT_EQ(bus.describe(0xFF0), "16 bytes before device (0x00001000 to 0x000010ff)");
  });
}

TEST_F(BusTest, TheListOfBadAccessesIsBoundedTheirCountIsNot) {
  simulate([&] {
    Picoseconds now = 0;
    for (int i = 0; i < 1000; ++i) cpu.read(0x2000, data.data(), 4, now);
    EXPECT_EQ(bus.bad_access_count(), 1000u);
    EXPECT_LT(bus.bad_accesses().size(), 100u);
  });
}

TEST_F(BusTest, AddressesComeBackAsTheyWere) {
  simulate([&] {
    for (std::uint64_t address : {0x1004u, 0x8004u, 0x2000u}) {
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_address(address);
      payload.set_data_ptr(data.data());
      payload.set_data_length(4);
      payload.set_streaming_width(4);
      sc_core::sc_time delay;
      cpu.get_base_port()->b_transport(payload, delay);
      EXPECT_EQ(payload.get_address(), address);
      EXPECT_EQ(payload.get_extension<TransportNotes>(), nullptr) << "what the bus lent it is taken back";
      cpu.get_base_port()->transport_dbg(payload);
      EXPECT_EQ(payload.get_address(), address);
      tlm::tlm_dmi dmi;
      cpu.get_base_port()->get_direct_mem_ptr(payload, dmi);
      EXPECT_EQ(payload.get_address(), address);
    }
  });
}

TEST_F(BusTest, HostPointersAreTranslatedClippedAndCostTheSame) {
  simulate([&] {
    const auto region = cpu.request_dmi(0x8400, false);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->host, ram.data());
    EXPECT_EQ(region->first, 0x8000u);
    EXPECT_EQ(region->last, 0x87FFu) << "the memory is larger than its window";
    Picoseconds now = 0;
    cpu.read(0x8400, data.data(), 4, now);
    EXPECT_EQ(region->read_latency, now);
    now = 0;
    cpu.write(0x8400, data.data(), 8, now);
    EXPECT_EQ(region->write_latency + region->wide_extra, now);
    EXPECT_FALSE(cpu.request_dmi(0x1000, false)) << "devices have none";
    EXPECT_FALSE(cpu.request_dmi(0x2000, false)) << "nobody there";
  });
}

TEST(NarrowBus, EightBytesCostTheSameByHostPointerAndByTransaction) {
  BusConfig config;
  config.width = 32;
  Horizon horizon;
  for (unsigned bytes_per_cycle : {4u, 8u}) {
    MemoryConfig memory = ram_config();
    memory.bytes_per_cycle = bytes_per_cycle;
    SCOPED_TRACE(bytes_per_cycle);
    // Modules of two machines side by side, so that one simulation serves.
    static std::vector<std::unique_ptr<sc_core::sc_module>> keep;
    auto ram = std::make_unique<Memory>(sc_core::sc_gen_unique_name("ram"), memory, 10'000);
    auto bus = std::make_unique<Bus>(sc_core::sc_gen_unique_name("bus"), config, horizon,
                                     std::vector<std::string>{"cpu"}, std::vector<BusWindow>{{"ram", 0, 0x1000, true}});
    auto cpu = std::make_unique<InitiatorModule>(sc_core::sc_gen_unique_name("cpu"));
    bus->connect_initiator("cpu", cpu->socket);
    bus->connect_target("ram", ram->socket);
    keep.push_back(std::move(ram));
    keep.push_back(std::move(bus));
    keep.push_back(std::move(cpu));
  }
  simulate([&] {
    for (const char* name : {"cpu_0", "cpu_1"}) {
      auto* cpu = dynamic_cast<InitiatorModule*>(sc_core::sc_find_object(name));
      ASSERT_NE(cpu, nullptr);
      std::uint64_t value = 0;
      Picoseconds now = 0;
      cpu->socket.read(0, &value, 8, now);
      const auto region = cpu->socket.request_dmi(0, false);
      ASSERT_TRUE(region);
      EXPECT_EQ(region->read_latency + region->wide_extra, now);
      EXPECT_EQ(now, 70'000u);
    }
  });
}

TEST_F(BusTest, InvalidationReachesAllInitiatorsWithTheirAddresses) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_by_cpu, seen_by_dma;
  cpu.on_dmi_invalidated([&](std::uint64_t first, std::uint64_t last) { seen_by_cpu.emplace_back(first, last); });
  dma.on_dmi_invalidated([&](std::uint64_t first, std::uint64_t last) { seen_by_dma.emplace_back(first, last); });
  simulate([&] {
    ram.timing_changed();
    ram.socket.invalidate_dmi(16, 31);
    ram.socket.invalidate_dmi(0x900, 0x901);  // outside the window
  });
  EXPECT_THAT(seen_by_cpu, ElementsAre(Pair(0x8000, 0x87FF), Pair(0x8010, 0x801F)));
  EXPECT_EQ(seen_by_dma, seen_by_cpu);
}

TEST_F(BusTest, DebugAccessesFindTheirTargetAndStopAtTheWindowsEnd) {
  simulate([&] {
    data.fill(7);
    EXPECT_EQ(cpu.debug_write(0x87FE, data.data(), 8), 2u);
    EXPECT_EQ(ram.data()[0x7FF], 7);
    EXPECT_EQ(ram.data()[0x800], 0);
    EXPECT_EQ(cpu.debug_read(0x2000, data.data(), 8), 0u);
    EXPECT_EQ(kernel_time(), 0u);
  });
}

TEST_F(BusTest, ATargetThatNeverAnswersIsGivenUpAfterTheTimeout) {
  std::vector<BusHang> hangs;
  bus.on_hang([&](const BusHang& hang) { hangs.push_back(hang); });
  simulate([&] {
    model.result = AccessResult::no_answer;
    Picoseconds now = 0;
    EXPECT_EQ(cpu.write(0x1008, data.data(), 4, now), AccessResult::no_answer);
    EXPECT_EQ(now, 10'000 + 5'000 + config.timeout);
    ASSERT_EQ(hangs.size(), 1u);
    EXPECT_EQ(hangs[0].initiator, "cpu");
    EXPECT_EQ(hangs[0].target, "device");
    EXPECT_EQ(hangs[0].address, 0x1008u);
    EXPECT_TRUE(hangs[0].write);
    EXPECT_EQ(hangs[0].reason, "lane 2 is full.");
    EXPECT_EQ(hangs[0].time, now);
    model.result = AccessResult::ok;
    EXPECT_EQ(cpu.write(0x1008, data.data(), 4, now), AccessResult::ok);
    EXPECT_EQ(hangs.size(), 1u);
  });
}

TEST_F(BusTest, StatisticsCountBothPathsByInitiatorAndTarget) {
  bus.set_dmi_traffic_source("cpu", [] {
    return std::vector<DmiTraffic>{{0x8000, {10, 20, 80, 160}}, {0x8400, {1, 0, 4, 0}}};
  });
  simulate([&] {
    Picoseconds now = 0;
    cpu.read(0x1000, data.data(), 8, now);
    cpu.write(0x8000, data.data(), 4, now);
    dma.read(0x8000, data.data(), 64, now);
    cpu.read(0x2000, data.data(), 4, now);
  });
  const BusTraffic traffic = bus.traffic("cpu", "ram");
  EXPECT_EQ(traffic.reads, 11u);
  EXPECT_EQ(traffic.writes, 21u);
  EXPECT_EQ(traffic.read_bytes, 84u);
  EXPECT_EQ(traffic.write_bytes, 164u);
  const BusFigures figures = bus.figures();
  const BusTrafficFigures& to_device = named(named(figures.initiators, "cpu").targets, "device");
  EXPECT_EQ(to_device.reads + to_device.writes, 1u);
  EXPECT_EQ(to_device.read_bytes, 8u);
  const InitiatorFigures& other = named(figures.initiators, "dma");
  ASSERT_EQ(other.targets.size(), 1u);  // those with which there was traffic
  EXPECT_EQ(other.targets[0].first, "ram");
  EXPECT_EQ(other.targets[0].second.read_bytes + other.targets[0].second.write_bytes, 64u);
  EXPECT_EQ(figures.bad_accesses, 1u);
}

/// A device that becomes visible at 500 ns writes a 9 into its own register then.
struct SynchronisationTest : BusTest {
  EventTimer timer{"timer", horizon, [this](Picoseconds due) {
                     delivered.emplace_back(kernel_time(), due);
                     model.bytes[0] = 9;
                   }};
  std::vector<std::pair<Picoseconds, Picoseconds>> delivered;
};

TEST_F(SynchronisationTest, AnAccessBeforeTheHorizonDoesNotWait) {
  simulate([&] {
    timer.set(500'000);
    Picoseconds now = 489'999;  // arrives one picosecond before
    cpu.read(0x1000, data.data(), 1, now);
    EXPECT_EQ(kernel_time(), 0u);
    EXPECT_EQ(data[0], 0);
  });
}

TEST_F(SynchronisationTest, AnAccessThatArrivesAtTheHorizonComesAfterTheEvent) {
  simulate([&] {
    timer.set(500'000);
    Picoseconds now = 490'000;
    EXPECT_EQ(cpu.read(0x1000, data.data(), 1, now), AccessResult::ok);
    EXPECT_THAT(delivered, ElementsAre(Pair(500'000, 500'000)));
    EXPECT_EQ(data[0], 9);
    EXPECT_EQ(now, 505'000u);
    EXPECT_EQ(kernel_time(), 500'000u);
  });
}

TEST_F(SynchronisationTest, AnAccessFarBehindTheHorizonPassesAllEventsAtTheirTimes) {
  simulate([&] {
    timer.set(500'000);
    Picoseconds now = 2'000'000;
    cpu.read(0x1000, data.data(), 1, now);
    EXPECT_THAT(delivered, ElementsAre(Pair(500'000, 500'000)));
    EXPECT_EQ(now, 2'015'000u);
  });
}

TEST_F(SynchronisationTest, PlainMemoryNeverWaits) {
  simulate([&] {
    timer.set(500'000);
    Picoseconds now = 2'000'000;
    cpu.read(0x8000, data.data(), 1, now);
    EXPECT_EQ(kernel_time(), 0u);
    EXPECT_TRUE(delivered.empty());
  });
}

TEST_F(BusTest, AnExactWindowIsReachedAtTheKernelsOwnTime) {
  RecordingModel finisher_model(8, 0);
  TargetModule finisher("finisher", finisher_model, {8, 4});
  Bus other("other", config, horizon, {"cpu"}, {{"finisher", 0, 8, false, true}});
  InitiatorModule initiator("initiator");
  other.connect_initiator("cpu", initiator.socket);
  other.connect_target("finisher", finisher.socket);
  simulate([&] {
    Picoseconds now = 7'000;
    initiator.socket.write(0, data.data(), 4, now);
    EXPECT_THAT(finisher_model.accesses, ElementsAre("w4@0 t=17000"));
    EXPECT_EQ(kernel_time(), 17'000u);
    EXPECT_EQ(now, 17'000u);
  });
}

TEST_F(BusTest, RandomTrafficAlwaysGetsAResponseAndTimeNeverRunsBack) {
  simulate([&] {
    std::mt19937_64 random(11);
    const std::array<std::uint64_t, 8> bases{0, 0x0FF8, 0x1000, 0x1038, 0x10F8, 0x8000, 0x87F8, ~std::uint64_t{0} - 15};
    Picoseconds now = 0;
    for (int i = 0; i < 50'000; ++i) {
      const std::uint64_t address = bases[random() % bases.size()] + random() % 16;
      const unsigned size = 1 + random() % 64;
      const Picoseconds before = now;
      const AccessResult result =
          random() % 2 != 0 ? cpu.read(address, data.data(), size, now) : cpu.write(address, data.data(), size, now);
      const bool in_device = address >= 0x1000 && address <= 0x1040 - size;
      const bool in_ram = address >= 0x8000 && address <= 0x8800 - size;
      ASSERT_EQ(result, in_device || in_ram ? AccessResult::ok : AccessResult::address_error) << address << " " << size;
      ASSERT_GT(now, before);
    }
  });
}

}  // namespace
}  // namespace vp
