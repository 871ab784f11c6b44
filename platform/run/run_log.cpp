#include "platform/run/run_log.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

namespace {

constexpr std::array<const char*, 5> kLevels = {"silent", "error", "warning", "info", "debug"};

[[noreturn]] void fail(const std::string& path, int error) {
  throw UserError("cannot write '" + path + "': " + std::strerror(error));
}

}  // namespace

RunLog::RunLog(LogLevel level, const std::string& path) : level_(level), path_(path) {
  file_.reset(path.empty() || path == "-" ? stderr : std::fopen(path.c_str(), "we"));
  if (!file_) fail(path, errno);
}

void RunLog::write(LogLevel level, Picoseconds time, const std::string& text) {
  if (!file_ || !enabled(level)) return;
  std::fprintf(file_.get(), "[%12s] %s: %s\n", readable_time(time).c_str(), kLevels[static_cast<std::size_t>(level)],
               text.c_str());
}

void RunLog::close() {
  if (!file_) return;
  std::FILE* file = file_.release();
  const bool failed = std::ferror(file) != 0 || std::fflush(file) != 0;
  const int error = errno;
  if (file == stderr) return;
  std::fclose(file);
  if (failed) fail(path_, error ? error : EIO);
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
