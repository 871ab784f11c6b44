#include "models/memory/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "models/common/tlm_time.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

MemoryConfig small() {
  MemoryConfig config;
  config.size = 8192;
  return config;
}

struct MemoryTest : testing::Test {
  MemoryTest() { initiator.bind(memory.socket); }
  Memory memory{"dram0", small(), 10'000};
  InitiatorModule initiator_module{"initiator"};
  TlmInitiator& initiator = initiator_module.socket;
};

TEST_F(MemoryTest, StartsZeroedAndKeepsWhatIsWritten) {
  simulate([&] {
    Picoseconds now = 0;
    std::uint64_t value = 1;
    EXPECT_EQ(initiator.read(8184, &value, 8, now), AccessResult::ok);
    EXPECT_EQ(value, 0u);
    const std::uint64_t out = 0x0123456789ABCDEF;
    initiator.write(100, &out, 8, now);
    initiator.read(100, &value, 8, now);
    EXPECT_EQ(value, out);
  });
}

TEST_F(MemoryTest, AnAccessTakesTheLatencyAndACycleForEachFurtherBeat) {
  simulate([&] {
    std::array<std::uint8_t, 64> data{};
    for (auto [size, expected] :
         {std::pair<unsigned, Picoseconds>{1, 50'000}, {8, 50'000}, {9, 60'000}, {64, 120'000}}) {
      Picoseconds now = 1'000;
      initiator.read(0, data.data(), size, now);
      EXPECT_EQ(now, 1'000 + expected) << size;
    }
  });
}

TEST_F(MemoryTest, HostPointersSeeTheSameBytesAtTheSamePrice) {
  simulate([&] {
    const auto region = initiator.request_dmi(4096, true);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->first, 0u);
    EXPECT_EQ(region->last, 8191u);
    EXPECT_TRUE(region->readable);
    Picoseconds now = 0;
    const std::uint32_t out = 77;
    initiator.write(16, &out, 4, now);
    EXPECT_EQ(region->write_latency, now);
    EXPECT_EQ(region->host[16], 77);
    EXPECT_EQ(region->wide_extra, 0u);
  });
}

TEST(NarrowMemory, EightBytesCostTwoBeatsOnBothPaths) {
  MemoryConfig config = small();
  config.bytes_per_cycle = 4;
  Memory memory("dram0", config, 10'000);
  InitiatorModule initiator("initiator");
  initiator.socket.bind(memory.socket);
  simulate([&] {
    std::uint64_t value = 0;
    Picoseconds now = 0;
    initiator.socket.read(0, &value, 8, now);
    const auto region = initiator.socket.request_dmi(0, false);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->read_latency + region->wide_extra, now);
    EXPECT_EQ(now, 60'000u);
  });
}

TEST_F(MemoryTest, MaskedAccessesCostOneAccess) {
  simulate([&] {
    tlm::tlm_generic_payload payload;
    std::array<std::uint8_t, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
    std::array<std::uint8_t, 2> pattern{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(0);
    payload.set_data_ptr(data.data());
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    payload.set_byte_enable_ptr(pattern.data());
    payload.set_byte_enable_length(2);
    sc_core::sc_time delay;
    initiator.get_base_port()->b_transport(payload, delay);
    EXPECT_EQ(delay, sc_core::sc_time(50, sc_core::SC_NS));
    EXPECT_THAT(std::vector<std::uint8_t>(memory.data(), memory.data() + 8),
                testing::ElementsAre(1, 0, 3, 0, 5, 0, 7, 0));
    data.fill(0xFF);
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.get_base_port()->b_transport(payload, delay);
    EXPECT_EQ(delay, sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_THAT(data, testing::ElementsAre(1, 0xFF, 3, 0xFF, 5, 0xFF, 7, 0xFF));
  });
}

TEST_F(MemoryTest, DebugAccessAndClear) {
  simulate([&] {
    std::array<std::uint8_t, 16> data{};
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    EXPECT_EQ(initiator.debug_write(8184, data.data(), 16), 8u);
    EXPECT_EQ(memory.data()[8191], 8);
    memory.reset();
    EXPECT_EQ(memory.data()[8191], 8) << "a reset keeps the contents";
    memory.clear();
    EXPECT_EQ(memory.data()[8191], 0);
  });
}

/// A timing that depends on state until it is told not to.
struct SwitchedTiming : MemoryTiming {
  Answer access(bool, std::uint64_t, unsigned, Picoseconds arrival) override { return {arrival + 1, 0}; }
  double peak_bytes_per_second() const override { return 1e9; }
  std::optional<Fixed> fixed() const override {
    return functional ? std::optional<Fixed>(Fixed{1, 1, 0}) : std::nullopt;
  }
  bool functional = false;
};

TEST(MemoryWithState, GrantsHostPointersOnlyWhileItsTimingIsFixed) {
  auto timing = std::make_unique<SwitchedTiming>();
  SwitchedTiming& state = *timing;
  Memory memory("dram0", small(), std::move(timing));
  InitiatorModule initiator("initiator");
  initiator.socket.bind(memory.socket);
  int revoked = 0;
  initiator.socket.on_dmi_invalidated(
      [&](std::uint64_t first, std::uint64_t last) { revoked += first == 0 && last == 8191; });
  simulate([&] {
    std::uint8_t byte = 0;
    Access access;
    access.data = &byte;
    access.size = 1;
    EXPECT_FALSE(initiator.socket.access(access).dmi);
    EXPECT_FALSE(initiator.socket.request_dmi(0, false));
    const auto contents = initiator.socket.request_dmi(0, true, DmiUse::contents);
    ASSERT_TRUE(contents) << "a cache accounts for the time by itself";
    EXPECT_EQ(contents->host, memory.data());
    state.functional = true;
    EXPECT_TRUE(initiator.socket.access(access).dmi);
    EXPECT_TRUE(initiator.socket.request_dmi(0, false));
    state.functional = false;
    memory.timing_changed();
    EXPECT_EQ(revoked, 1);
  });
}

TEST_F(MemoryTest, RandomTrafficAgreesWithAnArray) {
  simulate([&] {
    std::mt19937 random(5);
    std::vector<std::uint8_t> expected(8192);
    Picoseconds now = 0;
    for (int i = 0; i < 20'000; ++i) {
      std::array<std::uint8_t, 40> data{};
      const unsigned size = 1 + random() % data.size();
      const unsigned offset = random() % (8192 - size);
      if (random() % 2 != 0) {
        for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
        ASSERT_EQ(initiator.write(offset, data.data(), size, now), AccessResult::ok);
        std::copy_n(data.begin(), size, expected.begin() + offset);
      } else {
        ASSERT_EQ(initiator.read(offset, data.data(), size, now), AccessResult::ok);
        ASSERT_TRUE(std::equal(data.begin(), data.begin() + size, expected.begin() + offset));
      }
    }
  });
}

/// Bytes a second that a memory of this preset can move in a run that spent these times in the two modes.
double peak_of(const std::string& preset, Picoseconds functional, Picoseconds timed) {
  MemoryConfig config = small();
  config.channel.preset = preset;
  const Memory memory("dram1", config, 10'000);
  Bounds bounds;
  bounds.functional_time = functional;
  bounds.timed_time = timed;
  memory.bounds(bounds);
  EXPECT_EQ(bounds.memories.at(0).name, "dram1");
  return bounds.memories.at(0).peak_bytes_per_second;
}

TEST(MemoryBounds, the_peak_of_a_memory_follows_the_modes_of_the_run) {
  EXPECT_DOUBLE_EQ(peak_of("fixed", 0, 100), 8e8);
  EXPECT_DOUBLE_EQ(peak_of("ddr3-1600", 0, 100), 12.8e9);
  EXPECT_DOUBLE_EQ(peak_of("ddr3-1600", 100, 0), 8e8);
  EXPECT_DOUBLE_EQ(peak_of("ddr3-1600", 75, 25), 0.75 * 8e8 + 0.25 * 12.8e9);
}

/// A read of 64 bytes under way.
struct Reading : PendingAccess {
  explicit Reading(std::uint64_t address, Picoseconds time) {
    access.address = address;
    access.size = 64;
    access.data = bytes.data();
    access.time = time;
  }
  void answer(const Answer& answer) override {
    completion = answer.completion;
    told = kernel_time();
  }
  std::array<std::uint8_t, 64> bytes{};
  Picoseconds completion = 0, told = 0;
};

struct DramMemoryTest : testing::Test {
  DramMemoryTest() {
    initiator.bind(memory.socket);
    memory.set_fidelity(Fidelity::timed);
  }
  static MemoryConfig ddr4() {
    MemoryConfig config = small();
    config.size = 1 << 20;
    config.channel.preset = "ddr4-2400";
    return config;
  }
  Memory memory{"dram0", ddr4(), 10'000};
  InitiatorModule initiator_module{"initiator"};
  TlmInitiator& initiator = initiator_module.socket;
};

constexpr Picoseconds kDramCycle = 830;

TEST_F(DramMemoryTest, accesses_under_way_overlap_and_are_answered_in_time) {
  Reading first(0, 8300), hit(64, 8300), conflict(1 << 17, 8300);
  simulate([&] {
    for (Reading* one : {&first, &conflict, &hit}) memory.socket.begin(*one);
    EXPECT_EQ(first.completion, 0u);
    sc_core::wait(1, sc_core::SC_US);
  });
  EXPECT_EQ(first.completion, (10 + 1 + 17 + 17 + 4) * kDramCycle);
  EXPECT_EQ(hit.completion, first.completion + 6 * kDramCycle);  // tCCD_L; it overtakes
  EXPECT_GT(conflict.completion, hit.completion);
  for (const Reading* one : {&first, &conflict, &hit}) EXPECT_LE(one->told, one->completion);
  EXPECT_EQ(memory.broken_conservation(), "");
}

TEST_F(DramMemoryTest, what_is_under_way_when_the_mode_changes_is_served_to_its_end) {
  Reading reading(0, 8300);
  simulate([&] {
    memory.socket.begin(reading);
    memory.set_fidelity(Fidelity::functional);
    sc_core::wait(1, sc_core::SC_US);
  });
  EXPECT_EQ(reading.completion, (10 + 1 + 17 + 17 + 4) * kDramCycle);
}

TEST_F(DramMemoryTest, a_reset_ends_what_is_under_way) {
  Reading reading(0, 8300);
  simulate([&] {
    memory.socket.begin(reading);
    sc_core::wait(10, sc_core::SC_NS);
    memory.reset();
    sc_core::wait(1, sc_core::SC_US);
  });
  EXPECT_EQ(reading.completion, 10'000u);
}

TEST_F(DramMemoryTest, a_blocking_access_is_served_with_those_under_way) {
  Reading reading(0, 0);
  simulate([&] {
    memory.socket.begin(reading);
    std::array<std::uint8_t, 64> bytes{};
    Picoseconds now = 0;
    initiator.read(64, bytes.data(), 64, now);
    EXPECT_EQ(now, (0 + 1 + 17 + 6 + 17 + 4) * kDramCycle);
    sc_core::wait(1, sc_core::SC_US);
  });
  EXPECT_EQ(reading.completion, (0 + 1 + 17 + 17 + 4) * kDramCycle);
}

}  // namespace
}  // namespace vp
