#include "models/common/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace vp {

namespace {

/// Commas into the whole part of a decimal number without a sign.
std::string grouped(std::string digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  for (std::size_t at = whole; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string printed(const char* format, int precision, double value) {
  std::array<char, 400> text{};  // the largest double has 309 digits
  std::snprintf(text.data(), text.size(), format, precision, value);
  return text.data();
}

}  // namespace

std::string number_text(std::uint64_t value) { return grouped(std::to_string(value)); }

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const double size = std::fabs(value);
  const std::string sign = value < 0 ? "-" : "";
  if (size < 1e-4 || size >= 1e15) return sign + printed("%.*e", digits - 1, size);
  const int before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
  std::string text = printed("%.*f", std::max(0, digits - before_point), size);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return sign + grouped(text);
}

std::string share_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  if (percent < 100 && percent > 99.9) return "> 99.9 %";
  return printed("%.*f", 1, percent) + " %";
}

}  // namespace vp
