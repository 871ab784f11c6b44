#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/cpu/block_cache.h"
#include "models/cpu/core.h"
#include "models/cpu/pmp.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

/// The caches that a configuration asks for. Throw UserError for sizes that cannot be.
CacheConfig instruction_cache_config(const CpuConfig& config);
CacheConfig data_cache_config(const CpuConfig& config);

/// The interpreter of one register width. hart.cpp: run loop; blocks.cpp: decoding; execute.cpp: inner loop;
/// complex.cpp: instructions that leave it; memory.cpp: data accesses; cached.cpp: caches; csr.cpp; trap.cpp.
template <typename Word>
class Hart final : public Core {
 public:
  Hart(const CpuConfig& config, MemoryPort& port);

  void reset() override;
  Stop run(Picoseconds until) override;
  Picoseconds time() const override { return s_.time; }
  void advance_time(Picoseconds time) override {
    if (time <= s_.time) return;
    times_.idle += time - s_.time;
    s_.time = time;
  }
  void set_interrupt(Interrupt interrupt, bool level) override;
  bool wakes() const override { return (s_.mip & s_.mie) != 0; }
  unsigned xlen() const override { return kXlen; }
  std::uint64_t pc() const override { return s_.pc; }
  void set_pc(std::uint64_t pc) override {
    s_.pc = static_cast<Word>(pc) & ~Word{1};
    link_ = nullptr;
    pc_moved_ = true;
  }
  std::uint64_t x(unsigned i) const override { return s_.x[i % 32]; }
  void set_x(unsigned i, std::uint64_t value) override;
  Mode mode() const override { return s_.mode; }
  bool csr(unsigned number, std::uint64_t& value) const override;
  std::uint64_t retired() const override { return s_.retired; }
  void set_instruction_limit(std::uint64_t retired) override { instruction_limit_ = retired; }
  void request_stop() override { stop_.fetch_or(kStopForCaller, std::memory_order_relaxed); }
  void clear_stop() override { stop_.fetch_and(static_cast<std::uint8_t>(~kStopForCaller), std::memory_order_relaxed); }
  bool set_csr(unsigned number, std::uint64_t value) override;
  void set_mode(Mode mode) override;
  std::optional<std::uint64_t> translate(std::uint64_t address) const override { return static_cast<Word>(address); }
  void set_debug_points(const DebugPoints* points) override;
  void request_debug_stop() override { stop_.fetch_or(kStopForDebugger, std::memory_order_relaxed); }
  bool debug_stop_pending() const override { return stop_.load(std::memory_order_relaxed) & kStopForDebugger; }
  DebugStop take_debug_stop() override;
  void debug_resume(bool step) override;
  void set_fidelity(Fidelity fidelity) override {
    wanted_fidelity_ = fidelity;
    if (wanted_fidelity_ != fidelity_) flush_blocks_ = true;
  }
  Fidelity fidelity() const override { return fidelity_; }
  void set_hooks(Hooks hooks) override {
    hooks_ = std::move(hooks);
    trace_from_ = hooks_.trace ? hooks_.trace_from : kNever;
    watching_ = hooks_.read_only_store && !hooks_.read_only.empty();
    if (watching_) flush_tlbs();
  }
  const TrapRecord& last_trap() const override { return last_trap_; }
  const TrapRecord& trap_before() const override { return trap_before_; }
  void invalidate_direct(std::uint64_t first, std::uint64_t last) override;
  void invalidate_code() override { flush_blocks_ = true; }
  std::vector<DirectTraffic> direct_traffic() const override;
  const std::array<std::uint64_t, kCauses>& exceptions_taken() const override { return exceptions_taken_; }
  const std::array<std::uint64_t, kCauses>& interrupts_taken() const override { return interrupts_taken_; }
  CpuTimes times() override;
  CacheFigures cache_figures() override;
  void persist(Archive& archive) override;

 private:
  using SignedWord = std::make_signed_t<Word>;
  static constexpr unsigned kXlen = 8 * sizeof(Word);

  /// How the inner loop ended.
  enum class Exit : std::uint8_t {
    kNext,     ///< state is at the start of another block
    kComplex,  ///< state is at an instruction for complex(): exit_block_, exit_op_
  };
  /// How an instruction outside the inner loop ended.
  enum class Outcome : std::uint8_t {
    kContinue,  ///< the block may go on
    kNext,      ///< the run loop must look at everything afresh
    kTrap,      ///< trap_ is to be taken
    kWait,      ///< wfi without a pending interrupt
  };
  /// Who writes a CSR.
  enum class Writer : std::uint8_t { instruction, debugger };
  struct PendingTrap {
    Cause cause = Cause::illegal_instruction;
    Word value = 0;
  };
  /// Of the instruction that comes next.
  struct Moment {
    Picoseconds time = 0;
    std::uint64_t retired = 0;
  };
  struct Region {
    DmiRegion direct;
    DirectTraffic traffic;
    bool active = true;
    void persist(Archive& archive);
  };

