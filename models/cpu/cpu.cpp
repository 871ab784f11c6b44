#include "models/cpu/cpu.h"

#include <algorithm>
#include <string>

#include "models/common/tlm_time.h"

namespace vp::cpu {
namespace {

// The most by which the quantum is stretched while the kernel has nothing to do, so that a stop request is seen soon.
constexpr Picoseconds kLongestRun = 1'000'000'000;

const char* const kExceptionNames[16] = {"instruction_misaligned",
                                         "instruction_access_fault",
                                         "illegal_instruction",
                                         "breakpoint",
                                         "load_misaligned",
                                         "load_access_fault",
                                         "store_misaligned",
                                         "store_access_fault",
                                         "ecall_from_user",
                                         nullptr,
                                         nullptr,
                                         "ecall_from_machine",
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};

}  // namespace

Cpu::Cpu(sc_core::sc_module_name module_name, const CpuConfig& config, const Horizon& horizon)
    : sc_module(module_name), config_(config), horizon_(horizon), core_(Core::make(config, *this)) {
  socket.on_dmi_invalidated([this](std::uint64_t first, std::uint64_t last) { core_->invalidate_direct(first, last); });
  SC_HAS_PROCESS(Cpu);
  SC_THREAD(run);
}

/// How far the hart may run now.
Picoseconds Cpu::limit() const {
  const Picoseconds now = kernel_time();
  Picoseconds limit = now + config_.quantum;
  if (core_->time() >= limit) {
    // With nothing pending in the kernel before it, a longer quantum changes nothing but speed.
    const Picoseconds idle = from_sc_time(sc_core::sc_time_to_pending_activity());
    limit = std::max(limit, now + std::min(idle, kLongestRun));
  }
  return std::min({limit, horizon_.earliest(), time_limit_});
}

void Cpu::run() {
  for (;;) {
    if (reset_requested_) {
      reset_requested_ = false;
      core_->reset();
      if (!stop_requested_) core_->clear_stop();
    }
    const Picoseconds until = limit();
    if (core_->time() < until || stop_requested_) {
      step(until);
    } else if (core_->time() >= time_limit_) {
      halt(Halt::kTimeLimit);
    } else {
      ++synchronisations_;
      if (socket.bus() != nullptr) socket.bus()->announce(core_->time());
      synchronize(horizon_, core_->time());
    }
  }
}

void Cpu::step(Picoseconds until) {
  ran_until_ = until;
  switch (core_->run(until)) {
    case Stop::kBudget:
    case Stop::kAccess:
      break;
    case Stop::kWaitForInterrupt:
      sleep();
      break;
    case Stop::kUnhandledTrap:
      halt(Halt::kUnhandledTrap);
      break;
    case Stop::kInstructionLimit:
      halt(Halt::kInstructionLimit);
      break;
    case Stop::kStopped:
      if (!reset_requested_) halt(Halt::kRequested);
      break;
  }
}

/// wfi: no instruction, no event of ours until a line wakes the hart. It wakes in the instant of the line's edge.
void Cpu::sleep() {
  synchronize(horizon_, core_->time());
  const Picoseconds from = kernel_time();
  ++sleeps_;
  if (!must_wake()) set_alive(time_limit_ != kNever);
  while (!must_wake() && kernel_time() < time_limit_) {
    if (time_limit_ == kNever)
      wait(wake_);
    else
      wait(to_sc_time(time_limit_ - kernel_time()), wake_);
  }
  set_alive(true);
  asleep_ += kernel_time() - from;
  if (on_sleep_) on_sleep_(from, kernel_time());
  core_->advance_time(kernel_time());
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

void Cpu::reset() {
  // The hart may be in the middle of the store that asks for the reset, so its thread does it.
  reset_requested_ = true;
  core_->request_stop();
  wake_.notify();
}

void Cpu::set_interrupt(Interrupt interrupt, bool level) {
  // An edge that the horizon did not announce, from another initiator's doing: instructions after it have been
  // executed.
  const Picoseconds now = kernel_time();
  if (level && !in_access_ && now < ran_until_ && now < core_->time()) {
    ++late_interrupts_;
    latest_interrupt_ = std::max(latest_interrupt_, core_->time() - now);
  }
  core_->set_interrupt(interrupt, level);
  if (core_->wakes()) wake_.notify();
}

Answer Cpu::access(const vp::Access& access) {
  ++accesses_;
  in_access_ = true;
  Answer answer = socket.access(access);
  in_access_ = false;
  if (!answer.ok()) ++failed_accesses_;
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
  done.notify();
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

/// The parts as fractions of cycles are exact: they add up to the total.
void Cpu::report_times(Statistics& statistics) const {
  const CpuTimes times = core_->times();
  Statistics& group = statistics.group("time", "where the CPU's time has gone: total = busy + idle + stalls");
  const auto add = [&](const char* name, Picoseconds time, const char* what) {
    group.add(name, static_cast<double>(time) / static_cast<double>(config_.clock), "cycles", what);
  };
  add("total", times.total, "since the start");
  add("busy", times.busy, "executing instructions");
  add("idle", times.idle, "asleep in wfi, or halted");
  add("stall_fetch_miss", times.fetch_miss, "waiting for lines of the instruction cache");
  add("stall_load_miss", times.load_miss, "loads waiting for lines of the data cache");
  add("stall_store_miss", times.store_miss, "stores waiting for lines of the data cache");
  add("stall_write_back", times.write_back, "waiting for room in the write buffer");
  add("stall_cache_hit", times.cache_hit, "cpu.dcache.hit_cycles of every cached access");
  add("stall_memory", times.memory, "accesses to memory by host pointer, without a cache");
  add("stall_bus", times.bus, "accesses through the bus model: devices, uncached memory");
}

void Cpu::report_caches(Statistics& statistics) const {
  const CacheFigures figures = core_->cache_figures();
  Statistics& instruction = statistics.group("icache", "instruction cache; it works in timed mode");
  instruction.add("hits", figures.fetches - figures.missed_fetches, "1", "instructions whose code was there");
  instruction.add("misses", figures.missed_fetches, "1", "instructions that waited for their code");
  instruction.add("fills", figures.instruction->fills(), "1", "lines brought in");
  instruction.add("evictions", figures.instruction->evictions(), "1", "lines that made room for another");
  if (!figures.data) return;
  Statistics& data = statistics.group("dcache", "data cache; it works in timed mode");
  data.add("read_hits", figures.data->read_hits(), "1", "loads");
  data.add("read_misses", figures.data->read_misses(), "1", "loads");
  data.add("write_hits", figures.data->write_hits(), "1", "stores");
  data.add("write_misses", figures.data->write_misses(), "1", "stores");
  data.add("fills", figures.data->fills(), "1", "lines brought in");
  data.add("evictions", figures.data->evictions(), "1", "lines that made room for another");
  data.add("write_backs", figures.data->write_backs(), "1", "of these, dirty ones written to memory");
}

void Cpu::report(Statistics& statistics) const {
  const std::uint64_t cycles = core_->time() / config_.clock;
  statistics.add("instructions", core_->retired(), "1", "instructions retired");
  statistics.add("cycles", cycles, "cycles", "clock cycles since the start, sleep included");
  statistics.add("sleep_cycles", asleep_ / config_.clock, "cycles", "clock cycles spent in wfi");
  statistics.add("sleeps", sleeps_, "1", "times that wfi found no interrupt pending");
  statistics.add("device_accesses", accesses_, "1", "loads and stores that went through the bus model");
  statistics.add("line_transfers", line_transfers_, "1", "transactions of the caches");
  statistics.add("failed_accesses", failed_accesses_, "1", "of these, answered with an error");
  statistics.add("synchronisations", synchronisations_, "1", "times the CPU waited for the kernel to catch up");
  statistics.add("late_interrupts", late_interrupts_, "1",
                 "interrupts from another initiator's doing that arrived while the CPU was ahead");
  statistics.add("latest_interrupt", latest_interrupt_, "ps", "the most by which one was late");
  report_times(statistics);
  report_caches(statistics);
  Statistics& traps = statistics.group("traps", "traps taken by cause");
  for (unsigned cause = 0; cause < 16; ++cause)
    if (kExceptionNames[cause] && core_->exceptions_taken()[cause])
      traps.add(kExceptionNames[cause], core_->exceptions_taken()[cause], "1", "exceptions");
  traps.add("software_interrupt", core_->interrupts_taken()[3], "1", "interrupts");
  traps.add("timer_interrupt", core_->interrupts_taken()[7], "1", "interrupts");
  traps.add("external_interrupt", core_->interrupts_taken()[11], "1", "interrupts");
}

}  // namespace vp::cpu
