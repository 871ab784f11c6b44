#include "platform/run/run_log.h"

#include <array>
#include <cstdio>
#include <utility>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

namespace {

constexpr std::array<const char*, 5> kLevels = {"silent", "error", "warning", "info", "debug"};

}  // namespace

void RunLog::write(LogLevel level, Picoseconds time, const std::string& text) {
  std::FILE* file = output_.file();
  if (!file || !enabled(level)) return;
  std::fprintf(file, "[%12s] %s: %s\n", readable_time(time).c_str(), kLevels[static_cast<std::size_t>(level)],
               text.c_str());
}

LogLevel parse_log_level(const std::string& word) {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    if (word == kLevels[i]) return static_cast<LogLevel>(i);
  const std::string guess = nearest_word(word, {kLevels.begin(), kLevels.end()});
  throw UserError("--log-level: '" + word + "' is none of silent, error, warning, info, debug" +
                  (guess.empty() ? "" : ": did you mean '" + guess + "'?"));
}

std::string readable_time(Picoseconds time) {
  constexpr std::array<std::pair<const char*, double>, 5> units = {
      {{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}, {"ps", 1}}};
  for (const auto& [name, factor] : units) {
    const double value = static_cast<double>(time) / factor;
    if (value < 1 && factor > 1) continue;
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), factor > 1 ? "%.3f %s" : "%.0f %s", value, name);
    return text.data();
  }
  return "0 ps";
}

}  // namespace vp
