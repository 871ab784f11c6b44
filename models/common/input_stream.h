#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace vp {

/// Input that comes when it comes (a terminal, a pipe): a thread reads it, so that looking for it costs a memory
/// access. Bytes arrive in the simulation at whatever time it has then; a run with such input cannot be reproduced
/// exactly.
class InputStream {
 public:
  /// arrived is called from the reading thread for new bytes and at the end of the input. The descriptor stays the
  /// caller's.
  InputStream(int descriptor, std::function<void()> arrived);
  ~InputStream();
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  bool take(std::uint8_t& byte);
  /// No more bytes will come.
  bool ended() const { return ended_; }
  /// And all of them have been taken.
  bool drained() const { return ended_ && count_ == 0; }

 private:
  void read_all(int descriptor);

  std::function<void()> arrived_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;  // guards bytes_
  std::deque<std::uint8_t> bytes_;
  int stop_[2] = {-1, -1};  // a pipe whose closing ends the thread
  std::thread thread_;
};

}  // namespace vp
