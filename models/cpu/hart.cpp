#include "models/cpu/hart.h"

#include <algorithm>

namespace vp::cpu {
namespace {

// Local time stays below this, so that adding the time of an unlinked block never overflows. 53 days of simulated time.
constexpr Picoseconds kEndOfTime = kNever / 4;
// The counters of fast accesses are folded once so many instructions have retired since the last time, and must have
// been before they overflow: an instruction makes one such access at most.
constexpr std::uint64_t kFoldAfter = traffic::kMost / 2;
constexpr std::size_t kMostCode = std::size_t{64} << 20;

}  // namespace

std::unique_ptr<Core> Core::make(const CpuConfig& config, MemoryPort& port) {
  if (config.isa == Isa::kRv32imac) return std::make_unique<Hart<std::uint32_t>>(config, port);
  return std::make_unique<Hart<std::uint64_t>>(config, port);
}

template <typename Word>
Hart<Word>::Hart(const CpuConfig& config, MemoryPort& port)
    : config_(config),
      cheapest_(config.cycles.least() * config.clock),
      port_(port),
      icache_(instruction_cache_config(config)) {
  const CacheConfig data = data_cache_config(config);
  if (data.present) dcache_.emplace(data);
  make_line_tables();
  worst_latency_ = hit_time_;
  execute(nullptr, nullptr, 0);  // hands out its labels
  refused_.fill(kNever);
  uncached_.fill(kNever);
  reset();
}

template <typename Word>
void Hart<Word>::reset() {
  const State<Word> before = s_;
  s_ = {};
  s_.time = before.time;
  s_.retired = before.retired;
  s_.mip = before.mip;  // the lines are the devices' business
  s_.mcycle_offset = s_.time / config_.clock;
  s_.minstret_offset = s_.retired;
  if (kXlen == 64) s_.mstatus = static_cast<Word>(kMstatusUxl64);
  s_.pc = static_cast<Word>(config_.reset_pc);
  mtvec_written_ = false;
  link_ = nullptr;
  flush_blocks_ = true;
  flush_tlbs();
  empty_caches();
  use_tlb_of_mode();
}

template <typename Word>
void Hart<Word>::set_interrupt(Interrupt interrupt, bool level) {
  const Word bit = Word{1} << static_cast<unsigned>(interrupt);
  s_.mip = level ? s_.mip | bit : s_.mip & ~bit;
}

template <typename Word>
void Hart<Word>::set_x(unsigned i, std::uint64_t value) {
  if (i % 32 != 0) s_.x[i % 32] = static_cast<Word>(value);
}

template <typename Word>
void Hart<Word>::flush() {
  blocks_.clear();
  singles_.clear();
  link_ = nullptr;
  flush_blocks_ = false;
  enter_fidelity();
}

/// The time up to which the inner loop may run blindly: the caller's limit, but no further than the instruction limit
/// and the next folding could be reached. Every instruction takes at least the cheapest class's cycles, so at most
/// (bound − now) / cheapest instructions start before the bound.
template <typename Word>
Picoseconds Hart<Word>::bound_of(Picoseconds until) const {
  const std::uint64_t most = std::min(instruction_limit_ - s_.retired, folded_at_ + traffic::kMost - s_.retired);
  if (most > (kEndOfTime - s_.time) / cheapest_) return until;
  return std::min(until, s_.time + most * cheapest_);
}

template <typename Word>
Stop Hart<Word>::run(Picoseconds until) {
  until = std::min(until, kEndOfTime);
  // The fast loop ends where a trace begins, as at any other limit.
  if (s_.time < trace_from_ && trace_from_ < until) {
    const Stop why = run_to(trace_from_);
    if (why != Stop::kBudget) return why;
  }
  return run_to(until);
}

template <typename Word>
Stop Hart<Word>::run_to(Picoseconds until) {
  for (;;) {
    if (flush_blocks_ || blocks_.size() > kMostCode || singles_.size() > kMostCode) flush();
    if (const std::uint8_t asked = stop_.load(std::memory_order_relaxed))
      return asked & kStopForCaller ? Stop::kStopped : Stop::kDebug;
    if (s_.retired >= instruction_limit_) return Stop::kInstructionLimit;
    if (s_.time >= until) return Stop::kBudget;
    if (interrupt_ready() && !take_interrupt()) return Stop::kUnhandledTrap;
    if (s_.retired - folded_at_ > kFoldAfter) fold_traffic();
    bool stop = false;
    const Picoseconds bound = bound_of(until);
    const Stop why = points_ ? run_debugged(bound, stop) : run_block(bound, stop);
    if (stop) return why;
  }
}

/// Runs from pc on until the inner loop has to be left for good; a bound of 0: one instruction.
template <typename Word>
Stop Hart<Word>::run_block(Picoseconds bound, bool& stop) {
  Stop why = Stop::kBudget;
  port_used_ = false;
  Block* block = bound == 0 ? single_at_pc() : block_at_pc();
  if (!block) {
    link_ = nullptr;
    ++trapped_;
    s_.time += config_.cycles[InstructionClass::kSystem] * config_.clock;
    stop = finish(Outcome::kTrap, why);
    return why;
  }
  if (fidelity_ == Fidelity::timed && !fetch_step(*block)) {
    stop = true;
    return Stop::kAccess;
  }
  if (s_.time >= trace_from_ && s_.time < hooks_.trace_to) return trace_step(single_at_pc(), stop);
  // Close to the limit, go one instruction at a time: the block's time is only known after its memory accesses.
  bool single = false;
  if (s_.time + block->worst > bound) {
    block = single_at_pc();
    single = true;
  } else if (link_) {
    *link_ = block;
  }
  link_ = nullptr;
  const Op* op = block->ops();
  while (execute(block, op, single ? 0 : bound) == Exit::kComplex) {
    const InstructionInfo& info = exit_block_->info[exit_op_->index];
    const Outcome outcome = complex(*exit_op_, info);
    stop = finish(outcome, why);
    if (stop || outcome != Outcome::kContinue) break;
    block = exit_block_;
    op = exit_op_ + 1;
    if (single || flush_blocks_ || op->index == block->count || s_.time + block->worst > bound) break;
  }
  return why;
}

/// Fetches the block's code in timed mode. A fetch that takes time is a step of its own, after which everything is
/// looked at afresh (an interrupt may come first): then this is false. When the hart comes back to the same place, the
/// code is there, even if the cache cannot hold both lines of an instruction at once.
template <typename Word>
bool Hart<Word>::fetch_step(const Block& block) {
  const bool known = fetched_ == block.key;
  fetched_ = kNothingFetched;
  missed_fetches_ += known;  // not earlier: the run may end, or an interrupt come, before the instruction is executed
  if (known || block.fetched() || !fetch(block)) return true;
  fetched_ = block.key;
  return false;
}

/// Deals with the end of an instruction outside the inner loop. True if run() must return.
template <typename Word>
bool Hart<Word>::finish(Outcome outcome, Stop& why) {
  if (outcome == Outcome::kTrap && !take_trap()) {
    why = Stop::kUnhandledTrap;
    return true;
  }
  if (outcome == Outcome::kWait) {
    why = Stop::kWaitForInterrupt;
    return true;
  }
  why = Stop::kAccess;
  return port_used_;
}

template <typename Word>
Stop Hart<Word>::trace_step(Block* block, bool& stop) {
  const InstructionInfo& info = block->info[0];
  const Instruction instruction = decode(info.encoding, kXlen);
  TraceRecord record;
  record.time = s_.time;
  record.pc = s_.pc;
  record.encoding = info.encoding;
  record.length = info.length;
  record.mode = s_.mode;
  record.rd = instruction.rd;
  const bool memory = instruction.cls == InstructionClass::kLoad || instruction.cls == InstructionClass::kStore ||
                      instruction.cls == InstructionClass::kAmo;
  record.has_address = memory;
  if (memory) record.address = static_cast<Word>(s_.x[instruction.rs1] + static_cast<Word>(instruction.imm));
  Stop why = Stop::kBudget;
  Outcome outcome = Outcome::kContinue;
  link_ = nullptr;
  if (execute(block, block->ops(), 0) == Exit::kComplex) outcome = complex(*exit_op_, info);
  link_ = nullptr;
  record.trapped = outcome == Outcome::kTrap;
  if (record.trapped) record.rd = 0;
  record.value = s_.x[record.rd];
  hooks_.trace(record);
  stop = finish(outcome, why);
  return why;
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
