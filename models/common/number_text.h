#pragma once

#include <cstdint>
#include <string>

namespace vp {

// The one notation of numbers for people: 1,234,567 and 0.0123. JSON and tables for programs have plain numbers.

/// A whole number with its thousands apart: "27,472".
std::string number_text(std::uint64_t value);
/// A real number with at least so many digits that carry information, and all of its whole part: 1234.5678 is
/// "1,235", 12.345 is "12.35". Below 0.0001 with an exponent: "1.234e-05".
std::string number_text(double value, int digits = 4);
/// A share: 0.48379 is "48.4 %"; "< 0.1 %" and "> 99.9 %" where rounding would hide something.
std::string share_text(double share);

}  // namespace vp
