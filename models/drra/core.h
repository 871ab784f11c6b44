#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "models/drra/cell.h"
#include "models/drra/config.h"
#include "models/drra/dimarch.h"
#include "models/drra/findings.h"
#include "models/drra/work_observer.h"

namespace vp::drra {

/// Cycles of a whole fabric, each once: by the first of these that any of its cells or memories did.
struct WorkCycles {
  Cycle compute = 0;       ///< a DPU worked on elements of a stream
  Cycle data = 0;          ///< a register file, memory or IO buffer was read or written
  Cycle instructions = 0;  ///< an instruction was decoded
  Cycle total() const { return compute + data + instructions; }
  void persist(Archive& archive);
};

/// The whole fabric without SystemC, exact to the cycle: cells, interconnect, DiMArch, IO buffers. Time is the number
/// of the last cycle done. Cells in which nothing can change sleep until an input changes or their next instruction or
/// address is due; cycles in which all sleep cost nothing.
class Core {
 public:
  static constexpr unsigned kStateVersion = 2;

  explicit Core(const DrraConfig& config);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const DrraConfig& config() const { return config_; }
  void set_observer(CoreObserver* observer);
  void set_work_observer(WorkObserver* observer) { work_observer_ = observer; }

  /// Everything but time, counters and findings becomes as at power-up: memories 0, no programs.
  void reset();
  /// Takes the state of another fabric of the same settings.
  void become(const Core& other);
  /// Everything, but what can be derived from the rest.
  void persist(Archive& archive);
  /// Fills a cell's instruction memory. Throws std::logic_error for more than kInstructionWords words or while the
  /// cell's sequencer runs.
  void load(unsigned row, unsigned column, const std::vector<std::uint32_t>& words);
  /// Starts all cells that have a program: cell (row, column) decodes its first instruction row + column + 1 cycles
  /// from now. Data stay.
  void start();

  Cycle cycle() const { return cycle_; }
  /// The cycle in which it was last started.
  Cycle started() const { return started_; }
  /// Does all cycles up to and including `cycle`; an earlier one is ignored.
  void advance_to(Cycle cycle);
  /// As advance_to(), but ends with the cycle in which the fabric is done.
  void run_to(Cycle cycle);
  /// Does exactly one cycle of every cell, whether or not it changes anything: what advance_to() must be equal to.
  void step();
  /// The next cycle in which anything can change; kNever if none. Nothing happens before it.
  Cycle next_event() const;
  /// All sequencers are at rest and all streams have ended.
  bool done() const { return live_cells_ == 0 && !dimarch_.busy(); }
  /// The latest cycle in which an instruction was decoded, or a register or memory written. 0 before the first one.
  Cycle last_activity() const { return std::max(last_activity_, dimarch_.last_write()); }

  /// Of all cycles so far. In the others of a run all cells waited.
  const WorkCycles& work_cycles() const { return work_cycles_; }

  unsigned cells() const { return static_cast<unsigned>(cells_.size()); }
  const Cell& cell(unsigned index) const { return cells_[index]; }
  const Cell& cell(unsigned row, unsigned column) const { return cells_[row * config_.columns + column]; }
  void write_register(unsigned row, unsigned column, unsigned address, std::int16_t value) {
    cells_[row * config_.columns + column].registers.write(address, value);
  }
  void write_register(unsigned cell, unsigned address, std::int16_t value) {
    cells_[cell].registers.write(address, value);
  }
  /// What a cell drives at present: r0, r1, o0, o1.
  std::int16_t output(unsigned cell, unsigned number) const { return value_of(outputs_[cell * kOutputs + number]); }
  Dimarch& dimarch() { return dimarch_; }
  const Dimarch& dimarch() const { return dimarch_; }
  const FindingLog& findings() const { return findings_; }

 private:
  /// What was done in the cycle that runs.
  enum Work : unsigned { computed = 1, moved = 2, decoded = 4 };
  static constexpr unsigned kCellsAWord = 64;
  static constexpr unsigned kMasks = kRows * kMostColumns / kCellsAWord;
  /// A set of cells.
  using CellSet = std::array<std::uint64_t, kMasks>;
  using WakeUp = std::pair<Cycle, unsigned>;  // cycle and cell; the earliest first

  // core.cpp: time
  void run_cycle(Cycle cycle);
  void count_work();
  void wake(unsigned cell) { awake_[cell / kCellsAWord] |= std::uint64_t{1} << cell % kCellsAWord; }
  void sleep_until(Cell& cell, Cycle cycle);
  void wake_due(Cycle cycle);
  bool any_awake() const;
  void note_liveness(Cell& cell);
  void derive();

  // data_path.cpp: one cycle of a cell
  void drive_outputs(Cell& cell, Cycle cycle);
  bool clock_cell(Cell& cell, Cycle cycle);
  void drive(unsigned output, BusWord word);
  void apply_late(Cell& cell, Cycle cycle);
  void write_words(Cell& cell, Cycle cycle);
  void write_block(Cell& cell, Cycle cycle);
  void permute(Cell& cell, Cycle cycle);
  void write_row(Cell& cell, Cycle cycle, unsigned block, const Row& row, std::uint16_t mask);
  void note_register_write(const Cell& cell, Cycle cycle, unsigned address, std::int16_t value);
  void check_operands(Cell& cell, Cycle cycle);
  void set_route(Cell& cell, const Instruction& swb);
  void listen(unsigned output, unsigned cell, bool on);

  // execute.cpp: instructions
  void decode(Cell& cell, Cycle cycle, unsigned condition);
  void start_register_stream(Cell& cell, const Instruction& refi, Cycle cycle);
  void start_loop(Cell& cell, const Instruction& loop, Cycle cycle);
  void set_memory_route(Cell& cell, const Instruction& route);
  void request_sram(Cell& cell, const Instruction& sram, Cycle cycle);
  void request_io(Cell& cell, const Instruction& io, Cycle cycle);
  void set_late(Cell& cell, const Instruction& instruction, Cycle cycle);
  void report(FindingKind kind, Cycle cycle, const Cell& cell, unsigned pc);

  DrraConfig config_;
  CoreObserver* observer_ = nullptr;
  WorkObserver* work_observer_ = nullptr;
  Cycle cycle_ = 0;
  Cycle started_ = 0;
  Cycle last_activity_ = 0;
  unsigned work_ = 0;
  WorkCycles work_cycles_;
  std::vector<Cell> cells_;
  std::vector<BusWord> outputs_;    // of all cells, and a constant 0 behind them
  std::vector<CellSet> listeners_;  // of each output: cells whose DPU has a route from it
  CellSet awake_{};
  std::priority_queue<WakeUp, std::vector<WakeUp>, std::greater<>> wake_ups_;
  unsigned live_cells_ = 0;
  Dimarch dimarch_;
  FindingLog findings_;
};

}  // namespace vp::drra
