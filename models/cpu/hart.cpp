#include "models/cpu/hart.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/common/archive.h"
#include "models/cpu/float_state.h"

namespace vp::cpu {
namespace {

// Local time stays below this, so that adding the time of an unlinked block never overflows. 53 days of simulated time.
constexpr Picoseconds kEndOfTime = kNever / 4;
// The counters of fast accesses are folded once so many instructions have retired since the last time, and must have
// been before they overflow: an instruction makes one such access at most.
constexpr std::uint64_t kFoldAfter = traffic::kMost / 2;

}  // namespace

std::unique_ptr<Core> Core::make(const CpuConfig& config, MemoryPort& port) {
  if (config.xlen() == 32) return std::make_unique<Hart<std::uint32_t>>(config, port);
  return std::make_unique<Hart<std::uint64_t>>(config, port);
}

template <typename Word>
Hart<Word>::Hart(const CpuConfig& config, MemoryPort& port)
    : context_(config, port),
      s_(context_.state),
      flow_(port),
      watch_(stop_, flow_),
      native_(make_native_code(context_.config)),
      timed_(context_, watch_, pages_),
      memory_(context_, timed_, watch_, pages_),
      code_(context_, timed_, memory_, pages_, native_.get()),
      executor_(context_, code_, memory_, timed_, native_.get(), *this),
      csrs_(context_),
      floats_(s_),
      traps_(context_, flow_),
      tracer_(context_, csrs_),
      debug_(context_, code_, traps_, stop_),
      cheapest_(config.cycles.least() * config.clock) {
  reset();
}

template <typename Word>
void Hart<Word>::reset() {
  const State<Word> before = s_;
  s_ = {};
  s_.time = before.time;
  s_.retired = before.retired;
  s_.mip_lines = before.mip_lines;  // they are the devices' business
  s_.gather_pending();
  s_.mcycle_offset = s_.time / context_.config.clock;
  s_.minstret_offset = s_.retired;
  if (kXlen == 64) s_.mstatus = static_cast<Word>(kMstatusUxl64 | kMstatusSxl64);
  s_.pc = static_cast<Word>(context_.config.reset_pc);
  traps_.reset();
  flow_.reset();
  executor_.unlink();
  context_.flush_blocks = true;
  memory_.flush();
  timed_.empty();
  remap();
  mode_changed();
}

template <typename Word>
void Hart<Word>::set_interrupt(Interrupt interrupt, bool level) {
  const Word bit = Word{1} << static_cast<unsigned>(interrupt);
  s_.mip_lines = level ? s_.mip_lines | bit : s_.mip_lines & ~bit;
  s_.gather_pending();
}

template <typename Word>
void Hart<Word>::set_x(unsigned i, std::uint64_t value) {
  if (i % 32 != 0) s_.x[i % 32] = static_cast<Word>(value);
}

/// The program is to save what has been changed, if it uses the registers at all.
template <typename Word>
void Hart<Word>::set_f(unsigned i, std::uint64_t value) {
  s_.f[i % 32] = value;
  if (float_on(s_)) make_float_dirty(s_);
}

template <typename Word>
void Hart<Word>::set_pc(std::uint64_t pc) {
  s_.pc = static_cast<Word>(pc) & ~Word{1};
  executor_.unlink();
  debug_.pc_moved();
}

template <typename Word>
void Hart<Word>::set_mode(Mode mode) {
  s_.mode = mode;
  mode_changed();
}

namespace {

/// Page tables as a debugger reads them.
class DebugWalk : public WalkMemory {
 public:
  DebugWalk(MemoryPort& port, unsigned size) : port_(port), size_(size) {}
  bool read_entry(std::uint64_t address, std::uint64_t& entry) override {
    entry = 0;
    return port_.fetch(address, &entry, size_) == size_;
  }
  bool write_entry(std::uint64_t, std::uint64_t) override { return false; }

