#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/cpu/csrs.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// What a watchpoint looks for.
enum class Watch : std::uint8_t { read = 1, write = 2, access = 3 };

/// Why a hart stands still. It stands before its next instruction, at pc.
struct DebugStop {
  enum class Reason : std::uint8_t {
    request,     ///< DebugTarget::request_stop()
    start,       ///< DebugTarget::stop_at_start(): before the first instruction
    breakpoint,  ///< at pc
    watchpoint,  ///< the instruction before pc (or the one that led to the trap) has accessed what is watched
    step,        ///< the one instruction has been executed, or a trap or interrupt been entered instead
    ebreak,      ///< at pc; a hart that goes on takes the trap
    fault,       ///< the run would end badly here
    reset,       ///< Resume::reset: before the first instruction
  };
  Reason reason = Reason::request;
  Watch watch = Watch::access;  ///< of a watchpoint: as it was set
  std::uint64_t address = 0;    ///< the first watched byte that was accessed
  bool write = false;           ///< it was written
  std::string diagnosis;  ///< of a fault that the platform has found; empty: Core::last_trap(), which nobody handles
};

/// How to go on.
enum class Resume : std::uint8_t {
  run,
  step,   ///< one instruction; a trap or an interrupt is one, too, and ends at its handler's first
  reset,  ///< the monitor has asked for a reset of the machine: stop again before the first instruction
  end,    ///< halt (Halt::kRequested), as after Cpu::request_stop()
};

/// What a debugger implements to be told.
class DebugMonitor {
 public:
  virtual ~DebugMonitor() = default;
  /// Called by a process of the simulation, while all of it stands still: may take as long as it likes, and must not
  /// wait for the kernel. The kernel's time is the hart's, or later if it sleeps in wfi.
  virtual Resume stopped(const DebugStop& stop) = 0;
};

/// A hart as a debugger sees it. Without a monitor that is engaged it costs nothing, and a run that is stopped gives
/// the same results as one that is not, unless the debugger changes something. Addresses are those of the program.
/// Except where said otherwise, calls come from within DebugMonitor::stopped(), or before the simulation starts.
class DebugTarget {
 public:
  virtual ~DebugTarget() = default;

  /// `monitor` must live as long as the simulation runs.
  virtual void install(DebugMonitor& monitor) = 0;
  /// Whether a debugger is there: only then breakpoints, watchpoints and ebreak stop the hart, and a run that would end
  /// badly stops instead. When it goes, its breakpoints and watchpoints go with it.
  virtual void engage(bool engaged) = 0;
  virtual bool engaged() const = 0;
  /// Before the simulation starts: DebugStop::start will come.
  virtual void stop_at_start() = 0;
  /// From any thread: stop before the next instruction, at the latest after the access under way. It does not wake a
  /// hart that sleeps in wfi: call Cpu::wake() from a process of the simulation. Also while nothing is engaged.
  virtual void request_stop() = 0;

  /// The run is to end badly: true if a debugger is there, to whom it is shown before the next instruction. `otherwise`
  /// is called if it lets the hart go on without having changed anything. From within a process of the simulation.
  virtual bool show_fault(std::string diagnosis, std::function<void()> otherwise) = 0;
  /// The same where the hart cannot go on, as it is in the middle of an access: shown at once. The caller goes on when
  /// the debugger does.
  virtual void show_fault_now(std::string diagnosis) = 0;

  virtual unsigned xlen() const = 0;
  virtual std::uint64_t pc() const = 0;
  virtual void set_pc(std::uint64_t pc) = 0;  ///< ends a sleep in wfi
  virtual std::uint64_t x(unsigned i) const = 0;
  virtual void set_x(unsigned i, std::uint64_t value) = 0;
  /// With F and D: then there are registers f0 to f31, of 64 bits.
  virtual bool floating() const = 0;
  virtual std::uint64_t f(unsigned i) const = 0;
  virtual void set_f(unsigned i, std::uint64_t value) = 0;
  virtual Mode mode() const = 0;
  virtual void set_mode(Mode mode) = 0;
  /// Those that the hart has.
  virtual std::vector<NamedCsr> csrs() const = 0;
  /// As machine mode reads and writes it, without side effects of reading; fields keep what they cannot hold. false:
  /// there is none of that number, or it is read-only.
  virtual bool csr(unsigned number, std::uint64_t& value) const = 0;
  virtual bool set_csr(unsigned number, std::uint64_t value) = 0;

  /// The physical address; nothing if it is not mapped.
  virtual std::optional<std::uint64_t> translate(std::uint64_t address) const = 0;
  /// Memory and registers of devices without time, side effects and PMP. Return how many bytes, from the first on, were
  /// there.
  virtual std::size_t read_memory(std::uint64_t address, void* data, std::size_t size) = 0;
  virtual std::size_t write_memory(std::uint64_t address, const void* data, std::size_t size) = 0;

  /// The hart stops before the instruction at `address`; no memory is changed. Once however often it is inserted.
  virtual void insert_breakpoint(std::uint64_t address) = 0;
  virtual bool remove_breakpoint(std::uint64_t address) = 0;
  /// The hart stops after a load or store that touches any of these bytes, in memory or in a device. false: no such
  /// range.
  virtual bool insert_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) = 0;
  virtual bool remove_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) = 0;

  /// Local time, and instructions retired since the start.
  virtual Picoseconds time() const = 0;
  virtual std::uint64_t retired() const = 0;
};

}  // namespace vp::cpu
