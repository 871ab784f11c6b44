#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/tinytpu/config.h"
#include "models/tinytpu/datapath.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/figures.h"
#include "models/tinytpu/hazards.h"
#include "models/tinytpu/host_order.h"
#include "models/tinytpu/sequencer.h"
#include "models/tinytpu/unit_order.h"

namespace vp {
class Archive;
class HandlerKnowledge;
}  // namespace vp

namespace vp::tinytpu {

/// Counts the cycles from the fetch of an instruction to a synchronize.
class RuntimeCounter {
 public:
  void fetched(Edge edge) {
    if (running_ || edge == last_synchronize_) return;
    running_ = true;
    start_ = edge;
  }
  void synchronized(Edge edge) {
    if (running_) {
      sum_ += edge - start_;
      ++count_;
    }
    stop(edge);
    last_synchronize_ = edge;
  }
  /// What a reset does at its first edge: stops, keeps the value.
  void stop(Edge edge) {
    if (running_) value_ = static_cast<std::uint32_t>(edge - start_);
    running_ = false;
  }
  bool running() const { return running_; }
  /// The register after `edge`, which must not be earlier than the latest event.
  std::uint32_t value(Edge edge) const { return running_ ? static_cast<std::uint32_t>(edge - start_) : value_; }
  /// Of all programs that a synchronize ended.
  std::uint64_t sum() const { return sum_; }
  std::uint64_t count() const { return count_; }
  void persist(Archive& archive);

 private:
  bool running_ = false;
  Edge start_ = 0;
  Edge last_synchronize_ = kNoEdge;
  std::uint32_t value_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

/// Is told when instructions leave the FIFO and the coordinator, and where the units' cycles go: for golden data and
/// timelines.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void fetched(std::uint64_t number, Edge edge) = 0;
  virtual void issued(const Issue& issue) = 0;
  /// Cycles first..last were spent waiting for `wait`, in the order of time; unit u is busy before free_from[u].
  virtual void spent(Wait, Edge /*first*/, Edge /*last*/, const std::array<Edge, kUnits>& /*free_from*/) {}
  /// The device was reset: the program is lost.
  virtual void reset() {}
};

/// Is told of each instruction when the last of its words arrives and when it leaves the coordinator, in this order for
/// each.
class InstructionObserver {
 public:
  virtual ~InstructionObserver() = default;
  virtual void pushed(const Instruction& instruction, std::uint64_t number, Edge edge, const Origin& origin) = 0;
  virtual void issued(const Issue& issue) = 0;
  /// A reset: those that were pushed and not issued never will be.
  virtual void dropped() = 0;
};

/// Function and time of a tinyTPU (entity TPU of the hardware: FIFO, core, runtime counter), without its AXI port.
///
/// Time is in clock edges, from 0. Calls carry the edge at which they happen; edges never go back. What the caller does
/// at an edge is seen by the hardware from the following cycle on.
class Core : private SequencerListener {
 public:
  explicit Core(const TinyTpuConfig& config);

  const TinyTpuConfig& config() const { return config_; }

  /// Processes all edges up to and including `edge` (none if that is in the past). The control part is exact at once;
  /// row data follow when somebody looks at them.
  void advance_to(Edge edge);
  /// First edge not processed yet.
  Edge next_edge() const { return sequencer_.next_edge(); }

  // ---- instructions
  /// First edge from `edge` on at which words can be pushed: no lane of the FIFO is full in that cycle. kNoEdge if that
  /// can never be again without a reset (a full lane whose fellows are empty). Advances to the edge before `edge`, not
  /// further.
  Edge predict_push_edge(Edge edge);
  /// Pushes one 32-bit word of an instruction into its lane (0 lower, 1 middle, 2 upper) at `edge`; the FIFO must not
  /// be full there (see predict_push_edge). `origin`: who wrote it, for findings.
  void push_word(unsigned lane, std::uint32_t word, Edge edge, const Origin& origin = {});
  /// Pushes all three words at one edge.
  void push(const Instruction& instruction, Edge edge);
  unsigned lane_fill(unsigned lane) const { return sequencer_.fill(lane); }

  // ---- synchronize pin
  /// Edge at which the SYNCHRONIZE pin is sampled high next, among those not taken yet; kNoEdge if none is in sight.
  /// May lie in the future (then it changes by a reset only) or, after advance_to, in the past.
  Edge next_synchronize();
  /// Removes the next one, which must exist; advances to it.
  Edge take_synchronize();

  /// Runtime counter after `edge` (advances to it). An AXI read accepted at edge a returns runtime(a + 2).
  std::uint32_t runtime(Edge edge);
  /// Runtime counter after the last edge processed.
  std::uint32_t runtime_now() const { return counter_.value(sequencer_.next_edge() - (sequencer_.next_edge() > 0)); }
  RuntimeFigures runtime_figures() const { return {counter_.sum(), counter_.count(), runtime_now()}; }

