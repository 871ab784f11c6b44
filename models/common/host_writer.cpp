#include "models/common/host_writer.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace vp {

namespace {

bool is_regular_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

HostWriter::HostWriter(int descriptor, const StopRequest* stop)
    : HostWriter(descriptor, [stop] { return stop != nullptr && stop->asked(); }) {}

HostWriter::HostWriter(int descriptor, std::function<bool()> stop_asked)
    : descriptor_(descriptor), stop_asked_(std::move(stop_asked)), can_be_full_(!is_regular_file(descriptor)) {}

void HostWriter::write(const char* bytes, std::size_t count) {
  while (count != 0 && error_ == 0) {
    if (can_be_full_ && !wait_for_room()) {
      lost_ += count;
      return;
    }
    // A pipe that has room takes so many without blocking.
    const ssize_t written = ::write(descriptor_, bytes, std::min<std::size_t>(count, PIPE_BUF));
    if (written >= 0) {
      bytes += written;
      count -= static_cast<std::size_t>(written);
    } else if (errno != EINTR && errno != EAGAIN) {
      error_ = errno;
    }
  }
}

/// false: there is none, and the run is to stop. What is wrong with the descriptor shows when it is written.
bool HostWriter::wait_for_room() const {
  // Milliseconds between two looks at the request. Who has been waited for in vain once is not waited for again.
  const int patience = lost_ == 0 ? 20 : 0;
  for (;;) {
    pollfd room{descriptor_, POLLOUT, 0};
    const int ready = poll(&room, 1, patience);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    if (stop_asked_()) return false;
  }
}

}  // namespace vp
