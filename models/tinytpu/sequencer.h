#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/tinytpu/activity.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/isa.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// An instruction handed to its unit (for synchronize: the pulse).
struct Issue {
  Instruction instruction;
  std::uint64_t number = 0;  ///< counted from 0 in the order of completion in the FIFO
  Edge edge = 0;
  void persist(Archive& archive);
};

/// Is told what the sequencer does, in the order of edges; at one edge the issue before the fetch.
class SequencerListener {
 public:
  virtual ~SequencerListener() = default;
  virtual void issued(const Issue& issue) = 0;
  virtual void fetched(std::uint64_t number, Edge edge) = 0;
  /// Cycles first..last were spent waiting for `wait`; see Activity::add.
  virtual void spent(Wait wait, Edge first, Edge last, const std::array<Edge, kUnits>& free_from) = 0;
};

/// Everything in front of the units: the instruction FIFO with its three lanes, the look-ahead stages and the
/// coordinator (README, Timing). It steps from change to change: stalls and empty stretches cost nothing, whatever
/// their length.
class Sequencer {
 public:
  /// `matrix_width`: N, for the units' busy times. `fifo_depth`: instructions.
  Sequencer(unsigned matrix_width, unsigned fifo_depth);

  /// Processes all edges up to and including `edge`.
  void advance_to(Edge edge, SequencerListener& listener);

  /// First edge not processed yet.
  Edge next_edge() const { return state_.next; }

  /// Puts a word into a lane (0 lower, 1 middle, 2 upper). The lane must not be full; the word can be fetched from
  /// next_edge() on. Returns whether it completed an instruction.
  bool push(unsigned lane, std::uint32_t word);
  /// Is any lane full in the cycle that ends at next_edge()?
  bool full() const;
  unsigned fill(unsigned lane) const { return static_cast<unsigned>(pushed_[lane] - state_.popped); }
  /// Instructions completed since power-on.
  std::uint64_t completed() const;

  /// Edge at which the first synchronize inside will pulse, kNoEdge without one. Later pushes cannot change it: they
  /// only come behind it.
  Edge predict_synchronize() const;
  /// Edge of the next fetch, kNoEdge if none comes without a further push.
  Edge predict_fetch() const;
  /// First edge from which on nothing changes without a further push: all fetchable instructions issued, all units'
  /// resource times over.
  Edge predict_quiet() const;

  /// The read_weights that stays in the look-ahead stage for want of a successor; its edge is next_edge().
  std::optional<Issue> held() const;

  /// An instruction that has come and not been issued, and where it is.
  struct Inside {
    const char* place;
    std::uint64_t number;
    Instruction instruction;
  };
  /// As of next_edge(), in the order in which they will be issued.
  std::vector<Inside> inside() const;
  /// First cycle in which the unit is not busy.
  Edge free_from(Unit unit) const { return state_.free_from[static_cast<unsigned>(unit)]; }
  /// What the instruction in front waits for; nothing if there is none, or if it waits for nothing.
  std::optional<Wait> waits_for() const;

  /// What decides when the instructions issue that are inside and those that come: everything but their rows, relative
  /// to next_edge(). Two sequencers that stand alike, with FIFOs that hold like instructions and with like pushes to
  /// come, go on alike.
  struct Standing {
    struct Slot {
      bool valid = false;
      InstructionKind kind = InstructionKind::nothing;
      bool waits_for_successor = false;
      std::uint32_t length = 0;
      friend bool operator==(const Slot& a, const Slot& b) {
        return a.valid == b.valid && a.kind == b.kind && a.waits_for_successor == b.waits_for_successor &&
               a.length == b.length;
      }
    };
    std::array<Slot, 4> stages;           ///< input, pipe, output, coordinator
    std::array<Edge, 2 * kUnits> busy{};  ///< cycles that each unit is still busy, then still resource-busy
    std::uint64_t fill = 0;               ///< instructions in the FIFO
    friend bool operator==(const Standing& a, const Standing& b) {
      return a.stages == b.stages && a.busy == b.busy && a.fill == b.fill;
    }
  };
  Standing standing() const;

  /// Clears FIFO, stages and busy times; numbering of instructions goes on.
  void reset();

  const Activity& activity() const { return activity_; }
  void persist(Archive& archive);

 private:
  struct Stage {
    bool valid = false;
    Instruction instruction;
    InstructionKind kind = InstructionKind::nothing;
    std::uint64_t number = 0;
    void persist(Archive& archive);
  };
  struct State {
    Edge next = 0;
    Stage input, pipe, output, coordinator;
    std::uint64_t popped = 0;
    std::array<Edge, kUnits> free_from{};           ///< first cycle in which the unit is not busy
    std::array<Edge, kUnits> resource_free_from{};  ///< first cycle in which it is not resource-busy
    void persist(Archive& archive);
  };
  struct Blocked {
    Edge until;  ///< first cycle in which the coordinator is free
    Wait wait;
  };

  template <typename Observer>
  void run(State& state, Edge target, Observer& observer) const;
  template <typename Observer>
  void step(State& state, Observer& observer) const;
  static Blocked blocked(const State& state);
  void occupy(State& state, const Stage& stage) const;
  bool fifo_empty(const State& state) const { return state.popped >= completed_; }
  bool quiet(const State& state) const;
  Stage head(const State& state) const;

  unsigned width_;
  unsigned depth_;
  std::array<std::vector<std::uint32_t>, 3> lanes_;  ///< rings
  std::array<std::uint64_t, 3> pushed_{};            ///< words since the last reset
  std::uint64_t completed_ = 0;                      ///< instructions since the last reset
  std::uint64_t numbered_before_reset_ = 0;
  State state_;
  Activity activity_;

  struct Listening;
  struct UntilSynchronize;
  struct UntilFetch;
  struct Silent;
};

}  // namespace vp::tinytpu
