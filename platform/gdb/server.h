#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "platform/gdb/connection.h"
#include "platform/gdb/session.h"

namespace vp::gdb {

/// Serves a machine to debuggers: knows when it stands still and who is there, and says how it goes on. Its functions
/// are called on the simulation's thread, while the machine stands still, except where said otherwise.
class Server {
 public:
  Server(Target& target, const Place& place) : connection_(place), session_(target) {}

  const std::string& address() const { return connection_.address(); }
  /// on_wish: called from another thread when the machine is to stand still soon, for asked_to_stop().
  void start(std::function<void()> on_wish);
  /// Is told when the machine begins to stand still for a client or the want of one, and when it goes on.
  void on_stand_still(std::function<void(bool)> callback) { on_stand_still_ = std::move(callback); }
  /// From any thread: the run is to end, and nobody waits for a client any more.
  void give_up() { connection_.give_up(); }

  bool attached() const { return session_.attached(); }
  /// Stands for on_wish; the machine may find that it has to go on as it did.
  Resumption asked_to_stop();
  /// The machine stands before its first instruction, until a client lets it go.
  Resumption wait_for_client();
  /// Without a client the machine goes on at once.
  Resumption stopped(const Stop& stop);
  /// The run is over; true if the client has started the program again, which the machine is then reset for.
  bool ended(int exit_code);
  bool ended(Signal signal);

  /// Wall-clock time in which the machine has stood still.
  std::chrono::duration<double> stood_still() const { return stood_still_; }

 private:
  class StandingStill;

  Resumption converse();
  Resumption go_on(Resumption resumption);
  void lose_client();
  bool start_again();

  Connection connection_;
  Session session_;
  std::function<void(bool)> on_stand_still_;
  std::function<void()> on_wish_;
  std::atomic<bool> looks_{false};  ///< the machine stands still, and whatever comes is looked at
  Resumption last_;                 ///< what the machine is doing
  bool told_ = false;               ///< a client has said so
  unsigned stands_ = 0;             ///< calls within each other in which it stands still
  std::chrono::steady_clock::time_point stands_since_;
  std::chrono::duration<double> stood_still_{0};
};

}  // namespace vp::gdb
