#pragma once

#include <string>

#include "models/common/bounds.h"
#include "models/common/statistics.h"
#include "models/drra/core.h"
#include "models/drra/figures.h"

namespace vp::drra {

/// One multiply-accumulate cell a DPU, and the bits of register files, distributed memory and IO buffers.
void add_cost(const DrraConfig& config, HardwareCost& cost);

/// What a fabric did in `cycles` of runs.
HeldUpBy held_up_by(const WorkCycles& work, Cycle cycles);

/// The same as a part of a machine has it.
EngineUse use_of(const std::string& name, const HeldUpBy& by, Picoseconds clock);

/// Adds the figures of a fabric: cycles by cell and by resource, memory rows, findings. Cells that never did anything
/// are left out.
void report(const Core& core, Statistics& group);

/// Where a cell stands, for a run that was ended: its program counter with the instruction there, the cycle it goes on
/// in, and the streams that are under way.
std::string standing(const Cell& cell);

}  // namespace vp::drra
