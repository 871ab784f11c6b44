#include "models/common/ring.h"

#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace vp {
namespace {

TEST(Ring, holds_what_a_deque_holds_whatever_comes_and_goes) {
  std::mt19937 random(1);
  Ring<unsigned> ring;
  std::deque<unsigned> expected;
  for (unsigned step = 0; step < 10'000; ++step) {
    const unsigned growing = step / 100 % 2;  // it grows, then it shrinks
    if (expected.empty() || random() % 4 < 1 + 2 * growing) {
      ring.push_back(step);
      expected.push_back(step);
    } else {
      ring.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(ring.values(), std::vector<unsigned>(expected.begin(), expected.end()));
    ASSERT_EQ(ring.size(), expected.size());
    if (expected.empty()) continue;
    ASSERT_EQ(ring.front(), expected.front());
    ASSERT_EQ(ring[ring.size() - 1], expected.back());
  }
}

TEST(Ring, is_empty_when_cleared_and_can_be_used_again) {
  Ring<unsigned> ring;
  for (unsigned i = 0; i < 20; ++i) ring.push_back(i);
  ring.clear();
  EXPECT_TRUE(ring.empty());
  ring.push_back(7);
  EXPECT_EQ(ring.values(), std::vector<unsigned>{7});
}

}  // namespace
}  // namespace vp
