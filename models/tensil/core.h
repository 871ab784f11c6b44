#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/tensil/architecture.h"
#include "models/tensil/dram_port.h"
#include "models/tensil/findings.h"
#include "models/tensil/isa.h"
#include "models/tensil/simd_unit.h"
#include "models/tensil/systolic_array.h"
#include "models/tensil/thread_order.h"
#include "models/tensil/timing.h"
#include "models/tensil/vector_memory.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// What becomes of an instruction that is illegal or addresses beyond a memory.
enum class OnError {
  stop,      ///< the run ends there
  hardware,  ///< illegal instructions are skipped and addresses wrap, as in the hardware
};

/// Counts of a run.
struct CoreFigures {
  std::uint64_t instructions = 0;
  std::uint64_t multiply_accumulates = 0;         ///< those of MatMuls that are not flagged zeroes, padding included
  std::uint64_t useful_multiply_accumulates = 0;  ///< without weight rows and lanes at the end that are all zero
  std::uint64_t dram_bytes_read[2] = {};
  std::uint64_t dram_bytes_written[2] = {};
  std::uint64_t tracepoint_hits = 0;
  void persist(Archive& archive);
};

/// Where a run ended, with OnError::stop.
struct Stop {
  std::uint32_t program_counter = 0;
  Instruction instruction;
  std::string reason;
  void persist(Archive& archive);
};

/// Is told of each instruction when it has been executed: it takes the cycles `begin` up to `end`, that one not
/// included. `pushed`: as begin() was told.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void executed(std::uint32_t program_counter, const Instruction& in, Picoseconds pushed, std::uint64_t begin,
                        std::uint64_t end) = 0;
};

/// Is told what the decoder is at, while samples are taken of it. Times are in half cycles.
class DecoderObserver {
 public:
  virtual ~DecoderObserver() = default;
  /// Samples are taken every `interval` cycles from `cycle` on, where the program counter is that; 0: none.
  virtual void sampled(std::uint32_t interval, std::uint64_t cycle, std::uint32_t program_counter) = 0;
  /// The decoder has turned to an instruction whose end is not known yet.
  virtual void turned_to(const Instruction& in, std::uint32_t program_counter, std::uint64_t asked) = 0;
  /// The end of one is known; `next`: the program counter behind it.
  virtual void left(const Instruction& in, std::uint32_t program_counter, const Timing::Decoded& times,
                    std::uint32_t next) = 0;
};

/// The TCU without SystemC: memories, array, SIMD ALUs and time. Instructions run in program order, which is one of the
/// orders that threads allow.
class Core {
 public:
  /// axi_bytes: of a beat of the DRAM ports, for telling their data from waiting. The ports must outlive the core.
  Core(const Architecture& architecture, Encoding encoding, OnError on_error, unsigned axi_bytes, DramPort& dram0,
       DramPort& dram1);
  /// Without ports: for begin() and finish() only.
  Core(const Architecture& architecture, Encoding encoding, OnError on_error, unsigned axi_bytes);

  /// Takes bytes of the instruction stream, which has no padding between instructions. Bytes of an instruction that is
  /// not complete wait for the rest.
  void push(const std::uint8_t* bytes, std::size_t count);
  void execute(const Instruction& in);

  // The same for ports that answer later: they are not asked, but whoever drives the core moves the bytes.
  /// Executes an instruction, up to the transfer if it has one with DRAM; then finish() is called with it once it is
  /// over. What other threads do may begin meanwhile, not what follows in its own. `pushed`: when the instruction came;
  /// kNever: it was there from the start.
  std::optional<DramMove> begin(const Instruction& in, Picoseconds pushed = kNever);
  /// Of a read, the bytes have come. `cycles`: from its start until the instruction stream goes on.
  void finish(const DramMove& move, std::uint64_t cycles);
  Timing& timing() { return timing_; }
  /// Reset of the device; memories and figures stay. Nothing begins before `cycle`.
  void reset(std::uint64_t cycle);
  void persist(Archive& archive);

  /// As Configure sets it, from now on and in no time: samples are taken every `interval` cycles, none if it is zero.
  void sample_every(std::uint32_t interval);

  /// Fills `vectors` vectors of local memory with bytes as they lie in DRAM, taking no time: what a program before this
  /// one left there. Throws nothing; beyond the memory nothing is written.
  void preload(unsigned vector, const std::uint8_t* bytes, unsigned vectors);
  /// Bytes of an incomplete instruction.
  std::size_t pending_bytes() const { return pending_.size(); }
  /// Why nothing is executed any more, if so.
  const std::optional<Stop>& stopped() const { return stopped_; }

