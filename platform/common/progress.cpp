#include "platform/common/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace vp {

namespace {
constexpr std::chrono::milliseconds kQuietTime{1000};
constexpr std::chrono::milliseconds kRedrawTime{100};
constexpr std::size_t kBarWidth = 30;
}  // namespace

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      started_(std::chrono::steady_clock::now()),
      drawn_(started_) {}

Progress::~Progress() { hide(); }

void Progress::update(std::size_t done) {
  if (!terminal_ || total_ == 0) return;
  const Time now = std::chrono::steady_clock::now();
  if (now - started_ < kQuietTime || now - drawn_ < kRedrawTime) return;
  drawn_ = now;
  shown_ = true;
  const std::size_t filled = kBarWidth * done / total_;
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, ' ');
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const auto left =
      done ? static_cast<unsigned long>(elapsed * static_cast<double>(total_ - done) / static_cast<double>(done)) : 0;
  std::fprintf(stderr, "\r%s [%s] %zu/%zu, %02lu:%02lu left\033[K", what_.c_str(), bar.c_str(), done, total_, left / 60,
               left % 60);
  std::fflush(stderr);
}

void Progress::hide() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace vp
