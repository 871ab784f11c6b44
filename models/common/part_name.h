#pragma once

#include <algorithm>
#include <string>

namespace vp {

/// Whether a part can be called that: lower-case letters, digits and single underscores, a letter first. Then its name
/// stands in parameters, in variables of the environment (where "__" is a dot) and in files alike.
inline bool is_part_name(const std::string& text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && is_lower(text.front()) && text.back() != '_' &&
         std::all_of(text.begin(), text.end(), allowed) && text.find("__") == std::string::npos;
}

}  // namespace vp
