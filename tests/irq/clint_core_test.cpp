#include "models/irq/clint_core.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/support/register_access.h"

namespace vp {
namespace {

constexpr std::uint64_t kMsip = 0, kMtimecmp = 0x4000, kMtime = 0xBFF8;

struct ClintCoreTest : testing::Test {
  RecordingTimer timer, supervisor_timer;
  ClintCore clint{ClintConfig{}, timer, supervisor_timer, [this] { return bus.now; }};
  RegisterAccess bus{clint};
};

TEST_F(ClintCoreTest, MtimeCountsAtTenMegahertz) {
  bus.now = 99'999;
  EXPECT_EQ(bus.read(kMtime, 8), 0u);
  bus.now = 100'000;
  EXPECT_EQ(bus.read(kMtime, 8), 1u);
  bus.now = 1'000'000'000'000;
  EXPECT_EQ(bus.read(kMtime, 8), 10'000'000u);
  EXPECT_EQ(bus.peek(kMtime, 8), 10'000'000u);
  EXPECT_EQ(clint.mtime(bus.now), 10'000'000u);
}

TEST_F(ClintCoreTest, the_harts_own_compare_value_raises_its_own_line_at_the_exact_edge) {
  clint.set_supervisor_compare(10, 250'000);
  EXPECT_EQ(supervisor_timer.when, 1'000'000u);
  EXPECT_FALSE(clint.supervisor_timer.level());
  clint.timer_due(1'000'000);
  EXPECT_TRUE(clint.supervisor_timer.level());
  EXPECT_FALSE(clint.timer.level()) << "mtimecmp is another's";
  clint.set_supervisor_compare(11, 1'050'000);
  EXPECT_FALSE(clint.supervisor_timer.level());
  EXPECT_EQ(supervisor_timer.when, 1'100'000u);
  bus.now = 1'070'000;
  bus.write(kMtime, 100, 8);
  EXPECT_TRUE(clint.supervisor_timer.level()) << "the counter is moved, not the value";
  clint.reset(2'000'000);
  EXPECT_FALSE(clint.supervisor_timer.level());
  EXPECT_EQ(supervisor_timer.when, kNever);
  EXPECT_EQ(clint.figures().timer_interrupts, 0u);
}

/// So who polls it need not look at anything else behind a read (Answer::moved).
TEST_F(ClintCoreTest, reads_say_that_they_move_nothing_and_move_nothing) {
  std::mt19937_64 random(31);
  std::uint64_t value = 0;
  Access access;
  access.data = reinterpret_cast<std::uint8_t*>(&value);
  for (unsigned i = 0; i < 2000; ++i) {
    access.write = random() % 4 == 0;
    access.size = random() % 2 ? 4 : 8;
    access.address = std::array{kMsip, kMtimecmp, kMtime}[random() % 3];
    access.time += random() % 300'000;
    value = random() % 2000;
    constexpr Picoseconds kUntouched = 77;
    timer.when = supervisor_timer.when = kUntouched;
    const std::array before{clint.software.level(), clint.timer.level(), clint.supervisor_timer.level()};
    const Answer answer = clint.access(access);
    EXPECT_EQ(answer.moved, access.write);
    if (access.write) continue;
    EXPECT_EQ(timer.when, kUntouched);
    EXPECT_EQ(supervisor_timer.when, kUntouched);
    EXPECT_EQ(before, (std::array{clint.software.level(), clint.timer.level(), clint.supervisor_timer.level()}));
  }
}

TEST_F(ClintCoreTest, MtimeIsReadAndWrittenWholeAndInHalves) {
  bus.now = 350'000;
  bus.write(kMtime, 0x1'0000'0000, 8);
  EXPECT_EQ(bus.read(kMtime, 8), 0x1'0000'0000u);
  bus.now = 600'000;  // three edges later
  EXPECT_EQ(bus.read(kMtime, 4), 3u);
  EXPECT_EQ(bus.read(kMtime + 4, 4), 1u);
  bus.write(kMtime + 4, 7, 4);
  EXPECT_EQ(bus.read(kMtime, 8), 0x7'0000'0003u) << "the half not written keeps its present value";
  bus.write(kMtime, 100, 4);
  EXPECT_EQ(bus.read(kMtime, 8), 0x7'0000'0064u);
}

TEST_F(ClintCoreTest, TheTimerIsSetToTheExactEdge) {
  bus.now = 250'000;
  bus.write(kMtimecmp, 10, 8);
  EXPECT_EQ(timer.when, 1'000'000u);
  EXPECT_FALSE(clint.timer.level());
  clint.timer_due(1'000'000);
  EXPECT_TRUE(clint.timer.level());
  EXPECT_EQ(timer.when, kNever);
}

TEST_F(ClintCoreTest, WritingTheCompareChangesTheLevelInTheSameInstant) {
  bus.now = 1'000'000;
  bus.write(kMtimecmp, 10, 8);
  EXPECT_TRUE(clint.timer.level());
  bus.write(kMtimecmp, 11, 8);
  EXPECT_FALSE(clint.timer.level());
  EXPECT_EQ(timer.when, 1'100'000u);
  bus.write(kMtimecmp, ~0ull, 8);
  EXPECT_EQ(timer.when, kNever) << "beyond the end of simulated time";
}

TEST_F(ClintCoreTest, TheUsualThreeStoresOf32BitSoftwareRaiseNothingSpurious) {
  int edges = 0;
  clint.timer.bind([&](bool level) { edges += level; });
  bus.now = 1'000'000;
  bus.write(kMtimecmp, 0xFFFFFFFF, 4);
  bus.write(kMtimecmp + 4, 0, 4);
  bus.write(kMtimecmp, 20, 4);
  EXPECT_EQ(edges, 0);
  EXPECT_EQ(timer.when, 2'000'000u);
}

TEST_F(ClintCoreTest, WritingMtimeMovesTheEdge) {
  bus.write(kMtimecmp, 1000, 8);
  EXPECT_EQ(timer.when, 100'000'000u);
  bus.now = 50'000'000;
  bus.write(kMtime, 990, 8);
  EXPECT_EQ(timer.when, 51'000'000u);
  bus.write(kMtime, 1000, 8);
  EXPECT_TRUE(clint.timer.level());
  bus.write(kMtime, 0, 8);
  EXPECT_FALSE(clint.timer.level());
}

TEST_F(ClintCoreTest, TheInterruptFallsWhenMtimeWrapsAround) {
  bus.write(kMtimecmp, 5, 8);
  bus.write(kMtime, ~0ull - 1, 8);
  EXPECT_TRUE(clint.timer.level());
  EXPECT_EQ(timer.when, 200'000u);
  clint.timer_due(200'000);
  EXPECT_FALSE(clint.timer.level());
  EXPECT_EQ(timer.when, 700'000u);
}

TEST_F(ClintCoreTest, MsipIsOneBit) {
  bus.write(kMsip, 0xFFFFFFFF, 4);
  EXPECT_TRUE(clint.software.level());
  EXPECT_EQ(bus.read(kMsip, 4), 1u);
  bus.write(kMsip, 2, 4);
  EXPECT_FALSE(clint.software.level());
}

TEST_F(ClintCoreTest, OtherAddressesAndSmallAccessesAreErrors) {
  for (auto [offset, size] :
       {std::pair<std::uint64_t, unsigned>{4, 4}, {0, 8}, {0x4008, 4}, {0xBFF0, 8}, {0xBFF8, 2}}) {
    bus.read(offset, size);
    EXPECT_EQ(bus.result, AccessResult::address_error) << offset;
  }
}

TEST_F(ClintCoreTest, ResetStartsOver) {
  bus.now = 5'000'000;
  bus.write(kMsip, 1, 4);
  bus.write(kMtimecmp, 0, 8);
  clint.reset(bus.now);
  EXPECT_FALSE(clint.software.level());
  EXPECT_FALSE(clint.timer.level());
  EXPECT_EQ(bus.read(kMtime, 8), 0u);
  EXPECT_EQ(bus.read(kMtimecmp, 8), ~0ull);
}

TEST_F(ClintCoreTest, RandomTrafficKeepsTheLevelEqualToItsDefinition) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    bus.now += random() % 300'000;
    while (timer.when <= bus.now) {
      const Picoseconds due = timer.when;
      const bool before = clint.timer.level();
      clint.timer_due(due);
      ASSERT_NE(clint.timer.level(), before) << "the timer was set to a moment without an edge";
      ASSERT_EQ(clint.timer.level(), clint.mtime(due) >= bus.peek(kMtimecmp, 8));
    }
    const std::uint64_t near = clint.mtime(bus.now) + random() % 8 - 3;
    switch (random() % 4) {
      case 0:
        bus.write(kMtimecmp, near, 8);
        break;
      case 1:
        bus.write(kMtimecmp + 4 * (random() % 2), near, 4);
        break;
      case 2:
        bus.write(kMtime, random() % 16 - 8, 8);
        break;
      default:
        bus.read(random() % 0x10000, 1u << random() % 4);
    }
    ASSERT_EQ(clint.timer.level(), clint.mtime(bus.now) >= bus.peek(kMtimecmp, 8)) << i;
    ASSERT_GT(timer.when, bus.now);
  }
}

}  // namespace
}  // namespace vp
