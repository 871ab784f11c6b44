#include "models/common/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "models/common/error.h"

namespace vp {
namespace {

struct Unit {
  const char* name;
  std::uint64_t factor;
};
constexpr std::size_t kUsualParameters = 256;  // parameters of a machine, about

constexpr std::array<Unit, 5> kTimeUnits{
    {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1000}, {"ps", 1}}};
constexpr std::array<Unit, 4> kFrequencyUnits{{{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1000}, {"Hz", 1}}};
constexpr std::array<Unit, 3> kSizeUnits{{{"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}}};

/// Splits "12.5 ns" into the number's text and the unit's.
std::pair<std::string, std::string> split_unit(const std::string& text) {
  std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string::npos) end = text.size();
  std::size_t unit = text.find_first_not_of(' ', end);
  return {text.substr(0, end), unit == std::string::npos ? "" : text.substr(unit)};
}

template <std::size_t Size>
const Unit* find_unit(const std::array<Unit, Size>& units, const std::string& name) {
  for (const Unit& unit : units)
    if (name == unit.name) return &unit;
  return nullptr;
}

bool parse_positive_real(const std::string& text, double& value) {
  if (text.empty()) return false;
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(value) && value >= 0;
}

/// A refused value as a message shows it: a slip of the keyboard can be a whole file.
std::string shown(const std::string& text) {
  constexpr std::size_t kLongest = 80;
  return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

std::string quoted(const std::string& text) { return "'" + shown(text) + "'"; }

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::string format_real(double value) {
  std::array<char, 40> text{};
  auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return std::string(text.data(), end);
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::uint64_t parse_integer(const std::string& text) {
  std::uint64_t factor = 1;
  std::string digits = text;
  for (const Unit& unit : kSizeUnits) {
    const std::string name = unit.name;
    if (digits.size() > name.size() && digits.compare(digits.size() - name.size(), name.size(), name) == 0) {
      factor = unit.factor;
      digits.resize(digits.size() - name.size());
      while (!digits.empty() && digits.back() == ' ') digits.pop_back();
      break;
    }
  }
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const char* first = digits.data() + (hex ? 2 : 0);
  const char* last = digits.data() + digits.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last || first == last ||
      value > std::numeric_limits<std::uint64_t>::max() / factor)
    throw UserError(quoted(text) + " is not a whole number (decimal, 0x hexadecimal, or with KiB, MiB, GiB)");
  return value * factor;
}

double parse_real(const std::string& text) {
  double value = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!parse_positive_real(negative ? text.substr(1) : text, value)) throw UserError(quoted(text) + " is not a number");
  return negative ? -value : value;
}

Picoseconds parse_time(const std::string& text) {
  const auto [number, unit_name] = split_unit(text);
  const Unit* unit = find_unit(kTimeUnits, unit_name);
  double value = 0;
  if (unit && number.find('.') == std::string::npos) {  // whole numbers exactly
    std::uint64_t whole = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), whole);
    if (error == std::errc() && end == number.data() + number.size() && whole <= kNever / unit->factor)
      return whole * unit->factor;
  } else if (unit && parse_positive_real(number, value) && value * static_cast<double>(unit->factor) < 1.8e19) {
    const auto time = static_cast<Picoseconds>(std::llround(value * static_cast<double>(unit->factor)));
    if (time == 0 && value != 0) throw UserError(quoted(text) + " is less than the smallest time, 1ps");
    return time;
  }
  throw UserError(quoted(text) + " is not a time (a number with ps, ns, us, ms or s)");
}

Picoseconds parse_clock_period(const std::string& text) {
  const auto [number, unit_name] = split_unit(text);
  double value = 0;
  Picoseconds period = 0;
  if (const Unit* unit = find_unit(kFrequencyUnits, unit_name);
      unit && parse_positive_real(number, value) && value > 0) {
    const double exact = 1e12 / (value * static_cast<double>(unit->factor));
    if (exact < 1e15) period = static_cast<Picoseconds>(std::llround(exact));
  } else if (find_unit(kTimeUnits, unit_name)) {
    period = parse_time(text);
  }
  if (period == 0 || period > 1'000'000'000'000)
    throw UserError(
        quoted(text) +
        " is not a clock (a frequency with Hz, kHz, MHz or GHz, or a period with ps, ns, us or ms, 1 ps to 1 s)");
  return period;
}

std::string format_time(Picoseconds time) {
  for (const Unit& unit : kTimeUnits)
    if (time % unit.factor == 0 && time != 0) return std::to_string(time / unit.factor) + unit.name;
  return "0ps";
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

void ParameterTable::add(Parameter parameter) {
  if (parameters_.empty()) parameters_.reserve(kUsualParameters);
  if (!index_.emplace(parameter.name, parameters_.size()).second)
    throw std::logic_error("parameter declared twice: " + parameter.name);
  parameters_.push_back(std::move(parameter));
}

const Parameter* ParameterTable::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &parameters_[found->second];
}

std::string ParameterTable::nearest(const std::string& name) const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
  return nearest_word(name, names);
}

void ParameterTable::set(const std::string& name, const std::string& value, const std::string& source) {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    const std::string guess = nearest(name);
    throw UserError(
        source + ": unknown parameter " + quoted(name) +
        (guess.empty() ? " ('tinytpu-vp params' lists them all)" : ": did you mean " + quoted(guess) + "?"));
  }
  Parameter& parameter = parameters_[found->second];
  try {
    parameter.assign(value);
  } catch (const UserError& error) {
    throw UserError(source + ": " + name + ": " + error.what());
  }
  parameter.source = source;
}

