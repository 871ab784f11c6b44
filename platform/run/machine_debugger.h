#pragma once

#include <chrono>
#include <functional>

#include "models/common/host_wake.h"
#include "models/cpu/debug.h"
#include "platform/gdb/server.h"
#include "platform/run/gdb_target.h"
#include "platform/run/machine_end.h"
#include "platform/run/machine_run.h"
#include "platform/run/monitor.h"

namespace vp {

/// Puts a run under the debuggers that connect: what stops the hart is told to the client, and what the client wants is
/// done to the machine. Without a client the run goes as without a debugger.
class MachineDebugger : private cpu::DebugMonitor {
 public:
  /// Before the simulation starts. The run has to outlive it. Throws UserError: the port is taken.
  MachineDebugger(MachineRun& run, const gdb::Place& place);

  const std::string& address() const { return server_.address(); }
  Monitor& monitor() { return monitor_; }
  /// The machine stands before its first instruction until a client lets it go.
  void wait_at_start() { run_.cpu().debug().stop_at_start(); }
  /// Clients may connect from now on. Is told when the machine begins to stand still for one, and when it goes on.
  void start(std::function<void(bool)> on_stand_still);
  /// The run is to end, from any thread: nobody waits for a client.
  void give_up() { server_.give_up(); }
  /// Wall-clock time that clients have had the machine.
  std::chrono::duration<double> stood_still() const { return server_.stood_still(); }

 private:
  cpu::Resume stopped(const cpu::DebugStop& stop) override;
  gdb::Resumption show(const cpu::DebugStop& stop);
  bool due_here() const;
  gdb::Stop describe(const cpu::DebugStop& stop) const;
  cpu::Resume carry_out(gdb::Resumption resumption);
  void engage();
  gdb::Signal signal_of_fault(const cpu::DebugStop& stop) const;
  bool ended(const MachineEnd& end);
  void stop_at_first_instruction();

  MachineRun& run_;
  Monitor monitor_;
  GdbTarget target_;
  HostWake::Bell wake_;  ///< outlives the thread that rings it
  gdb::Server server_;
  std::uint64_t resumed_at_ = ~std::uint64_t{0};  ///< instructions retired when the hart last went on, and where
  std::uint64_t resumed_pc_ = 0;
  bool started_again_ = false;  ///< by a client: the next stop is its first instruction
};

}  // namespace vp
