#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "platform/check/golden_format.h"

namespace vp {

/// "tinytpu-golden-1": short programs on the core with all their cycles and the final unified buffer. One case a file.
GoldenFormat tinytpu_golden_format();
/// "tinytpu-mnist-1": the published MNIST streams; buffer contents and feed by rule.
GoldenFormat tinytpu_mnist_format();
/// "tinytpu-axi-1": logs of the AXI4-Lite port.
GoldenFormat tinytpu_axi_format();

}  // namespace vp
