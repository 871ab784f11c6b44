#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "models/common/bounds.h"
#include "models/common/statistics.h"
#include "models/tensil/config.h"
#include "models/tensil/core.h"
#include "models/tensil/layer_account.h"
#include "models/tensil/model_file.h"

namespace vp {

/// The outputs of one frame: scalars of all vectors of a tensor.
struct TensilOutput {
  std::string name;
  std::vector<std::int32_t> scalars;
};

/// Prints the outputs with the class that is largest. Without names, lanes at the end that are zero count as padding.
void print_outputs(std::uint64_t frame, const std::vector<TensilOutput>& outputs,
                   const std::vector<std::string>& classes, const tensil::FixedPoint& format, std::ostream& out);

/// What a run has come to: frames, and the TCU's cycles that they took.
struct TensilDone {
  std::uint64_t frames = 1;
  std::uint64_t cycles = 0;
  std::vector<tensil::Layer> layers = {};  ///< none if the program does not show any
};

/// Cycles, frames a second, efficiency, time by kind of instruction and by layer, bytes, bounds and the core's
/// findings.
void print_run(const tensil::Core& core, const tensil::TensilConfig& config, const TensilDone& done, std::ostream& out);

/// Bounds and costs into the report; of several threads, whose times are an estimate, only the costs.
void report_bounds_of(const tensil::Core& core, const Bounds& bounds, Statistics& statistics);

}  // namespace vp
