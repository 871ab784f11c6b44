#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/cpu/access_watch.h"
#include "models/cpu/code_store.h"
#include "models/cpu/core.h"
#include "models/cpu/csr_file.h"
#include "models/cpu/debug_unit.h"
#include "models/cpu/executor.h"
#include "models/cpu/float_unit.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/load_store_unit.h"
#include "models/cpu/stop_control.h"
#include "models/cpu/timed_memory.h"
#include "models/cpu/tracer.h"
#include "models/cpu/trap_unit.h"

namespace vp::cpu {

/// The interpreter of one register width: the run loop over its units (hart.cpp), and the instructions that the
/// executor does not do, because they need several units (complex.cpp).
template <typename Word>
class Hart final : public Core, private CalledInstructions {
 public:
  Hart(const CpuConfig& config, MemoryPort& port);

  void reset() override;
  Stop run(Picoseconds until) override;
  Picoseconds time() const override { return s_.time; }
  void advance_time(Picoseconds time) override {
    if (time <= s_.time) return;
    context_.times.idle += time - s_.time;
    s_.time = time;
  }
  void set_interrupt(Interrupt interrupt, bool level) override;
  bool wakes() const override { return (s_.mip & s_.mie) != 0; }
  bool generates_code() const override { return native_ != nullptr; }
  unsigned xlen() const override { return kXlen; }
  std::uint64_t pc() const override { return s_.pc; }
  void set_pc(std::uint64_t pc) override;
  std::uint64_t x(unsigned i) const override { return s_.x[i % 32]; }
  void set_x(unsigned i, std::uint64_t value) override;
  bool floating() const override { return context_.config.floating(); }
  std::uint64_t f(unsigned i) const override { return s_.f[i % 32]; }
  void set_f(unsigned i, std::uint64_t value) override;
  Mode mode() const override { return s_.mode; }
  void set_mode(Mode mode) override;
  bool csr(unsigned number, std::uint64_t& value) const override;
  bool set_csr(unsigned number, std::uint64_t value) override;
  std::optional<std::uint64_t> translate(std::uint64_t address) const override;
  std::uint64_t retired() const override { return s_.retired; }
  void set_instruction_limit(std::uint64_t retired) override { instruction_limit_ = retired; }
  void request_stop() override { stop_.ask(StopControl::caller); }
  void clear_stop() override { stop_.clear(StopControl::caller); }
  void set_debug_points(const DebugPoints* points) override;
  void request_debug_stop() override { stop_.ask(StopControl::debugger); }
  bool debug_stop_pending() const override { return stop_.asked() & StopControl::debugger; }
  DebugStop take_debug_stop() override { return stop_.take(); }
  void debug_resume(bool step) override { debug_.resume(step); }
  void set_fidelity(Fidelity fidelity) override {
    wanted_fidelity_ = fidelity;
    if (wanted_fidelity_ != context_.fidelity) context_.flush_blocks = true;
  }
  Fidelity fidelity() const override { return context_.fidelity; }
  void set_hooks(Hooks hooks) override;
  void set_tracing(bool on) override { tracer_.pause(!on); }
  const TrapRecord& last_trap() const override { return traps_.last(); }
  const TrapRecord& trap_before() const override { return traps_.before(); }
  void invalidate_direct(std::uint64_t first, std::uint64_t last) override { memory_.invalidate_direct(first, last); }
  void invalidate_code() override { code_.suspect_all(); }
  std::vector<DirectTraffic> direct_traffic() const override { return memory_.direct_traffic(); }
  const std::array<std::uint64_t, kCauses>& exceptions_taken() const override { return traps_.exceptions(); }
  const std::array<std::uint64_t, kCauses>& interrupts_taken() const override { return traps_.interrupts(); }
  CpuTimes times() override;
  CacheFigures cache_figures() override;
  HandlerFlow& handler_flow() override { return flow_; }
  const HandlerFlow& handler_flow() const override { return flow_; }
  void persist(Archive& archive) override;

 private:
  static constexpr unsigned kXlen = 8 * sizeof(Word);

  /// How an instruction outside the inner loop ended.
  enum class Outcome : std::uint8_t {
    go_on,  ///< the block may go on
    next,   ///< the run loop must look at everything afresh
    trap,   ///< the context's fault is to be taken
    wait,   ///< wfi without a pending interrupt
  };
  using Exit = typename Executor<Word>::Exit;

  // hart.cpp
  Stop run_by_edges(Picoseconds until);
  Stop run_to(Picoseconds until);
  Stop run_blocks(Picoseconds bound, bool& stop);
  Stop run_block(Block* block, Picoseconds bound, bool& stop);
  Stop run_from(Block* block, const Op* op, Picoseconds bound, bool& stop);
  Stop run_watched(Picoseconds bound, bool& stop);
  bool ready(const Block* block, Stop& why, bool& stop);
  Stop trace_step(Block* block, bool& stop);
  bool finish(Outcome outcome, Stop& stop);
  bool enter_trap(bool entered);
  Picoseconds bound_of(Picoseconds until) const;
  void flush();
  void enter_fidelity();

  // complex.cpp
  Outcome complex(const Op& op, const InstructionInfo& info);
  Outcome dispatch_complex(const Op& op, const InstructionInfo& info);
  Outcome load_store(const Op& op, Opcode opcode);
  Outcome float_instruction(const Op& op, const InstructionInfo& info);
  Outcome float_load_store(const Op& op, Opcode opcode);
  template <typename T>
  Outcome atomic(const Op& op, Opcode base);
  template <typename T>
  Outcome store_conditional(const Op& op, Word address);
  template <typename T>
  Outcome atomic_by_port(const Op& op, Opcode base, Word address, std::uint64_t physical);
  Outcome csr_instruction(const Op& op, Opcode opcode);
  End call(const Op& op, Opcode opcode) override;
  End call_csr(const Op& op, Opcode opcode);
  void take_effect(CsrEffect effect);
  /// fence.i. True: code may have changed.
  bool fence_code() {
    timed_.invalidate_code();
    return code_.fence();
  }
  bool privileged(const Op& op, Opcode opcode);
  void mode_changed() {
    memory_.select();
    code_.select();
  }
  void remap() {
    limit_place_ = {};
    code_.forget_mappings();
    memory_.forget_mappings();
  }
  void remap(Word address) {
    limit_place_ = {};
    code_.forget_mapping(address);
    memory_.forget_mapping(address);
  }
  Outcome trap(Cause cause, Word value) {
    context_.set_fault(cause, value);
    return Outcome::trap;
  }

  HartContext<Word> context_;
  State<Word>& s_;
  StopControl stop_;
  HandlerFlow flow_;
  AccessWatch watch_;
  CodePages pages_;
  std::unique_ptr<NativeCode> native_;  ///< nullptr: everything is interpreted
  TimedMemory<Word> timed_;
  LoadStoreUnit<Word> memory_;
  CodeStore<Word> code_;
  Executor<Word> executor_;
  CsrFile<Word> csrs_;
  FloatUnit<Word> floats_;
  TrapUnit<Word> traps_;
  Tracer<Word> tracer_;
  DebugUnit<Word> debug_;

  /// Where run() came to its limit inside of a block, to go on there.
  struct Place {
    Block* block = nullptr;  ///< or nullptr
    const Op* op = nullptr;
  };
  Place limit_place_;

  const Picoseconds cheapest_;  ///< no instruction takes less time
  Fidelity wanted_fidelity_ = Fidelity::functional;
  bool watched_ = false;  ///< by a debugger or a trace
  std::uint64_t instruction_limit_ = ~std::uint64_t{0};
};

}  // namespace vp::cpu
