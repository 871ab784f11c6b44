#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/cache/cache.h"
#include "models/common/clock.h"
#include "models/common/fidelity.h"
#include "models/cpu/config.h"
#include "models/cpu/debug_points.h"
#include "models/cpu/memory_port.h"
#include "models/cpu/state.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

class HandlerFlow;

/// Why run() came back.
enum class Stop : std::uint8_t {
  kBudget,            ///< local time has reached the limit
  kAccess,            ///< an access went through the port: its effect may have moved the caller's limit
  kWaitForInterrupt,  ///< wfi, and no interrupt is pending that mie enables
  kUnhandledTrap,     ///< a trap that no handler can take: last_trap() says which
  kInstructionLimit,  ///< set_instruction_limit()
  kStopped,           ///< request_stop()
  kDebug,             ///< something for a debugger: take_debug_stop()
};

/// A trap as it was taken.
struct TrapRecord {
  bool interrupt = false;
  unsigned cause = 0;          ///< exception code, or interrupt number
  std::uint64_t pc = 0;        ///< of the instruction that trapped, or that would have been next
  std::uint64_t value = 0;     ///< mtval
  std::uint64_t handler = 0;   ///< where execution goes on
  Mode mode = Mode::kMachine;  ///< before the trap
  Picoseconds time = 0;
  /// Of an access fault: the PMP entry that refused; kPmpEntries if none matches, which user mode needs; kNoPmpEntry if
  /// it was not PMP.
  unsigned pmp = kNoPmpEntry;
  bool misaligned = false;  ///< of an access fault: the load or store was not aligned

  void persist(Archive& archive);
};

/// One executed instruction.
struct TraceRecord {
  Picoseconds time = 0;  ///< at which it started
  std::uint64_t pc = 0;
  std::uint32_t encoding = 0;
  std::uint8_t length = 4;
  Mode mode = Mode::kMachine;
  std::uint8_t rd = 0;      ///< register written, 0 for none
  std::uint64_t value = 0;  ///< of that register afterwards
  static constexpr std::uint8_t kNoFloat = 32;
  std::uint8_t fd = kNoFloat;  ///< floating-point register written
  std::uint64_t float_value = 0;
  bool has_address = false;  ///< load, store or atomic
  std::uint64_t address = 0;
  std::uint8_t loaded = 0;  ///< bytes; an AMO loads and stores
  std::uint8_t stored = 0;
  std::uint64_t stored_value = 0;  ///< its lower `stored` bytes
  static constexpr unsigned kNoCsr = ~0u;
  unsigned csr = kNoCsr;  ///< number of the CSR written; fflags, if a floating-point operation raised any
  std::uint64_t csr_value = 0;
  bool trapped = false;  ///< it did not complete, and wrote no register
  unsigned cause = 0;    ///< exception code of that
};

/// Which instructions are traced: those at `first_pc` to `last_pc` that start from `from` to before `to`.
struct TraceWindow {
  std::uint64_t first_pc = 0;
  std::uint64_t last_pc = ~std::uint64_t{0};
  Picoseconds from = 0;
  Picoseconds to = kNever;

  bool contains(std::uint64_t pc, Picoseconds time) const {
    return pc >= first_pc && pc <= last_pc && time >= from && time < to;
  }
};

/// Addresses in memory that a program does not mean to write: its code and constants.
struct ReadOnlyRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// A store into one.
struct ReadOnlyStore {
  Picoseconds time = 0;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;
  unsigned size = 0;  ///< bytes
};

/// Calls to the outside. An empty one costs nothing. `trace` gets every instruction of the window; only those take a
/// slower way.
struct Hooks {
  std::function<void(const TraceRecord&)> trace;
  TraceWindow trace_window;
  std::function<void(const TrapRecord&)> trap;
  std::vector<ReadOnlyRange> read_only;
  std::function<void(const ReadOnlyStore&)> read_only_store;  ///< told of the first one only
};

/// Accesses that went through host pointers, by region granted.
struct DirectTraffic {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t reads = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t writes = 0;
  std::uint64_t written_bytes = 0;

  void persist(Archive& archive);
};

/// Where a hart's time has gone. total = busy + idle + stalls(), to the picosecond.
struct CpuTimes {
  Picoseconds total = 0;
  Picoseconds busy = 0;        ///< executing instructions, at the cycles of their classes
  Picoseconds idle = 0;        ///< asleep or halted
  Picoseconds fetch_miss = 0;  ///< waiting for lines of the instruction cache
  Picoseconds load_miss = 0;   ///< waiting for lines of the data cache
  Picoseconds store_miss = 0;  ///< likewise, for stores
  Picoseconds write_back = 0;  ///< waiting for room in the write buffer
  Picoseconds cache_hit = 0;   ///< cpu.dcache.hit_cycles
  Picoseconds memory = 0;      ///< latency of accesses through host pointers that no cache stands before
  Picoseconds bus = 0;         ///< single accesses through the bus model: devices, uncached memory

  void persist(Archive& archive);
  Picoseconds stalls() const { return fetch_miss + load_miss + store_miss + write_back + cache_hit + memory + bus; }
};

/// What the caches did; they work in timed mode only.
struct CacheFigures {
  std::uint64_t fetches = 0;         ///< instructions executed in timed mode
  std::uint64_t missed_fetches = 0;  ///< of these, had to wait for their line (or two)
  const Cache* instruction = nullptr;
  const Cache* data = nullptr;  ///< nullptr if there is none
};

