#pragma once

#include <cstdint>

namespace vp::drra {

constexpr unsigned kFractionBits = 11;  ///< of a Q4.11 number: 2048 stands for 1.0

/// 1 / (1 + e^-x), x and result in Q4.11: straight lines over segments 0.25 wide. At most 2 units in the last place
/// from the function.
std::int16_t sigmoid(std::int16_t x);
/// tanh x in Q4.11: straight lines over segments of 2x that are 0.25 wide. At most 3 units from the function.
std::int16_t hyperbolic_tangent(std::int16_t x);
/// e^x in Q4.11 as 1 / sigmoid(−x) − 1, saturated.
std::int16_t exponential(std::int16_t x);

}  // namespace vp::drra
