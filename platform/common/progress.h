#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace vp {

/// A progress bar on stderr for long work: "checking [#####     ] 12/40, 00:08 left". It shows itself only when stderr
/// is a terminal and the work has taken a second, and removes its line at the end or before other output (hide).
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::size_t done);
  void hide();

 private:
  using Time = std::chrono::steady_clock::time_point;
  std::string what_;
  std::size_t total_;
  bool terminal_;
  bool shown_ = false;
  Time started_;
  Time drawn_;
};

}  // namespace vp