/// A RISC-V hart without SystemC: RV32IMAC or RV64IMAC, with F and D or without, Zicsr, Zifencei, Zicntr, machine and
/// user mode, PMP.
///
/// Time. The hart keeps local time in picoseconds. An instruction starts at that time, its memory access leaves at its
/// start, and it ends after the latency of the access plus cycles-of-its-class × clock. In functional mode instruction
/// fetch takes no time (an ideal prefetch); in timed mode one that misses the instruction cache is a step of its own
/// before the instruction. run(until) executes every instruction that starts before `until`, so that an interrupt
/// raised at `until` is taken at the first instruction boundary at or after it, however the run is cut into pieces.
class Core {
 public:
  /// The interpreter of the register width that config.isa asks for. `port` must outlive it.
  static std::unique_ptr<Core> make(const CpuConfig& config, MemoryPort& port);
  virtual ~Core() = default;

  /// Registers and CSRs as after power-on, pc at config.reset_pc; local time and all statistics go on.
  virtual void reset() = 0;
  /// Executes whole instructions that start before `until`.
  virtual Stop run(Picoseconds until) = 0;

  virtual Picoseconds time() const = 0;
  /// Moves local time forward (the hart slept). Earlier times are ignored.
  virtual void advance_time(Picoseconds time) = 0;

  /// Level of an interrupt line, a bit of mip.
  virtual void set_interrupt(Interrupt interrupt, bool level) = 0;
  /// True if wfi would go on: some line is high whose bit in mie is set.
  virtual bool wakes() const = 0;

  /// What is executed often becomes machine code of the host (cpu.jit).
  virtual bool generates_code() const = 0;
  virtual unsigned xlen() const = 0;
  virtual std::uint64_t pc() const = 0;
  virtual void set_pc(std::uint64_t pc) = 0;
  virtual std::uint64_t x(unsigned i) const = 0;
  virtual void set_x(unsigned i, std::uint64_t value) = 0;
  /// With F and D. Only then there are registers f0 to f31, in which singles are NaN-boxed.
  virtual bool floating() const = 0;
  virtual std::uint64_t f(unsigned i) const = 0;
  virtual void set_f(unsigned i, std::uint64_t value) = 0;
  virtual Mode mode() const = 0;
  /// A CSR as machine mode reads it, without side effects; false if there is none of that number.
  virtual bool csr(unsigned number, std::uint64_t& value) const = 0;
  /// Writes a CSR as machine mode does, between two instructions; false if there is none or it is read-only.
  virtual bool set_csr(unsigned number, std::uint64_t value) = 0;
  virtual void set_mode(Mode mode) = 0;
  /// Where a load or store of the program at `address` goes, whatever PMP says; nothing if it is not mapped.
  virtual std::optional<std::uint64_t> translate(std::uint64_t address) const = 0;

  /// Instructions retired since the start (a reset does not clear it). An instruction that traps does not retire.
  virtual std::uint64_t retired() const = 0;
  /// run() stops exactly when that many have retired.
  virtual void set_instruction_limit(std::uint64_t retired) = 0;
  /// Makes run() return kStopped before the next block of instructions; if called during an access, before the next
  /// instruction. Stays in force until clear_stop(). May be called from a signal handler or another thread.
  virtual void request_stop() = 0;
  virtual void clear_stop() = 0;

  /// run() returns Stop::kDebug before an instruction at a breakpoint or an ebreak, and behind an access that is
  /// watched. To be told again whenever the points have changed; nullptr: there is no debugger. Not during run().
  virtual void set_debug_points(const DebugPoints* points) = 0;
  /// Makes run() return kDebug before the next block of instructions. From any thread; without a debugger, too.
  virtual void request_debug_stop() = 0;
  /// run() would return kDebug at once.
  virtual bool debug_stop_pending() const = 0;
  /// Why it has. From now on it may be asked for again.
  virtual DebugStop take_debug_stop() = 0;
  /// The next call of run() goes on from where the debugger stopped the hart, whatever is set at pc; `step`: by one
  /// instruction, or into one trap or interrupt, after which it returns kDebug.
  virtual void debug_resume(bool step) = 0;

  /// Functional at first. Takes effect at the next instruction boundary; may be called during an access. The caches
  /// stay as they were when timed mode was left.
  virtual void set_fidelity(Fidelity fidelity) = 0;
  virtual Fidelity fidelity() const = 0;

  virtual void set_hooks(Hooks hooks) = 0;
  /// Pauses the trace, or goes on with it, between two instructions.
  virtual void set_tracing(bool on) = 0;
  virtual const TrapRecord& last_trap() const = 0;
  /// The one before it: when a handler's first instruction traps, what led there.
  virtual const TrapRecord& trap_before() const = 0;

  /// Host pointers to [first, last] are no longer valid.
  virtual void invalidate_direct(std::uint64_t first, std::uint64_t last) = 0;
  /// Memory was changed behind the guest's back (loader, debugger): forget decoded instructions.
  virtual void invalidate_code() = 0;

  virtual std::vector<DirectTraffic> direct_traffic() const = 0;
  /// Traps taken so far, by exception code and by interrupt number.
  virtual const std::array<std::uint64_t, kCauses>& exceptions_taken() const = 0;
  virtual const std::array<std::uint64_t, kCauses>& interrupts_taken() const = 0;
  /// Throws std::logic_error if the parts do not add up to the whole.
  virtual CpuTimes times() = 0;
  virtual CacheFigures cache_figures() = 0;
  /// Follows what interrupt handlers hand on.
  virtual HandlerFlow& handler_flow() = 0;
  virtual const HandlerFlow& handler_flow() const = 0;

  /// Between two calls of run(). Limits, hooks and requests to stop are the caller's and no state. Host pointers and
  /// decoded code are asked for anew after loading, which changes no figure.
  virtual void persist(Archive& archive) = 0;
};

}  // namespace vp::cpu
