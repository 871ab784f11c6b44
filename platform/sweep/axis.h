#pragma once

#include <string>
#include <vector>

namespace vp {

/// One swept parameter: its name and the values it takes.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;
};

/// "value,value,…". A value FIRST:LAST or FIRST:LAST:STEP stands for all numbers from FIRST to
/// at most LAST, FIRST:LAST:*FACTOR for a geometric row ("2:16", "8:64:8", "10ns:50ns:10ns", "8:256:*2"); numbers have
/// the same unit, which the last one at least names. Without a step it is 1. "\," is a comma and "\:" a colon inside a
/// value; what does not begin and end with numbers is no range ("plic1:20"). Throws UserError.
std::vector<std::string> parse_values(const std::string& text);
/// "name=value,value,…" of a --set option of a sweep. Throws UserError, with the name.
SweepAxis parse_axis(const std::string& text);

/// More values than any sweep takes.
inline constexpr std::size_t kMostPoints = 1'000'000;

}  // namespace vp
