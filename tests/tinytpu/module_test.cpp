// The SystemC module, driven through its TLM socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/tlm_initiator.h"
#include "models/common/tlm_time.h"
#include "models/tinytpu/tinytpu.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr Picoseconds kCycle = 5625;

struct Host : sc_core::sc_module {
  explicit Host(sc_core::sc_module_name name) : sc_module(name) {}
  TlmInitiator socket{"socket"};
};

struct TinyTpuModule : testing::Test {
  Horizon horizon;
  TinyTpu tpu{"tpu", horizon, {}};
  Host host_module{"host"};
  TlmInitiator& host = host_module.socket;
  std::vector<std::pair<Picoseconds, bool>> edges;  // kernel time in cycles, level

  TinyTpuModule() {
    host.bind(tpu.socket);
    tpu.bind_synchronize([this](bool level) { edges.emplace_back(kernel_time() / kCycle, level); });
  }
  void write32(std::uint64_t address, std::uint32_t value, Picoseconds& now) {
    EXPECT_EQ(host.write(address, &value, 4, now), AccessResult::ok);
  }
  void push(std::uint32_t lower, std::uint32_t middle, std::uint32_t upper, Picoseconds& now) {
    write32(0x90004, lower, now);
    write32(0x90008, middle, now);
    write32(0x9000C, upper, now);
  }
};

TEST_F(TinyTpuModule, InterruptArrivesAtItsEdgeHoweverFarTheHostRanAhead) {
  simulate([&] {
    Picoseconds now = 0;
    push(0xFF, 0, 0, now);
    EXPECT_EQ(kernel_time(), 0U);
    EXPECT_EQ(horizon.earliest(), 15 * kCycle);
    synchronize(horizon, 40 * kCycle);
    EXPECT_THAT(edges, ElementsAre(Pair(15, true), Pair(16, false)));
    EXPECT_EQ(horizon.earliest(), kNever);
  });
}

TEST_F(TinyTpuModule, A64BitAccessIsTwoWordsLowerAddressFirst) {
  simulate([&] {
    Picoseconds now = 0;
    const std::uint64_t words = 0x00000000'000000FF;
    EXPECT_EQ(host.write(0x90004 + 4, &words, 8, now), AccessResult::ok);  // middle = 0xFF, upper = 0
    EXPECT_EQ(now, (4 + 3) * kCycle);
    write32(0x90004, 0xFF, now);
    EXPECT_NE(horizon.earliest(), kNever);
    std::uint64_t value = 0x8877665544332211;
    EXPECT_EQ(host.write(0x80000, &value, 8, now), AccessResult::ok);
    value = 0;
    EXPECT_EQ(host.read(0x80000, &value, 8, now), AccessResult::ok);
    EXPECT_EQ(value, 0x8877665544332211);
  });
}

TEST_F(TinyTpuModule, AWriteThatCannotEndIsReportedAndResetRecovers) {
  simulate([&] {
    Picoseconds now = 0;
    for (int i = 0; i < 32; ++i) write32(0x90008, 0, now);
    const std::uint32_t word = 0;
    EXPECT_EQ(host.write(0x90008, &word, 4, now), AccessResult::no_answer);
    EXPECT_THAT(tpu.device().port().why_blocked(), testing::HasSubstr("middle 32"));
    tpu.reset();
    push(0xFF, 0, 0, now);
    EXPECT_NE(horizon.earliest(), kNever);
  });
}

TEST_F(TinyTpuModule, AddressesOutsideTheWindowAreErrors) {
  simulate([&] {
    Picoseconds now = 0;
    std::uint32_t word = 0;
    EXPECT_EQ(tpu.window(), 0x100000U);
    EXPECT_EQ(host.read(0x100000, &word, 4, now), AccessResult::address_error);
  });
}

}  // namespace
}  // namespace vp
