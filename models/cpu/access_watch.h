#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/common/clock.h"
#include "models/cpu/core.h"
#include "models/cpu/debug_points.h"
#include "models/cpu/handler_flow.h"
#include "models/cpu/stop_control.h"

namespace vp::cpu {

/// Who is told of single loads and stores: a debugger's watchpoints, who follows what an interrupt handler hands on,
/// and the user if the program writes into its own code. The inner loop tells nobody, so such memory is not to be
/// reached by it.
class AccessWatch {
 public:
  AccessWatch(StopControl& stop, HandlerFlow& flow) : stop_(stop), flow_(flow) {}

  void set_points(const DebugPoints* points) { points_ = points; }
  void set_read_only(std::vector<ReadOnlyRange> ranges, std::function<void(const ReadOnlyStore&)> callback);

  /// False: nobody is to be told of anything.
  bool any() const { return points_ || read_only_store_ || flow_.watches(); }
  /// The run loop has something to look at behind the access through the port that has just been made: a request to
  /// stop, or what a handler has learnt by it.
  bool asks() const { return stop_.asked() != 0 || flow_.changed() || flow_.watches(); }
  /// Somebody wants to know of loads (stores) of some of these bytes, which are at `first` for the program and at
  /// `physical` in memory.
  bool wants(bool write, std::uint64_t first, std::uint64_t physical, std::uint64_t size) const;
  /// A store is about to be done; its address is that in memory.
  void storing(const ReadOnlyStore& store) {
    if (read_only_store_) look_at(store);
  }
  /// A load or store has been done, while the stack pointer had this value. True if the hart is to stop behind it.
  bool done(bool write, std::uint64_t address, unsigned size, std::uint64_t stack) {
    if (flow_.watches()) flow_.accessed(write, address, size, stack);
    return points_ && stops_behind(write, address, size);
  }

 private:
  bool read_only(std::uint64_t first, std::uint64_t size) const;
  void look_at(const ReadOnlyStore& store);
  bool stops_behind(bool write, std::uint64_t address, unsigned size);

  StopControl& stop_;
  HandlerFlow& flow_;
  const DebugPoints* points_ = nullptr;
  std::vector<ReadOnlyRange> ranges_;
  std::function<void(const ReadOnlyStore&)> read_only_store_;  ///< empty if there is nothing to be told any more
};

}  // namespace vp::cpu
