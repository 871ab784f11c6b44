#pragma once

#include <cstdint>
#include <string>

namespace vp {

/// A number of things, for a sentence: "1 byte", "2 bytes".
inline std::string counted(std::uint64_t number, const std::string& thing) {
  return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

/// A word from outside, for a sentence: "'tpu1'", at most 80 characters of it.
inline std::string quoted(const std::string& word) { return "'" + word.substr(0, 80) + "'"; }

}  // namespace vp