  const Architecture& architecture() const { return architecture_; }
  const Layout& layout() const { return layout_; }
  const VectorMemory& local() const { return local_; }
  const VectorMemory& accumulators() const { return accumulators_; }
  const SimdUnit& simd() const { return simd_; }
  std::uint32_t program_counter() const { return program_counter_; }
  /// The value last written to a register of Configure; 0 for one without meaning.
  std::uint32_t config(ConfigRegister which) const { return config_[static_cast<unsigned>(which)]; }
  const CoreFigures& figures() const { return figures_; }
  const Findings& findings() const { return findings_; }
  const Timing& timing() const { return timing_; }

  /// It must outlive the core's last instruction.
  void add_observer(CoreObserver& observer) { observers_.push_back(&observer); }
  void set_decoder_observer(DecoderObserver* observer) { decoder_observer_ = observer; }
  void use(const DotProductVariant& variant) { array_.use(variant); }

 private:
  /// Vectors of a memory, and the address bits that it decodes.
  struct Space {
    explicit Space(unsigned vectors);
    std::uint64_t depth;
    std::uint64_t mask;
  };
  /// The rows that an operand names.
  struct Rows {
    std::uint64_t base;
    std::uint64_t step;
    const Space* space;

    std::uint64_t at(std::uint64_t index) const { return (base + index * step) & space->mask; }
    std::uint64_t last(std::uint64_t count) const { return base + (count - 1) * step; }
    bool within(std::uint64_t count) const { return last(count) < space->depth; }
  };
  Rows local_rows(const Instruction& in) const { return {in.address0, std::uint64_t{1} << in.stride0, &local_space_}; }
  /// Of operand 1: accumulators or DRAM.
  static Rows other_rows(const Instruction& in, const Space& space) {
    return {in.address1, std::uint64_t{1} << in.stride1, &space};
  }

  std::string illegal(const Instruction& in) const;
  std::string beyond(const Instruction& in) const;
  std::uint64_t vectors_of(const Instruction& in) const;
  Activity activity_of(const Instruction& in) const;
  bool report(FindingKind kind, const Instruction& in, const std::string& problem);
  void skip(const Instruction& in, Picoseconds pushed);
  void tell_observers(const Instruction& in, std::uint32_t program_counter, Picoseconds pushed);
  void tell_executed(const Instruction& in, std::uint32_t program_counter, Picoseconds pushed);
  std::optional<DramMove> perform(const Instruction& in);
  void transfer(DramMove& move);

  void mat_mul(const Instruction& in);
  void load_weight(const Instruction& in);
  void move_accumulators(const Instruction& in);
  DramMove begin_move(const Instruction& in, Activity activity);
  void simd(const Instruction& in);
  void load_lut(const Instruction& in);
  void configure(const Instruction& in);

  const std::int32_t* read_local(std::uint64_t row);
  const std::int32_t* read_accumulator(std::uint64_t row);
  std::int32_t* write_local(std::uint64_t row);
  std::int32_t* local_or_nowhere(std::uint64_t row);
  /// Writes or adds.
  void put_accumulator(std::uint64_t row, const std::int32_t* vector, bool accumulate);
  void unwritten(const char* memory, std::uint64_t row);

  Architecture architecture_;
  FixedPoint format_;
  Layout layout_;
  OnError on_error_;
  Space local_space_;
  Space accumulator_space_;
  Space dram_spaces_[2];
  DramPort* ports_[2] = {};
  std::uint64_t beats_;  ///< of a vector on a DRAM port
  VectorMemory local_;
  VectorMemory accumulators_;
  SystolicArray array_;
  SimdUnit simd_;
  Timing timing_;
  Findings findings_;
  std::optional<ThreadOrder> order_;  ///< with several threads
  CoreFigures figures_;
  std::uint32_t program_counter_ = 0;
  std::uint32_t config_[16] = {};
  std::vector<std::uint8_t> pending_;
  std::optional<Stop> stopped_;
  std::vector<CoreObserver*> observers_;
  DecoderObserver* decoder_observer_ = nullptr;
  bool unordered_ = false;  ///< the present instruction shares something with another thread

  /// The newest access of the accumulators: adjacent accumulating writes to one row lose data.
  struct AccumulatorAccess {
    std::uint64_t row = 0;
    bool accumulated = false;
  } newest_access_;

  std::vector<std::int32_t> zeros_;
  std::vector<std::int32_t> nowhere_;  ///< takes what is written beyond a memory
  std::vector<std::int32_t> inputs_;   ///< of the array, dense
  std::vector<std::int32_t> results_;  ///< of the array, or of the SIMD ALUs
  std::vector<std::uint8_t> bytes_;    ///< of the last DRAM transfer, so that its memory is reused
};

}  // namespace vp::tensil
