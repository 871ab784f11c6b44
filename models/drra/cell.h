#pragma once

#include <array>
#include <cstdint>

#include "models/drra/config.h"
#include "models/drra/dimarch.h"
#include "models/drra/dpu.h"
#include "models/drra/register_file.h"
#include "models/drra/sequencer.h"

namespace vp::drra {

constexpr unsigned kInputs = 6;        ///< of a cell: 0, 1 = w0, w1; 2 to 5 = in0 to in3 of the DPU
constexpr unsigned kDpuInput = 2;      ///< the first one of the DPU
constexpr unsigned kOutputs = 4;       ///< of a cell: r0, r1, o0, o1
constexpr unsigned kDpuInputs = 0x3C;  ///< as a mask of inputs

/// Figures that a cell keeps about itself.
struct CellCounters {
  std::uint64_t instructions = 0;  ///< decoded, one cycle each
  std::uint64_t wait_cycles = 0;   ///< of WAIT, after the cycle that decodes it
  std::uint64_t dpu_busy = 0;      ///< cycles in which the DPU worked on elements of a stream
  void persist(Archive& archive);
};

/// What an instruction has set that does not act yet. An instruction decoded in cycle t acts on the data path in t + 1
/// and t + 2; one slot for every second cycle is enough.
struct LateConfiguration {
  Instruction instruction;
  Cycle decoded = kNever;
};

/// The state of one cell and what it knows of its neighbours. The fabric (core.h) moves the data.
struct Cell {
  unsigned index = 0, row = 0, column = 0;
  Sequencer sequencer;
  RegisterFile registers;
  Dpu dpu;
  Route read_route, write_route;  ///< to the DiMArch

  std::array<std::uint16_t, kInputs> sources{};  ///< of each input: a number of an output in the fabric
  unsigned routed = 0;                           ///< inputs with a route, as a mask
  unsigned reported = 0;                         ///< of them, without a route and reported since the last change
  unsigned dpu_pc = 0;                           ///< the DPU instruction in force

  std::array<LateConfiguration, 2> late{};
  Cycle late_until = 0;                      ///< the last cycle in which one of them acts
  bool clear_accumulators = false;           ///< at the end of this cycle
  const Instruction* permutation = nullptr;  ///< at the end of this cycle

  bool live = false;      ///< its sequencer or a stream will go on
  Cycle queued = kNever;  ///< the wake-up that stands in the fabric's queue
  Cycle halted = kNever;  ///< the cycle that decoded HALT
  CellCounters counters;
  /// What the fabric can derive from it is left out. profile: that instructions are encoded for.
  void persist(Archive& archive, DecoderProfile profile, unsigned outputs);
};

}  // namespace vp::drra
