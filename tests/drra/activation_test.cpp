#include "models/drra/activation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace vp::drra {
namespace {

template <typename Function, typename Exact>
double largest_error(Function function, Exact exact) {
  double largest = 0;
  for (int x = INT16_MIN; x <= INT16_MAX; ++x)
    largest = std::max(largest, std::abs(function(static_cast<std::int16_t>(x)) - exact(x / 2048.0) * 2048));
  return largest;
}

TEST(DrraActivation, sigmoid_is_within_four_units_of_the_function) {
  EXPECT_LT(largest_error(sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }), 4);
}

TEST(DrraActivation, the_hyperbolic_tangent_is_within_four_units_of_the_function) {
  EXPECT_LT(largest_error(hyperbolic_tangent, [](double x) { return std::tanh(x); }), 4);
}

TEST(DrraActivation, both_are_symmetric_and_saturate) {
  for (int x = -32767; x <= 32767; ++x) {
    const auto word = static_cast<std::int16_t>(x), opposite = static_cast<std::int16_t>(-x);
    ASSERT_EQ(sigmoid(word) + sigmoid(opposite), 2048) << x;
    ASSERT_EQ(hyperbolic_tangent(word), -hyperbolic_tangent(opposite)) << x;
  }
  EXPECT_EQ(sigmoid(INT16_MIN), 0);
  EXPECT_EQ(sigmoid(INT16_MAX), 2048);
  EXPECT_EQ(hyperbolic_tangent(INT16_MIN), -2048);
}

TEST(DrraActivation, the_exponential_derives_from_the_sigmoid) {
  EXPECT_EQ(exponential(0), 2048);
  EXPECT_EQ(exponential(INT16_MIN), 0);
  EXPECT_EQ(exponential(INT16_MAX), INT16_MAX);
  EXPECT_NEAR(exponential(2048), 2.71828 * 2048, 40);
  EXPECT_NEAR(exponential(-2048), 2048 / 2.71828, 10);
}

}  // namespace
}  // namespace vp::drra
