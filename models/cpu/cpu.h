#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/common/bounds.h"
#include "models/common/horizon.h"
#include "models/common/liveness.h"
#include "models/common/statistics.h"
#include "models/common/tlm_initiator.h"
#include "models/cpu/core.h"
#include "models/cpu/debugger.h"
#include "models/cpu/figures.h"

namespace vp::cpu {

/// Why the CPU has stopped for good (until resume()).
enum class Halt : std::uint8_t {
  kRequested,         ///< request_stop()
  kUnhandledTrap,     ///< core().last_trap() says which
  kInstructionLimit,  ///< set_instruction_limit()
  kTimeLimit,         ///< set_time_limit()
};

/// The host CPU: a hart (Core) as an initiator on the bus, temporally decoupled.
///
/// Its thread lets the hart run ahead of the kernel up to the earlier of the quantum and the horizon, then lets the
/// kernel catch up and deliver what is due. While nothing at all is due in the kernel, the quantum is stretched: nobody
/// could tell the difference. After each access that is not plain memory both limits are looked at afresh.
///
/// Interrupt lines are calls, made by the interrupt controllers at the lines' own times; wfi sleeps until one of them.
class Cpu : public sc_core::sc_module, private MemoryPort {
 public:
  static constexpr unsigned kStateVersion = 2;

  Cpu(sc_core::sc_module_name name, const CpuConfig& config, const Horizon& horizon);

  TlmInitiator socket{"socket"};

  void set_msip(bool level) { set_interrupt(Interrupt::machine_software, level); }
  void set_mtip(bool level) { set_interrupt(Interrupt::machine_timer, level); }
  void set_meip(bool level) { set_interrupt(Interrupt::machine_external, level); }
  void set_stip(bool level) { set_interrupt(Interrupt::supervisor_timer, level); }
  void set_seip(bool level) { set_interrupt(Interrupt::supervisor_external, level); }

  /// What the `time` CSR reads: mtime at an absolute local time. Without one the CSR does not exist.
  void set_time_source(std::function<std::uint64_t(Picoseconds)> source) { time_source_ = std::move(source); }
  /// The timer of supervisor mode (Sstc), where that counter is: takes the compare value, and the time from which it
  /// holds, and drives set_stip().
  void set_supervisor_timer(std::function<void(std::uint64_t, Picoseconds)> timer) { supervisor_timer_ = timer; }
  void set_hooks(Hooks hooks) { core_->set_hooks(std::move(hooks)); }

  /// The CPU halts exactly when so many instructions have retired since the start of the simulation.
  void set_instruction_limit(std::uint64_t retired) { core_->set_instruction_limit(retired); }
  /// The CPU starts no instruction at or after this time.
  void set_time_limit(Picoseconds time) {
    time_limit_ = time;
    stirred_ = true;
  }
  /// Halts before the next instruction if called during one of the CPU's own accesses, else within a quantum. May be
  /// called from a signal handler or another thread, except that it does not wake a CPU that sleeps in wfi: call wake()
  /// for that from a process of the simulation.
  void request_stop() {
    stop_requested_ = true;
    core_->request_stop();
  }
  /// Makes a sleeping CPU look around.
  void wake() { wake_.notify(); }
  /// An access through the socket is under way; its thread may be waiting in there.
  bool in_access() const { return in_access_; }
  /// From now on it counts as alive unless it sleeps in wfi and nothing but an interrupt can end that. Before the
  /// simulation starts.
  void join(Liveness& liveness);
  /// Called when the CPU halts; the kernel's time is then the hart's. A machine ends its run here.
  void on_halt(std::function<void(Halt)> callback) { on_halt_ = std::move(callback); }
  /// Called with the times of the hart so far, at instruction boundaries at most a microsecond of execution apart and
  /// after each access through the bus and each sleep: for a picture of where its time went.
  void on_times(std::function<void(const CpuTimes&)> callback) { on_times_ = std::move(callback); }
  /// Accesses through the bus so far, apart from lines of the caches.
  std::uint64_t device_accesses() const { return accesses_; }
  /// It sleeps in wfi.
  bool sleeps() const { return asleep_now_; }
  /// When it last woke from a sleep in wfi, or the limit of time ended one.
  Picoseconds slept_until() const { return slept_until_; }
  /// Called before the simulation starts: no instruction is executed until a state has been loaded.
  void hold() {
    held_ = true;
    set_alive(false);
  }
  /// From now on it waits for the kernel after each instruction, or runs ahead by the quantum again. Results are the
  /// same; between its accesses are moments without one.
  void keep_step(bool in_step) {
    quantum_ = in_step ? 1 : config_.quantum;
    stirred_ = true;
  }
  /// At an instruction boundary, with no access under way: its state can be saved.
  bool quiet() const { return !in_access_ && !posted_.under_way; }
  void persist(Archive& archive);

  /// Called once, at the hart's next instruction boundary, when the kernel's time is the hart's. May be asked for
  /// during an access of the CPU itself (a guest's marker).
  void at_boundary(std::function<void()> callback) {
    at_boundary_.push_back(std::move(callback));
    stirred_ = true;
  }

  /// Goes on after a halt.
  void resume();

