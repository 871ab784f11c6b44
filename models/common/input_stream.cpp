#include "models/common/input_stream.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "models/common/error.h"

namespace vp {

InputStream::InputStream(int descriptor, std::function<void()> arrived) : arrived_(std::move(arrived)) {
  if (pipe(stop_) != 0) throw UserError(std::string("cannot read the console input: ") + std::strerror(errno));
  thread_ = std::thread([this, descriptor] { read_all(descriptor); });
}

InputStream::~InputStream() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
}

void InputStream::read_all(int descriptor) {
  constexpr std::size_t kMostWaiting = std::size_t{64} << 10;
  constexpr int kPause = 10;  // milliseconds
  std::array<std::uint8_t, 256> buffer{};
  while (true) {
    const bool full = count_ >= kMostWaiting;  // who sends faster than the guest reads has to wait
    std::array<pollfd, 2> wanted{{{full ? -1 : descriptor, POLLIN, 0}, {stop_[0], POLLIN, 0}}};
    if (poll(wanted.data(), wanted.size(), full ? kPause : -1) < 0 && errno == EINTR) continue;
    if (wanted[1].revents != 0) return;
    if (full) continue;
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    {
      const std::lock_guard lock(mutex_);
      if (count > 0)
        bytes_.insert(bytes_.end(), buffer.begin(), buffer.begin() + count);
      else
        ended_ = true;
      count_ = bytes_.size();
    }
    if (arrived_) arrived_();
    if (count <= 0) return;
  }
}

bool InputStream::take(std::uint8_t& byte) {
  if (count_ == 0) return false;
  const std::lock_guard lock(mutex_);
  byte = bytes_.front();
  bytes_.pop_front();
  count_ = bytes_.size();
  return true;
}

}  // namespace vp