  // hart.cpp
  Stop run_to(Picoseconds until);
  Stop run_block(Picoseconds bound, bool& stop);
  Stop trace_step(Block* block, bool& stop);
  bool fetch_step(const Block& block);
  bool finish(Outcome outcome, Stop& stop);
  Picoseconds bound_of(Picoseconds until) const;
  void flush();

  // debugged.cpp
  Stop run_debugged(Picoseconds bound, bool& stop);
  bool stops_at_pc(DebugStop& why);
  void stop_for_debugger(DebugStop why);
  std::uint64_t progress() const;
  void note_access(bool write, Word address, unsigned size);
  bool told_of(bool write, std::uint64_t first, std::uint64_t size) const;

  // blocks.cpp
  Block* block_at_pc();
  Block* single_at_pc();
  bool stops_block(Word address, Opcode opcode) const;
  Block* build(BlockCache& cache, unsigned most);
  void fuse(Block* block);
  unsigned read_code(Word address, std::uint8_t* bytes, unsigned size);
  Word key() const { return s_.pc | (s_.mode == Mode::kUser ? 1 : 0); }
  unsigned cycles_of(const Instruction& instruction) const { return config_.cycles[instruction.cls]; }

  // execute.cpp
  static constexpr std::size_t pair_index(Opcode first, Opcode second) {
    return static_cast<std::size_t>(first) * kFastOpcodes + static_cast<std::size_t>(second);
  }
  Exit execute(Block* block, const Op* op, Picoseconds until);
  template <bool kTimed>
  Exit execute_as(Block* block, const Op* op, Picoseconds until);
  PageLookup<Word> lookup_of(std::false_type) { return PageLookup<Word>(*tlb_); }
  LineLookup<Word> lookup_of(std::true_type) { return line_lookup(*lines_); }

  // complex.cpp
  Outcome complex(const Op& op, const InstructionInfo& info);
  Outcome dispatch_complex(const Op& op, const InstructionInfo& info);
  Outcome load_store(const Op& op, Opcode opcode);
  template <typename T>
  Outcome atomic(const Op& op, Opcode base);
  template <typename T>
  Outcome store_conditional(const Op& op, Word address);
  template <typename T>
  Outcome atomic_by_port(const Op& op, Opcode base, Word address);
  Outcome csr_instruction(const Op& op, Opcode opcode);
  Outcome trap(Cause cause, Word value) {
    trap_ = {cause, value};
    return Outcome::kTrap;
  }

  // memory.cpp
  bool allowed(Access access, std::uint64_t address, unsigned size);
  bool load(Word address, unsigned size, std::uint64_t& value);
  bool load_unseen(Word address, unsigned size);
  bool store(Word address, unsigned size, std::uint64_t value);
  bool transfer(bool write, Word address, std::uint8_t* data, unsigned size);
  bool transfer_unaligned(bool write, Word address, std::uint8_t* data, unsigned size);
  bool transfer_part(bool write, Word address, std::uint8_t* data, unsigned size);
  bool read_only(std::uint64_t address, std::uint64_t size) const;
  void watch_store(Word address, unsigned size);
  vp::Access access_of(bool write, std::uint64_t address, std::uint8_t* data, unsigned size) const;
  bool by_host_pointer(bool write, Word address);
  void keep_slow(bool write, Word address);
  bool reserve(Word address, unsigned size, bool claim);
  TlbEntry<Word>* tlb_entry(bool write, Word address);
  bool grant(bool write, Word address, unsigned& region);
  void use_tlb_of_mode();
  void flush_tlbs();
  void drop_entry(bool write, Tlb<Word>& tlb, std::size_t slot);
  void add_traffic(bool write, unsigned region, std::uint64_t packed);
  void fold_traffic();
  Mode data_mode() const {
    return s_.mstatus & kMstatusMprv ? static_cast<Mode>(s_.mstatus >> kMstatusMppShift & 3) : s_.mode;
  }

  // cached.cpp
  void make_line_tables();
  LineLookup<Word> line_lookup(LineTable<Word>& table);
  void enter_fidelity();
  std::uint64_t block_boundary() const;
  void find_code_lines(Block& block, unsigned size);
  bool fetch(const Block& block);
  std::optional<DmiRegion> cacheable(bool write, std::uint64_t line, unsigned size);
  bool access_cached(bool write, Word address, std::uint8_t* data, unsigned size, const DmiRegion& region);
  bool move_line(bool write, std::uint64_t address, unsigned size, const DmiRegion& region, Picoseconds& cause);
  void await_write_buffer();
  void post_write(std::uint64_t address, unsigned size, const DmiRegion& region);
  void install_line(Word address, std::uint64_t line);
  void fold_line(bool write, TlbEntry<Word>& entry);
  void drop_line_entries(Word address);
  void fold_lines(bool drop);
  void empty_caches();

