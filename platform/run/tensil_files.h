#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/tensil/config.h"
#include "models/tensil/model_file.h"
#include "platform/run/tensil_report.h"
#include "platform/run/tensil_run.h"

namespace vp {

// The files of a run of a network on the Tensil TCU. All throw UserError.

/// A file beside the model that must have exactly `size` bytes.
std::string read_tensil_companion(const std::string& model, const std::string& name, std::uint64_t size);
/// The model's program, a whole number of instructions.
std::string read_tensil_program(const std::string& path, const tensil::Model& model,
                                const tensil::TensilConfig& config);
/// Names of classes, one a line; none for an empty path.
std::vector<std::string> read_classes(const std::string& path);
/// The inputs, as many as are wanted.
tensil::Frames read_frames(const TensilRunOptions& options, const tensil::Model& model);
/// The outputs of one frame, which `read` gives by their place in DRAM0; their bytes are appended to `raw`.
std::vector<TensilOutput> read_outputs(
    const tensil::Model& model, std::string& raw,
    const std::function<void(std::uint64_t offset, std::uint8_t* bytes, std::size_t count)>& read);

}  // namespace vp