void ParameterTable::adopt_defaults() {
  for (Parameter& parameter : parameters_) {
    parameter.default_value = parameter.get();
    parameter.source = "default";
  }
}

ParameterGroup ParameterGroup::effective(std::function<bool()> holds, const std::string& otherwise) const {
  ParameterGroup group = *this;
  group.without_effect_ = [outer = without_effect_, holds = std::move(holds), otherwise] {
    const std::string why = outer ? outer() : "";
    return !why.empty() || holds() ? why : otherwise;
  };
  return group;
}

void ParameterGroup::add(std::string_view name, std::string_view type, std::string_view unit, std::string_view range,
                         std::string_view help, std::function<std::string()> get,
                         std::function<void(const std::string&)> assign) const {
  Parameter parameter;
  parameter.name = full(name);
  parameter.type = type;
  parameter.unit = unit;
  parameter.default_value = get();
  parameter.range = range;
  parameter.help = help;
  parameter.get = std::move(get);
  parameter.assign = std::move(assign);
  parameter.without_effect = without_effect_;
  table_->add(std::move(parameter));
}

void ParameterGroup::add_integer(std::string_view name, std::uint64_t low, std::uint64_t high, std::string_view unit,
                                 std::string_view help, std::function<std::uint64_t()> get,
                                 std::function<void(std::uint64_t)> assign) const {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  add(
      name, "integer", unit, range, help, [get = std::move(get)] { return std::to_string(get()); },
      [assign = std::move(assign), low, high, range](const std::string& text) {
        const std::uint64_t value = parse_integer(text);
        if (value < low || value > high) throw UserError(shown(text) + " is out of range (allowed: " + range + ")");
        assign(value);
      });
}

void ParameterGroup::add_choice(std::string_view name, const std::vector<std::string>& words, std::string_view help,
                                std::function<std::string()> get,
                                std::function<void(const std::string&)> assign) const {
  add(name, "choice", "", joined(words), help, std::move(get),
      [words, assign = std::move(assign)](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) == words.end()) {
          const std::string guess = nearest_word(text, words);
          throw UserError(quoted(text) + " is none of " + joined(words) +
                          (guess.empty() ? "" : ": did you mean " + quoted(guess) + "?"));
        }
        assign(text);
      });
}

void ParameterGroup::address(std::string_view name, std::uint64_t& value, std::string_view help) const {
  const auto hexadecimal = [&value] {
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "0x%08" PRIx64, value);
    return std::string(text.data());
  };
  add(name, "integer", "", "0x0 to 0xffffffffffffffff", help, hexadecimal,
      [&value](const std::string& text) { value = parse_integer(text); });
}

void ParameterGroup::real(std::string_view name, double& value, double low, double high, std::string_view unit,
                          std::string_view help) const {
  const std::string range = format_real(low) + " to " + format_real(high);
  add(
      name, "real", unit, range, help, [&value] { return format_real(value); },
      [&value, low, high, range](const std::string& text) {
        const double v = parse_real(text);
        if (v < low || v > high) throw UserError(shown(text) + " is out of range (allowed: " + range + ")");
        value = v;
      });
}

void ParameterGroup::boolean(std::string_view name, bool& value, std::string_view help) const {
  add(
      name, "boolean", "", "true, false", help, [&value] { return std::string(value ? "true" : "false"); },
      [&value](const std::string& text) {
        if (text == "true" || text == "yes" || text == "on" || text == "1")
          value = true;
        else if (text == "false" || text == "no" || text == "off" || text == "0")
          value = false;
        else
          throw UserError(quoted(text) + " is neither true nor false");
      });
}

void ParameterGroup::text(std::string_view name, std::string& value, std::string_view help) const {
  add(
      name, "text", "", "any text", help, [&value] { return value; },
      [&value](const std::string& text) { value = text; });
}

void ParameterGroup::choice(std::string_view name, std::string& value, const std::vector<std::string>& words,
                            std::string_view help) const {
  add_choice(
      name, words, help, [&value] { return value; }, [&value](const std::string& text) { value = text; });
}

void ParameterGroup::clock(std::string_view name, Picoseconds& period, std::string_view help) const {
  add(
      name, "clock", "", "1ps to 1s, or 1Hz to 1THz", help, [&period] { return format_time(period); },
      [&period](const std::string& text) { period = parse_clock_period(text); });
}

void ParameterGroup::time(std::string_view name, Picoseconds& value, Picoseconds low, Picoseconds high,
                          std::string_view help) const {
  const std::string range = format_time(low) + " to " + format_time(high);
  add(
      name, "time", "", range, help, [&value] { return format_time(value); },
      [&value, low, high, range](const std::string& text) {
        const Picoseconds v = parse_time(text);
        if (v < low || v > high) throw UserError(shown(text) + " is out of range (allowed: " + range + ")");
        value = v;
      });
}

void ParameterGroup::custom(std::string_view name, std::string_view type, std::string_view range, std::string_view help,
                            std::function<std::string()> get, std::function<void(const std::string&)> assign) const {
  add(name, type, "", range, help, std::move(get), std::move(assign));
}

}  // namespace vp
