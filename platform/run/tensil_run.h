#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/tensil/config.h"
#include "models/tensil/model_file.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// A compiled network on the Tensil TCU without a CPU.
struct TensilRunOptions {
  std::string model;    ///< `.tmodel` file; its program and constants lie beside it
  std::string input;    ///< frames: raw scalars, or text if named *.csv
  std::string output;   ///< where the outputs of all frames go as raw scalars, all lanes; empty: nowhere
  std::string classes;  ///< names of the outputs' classes, one a line; empty: none
  std::optional<std::uint64_t> images;       ///< as many of the frames, at most; all by default
  std::optional<std::uint64_t> input_lanes;  ///< filled lanes of each vector of raw input; all by default
  std::uint32_t sample_interval = 0;         ///< cycles between samples; none if zero
  Picoseconds max_time = kNever;             ///< simulated; the run ends behind the instruction that reaches it
  std::chrono::duration<double> timeout{0};  ///< wall clock, zero for none
  std::string stats_file;                    ///< empty: none
  std::string timeline_file;                 ///< of a run on a machine; empty: none
  std::optional<InstructionLogRequest> instruction_log;
  const ParameterTable* parameters = nullptr;  ///< noted in the statistics file; nullptr: none
};

/// The `.tmodel` file, read. Throws UserError.
tensil::Model read_tensil_model(const std::string& path);

/// Throws UserError for settings that are wrong together, or that are not those of the model's architecture; `path`
/// names the model.
void check_tensil_settings(const tensil::TensilConfig& config, const tensil::Model& model, const std::string& path);

/// Runs the frames one after another and prints outputs, cycles, frames a second and where the time went. Returns the
/// exit code; throws UserError.
int run_tensil_model(const TensilRunOptions& options, const tensil::Model& model, const tensil::TensilConfig& config,
                     std::ostream& out);

}  // namespace vp
