#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "models/common/stop_request.h"

namespace vp {

/// Writes to a stream of the host whose other end may take nothing for a while: waits for it in host time, but not
/// after the run has been asked to stop, for it may never take more.
class HostWriter {
 public:
  /// stop may be nullptr. Both descriptor and stop stay the caller's.
  HostWriter(int descriptor, const StopRequest* stop);
  /// stop_asked: looked at while the other end is full.
  HostWriter(int descriptor, std::function<bool()> stop_asked);

  /// Writes all of it unless an error comes, or a stop while the other end is full; what is left then is lost, and so
  /// is, after an error, everything from there on.
  void write(const char* bytes, std::size_t count);
  /// errno of the first write that failed, 0: none has.
  int error() const { return error_; }
  /// Bytes given up because the other end was full when the run was to stop.
  std::uint64_t lost() const { return lost_; }

 private:
  bool wait_for_room() const;

  int descriptor_;
  std::function<bool()> stop_asked_;
  bool can_be_full_;
  int error_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace vp