  // ---- host ports
  /// One-cycle access of the unified buffer by the host: it takes both ports in that cycle. `access`
  /// points to N bytes each; a read has no data. Returns what the host's read port gets (of a write: the row before
  /// it).
  std::vector<std::uint8_t> host_access(const HostAccess& access, Edge edge);
  /// The same into a buffer of N bytes.
  void host_access(const HostAccess& access, Edge edge, std::uint8_t* row_read);
  /// Host write of a weight-buffer row: bytes whose flag in `enable` is set.
  void host_write_weights(unsigned row, const std::uint8_t* data, const std::uint8_t* enable, Edge edge,
                          const Origin& origin = {});
  /// Such an access was meant for a row beyond the buffer's end; `row` is the one that it gets.
  void host_wrapped(Memory memory, unsigned row, Edge edge, const Origin& origin);

  // ---- access that takes no time: debugger, loader, tests
  void read_unified_buffer(unsigned row, std::uint8_t* bytes);
  void write_unified_buffer(unsigned row, const std::uint8_t* bytes);
  void read_weights(unsigned row, std::uint8_t* bytes);
  void write_weights(unsigned row, const std::uint8_t* bytes);
  /// A row of N accumulators.
  std::vector<std::uint32_t> accumulators(unsigned row);

  /// First reset edge: everything up to it happens, then FIFO, pipelines, preload and active weights are cleared.
  void reset(Edge edge);

  /// Edge after which nothing moves any more without a further push, and every row has landed.
  Edge predict_finish() const;

  /// Findings so far, with a read_weights that waits for a successor now. Brings the data up to date first.
  HazardReport hazards();
  /// See HostOrder.
  void expect_looks() { host_order_.expect_looks(); }
  void looked() { host_order_.looked(); }
  void use(HandlerKnowledge& knowledge) { host_order_.use(knowledge); }
  /// The read_weights that waits for a successor now, if any.
  std::optional<Issue> held() const { return sequencer_.held(); }
  const Activity& activity() const { return sequencer_.activity(); }
  const Sequencer& sequencer() const { return sequencer_; }
  /// Instructions issued by kind, cycles by unit and cause, hazards. Brings the data up to date first.
  CoreFigures figures();

  /// Edges of very long transfers that were passed over in whole periods (the results are the same).
  std::uint64_t passed_over() const { return datapath_.passed_over(); }

  void persist(Archive& archive);

  void set_observer(CoreObserver* observer) { observer_ = observer; }
  void set_instruction_observer(InstructionObserver* observer) { instruction_observer_ = observer; }
  /// Once this asks for it, time goes on exactly, but rows are dropped instead of worked off: the run is about to end,
  /// and a FIFO full of long transfers is minutes of work.
  void heed(const StopRequest& stop) { datapath_.heed(stop); }
  /// First edge whose rows were dropped so, kNoEdge if none were. Brings the data up to date first.
  Edge given_up_at();
  /// Which inner product is used; the default is the fastest this processor has.
  void use(const InnerProductVariant& variant) { datapath_.use(variant); }

 private:
  void issued(const Issue& issue) override;
  void fetched(std::uint64_t number, Edge edge) override;
  void spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) override {
    if (observer_) observer_->spent(wait, first, last, free_from);
  }
  void advance_control_to(Edge edge);
  void look_at(const HostAccess& access, Edge edge);
  void add_waiting_words(HazardReport& findings) const;
  void settle();

  TinyTpuConfig config_;
  Sequencer sequencer_;
  HazardReport hazards_;
  UnitOrder unit_order_;
  HostOrder host_order_;
  Datapath datapath_;
  RuntimeCounter counter_;
  CoreObserver* observer_ = nullptr;
  InstructionObserver* instruction_observer_ = nullptr;

  std::deque<Edge> pulses_;                ///< issued, not taken
  std::uint64_t synchronizes_inside_ = 0;  ///< complete in FIFO or pipeline, not issued
  Edge predicted_ = kNoEdge;               ///< of the first one inside, kNoEdge: not computed
  struct Word {
    std::uint32_t value = 0;
    Edge edge = 0;
    Origin origin;
    void persist(Archive& archive);
  };
  std::array<std::deque<Word>, 3> words_;  ///< pushed, their instruction not complete
  std::array<std::uint64_t, 5> issued_by_kind_{};
  std::uint64_t rows_by_unit_[kUnits] = {};
  std::uint64_t resets_ = 0;
};

}  // namespace vp::tinytpu