 private:
  MemoryPort& port_;
  const unsigned size_;
};

}  // namespace

template <typename Word>
std::optional<std::uint64_t> Hart<Word>::translate(std::uint64_t address) const {
  if (paging(s_, data_mode(s_)) == 0) return static_cast<Word>(address);
  DebugWalk memory(context_.port, PagingScheme<Word>::kEntrySize);
  Mapping<Word> mapping;
  if (!look_up(s_, static_cast<Word>(address), memory, mapping)) return std::nullopt;
  return mapping.of(static_cast<Word>(address));
}

template <typename Word>
bool Hart<Word>::csr(unsigned number, std::uint64_t& value) const {
  Word word = 0;
  const bool there = csrs_.read(number, word);
  value = word;
  return there;
}

template <typename Word>
bool Hart<Word>::set_csr(unsigned number, std::uint64_t value) {
  Word old = 0;
  const bool read_only = number >> 10 == 3;
  if (read_only || !csrs_.read(number, old)) return false;
  take_effect(csrs_.write(number, static_cast<Word>(value), CsrWriter::debugger));
  return true;
}

template <typename Word>
void Hart<Word>::set_debug_points(const DebugPoints* points) {
  debug_.set_points(points);
  watched_ = debug_.active() || tracer_.on();
  watch_.set_points(points);
  memory_.flush();
}

template <typename Word>
void Hart<Word>::set_hooks(Hooks hooks) {
  tracer_.set_hook(std::move(hooks.trace), hooks.trace_window);
  code_.set_traced(nullptr);
  watched_ = debug_.active();
  traps_.set_hook(std::move(hooks.trap));
  watch_.set_read_only(std::move(hooks.read_only), std::move(hooks.read_only_store));
  memory_.flush();
}

template <typename Word>
void Hart<Word>::flush() {
  code_.renew();
  limit_place_ = {};
  executor_.unlink();
  enter_fidelity();
}

/// Handlers and blocks belong to one mode, so a change begins with neither.
template <typename Word>
void Hart<Word>::enter_fidelity() {
  if (context_.fidelity == wanted_fidelity_) return;
  memory_.fold();
  memory_.reservation().hand_over();
  if (wanted_fidelity_ == Fidelity::timed) memory_.entering_timed();
  timed_.changing(wanted_fidelity_);
  context_.fidelity = wanted_fidelity_;
  memory_.select();
  executor_.give_handlers();
}

/// The time up to which the inner loop may run blindly: the caller's limit, but no further than the instruction limit
/// and the next folding could be reached. Every instruction takes at least the cheapest class's cycles, so at most
/// (bound − now) / cheapest instructions start before the bound.
template <typename Word>
Picoseconds Hart<Word>::bound_of(Picoseconds until) const {
  const std::uint64_t most =
      std::min(instruction_limit_ - s_.retired, memory_.folded_at() + traffic::kMost - s_.retired);
  if (most > (kEndOfTime - s_.time) / cheapest_) return until;
  return std::min(until, s_.time + most * cheapest_);
}

template <typename Word>
Stop Hart<Word>::run(Picoseconds until) {
  until = std::min(until, kEndOfTime);
  const Stop why = until < tracer_.edge() ? run_to(until) : run_by_edges(until);
  memory_.reservation().hand_over();
  return why;
}

/// In pieces between which a trace begins or ends.
template <typename Word>
Stop Hart<Word>::run_by_edges(Picoseconds until) {
  for (;;) {
    // A trace begins and ends between two instructions, as any other limit is between two.
    if (s_.time >= tracer_.edge() && tracer_.look()) code_.set_traced(tracer_.on() ? &tracer_.window() : nullptr);
    watched_ = debug_.active() || tracer_.on();
    const Picoseconds edge = tracer_.edge();
    const Stop why = run_to(std::min(until, edge));
    if (why != Stop::kBudget || edge >= until) return why;
  }
}

template <typename Word>
Stop Hart<Word>::run_to(Picoseconds until) {
  for (;;) {
    if (code_.stale()) flush();
    if (flow_.take_changed()) memory_.flush();
    if (const std::uint8_t asked = stop_.asked()) return asked & StopControl::caller ? Stop::kStopped : Stop::kDebug;
    if (s_.retired >= instruction_limit_) return Stop::kInstructionLimit;
    if (s_.time >= until) return Stop::kBudget;
    if (traps_.interrupt_ready() && !enter_trap(traps_.take_interrupt())) return Stop::kUnhandledTrap;
    if (s_.retired - memory_.folded_at() > kFoldAfter) memory_.fold();
    bool stop = false;
    const Picoseconds bound = bound_of(until);
    const Stop why = watched_ ? run_watched(bound, stop) : run_blocks(bound, stop);
    if (stop) return why;
  }
}

/// run_block() under a debugger, which looks at pc first and at the way of a step behind it, or a trace.
template <typename Word>
Stop Hart<Word>::run_watched(Picoseconds bound, bool& stop) {
  if (debug_.active() && debug_.holds()) {
    stop = true;
    return Stop::kDebug;
  }
  const bool one = debug_.active() && debug_.one_instruction();
  Stop why = Stop::kBudget;
  if (tracer_.traces(s_.pc)) {
    Block* const block = code_.single_at_pc();
    if (ready(block, why, stop)) why = trace_step(block, stop);
  } else {
    why = run_block(one ? code_.single_at_pc() : code_.at_pc(), one ? 0 : bound, stop);
  }
  if (debug_.active()) debug_.ran();
  return why;
}

/// Brings in the code of the block at pc. False: it cannot be executed now, or not at all.
template <typename Word>
[[gnu::always_inline]] inline bool Hart<Word>::ready(const Block* block, Stop& why, bool& stop) {
  context_.port_used = false;
  if (!block && code_.walked()) {
    stop = true;
    why = Stop::kAccess;
    return false;
  }
  if (!block) {
    executor_.unlink();
    ++context_.trapped;
    s_.time += context_.config.cycles[InstructionClass::kSystem] * context_.config.clock;
    stop = finish(Outcome::trap, why);
    return false;
  }
  if (context_.fidelity != Fidelity::timed || timed_.fetch_step(*block)) return true;
  stop = true;
  why = Stop::kAccess;
  return false;
}

/// From where the last limit came, if that is still pc's place, or from the start of a block.
template <typename Word>
Stop Hart<Word>::run_blocks(Picoseconds bound, bool& stop) {
  const auto [block, op] = std::exchange(limit_place_, {});
  const bool there = block && block->sound() && block->mode == s_.mode &&
                     s_.pc == static_cast<Word>(block->pc + block->info[op->index].offset);
  if (!there) return run_block(code_.at_pc(), bound, stop);
  Stop why = Stop::kBudget;
  return ready(block, why, stop) ? run_from(block, op, bound, stop) : why;
}

/// From the start of this block, which is that at pc; nullptr: there is none. A bound of 0: it is one instruction, for
/// a debugger, and nothing leads to it.
template <typename Word>
Stop Hart<Word>::run_block(Block* block, Picoseconds bound, bool& stop) {
  Stop why = Stop::kBudget;
  if (!ready(block, why, stop)) return why;
  if (bound == 0)
    executor_.unlink();
  else
    executor_.link(block);
  return run_from(block, block->ops(), bound, stop);
}

/// Runs on until the inner loop has to be left for good; a bound of 0: to the end of the block. Close to the limit only
/// part of a block is run, as its time is only known after its memory accesses.
template <typename Word>
Stop Hart<Word>::run_from(Block* block, const Op* op, Picoseconds bound, bool& stop) {
  Stop why = Stop::kBudget;
  for (;;) {
    const bool whole = s_.time + block->worst <= bound;
    const Exit exit = whole ? executor_.execute(block, op, bound) : executor_.execute_part(*block, op, bound);
    if (exit == Exit::next) return why;
    block = executor_.block();
    op = executor_.op();
    if (exit == Exit::complex) {
      const Outcome outcome = complex(*op, block->info[op->index]);
      if (outcome == Outcome::go_on) executor_.complex_done();
      stop = finish(outcome, why);
      if (stop || outcome != Outcome::go_on) return why;
      ++op;
    }
    if (context_.flush_blocks || op->index == block->count) return why;
    if (s_.time < bound) continue;
    limit_place_ = {block, op};
    return why;
  }
}

/// Deals with the end of an instruction outside the inner loop. True if run() must return.
template <typename Word>
bool Hart<Word>::finish(Outcome outcome, Stop& why) {
  if (outcome == Outcome::trap && !enter_trap(traps_.take_fault())) {
    why = Stop::kUnhandledTrap;
    return true;
  }
  if (outcome == Outcome::wait) {
    why = Stop::kWaitForInterrupt;
    return true;
  }
  why = Stop::kAccess;
  return context_.port_used;
}

/// A handler has been entered, unless there is none.
template <typename Word>
bool Hart<Word>::enter_trap(bool entered) {
  if (entered) {
    executor_.unlink();
    mode_changed();
  }
  return entered;
}

template <typename Word>
Stop Hart<Word>::trace_step(Block* block, bool& stop) {
  const Op& op = block->ops()[0];
  const InstructionInfo& info = block->info[0];
  tracer_.before(op, info);
  Stop why = Stop::kBudget;
  Outcome outcome = Outcome::go_on;
  if (executor_.execute(block, &op, 0) == Exit::complex) outcome = complex(op, info);
  executor_.unlink();
  tracer_.after(op, info.opcode, outcome == Outcome::trap);
  stop = finish(outcome, why);
  return why;
}

template <typename Word>
CpuTimes Hart<Word>::times() {
  memory_.fold();
  CpuTimes times = context_.times;
  times.total = s_.time;
  const Picoseconds waited = times.idle + times.stalls();
  if (waited > times.total) throw std::logic_error("the CPU waited for longer than there was time");
  times.busy = times.total - waited;
  // Where every instruction costs the same, the busy time is known in another way, too.
  const CpuConfig& config = context_.config;
  const auto& costs = config.cycles.of_class;
  const bool uniform =
      config.cycles.branch_taken == 0 && config.cycles.least() == *std::max_element(costs.begin(), costs.end());
  if (uniform && times.busy != context_.executed() * costs[0] * config.clock)
    throw std::logic_error("busy, waiting and sleeping times of the CPU do not add up to its time");
  return times;
}

template <typename Word>
CacheFigures Hart<Word>::cache_figures() {
  memory_.fold();
  return timed_.figures();
}

template <typename Word>
void Hart<Word>::persist(Archive& archive) {
  s_.x[kSink] = 0;  // nobody's
  if (archive.loading()) {
    memory_.forget();
    context_.flush_blocks = true;
  } else {
    memory_.fold();
  }
  unsigned xlen = kXlen;
  archive.same("xlen", xlen)("state", s_);
  traps_.persist_handler(archive);
  archive("fidelity", context_.fidelity, Fidelity::timed)("wanted_fidelity", wanted_fidelity_, Fidelity::timed);
  timed_.persist_caches(archive);
  traps_.persist_records(archive);
  memory_.persist(archive);
  code_.persist(archive);
  timed_.persist_write_buffer(archive);
  archive("times", context_.times)("trapped", context_.trapped);
  timed_.persist_counts(archive);
  traps_.persist_counts(archive);
  if (!archive.loading()) return;
  memory_.loaded();
  mode_changed();
  executor_.give_handlers();  // of the present fidelity
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
