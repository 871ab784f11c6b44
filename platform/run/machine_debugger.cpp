#include "platform/run/machine_debugger.h"

#include <utility>
#include <vector>

#include "models/common/machine_roles.h"
#include "platform/common/exit_code.h"
#include "platform/run/trap_text.h"

namespace vp {

namespace {

using gdb::BreakKind;
using gdb::Resumption;
using gdb::Signal;

/// What a client may look at. What boots a hart is not to be written.
std::vector<gdb::TargetMemory> memory_of(const Board& board) {
  std::vector<gdb::TargetMemory> memory;
  for (const Outline::Window& one : board.outline().windows)
    memory.push_back({one.window.base, one.window.size, board.roles().find<BootImage>(one.part) != nullptr});
  return memory;
}

/// As a process would get it from its operating system.
Signal signal_of(const cpu::TrapRecord& trap) {
  using cpu::Cause;
  if (trap.interrupt) return Signal::abort;
  switch (static_cast<Cause>(trap.cause)) {
    case Cause::instruction_access_fault:
    case Cause::load_access_fault:
    case Cause::store_access_fault:
      return Signal::segment;
    case Cause::load_misaligned:
    case Cause::store_misaligned:
      return Signal::bus;
    case Cause::illegal_instruction:
      return Signal::illegal;
    case Cause::breakpoint:
      return Signal::trap;
    default:
      return Signal::abort;
  }
}

Signal signal_of(EndCause cause) {
  switch (cause) {
    case EndCause::unhandled_trap:
      return Signal::segment;
    case EndCause::bus_hang:
      return Signal::bus;
    case EndCause::time_limit:
    case EndCause::instruction_limit:
    case EndCause::timeout:
      return Signal::cpu_limit;
    case EndCause::interrupted:
      return Signal::terminated;
    default:
      return Signal::abort;
  }
}

BreakKind kind_of(cpu::Watch watch) {
  if (watch == cpu::Watch::write) return BreakKind::write;
  return watch == cpu::Watch::read ? BreakKind::read : BreakKind::access;
}

}  // namespace

MachineDebugger::MachineDebugger(MachineRun& run, const gdb::Place& place)
    : run_(run),
      monitor_(run),
      target_(run.cpu().debug(), memory_of(run.board()), monitor_),
      wake_(run.board().host_wake(), [this] { run_.cpu().wake(); }),
      server_(target_, place) {
  run_.cpu().debug().install(*this);
  run_.on_end([this](const MachineEnd& end) { return ended(end); });
}

void MachineDebugger::start(std::function<void(bool)> on_stand_still) {
  server_.on_stand_still(std::move(on_stand_still));
  server_.start([this] {
    run_.cpu().debug().request_stop();
    wake_.ring();
  });
}

/// Whether somebody debugs decides what stops the hart.
void MachineDebugger::engage() {
  cpu::DebugTarget& hart = run_.cpu().debug();
  if (server_.attached() == hart.engaged()) return;
  hart.engage(server_.attached());
  if (!server_.attached()) target_.forget_breaks();
}

cpu::Resume MachineDebugger::stopped(const cpu::DebugStop& stop) {
  const Resumption resumption = show(stop);
  engage();
  resumed_at_ = run_.cpu().core().retired();
  resumed_pc_ = run_.cpu().core().pc();
  return carry_out(resumption);
}

Resumption MachineDebugger::show(const cpu::DebugStop& stop) {
  using Reason = cpu::DebugStop::Reason;
  if (std::exchange(started_again_, false)) return server_.stopped({});
  if (stop.reason == Reason::start) return server_.wait_for_client();
  if (stop.reason == Reason::request && !due_here()) return server_.asked_to_stop();
  return server_.stopped(describe(stop));
}

/// Asked to stop at a breakpoint that the hart has come to just then: if it went on from here, it would pass it.
bool MachineDebugger::due_here() const {
  const cpu::Core& hart = run_.cpu().core();
  const bool moved = hart.retired() != resumed_at_ || hart.pc() != resumed_pc_;
  return moved && server_.attached() && target_.break_at(hart.pc());
}

gdb::Stop MachineDebugger::describe(const cpu::DebugStop& stop) const {
  using Reason = cpu::DebugStop::Reason;
  const cpu::Core& hart = run_.cpu().core();
  gdb::Stop told;
  switch (stop.reason) {
    case Reason::request:
    case Reason::breakpoint:
      told.hit = target_.break_at(hart.pc());
      break;
    case Reason::watchpoint:
      told.hit = kind_of(stop.watch);
      told.address = stop.address;
      break;
    case Reason::fault:
      told.signal = signal_of_fault(stop);
      told.diagnosis = "-- " + (stop.diagnosis.empty() ? run_.unhandled_trap_sentence() : stop.diagnosis) + "\n";
      break;
    default:
      break;
  }
  return told;
}

Signal MachineDebugger::signal_of_fault(const cpu::DebugStop& stop) const {
  const bool trap = stop.diagnosis.empty() || run_.fault() == EndCause::unhandled_trap;
  return trap ? signal_of(run_.cpu().core().last_trap()) : signal_of(run_.fault());
}

cpu::Resume MachineDebugger::carry_out(Resumption resumption) {
  switch (resumption.how) {
    case Resumption::How::step:
      return cpu::Resume::step;
    case Resumption::How::restart:
      run_.start_over();
      if (run_.cpu().in_access()) stop_at_first_instruction();  // the hart does not see what is returned here
      return cpu::Resume::reset;
    case Resumption::How::kill:
      run_.end_by_debugger();
      return cpu::Resume::end;
    case Resumption::How::go_on:
      break;
  }
  return cpu::Resume::run;
}

/// True: a client has started the program again.
bool MachineDebugger::ended(const MachineEnd& end) {
  const bool by_guest = end.cause == EndCause::guest_exit;
  const bool again = by_guest ? server_.ended(end.exit_code) : server_.ended(signal_of(end.cause));
  engage();
  if (again) stop_at_first_instruction();
  return again;
}

void MachineDebugger::stop_at_first_instruction() {
  started_again_ = true;
  run_.cpu().debug().request_stop();
}

}  // namespace vp
