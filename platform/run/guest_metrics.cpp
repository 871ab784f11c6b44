#include "platform/run/guest_metrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace vp {

namespace {

constexpr const char* kWord = "metric ";
constexpr std::size_t kWordLength = 7;
/// A longer line is none: names, numbers and units have their bounds.
constexpr std::size_t kLongestLine = 256;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestUnit = 32;
constexpr std::size_t kMostMetrics = 1000;

bool is_name(const std::string& text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), is_allowed) &&
         text.front() != '.' && text.back() != '.' && text.find("..") == std::string::npos;
}

bool is_unit(const std::string& text) {
  return text.size() <= kLongestUnit &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
}

std::optional<std::variant<std::uint64_t, double>> parse_value(const std::string& text) {
  const char* const end = text.data() + text.size();
  const auto is_of_number = [](char c) {
    return (c >= '0' && c <= '9') || std::string("+-.eE").find(c) != std::string::npos;
  };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_of_number)) return std::nullopt;  // no "inf"
  std::uint64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole); error == std::errc() && stop == end)
    return whole;
  double real = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, real);
  if (error != std::errc() || stop != end || !std::isfinite(real)) return std::nullopt;
  return real;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

void GuestMetrics::put(std::size_t console, std::uint8_t byte) {
  Line& line = lines_[console];
  if (byte == '\n') {
    if (!line.other && line.text.size() >= kWordLength) end_line(line.text);
    line = {};
  } else if (!line.other) {
    line.text += static_cast<char>(byte);
    const std::size_t known = std::min(line.text.size(), kWordLength);
    line.other = line.text.size() > kLongestLine || line.text.compare(0, known, kWord, known) != 0;
  }
}

void GuestMetrics::end_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \r") + 1;
  const std::vector<std::string> words = words_of(text.substr(kWordLength, std::max(end, kWordLength) - kWordLength));
  const bool good =
      (words.size() == 2 || words.size() == 3) && add(words[0], words[1], words.size() == 3 ? words[2] : "");
  if (!good && complain_)
    complain_("a line of the console begins as a metric and is none (metric NAME VALUE UNIT): " + text.substr(0, 80));
}

bool GuestMetrics::add(const std::string& name, const std::string& value, const std::string& unit) {
  const auto number = parse_value(value);
  if (!is_name(name) || !number || !is_unit(unit)) return false;
  const auto [at, is_new] = index_.emplace(name, metrics_.size());
  if (is_new && metrics_.size() >= kMostMetrics) {
    index_.erase(at);
    return false;
  }
  if (is_new) metrics_.push_back({name, *number, unit});
  metrics_[at->second] = {name, *number, unit};
  return true;
}

void GuestMetrics::report(Statistics& root) const {
  if (metrics_.empty()) return;
  Statistics& group = root.group("metric", "what the guest reported, unchecked");
  for (const Metric& metric : metrics_) {
    const std::string unit = metric.unit.empty() ? "1" : metric.unit;
    std::visit([&](auto value) { group.add(metric.name, value, unit, "reported by the guest"); }, metric.value);
  }
}

}  // namespace vp
