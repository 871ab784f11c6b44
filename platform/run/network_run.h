#pragma once

#include <iosfwd>
#include <vector>

#include "models/common/parameters.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/network.h"
#include "platform/run/program_run.h"

namespace vp {

/// What becomes of a buffer that is too small for a network.
enum class BufferFit : bool { refuse, enlarge };

/// Throws UserError unless the network fits the buffers of the tinyTPU `part`, or they may be enlarged: what it needs,
/// and how to get it.
void check_network(const tinytpu::Network& network, const tinytpu::TinyTpuConfig& config, const std::string& part,
                   BufferFit fit);

/// The same; with BufferFit::enlarge sets the depths in `table` and says so on `out`. `config` is bound to `table`.
void fit_network(const tinytpu::Network& network, const tinytpu::TinyTpuConfig& config, const std::string& part,
                 BufferFit fit, ParameterTable& table, std::ostream& out);

/// Runs the network of `options` once for each matrix width and prints a table: instructions, whole microseconds and
/// cycles as the original's documentation has them, the same for each vector, useful share of peak, hazards. Weights
/// and inputs are zero, since time does not depend on them. Throws UserError, before anything is printed, if it does
/// not fit at one of the widths and is not to be made to.
int print_network_table(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config,
                        const std::vector<unsigned>& widths, BufferFit fit, std::ostream& out);

}  // namespace vp