  // state.cpp
  void drop_derived();

  // csr.cpp
  bool read_csr(unsigned number, Word& value) const;
  bool read_counter(unsigned number, Word& value) const;
  bool write_csr(unsigned number, Word value, Writer writer);
  bool write_pmp_csr(unsigned number, Word value);
  bool csr_accessible(unsigned number, bool write) const;
  Moment after(Writer writer) const;
  void write_counter(unsigned number, Word value, const Moment& after);
  void write_mcountinhibit(std::uint32_t value, const Moment& after);
  std::uint64_t cycle_counter(Picoseconds at) const;
  std::uint64_t instret_counter(std::uint64_t retired) const;

  // trap.cpp
  bool interrupt_ready() const;
  bool take_interrupt();
  bool take_trap();
  bool enter_trap(bool interrupt, unsigned cause, Word value);
  void return_from_machine();

  State<Word> s_;
  std::array<Tlb<Word>, 2> tlbs_;
  Tlb<Word>* tlb_ = &tlbs_[1];  ///< of the mode that data accesses have now
  std::array<LineTable<Word>, 2> line_tables_;
  LineTable<Word>* lines_ = &line_tables_[1];  ///< likewise
  BlockCache blocks_;
  BlockCache singles_;  ///< blocks of one instruction, for the last steps before a limit and for traces
  std::array<const void*, 256> handlers_{};
  std::array<const void*, kFastOpcodes * kFastOpcodes> fused_{};  ///< handlers of pairs, see pair_index
  const void* end_of_block_ = nullptr;

  const CpuConfig config_;
  const Picoseconds cheapest_;  ///< no instruction takes less time
  MemoryPort& port_;
  Fidelity fidelity_ = Fidelity::functional;
  Fidelity wanted_fidelity_ = Fidelity::functional;
  Cache icache_;
  std::optional<Cache> dcache_;
  Hooks hooks_;
  Picoseconds trace_from_ = kNever;    ///< kNever if nothing is traced
  bool watching_ = false;              ///< for a store into a range of hooks_.read_only
  std::atomic<std::uint8_t> stop_{0};  ///< who asks for it
  static constexpr std::uint8_t kStopForCaller = 1, kStopForDebugger = 2;
  std::uint64_t instruction_limit_ = ~std::uint64_t{0};

  const DebugPoints* points_ = nullptr;  ///< nullptr if there is no debugger
  DebugStop debug_stop_;                 ///< what it is to be told
  bool stepping_ = false;
  std::uint64_t resumed_at_ = ~std::uint64_t{0};  ///< progress() when it let the hart go on
  Word resumed_pc_ = 0;
  bool pc_moved_ = false;  ///< by the debugger, since it stopped the hart

  Block* exit_block_ = nullptr;
  const Op* exit_op_ = nullptr;
  Block** link_ = nullptr;  ///< link of the block just left that the next lookup can fill in
  bool flush_blocks_ = false;
  bool port_used_ = false;  ///< the instruction went through MemoryPort::access
  bool mtvec_written_ = false;
  PendingTrap trap_;
  unsigned refused_by_ = kNoPmpEntry;  ///< of the fault that is to be taken: TrapRecord::pmp
  bool misaligned_ = false;            ///< likewise
  TrapRecord last_trap_;
  TrapRecord trap_before_;
  unsigned repeated_traps_ = 0;    ///< times the last trap has come again, without an mret in between
  Picoseconds worst_latency_ = 0;  ///< of any region granted
  std::vector<Region> regions_;
  std::array<std::uint64_t, kTlbEntries> refused_;   ///< pages for which direct access was refused: address | write
  std::vector<DmiRegion> contents_;                  ///< memory that is cached
  std::array<std::uint64_t, kTlbEntries> uncached_;  ///< pages that are known not to be
  Picoseconds hit_time_ = 0;                         ///< added to each access that the data cache sees
  Picoseconds write_buffer_free_ = 0;                ///< when its last write has been done
  bool write_posted_ = false;                        ///< the port knows when
  static constexpr std::uint64_t kNothingFetched = ~std::uint64_t{0};
  std::uint64_t fetched_ = kNothingFetched;  ///< key of the block whose code the last step has brought in
  CpuTimes times_;
  std::uint64_t trapped_ = 0;  ///< instructions that took their time but did not retire
  std::uint64_t missed_fetches_ = 0;
  std::uint64_t timed_instructions_ = 0;  ///< in earlier stretches of timed mode
  std::uint64_t timed_since_ = 0;         ///< retired and trapped instructions at the start of this one
  std::uint64_t folded_at_ = 0;           ///< value of retired when traffic was folded last
  std::array<std::uint64_t, kCauses> exceptions_taken_{};
  std::array<std::uint64_t, kCauses> interrupts_taken_{};
};

}  // namespace vp::cpu
