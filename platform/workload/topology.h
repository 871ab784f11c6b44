#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/workload/layer.h"

namespace vp::workload {

/// Layers as a file in SCALE-Sim's formats lists them.
struct Topology {
  bool products = false;  ///< a list of matrix products, whose batch is in M
  std::vector<Layer> layers;
  std::vector<std::string> not_modelled;  ///< names of the lines that are no convolution and no product
  std::vector<std::string> rounded_up;    ///< layers whose window does not divide the map, with the sizes
};

/// Reads comma-separated lines below a header. A header with the cells M, K and N (in any order) begins a list of
/// matrix products; any other one convolutions: name, height and width of the map, of the filter, channels, filters,
/// stride (down and across, if the header has "stride" twice). A line may end with a comma. The number of positions is
/// rounded up, as SCALE-Sim does. A name with "DP" in it is a depthwise convolution, one of each channel, as there. A
/// line that names a layer without any size is one that is not modelled (pooling, bias, …).
/// `batch`: images that go through each convolution together; 0: one, the default. A list of products refuses others.
/// Throws UserError "source:line: what".
Topology parse_topology(const std::string& text, const std::string& source, std::uint64_t batch);

}  // namespace vp::workload
