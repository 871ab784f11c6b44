// CLINT and PLIC as modules behind sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/tlm_time.h"
#include "models/irq/clint.h"
#include "models/irq/plic.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct ClintTest : testing::Test {
  ClintTest() {
    initiator.bind(clint.socket);
    clint.bind_timer_interrupt([this](bool level) { edges.emplace_back(kernel_time(), level); });
  }
  void write(std::uint64_t offset, std::uint64_t value) {
    EXPECT_EQ(initiator.write(offset, &value, 8, now), AccessResult::ok);
  }
  Horizon horizon;
  Clint clint{"clint", ClintConfig{}, horizon};
  InitiatorModule initiator_module{"initiator"};
  TlmInitiator& initiator = initiator_module.socket;
  std::vector<std::pair<Picoseconds, bool>> edges;
  Picoseconds now = 0;
};

TEST_F(ClintTest, TheTimerEdgeComesAtItsExactTimeAndIsInTheHorizonUntilThen) {
  simulate([&] {
    now = 12'345;
    write(0x4000, 7);
    EXPECT_EQ(horizon.earliest(), 700'000u);
    synchronize(horizon, 699'999);
    EXPECT_TRUE(edges.empty());
    synchronize(horizon, 700'000);
    EXPECT_THAT(edges, ElementsAre(Pair(700'000, true)));
    EXPECT_EQ(horizon.earliest(), kNever);
  });
}

TEST_F(ClintTest, MovingTheCompareBeforeItsEdgeMovesTheEdge) {
  simulate([&] {
    write(0x4000, 7);
    now = 400'000;
    write(0x4000, 9);
    synchronize(horizon, 800'000);
    EXPECT_TRUE(edges.empty());
    now = 850'000;
    write(0x4000, 5);  // due since: at once, by the access itself
    EXPECT_THAT(edges, ElementsAre(Pair(800'000, true)));
    synchronize(horizon, 2'000'000);
    EXPECT_EQ(edges.size(), 1u);
  });
}

TEST_F(ClintTest, ADebuggerSeesTheKernelsTime) {
  simulate([&] {
    synchronize(horizon, 1'250'000);
    std::uint64_t value = 0;
    EXPECT_EQ(initiator.debug_read(0xBFF8, &value, 8), 8u);
    EXPECT_EQ(value, 12u);
  });
}

TEST(PlicTest, LinesReachTheHartInTheSameInstantAndA64BitAccessIsTwo) {
  Plic plic("plic", PlicConfig{});
  InitiatorModule initiator("initiator");
  initiator.socket.bind(plic.socket);
  std::vector<bool> levels;
  plic.bind_output(0, [&](bool level) { levels.push_back(level); });
  InterruptLine line;
  line.bind(plic.input(3));
  simulate([&] {
    Picoseconds now = 0;
    const std::uint64_t priorities = 0x0000'0001'0000'0001;
    EXPECT_EQ(initiator.socket.write(8, &priorities, 8, now), AccessResult::ok);
    const std::uint32_t enable = ~0u;
    EXPECT_EQ(initiator.socket.write(0x2000, &enable, 4, now), AccessResult::ok);
    line.set(true);
    EXPECT_THAT(levels, ElementsAre(true));
    std::uint64_t both = 0;
    EXPECT_EQ(initiator.socket.read(0x20'0000, &both, 8, now), AccessResult::ok);
    EXPECT_EQ(both, 3ull << 32) << "threshold below, claim above";
    EXPECT_THAT(levels, ElementsAre(true, false));
  });
}

}  // namespace
}  // namespace vp
