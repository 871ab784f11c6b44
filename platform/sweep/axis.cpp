#include "platform/sweep/axis.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "models/common/error.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

/// A decimal number as whole multiples of a power of ten, so that 0.1:0.5:0.1 has five values, with its unit.
struct Decimal {
  std::int64_t digits = 0;
  unsigned places = 0;  ///< behind the point
  std::string unit;
};

constexpr std::size_t kMostDigits = 15;

std::optional<Decimal> parse_decimal(const std::string& text) {
  Decimal number;
  std::size_t at = 0, count = 0;
  bool point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !point) {
      point = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9') break;
    if (++count > kMostDigits) return std::nullopt;
    number.digits = number.digits * 10 + (text[at] - '0');
    number.places += point;
  }
  number.unit = text.substr(at);
  const bool letters = std::all_of(number.unit.begin(), number.unit.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (count == 0 || !letters) return std::nullopt;
  return number;
}

std::string format(std::int64_t digits, unsigned places, const std::string& unit) {
  std::string text = std::to_string(digits);
  if (places > 0) {
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, ".");
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text + unit;
}

/// Splits at colons; "\:" is a colon inside a part, and what is behind another backslash stays as it is.
std::vector<std::string> split_range(const std::string& text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':')
      parts.emplace_back();
    else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':')
      parts.back() += text[++i];
    else
      parts.back() += text[i];
  }
  return parts;
}

std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    plain += text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':' ? text[++i] : text[i];
  return plain;
}

struct Range {
  std::int64_t first, last, step;
  bool geometric;
  unsigned places;
  std::string unit;
};

/// Brings the numbers to the same number of places.
std::int64_t scaled(const Decimal& number, unsigned places, const std::string& text) {
  std::int64_t digits = number.digits;
  for (unsigned i = number.places; i < places; ++i)
    if (__builtin_mul_overflow(digits, std::int64_t{10}, &digits))
      throw UserError("the range '" + text + "' has too many digits");
  return digits;
}

/// Nothing if the text is no range.
std::optional<Range> parse_range(const std::string& text) {
  const std::vector<std::string> parts = split_range(text);
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto first = parse_decimal(parts[0]), last = parse_decimal(parts[1]);
  if (!first || !last) return std::nullopt;
  const bool geometric = parts.size() == 3 && !parts[2].empty() && parts[2].front() == '*';
  const auto step = parts.size() == 3 ? parse_decimal(parts[2].substr(geometric)) : Decimal{1, 0, ""};
  if (!step || step->digits == 0) throw UserError("the step of the range '" + text + "' is no number above 0");
  for (const Decimal* one : {&*first, &*step})
    if (!one->unit.empty() && one->unit != last->unit)
      throw UserError("the numbers of the range '" + text + "' have different units");
  if (geometric && (step->places != 0 || step->digits < 2 || !step->unit.empty()))
    throw UserError("the factor of the range '" + text + "' is no whole number of at least 2");
  const unsigned places = std::max({first->places, last->places, geometric ? 0 : step->places});
  const Range range{scaled(*first, places, text),
                    scaled(*last, places, text),
                    geometric ? step->digits : scaled(*step, places, text),
                    geometric,
                    places,
                    last->unit};
  if (range.first > range.last) throw UserError("the range '" + text + "' ends before it begins");
  if (geometric && range.first == 0) throw UserError("the range '" + text + "' cannot begin at 0");
  return range;
}

/// Adds the values that a word of the list stands for.
void add_values(const std::string& word, std::vector<std::string>& values) {
  const auto range = parse_range(word);
  if (!range) {
    values.push_back(without_escapes(word));
    return;
  }
  for (std::int64_t value = range->first; value <= range->last;) {
    if (values.size() >= kMostPoints) throw UserError("more than " + std::to_string(kMostPoints) + " values");
    values.push_back(format(value, range->places, range->unit));
    const bool over = range->geometric ? __builtin_mul_overflow(value, range->step, &value)
                                       : __builtin_add_overflow(value, range->step, &value);
    if (over) break;
  }
}

}  // namespace

std::vector<std::string> parse_values(const std::string& text) {
  std::vector<std::string> values;
  for (const std::string& word : split_list(text)) {
    if (word.empty()) throw UserError("a value of the list is empty");
    add_values(word, values);
  }
  return values;
}

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError("'" + text.substr(0, 80) + "': expected name=value,value,...");
  const std::string name = text.substr(0, equals);
  try {
    return {name, parse_values(text.substr(equals + 1))};
  } catch (const UserError& error) {
    throw UserError(name + ": " + error.what());
  }
}

}  // namespace vp
