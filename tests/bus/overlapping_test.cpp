// Masters with several accesses under way on the bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/figures.h"
#include "models/memory/memory.h"
#include "tests/support/recording_model.h"
#include "tests/support/scripted_master.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::uint64_t kRam = 0x10000;

/// A bus of 8 bytes and 10 ns with one cycle a hop, a memory of 50 ns, a device of 4 bytes and 5 ns, a blocking master
/// and two that overlap.
struct Overlapping : testing::Test {
  explicit Overlapping(BusPortOptions master_port = {}, BusPortOptions memory_port = {},
                       OverlappingMaster::Options options = {8, 256}, const BusConfig& bus_config = {})
      : config(bus_config), dma("dma", options), other("other", options) {
    bus.connect_initiator("cpu", cpu_module.socket);
    bus.connect_initiator("dma", dma.port, master_port);
    bus.connect_initiator("other", other.port);
    bus.connect_target("ram", ram.socket, memory_port);
    bus.connect_target("device", device.socket);
    std::iota(ram.data(), ram.data() + 0x4000, 1);
  }
  void timed() {
    bus.set_fidelity(Fidelity::timed);
    ram.set_fidelity(Fidelity::timed);
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x10000;
    return config;
  }
  Horizon horizon;
  BusConfig config;
  Bus bus{"bus", config, horizon, {"cpu", "dma", "other"}, {{"ram", kRam, 0x10000, true}, {"device", 0, 64, false}}};
  RecordingModel model{64, 5'000};
  TargetModule device{"device", model, {64, 4}};
  Memory ram{"ram", memory(), 10'000};
  InitiatorModule cpu_module{"cpu"};
  ScriptedMaster dma, other;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(0x4000);
};

/// One link for all, with two accesses under way at most.
struct LimitedOverlapping : Overlapping {
  static BusConfig shared_link() {
    BusConfig shared;
    shared.topology = BusTopology::shared;
    shared.outstanding = 2;
    return shared;
  }
  LimitedOverlapping() : Overlapping({}, {}, {8, 256}, shared_link()) {}
};

TEST_F(LimitedOverlapping, one_behind_a_device_starts_when_it_has_answered_though_that_is_known_late) {
  timed();
  dma.port.read(kRam, data.data(), 64, 1);
  other.port.read(0, data.data() + 0x1000, 4, 2);
  dma.port.read(kRam + 64, data.data() + 64, 64, 3, 10'000);
  sc_core::sc_start();
  EXPECT_THAT(other.completions, ElementsAre(Pair(2, 95'000u))) << "behind 8 beats of the first";
  EXPECT_THAT(dma.completions, ElementsAre(Pair(1, 130'000u), Pair(3, 220'000u))) << "from 100 ns on, not from 130";
}

TEST_F(Overlapping, bursts_are_cut_at_4_kib_and_at_the_longest_length_and_bytes_arrive) {
  dma.port.read(kRam + 0x0F80, data.data(), 0x180 + 64, 7);  // 128 to the boundary, then 256 and 64
  sc_core::sc_start();
  EXPECT_EQ(std::memcmp(data.data(), ram.data() + 0x0F80, 0x1C0), 0);
  EXPECT_EQ(bus.traffic("dma", "ram").reads, 3u);
  ASSERT_EQ(dma.completions.size(), 1u) << "one transfer";
  EXPECT_EQ(dma.completions[0].first, 7u);
  data.assign(data.size(), 0x5A);
  dma.port.write(kRam + 0x2000, data.data(), 1000, 8);
  sc_core::sc_start();
  EXPECT_EQ(ram.data()[0x2000 + 999], 0x5A);
  EXPECT_NE(ram.data()[0x2000 + 1000], 0x5A);
  EXPECT_EQ(bus.traffic("dma", "ram").writes, 4u);
}

TEST_F(Overlapping, reads_and_writes_leave_on_channels_of_their_own_and_a_write_takes_its_beats) {
  timed();
  for (unsigned i = 0; i < 3; ++i) dma.port.read(kRam + 64 * i, data.data() + 64 * i, 64, i);
  for (unsigned i = 0; i < 3; ++i) dma.port.write(kRam + 0x3000 + 64 * i, data.data() + 0x1000, 64, 10 + i);
  sc_core::sc_start();
  EXPECT_THAT(dma.issues, ElementsAre(Pair(0, 0u), Pair(10, 0u), Pair(1, 10'000u), Pair(2, 20'000u), Pair(11, 80'000u),
                                      Pair(12, 160'000u)))
      << "a read a cycle; a write as soon as the data of the one before have left";
  EXPECT_THAT(dma.completions, ElementsAre(Pair(0, 130'000u), Pair(10, 210'000u), Pair(1, 290'000u), Pair(2, 370'000u),
                                           Pair(11, 450'000u), Pair(12, 530'000u)))
      << "the link to the memory carries both";
}

TEST_F(Overlapping, in_functional_mode_nobody_waits) {
  for (unsigned i = 0; i < 3; ++i) dma.port.read(kRam + 64 * i, data.data() + 64 * i, 64, i);
  sc_core::sc_start();
  EXPECT_THAT(dma.completions, ElementsAre(Pair(0, 130'000u), Pair(1, 140'000u), Pair(2, 150'000u)));
}

TEST_F(Overlapping, no_more_bursts_are_under_way_than_the_window_holds) {
  timed();
  for (unsigned i = 0; i < 20; ++i) dma.port.read(kRam + 8 * i, data.data(), 8, i);
  EXPECT_FALSE(dma.port.can_issue(false));
  EXPECT_TRUE(dma.port.can_issue(true));
  EXPECT_EQ(dma.port.under_way(false), 20u);
  sc_core::sc_start();
  ASSERT_EQ(dma.completions.size(), 20u);
  for (unsigned i = 8; i < 20; ++i) EXPECT_GE(dma.issues[i].second, dma.completions[i - 8].second) << i;
  EXPECT_TRUE(std::is_sorted(dma.completions.begin(), dma.completions.end()));
}

TEST_F(Overlapping, a_planned_transfer_leaves_at_its_time) {
  dma.port.read(kRam, data.data(), 8, 1, 5'000'000);
  sc_core::sc_start();
  EXPECT_THAT(dma.issues, ElementsAre(Pair(1, 5'000'000u)));
}

TEST_F(Overlapping, a_refused_burst_ends_its_transfer_with_the_reason_and_those_behind_go_on) {
  dma.port.read(kRam + 0x10000 - 256, data.data(), 1024, 1, 0, 0x8000'0044);
  dma.port.read(kRam, data.data(), 64, 2);
  sc_core::sc_start();
  ASSERT_EQ(dma.answers.size(), 2u);
  EXPECT_EQ(dma.answers[0].result, AccessResult::address_error);
  EXPECT_TRUE(dma.answers[1].ok());
  ASSERT_GE(bus.bad_accesses().size(), 1u);
  EXPECT_EQ(bus.bad_accesses()[0].initiator, "dma");
  EXPECT_EQ(bus.bad_accesses()[0].pc, 0x8000'0044u);
  EXPECT_EQ(bus.bad_accesses()[0].address, kRam + 0x10000);
}

TEST_F(Overlapping, devices_are_reached_at_the_kernels_time) {
  for (const bool is_timed : {false, true}) {
    if (is_timed) timed();
    const Picoseconds start = kernel_time();
    model.accesses.clear();
    dma.port.write(0x10, data.data(), 8, 1, start + 100'000);
    sc_core::sc_start();
    EXPECT_THAT(model.accesses, ElementsAre("w4@16 t=" + std::to_string(start + 110'000),
                                            "w4@20 t=" + std::to_string(start + 115'000)));
    EXPECT_EQ(model.seen.initiator, 1u);
  }
}

TEST_F(Overlapping, a_transfer_of_time_only_moves_no_byte_and_is_for_memories) {
  dma.port.write(kRam, nullptr, 512, 1);
  dma.port.write(0, nullptr, 4, 2);
  const std::vector<std::uint8_t> before(ram.data(), ram.data() + 512);
  sc_core::sc_start();
  EXPECT_EQ(std::memcmp(before.data(), ram.data(), 512), 0);
  EXPECT_EQ(ram.bytes(true), 512u);
  EXPECT_EQ(dma.answers[1].result, AccessResult::command_error);
}

TEST_F(Overlapping, what_is_abandoned_is_told_to_nobody) {
  for (unsigned i = 0; i < 12; ++i) dma.port.read(kRam, data.data(), 64, i);
  sc_core::sc_start(100, sc_core::SC_NS);
  dma.port.abandon();
  dma.port.read(kRam, data.data(), 8, 99);
  sc_core::sc_start();
  ASSERT_EQ(dma.completions.size(), 1u);
  EXPECT_EQ(dma.completions[0].first, 99u);
  EXPECT_LE(bus.traffic("dma", "ram").reads, 9u);
}

TEST_F(Overlapping, two_share_a_link_with_a_blocking_master_in_exact_order) {
  timed();
  for (unsigned i = 0; i < 6; ++i) {
    dma.port.read(kRam + 64 * i, data.data(), 64, i);
    other.port.write(kRam + 0x1000 + 64 * i, data.data(), 64, i);
  }
  simulate([&] {
    Picoseconds now = 35'000;  // behind the first of each, and two more reads
    cpu_module.socket.read(kRam, data.data(), 8, now);
    EXPECT_EQ(now, 10'000u + 5 * 80'000 + 50'000);
  });
  const BusFigures figures = bus.figures();
  const LinkWaitingFigures& waiting = named(named(figures.initiators, "cpu").timed.value().waiting.links, "ram");
  EXPECT_THAT(waiting.behind,
              testing::ElementsAre(std::pair(std::string("dma"), 285.0), std::pair(std::string("other"), 80.0)));
}

TEST_F(Overlapping, an_idle_master_lets_others_run_ahead_until_it_is_started) {
  timed();
  simulate([&] {
    Picoseconds now = 0;
    for (int i = 0; i < 100; ++i) cpu_module.socket.read(kRam, data.data(), 8, now);
    EXPECT_EQ(kernel_time(), 0u);
    dma.port.read(kRam, data.data(), 64, 1, now);  // as a register write of that time does
    const Picoseconds started = now;
    cpu_module.socket.read(kRam, data.data(), 8, now);
    EXPECT_EQ(now, started + 60'000) << "of two at once the lower number";
    cpu_module.socket.read(kRam, data.data(), 8, now);
    EXPECT_GT(kernel_time(), started) << "it waited for its turn";
    sc_core::wait(to_sc_time(started + 1'000'000 - kernel_time()));
    ASSERT_EQ(dma.completions.size(), 1u);
    EXPECT_EQ(dma.completions[0].second, started + 140'000) << "behind the beat of the other";
  });
}

/// A port of half the width and a memory of half the clock.
struct NarrowMaster : Overlapping {
  NarrowMaster() : Overlapping({32, 0}, {}) {}
};
struct SlowMemory : Overlapping {
  SlowMemory() : Overlapping({}, {0, 25'000}) {}
};
struct FastMaster : Overlapping {
  FastMaster() : Overlapping({256, 2'000}, {}) {}
};

TEST_F(NarrowMaster, a_narrow_port_counts_its_own_beats) {
  dma.port.read(kRam, data.data(), 64, 1);
  sc_core::sc_start();
  EXPECT_EQ(dma.completions[0].second, 10'000u + 50'000 + 15 * 10'000);
  timed();
  const Picoseconds start = kernel_time();
  for (unsigned i = 0; i < 2; ++i) dma.port.read(kRam, data.data(), 64, i);
  sc_core::sc_start();
  EXPECT_EQ(dma.completions[2].second - start, 10'000u + 160'000 + 50'000 + 15 * 10'000)
      << "and holds the link for them";
}

TEST_F(SlowMemory, a_slow_target_port_counts_its_own_beats) {
  dma.port.read(kRam, data.data(), 64, 1);
  sc_core::sc_start();
  EXPECT_EQ(dma.completions[0].second, 10'000u + 50'000 + 7 * 25'000);
}

TEST_F(FastMaster, a_fast_port_waits_for_the_bus_and_issues_at_its_own_clock) {
  dma.port.read(kRam, data.data(), 64, 1);
  dma.port.read(kRam, data.data(), 64, 2);
  sc_core::sc_start();
  EXPECT_EQ(dma.completions[0].second, 10'000u + 50'000 + 7 * 10'000);
  EXPECT_EQ(dma.issues[1].second, 2'000u);
}

}  // namespace
}  // namespace vp
