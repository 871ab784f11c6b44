#pragma once

#include <string>

#include "models/common/bounds.h"
#include "models/common/statistics.h"
#include "models/tensil/core.h"
#include "models/tensil/layer_account.h"
#include "models/tensil/sampler.h"

namespace vp::tensil {

/// What the description of every figure of time has to say: nothing, or that it is an estimate (several threads).
std::string times_doubt(const Core& core);

/// The core's figures so far.
void report(const Core& core, Statistics& statistics);

/// The core's figures in a machine, where it has stood for `total` cycles; group `time` accounts for them.
void report_in_machine(const Core& core, std::uint64_t total, const std::uint64_t (&bursts)[2][2],
                       Statistics& statistics);

/// What it has done as an array of a machine, up to cycle `now` of its clock.
ComputeUse use_of(const Core& core, const std::string& name, Picoseconds clock, std::uint64_t now);

/// Its cells and the bits of local memory, accumulators and tables.
void add_cost(const Architecture& architecture, HardwareCost& cost);

/// What has become of the sampling stream; nothing if there was none.
void report_stream(const Sampler& sampler, Statistics& statistics);

/// Time by layer; nothing of a program that does not show any.
void report_layers(const std::vector<Layer>& layers, Statistics& statistics);

/// The kinds by which Tensil's driver counts samples: operations, and the flows of DataMove.
struct SampleKind {
  std::string name;
  std::uint64_t samples = 0;
};
std::vector<SampleKind> sample_kinds(const SampleCounts& counts);

/// Useful multiply-accumulates by those that the array could have done in `cycles`.
double efficiency(const Core& core, std::uint64_t cycles);

}  // namespace vp::tensil
