#include "models/cpu/cpu.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"
#include "models/cpu/handler_flow.h"

namespace vp::cpu {
namespace {

// The most by which the quantum is stretched while the kernel has nothing to do, so that a stop request is seen soon.
constexpr Picoseconds kLongestRun = 10'000'000'000;
// Of a picture of the CPU's time: within it the order of execution and waiting for memory is not known.
constexpr Picoseconds kLongestPiece = 1'000'000;

}  // namespace

Cpu::Cpu(sc_core::sc_module_name module_name, const CpuConfig& config, const Horizon& horizon)
    : sc_module(module_name),
      config_(config),
      horizon_(horizon),
      quantum_(config.quantum),
      core_(Core::make(config, *this)),
      debugger_(*core_, socket, [this] { left_wfi_ = wfi_; }) {
  socket.on_dmi_invalidated([this](std::uint64_t first, std::uint64_t last) { core_->invalidate_direct(first, last); });
  SC_HAS_PROCESS(Cpu);
  SC_THREAD(run);
}

/// How far the hart may run now.
Picoseconds Cpu::limit() {
  const Picoseconds now = kernel_time();
  Picoseconds limit = now + quantum_;
  stretched_ = core_->time() >= limit;
  if (stretched_) {
    // With nothing pending in the kernel before it, a longer quantum changes nothing but speed.
    idle_ = from_sc_time(sc_core::sc_time_to_pending_activity());
    limit = std::max(limit, now + std::min(idle_, kLongestRun));
  }
  return std::min({limit, horizon_.earliest(), time_limit_});
}

void Cpu::run() {
  while (held_) wait(wake_);
  if (debugger_.takes_start()) stand({DebugStop::Reason::start});
  for (;;) {
    if (!at_boundary_.empty()) keep_appointments();
    if (wfi_) sleep();
    if (reset_requested_) {
      reset_requested_ = false;
      core_->reset();
      if (!stop_requested_) core_->clear_stop();
      if (std::exchange(stop_after_reset_, false)) stand({DebugStop::Reason::reset});
    }
    const Picoseconds until = limit();
    if (core_->time() < until || stop_requested_) {
      step(until);
    } else if (core_->debug_stop_pending()) {
      stand(core_->take_debug_stop());
    } else if (core_->time() >= time_limit_) {
      halt(Halt::kTimeLimit);
    } else {
      ++synchronisations_;
      if (socket.bus() != nullptr) socket.bus()->announce(core_->time());
      synchronize(horizon_, core_->time());
    }
  }
}

void Cpu::keep_appointments() {
  synchronize(horizon_, core_->time());
  for (const auto& callback : std::exchange(at_boundary_, {})) callback();
}

void Cpu::step(Picoseconds until) {
  announced_ = std::min(horizon_.earliest(), time_limit_);
  switch (run_core(until)) {
    case Stop::kBudget:
    case Stop::kAccess:
      break;
    case Stop::kWaitForInterrupt:
      wfi_ = true;
      break;
    case Stop::kUnhandledTrap:
      if (!stand_at_fault()) halt(Halt::kUnhandledTrap);
      break;
    case Stop::kInstructionLimit:
      halt(Halt::kInstructionLimit);
      break;
    case Stop::kStopped:
      if (!reset_requested_) halt(Halt::kRequested);
      break;
    case Stop::kDebug:
      stand(core_->take_debug_stop());
      break;
  }
}

/// Stands still for a debugger, with the kernel at the hart's time.
void Cpu::stand(DebugStop why) {
  if (socket.bus() != nullptr && !asleep_now_) socket.bus()->announce(core_->time());
  synchronize(horizon_, core_->time());
  const Resume how = debugger_.stopped(std::move(why));
  core_->debug_resume(how == Resume::step);
  if (how == Resume::end) request_stop();
  stop_after_reset_ = how == Resume::reset;
}

/// Shows a trap that nobody handles. True if the debugger has changed something, so that the hart may try again.
bool Cpu::stand_at_fault() {
  if (!debugger_.engaged()) return false;
  stand({DebugStop::Reason::fault});
  return debugger_.changed() || reset_requested_;
}

/// In pieces for who draws where the time went; no figure depends on them.
Stop Cpu::run_core(Picoseconds until) {
  if (!on_times_) return core_->run(until);
  Stop why = Stop::kBudget;
  do {
    why = core_->run(std::min(until, core_->time() + kLongestPiece));
    on_times_(core_->times());
  } while (why == Stop::kBudget && core_->time() < until && !stop_requested_);
  return why;
}

/// wfi: no instruction, no event of ours until a line wakes the hart. It wakes in the instant of the line's edge.
void Cpu::sleep() {
  if (core_->debug_stop_pending()) stand(core_->take_debug_stop());  // behind wfi
  synchronize(horizon_, core_->time());
  if (!asleep_now_) {  // else a state was loaded
    asleep_from_ = kernel_time();
    ++sleeps_;
    asleep_now_ = true;
  }
  if (!must_wake()) set_alive(time_limit_ != kNever);
  if (socket.bus() != nullptr) socket.bus()->announce(kAsleep);
  while (!must_wake() && kernel_time() < time_limit_) {
    if (time_limit_ == kNever)
      wait(wake_);
    else
      wait(to_sc_time(time_limit_ - kernel_time()), wake_);
    if (core_->debug_stop_pending()) stand(core_->take_debug_stop());
  }
  if (socket.bus() != nullptr) socket.bus()->announce(kernel_time());
  set_alive(true);
  wfi_ = asleep_now_ = left_wfi_ = false;
  slept_until_ = kernel_time();
  asleep_ += slept_until_ - asleep_from_;
  core_->advance_time(kernel_time());
  if (on_times_) on_times_(core_->times());
}

void Cpu::halt(Halt why) {
  synchronize(horizon_, core_->time());
  halted_ = true;
  if (on_halt_) on_halt_(why);
  while (halted_) wait(wake_);
  core_->advance_time(kernel_time());
}

void Cpu::resume() {
  halted_ = false;
  stop_requested_ = false;
  core_->clear_stop();
  wake_.notify();
}

void Cpu::persist(Archive& archive) {
  archive("core", *core_)("posted_completion", posted_.completion)("reset_requested", reset_requested_)("wfi", wfi_)(
      "asleep_now", asleep_now_);
  archive("asleep_from", asleep_from_)("asleep", asleep_)("sleeps", sleeps_)("accesses", accesses_);
  archive("failed_accesses", failed_accesses_)("announced", announced_);
  archive("line_transfers", line_transfers_)("late_interrupts", late_interrupts_);
  archive("latest_interrupt", latest_interrupt_)("synchronisations", synchronisations_);
  bool alive = alive_ && alive_->alive();
  archive("alive", alive);
  if (archive.version() >= 2) archive("handler_flow", core_->handler_flow());
  if (!archive.loading()) return;
  if (alive_) alive_->restore(alive);
  held_ = false;
  wake_.notify();
}

void Cpu::reset() {
  // The hart may be in the middle of the store that asks for the reset, so its thread does it.
  reset_requested_ = stirred_ = true;
  core_->request_stop();
  wake_.notify();
}

void Cpu::set_interrupt(Interrupt interrupt, bool level) {
  // An edge that the horizon had not announced when the hart went on, and the hart is past it: another initiator caused
  // it and instructions after it have been executed, or the instruction under way caused it itself by its access.
  const Picoseconds now = kernel_time();
  if (level && !in_access_ && now < announced_ && now < core_->time()) {
    ++late_interrupts_;
    latest_interrupt_ = std::max(latest_interrupt_, core_->time() - now);
  }
  core_->set_interrupt(interrupt, level);
  stirred_ = true;
  if (core_->wakes()) wake_.notify();
}

/// During an access that the bus has answered by a call, so that the kernel stands where it stood: something that run()
/// or step() looks at is not as it was when the hart went on, with that horizon.
bool Cpu::moved(Picoseconds horizon) const {
  if (stirred_ || stop_requested_ || horizon_.earliest() != horizon) return true;
  return stretched_ && from_sc_time(sc_core::sc_time_to_pending_activity()) != idle_;
}

Answer Cpu::access(const vp::Access& access) {
  ++accesses_;
  in_access_ = true;
  stirred_ = false;
  Answer answer;
  AccessBus* const bus = socket.bus();
  const Picoseconds horizon = horizon_.earliest();
  if (bus == nullptr || !bus->answer_at_once(access, answer))
    answer = socket.transaction(access);
  else if (answer.moved)
    answer.moved = moved(horizon);
  if (on_times_) answer.moved = true;  // who draws a picture is told behind each
  in_access_ = false;
  if (!answer.ok()) {
    ++failed_accesses_;
    answer.moved = true;
  }
  return answer;
}

Answer Cpu::transfer(const vp::Access& access) {
  ++line_transfers_;
  in_access_ = true;
  Answer answer = socket.access(access);
  in_access_ = false;
  return answer;
}

void Cpu::Posted::answer(const Answer& answer) {
  completion = answer.completion;
  under_way = false;
  notify_now(done);
}

void Cpu::post(const vp::Access& access) {
  if (socket.bus() == nullptr) {
    posted_.completion = transfer(access).completion;
    return;
  }
  posted();
  ++line_transfers_;
  posted_.access = access;
  posted_.under_way = true;
  socket.bus()->begin(posted_);
}

Picoseconds Cpu::posted() {
  in_access_ = true;
  while (posted_.under_way) wait(posted_.done);
  in_access_ = false;
  return posted_.completion;
}

void Cpu::join(Liveness& liveness) {
  alive_ = std::make_unique<Liveness::Member>(liveness);
  alive_->set(true);
}

Picoseconds Cpu::now() const { return kernel_time(); }

bool Cpu::time_counter(Picoseconds now, std::uint64_t& value) {
  if (!time_source_) return false;
  value = time_source_(now);
  return true;
}

/// Its edge may come before any that was announced when the hart went on, or at once, caused by the hart itself.
void Cpu::set_supervisor_timer(std::uint64_t compare, Picoseconds now) {
  if (!supervisor_timer_) return;
  in_access_ = true;
  supervisor_timer_(compare, now);
  in_access_ = false;
  announced_ = std::min(announced_, horizon_.earliest());
}

Figures Cpu::figures() const {
  Figures figures;
  figures.instructions = core_->retired();
  figures.cycles = core_->time() / config_.clock;
  figures.sleep_cycles = asleep_ / config_.clock;
  figures.sleeps = sleeps_;
  figures.device_accesses = accesses_;
  figures.line_transfers = line_transfers_;
  figures.failed_accesses = failed_accesses_;
  figures.synchronisations = synchronisations_;
  figures.late_interrupts = late_interrupts_;
  figures.latest_interrupt = latest_interrupt_;
  figures.time = time_figures();
  const CacheFigures caches = core_->cache_figures();
  figures.icache = {caches.fetches - caches.missed_fetches, caches.missed_fetches, caches.instruction->fills(),
                    caches.instruction->evictions()};
  if (const Cache* data = caches.data)
    figures.dcache = {data->read_hits(), data->read_misses(), data->write_hits(), data->write_misses(),
                      data->fills(),     data->evictions(),   data->write_backs()};
  figures.traps = trap_figures();
  return figures;
}

TimeFigures Cpu::time_figures() const {
  const CpuTimes times = core_->times();
  const auto cycles = [this](Picoseconds time) {
    return static_cast<double>(time) / static_cast<double>(config_.clock);
  };
  return {cycles(times.total),     cycles(times.busy),       cycles(times.idle),       cycles(times.fetch_miss),
          cycles(times.load_miss), cycles(times.store_miss), cycles(times.write_back), cycles(times.cache_hit),
          cycles(times.memory),    cycles(times.bus)};
}

TrapFigures Cpu::trap_figures() const {
  TrapFigures figures;
  for (unsigned cause = 0; cause < kCauses; ++cause)
    if (const std::uint64_t taken = core_->exceptions_taken()[cause])
      figures.exceptions.emplace_back(exception_name(cause), taken);
  const auto taken = [this](Interrupt interrupt) {
    return core_->interrupts_taken()[static_cast<unsigned>(interrupt)];
  };
  for (const Interrupt interrupt :
       {Interrupt::supervisor_software, Interrupt::supervisor_timer, Interrupt::supervisor_external})
    if (taken(interrupt) != 0) figures.supervisor.emplace_back(interrupt_name(interrupt), taken(interrupt));
  figures.software_interrupt = taken(Interrupt::machine_software);
  figures.timer_interrupt = taken(Interrupt::machine_timer);
  figures.external_interrupt = taken(Interrupt::machine_external);
  return figures;
}

void Cpu::bounds(Bounds& bounds) const {
  const CpuTimes times = core_->times();
  HostUse use;
  use.name = basename();
  use.total = times.total;
  use.executing = times.busy + times.cache_hit;
  use.bus = times.bus;
  use.memory = times.fetch_miss + times.load_miss + times.store_miss + times.write_back + times.memory;
  use.asleep = times.idle;
  use.instructions = core_->retired();
  bounds.hosts.push_back(use);
}

void Cpu::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp::cpu
