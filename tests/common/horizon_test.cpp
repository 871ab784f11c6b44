#include "models/common/horizon.h"

#include "models/common/clock.h"

#include <gtest/gtest.h>

namespace vp {
namespace {

TEST(Horizon, IsTheEarliestOfAllSlots) {
  Horizon horizon;
  Horizon::Slot a(horizon), b(horizon);
  EXPECT_EQ(horizon.earliest(), kNever);
  a.set(50);
  b.set(20);
  EXPECT_EQ(horizon.earliest(), 20u);
  b.set(70);
  EXPECT_EQ(horizon.earliest(), 50u);
  a.set(kNever);
  EXPECT_EQ(horizon.earliest(), 70u);
}

TEST(Clock, RoundsToEdges) {
  const Clock clock(5625);
  EXPECT_EQ(clock.edge_at_or_after(0), 0u);
  EXPECT_EQ(clock.edge_at_or_after(1), 1u);
  EXPECT_EQ(clock.edge_at_or_after(5625), 1u);
  EXPECT_EQ(clock.edge_at_or_before(5624), 0u);
  EXPECT_EQ(clock.time_of(3), 16875u);
}

}  // namespace
}  // namespace vp
