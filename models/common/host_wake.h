#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace vp {

/// How other threads of the host bring something into the simulation: input of a terminal, a client's bytes, a stop
/// request, a debugger. One a machine, made before the simulation starts. A party has a `Bell`: whoever rings it, from
/// any thread, has the party called by a process of the simulation, at whatever time that then has; so a run in which
/// a bell rings cannot be repeated exactly. Costs nothing while none does.
class HostWake {
 public:
  class Bell;

  HostWake();
  ~HostWake();
  HostWake(const HostWake&) = delete;
  HostWake& operator=(const HostWake&) = delete;

  /// For when the simulation has nothing left to do: waits in host time until a bell has rung (true) or for `limit`
  /// (false). The next sc_start() then calls the party.
  bool wait(std::chrono::milliseconds limit);

 private:
  class Channel;
  void ring();
  void deliver();

  std::unique_ptr<Channel> channel_;
  std::vector<Bell*> bells_;  // of the simulation's thread only
  std::mutex mutex_;
  std::condition_variable rung_;
  bool news_ = false;  // a bell has rung, and the simulation does not know it yet; guarded by mutex_
};

/// One party's. It must go before its HostWake, and after the threads that ring it.
class HostWake::Bell {
 public:
  /// called: by a process of the simulation, once for any number of rings before it.
  Bell(HostWake& wake, std::function<void()> called);
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  /// From any thread, but not from a signal handler.
  void ring();

 private:
  friend class HostWake;

  HostWake& wake_;
  std::function<void()> called_;
  std::atomic<bool> rung_{false};
};

}  // namespace vp