  /// Takes effect at the next instruction boundary; may be called before the simulation starts, and during an access of
  /// the CPU itself (a guest's marker).
  void set_fidelity(Fidelity fidelity) {
    core_->set_fidelity(fidelity);
    stirred_ = true;
  }

  /// Power-on state at the present local time. May be called during an access of the CPU itself.
  void reset();

  /// For debuggers.
  DebugTarget& debug() { return debugger_; }

  Core& core() { return *core_; }
  const Core& core() const { return *core_; }
  const CpuConfig& config() const { return config_; }
  /// Accesses through host pointers, by region, for the bus's statistics.
  std::vector<DirectTraffic> direct_traffic() const { return core_->direct_traffic(); }
  Figures figures() const;
  void report(Statistics& statistics) const;
  /// Where its time went.
  void bounds(Bounds& bounds) const;

 private:
  void run();
  void step(Picoseconds limit);
  Stop run_core(Picoseconds until);
  void keep_appointments();
  void sleep();
  void set_alive(bool alive) {
    if (alive_) alive_->set(alive);
  }
  bool must_wake() const { return core_->wakes() || reset_requested_ || stop_requested_ || left_wfi_; }
  void stand(DebugStop why);
  bool stand_at_fault();
  void halt(Halt why);
  TimeFigures time_figures() const;
  TrapFigures trap_figures() const;
  Picoseconds limit();
  bool moved(Picoseconds horizon) const;
  void set_interrupt(Interrupt interrupt, bool level);

  // MemoryPort
  Answer access(const vp::Access& access) override;
  std::optional<DmiRegion> direct(std::uint64_t address, bool write) override {
    return socket.request_dmi(address, write);
  }
  std::optional<DmiRegion> contents(std::uint64_t address, bool write) override {
    return socket.request_dmi(address, write, DmiUse::contents);
  }
  Answer transfer(const vp::Access& access) override;
  void post(const vp::Access& access) override;
  Picoseconds posted() override;
  bool reserve(std::uint64_t address, unsigned size, Picoseconds time, bool claim) override {
    return socket.reserve(address, size, time, claim);
  }
  Picoseconds alone_until() const override { return socket.bus() != nullptr ? socket.bus()->alone_until() : 0; }
  void written(std::uint64_t address, unsigned size) override {
    if (socket.bus() != nullptr) socket.bus()->written(address, size);
  }
  bool watched(std::uint64_t address, unsigned size) const override {
    return socket.bus() != nullptr && socket.bus()->watched(address, size);
  }
  Picoseconds now() const override;
  std::uint64_t writes_of_others() const override {
    return socket.bus() != nullptr ? socket.bus()->writes_of_others() : ++writes_unseen_;
  }
  unsigned fetch(std::uint64_t address, void* data, unsigned size) override {
    return socket.debug_read(address, data, size);
  }
  bool time_counter(Picoseconds now, std::uint64_t& value) override;
  void set_supervisor_timer(std::uint64_t compare, Picoseconds now) override;

  /// A write that goes on beside the hart.
  struct Posted : PendingAccess {
    void answer(const Answer& answer) override;
    bool under_way = false;
    Picoseconds completion = 0;
    sc_core::sc_event done;
  };

  const CpuConfig config_;
  const Horizon& horizon_;
  Picoseconds quantum_;
  std::unique_ptr<Core> core_;
  Debugger debugger_;
  Posted posted_;
  std::unique_ptr<Liveness::Member> alive_;
  std::function<std::uint64_t(Picoseconds)> time_source_;
  std::function<void(std::uint64_t, Picoseconds)> supervisor_timer_;
  std::function<void(Halt)> on_halt_;
  std::function<void(const CpuTimes&)> on_times_;
  std::vector<std::function<void()>> at_boundary_;
  sc_core::sc_event wake_;
  Picoseconds time_limit_ = kNever;
  std::atomic<bool> stop_requested_{false};
  bool reset_requested_ = false;
  bool halted_ = false;

  bool held_ = false;
  bool wfi_ = false;  ///< wfi was executed, and the hart has not woken
  bool asleep_now_ = false;
  bool left_wfi_ = false;          ///< a debugger has moved pc
  bool stop_after_reset_ = false;  ///< it wants to see the first instruction
  Picoseconds asleep_from_ = 0;
  Picoseconds slept_until_ = 0;
  Picoseconds asleep_ = 0;
  std::uint64_t sleeps_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t failed_accesses_ = 0;
  std::uint64_t synchronisations_ = 0;
  Picoseconds announced_ = 0;  ///< the horizon when the hart last went on: no edge was expected before it
  std::uint64_t line_transfers_ = 0;
  bool in_access_ = false;
  bool stirred_ = false;    ///< somebody has called who changes what the hart may do, an interrupt controller say
  bool stretched_ = false;  ///< limit() is beyond the quantum, as the kernel has nothing to do
  Picoseconds idle_ = 0;    ///< then: for how long it has
  mutable std::uint64_t writes_unseen_ = 0;  ///< without a bus any number may have been made
  std::uint64_t late_interrupts_ = 0;
  Picoseconds latest_interrupt_ = 0;
};

}  // namespace vp::cpu
