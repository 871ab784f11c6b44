#include "models/drra/device_config.h"

#include "models/common/axi_port_config.h"
#include "models/common/error.h"
#include "models/drra/registers.h"

namespace vp::drra {

void DeviceConfig::declare(const ParameterGroup& group) {
  fabric.declare(group);
  group.integer("dma_width", dma_width, 32, 1024, "bits", "width of the DMA's port, a power of two");
  group.integer("dma_burst", dma_burst_rows, 1, 128, "rows",
                "longest burst of the DMA in rows of 32 bytes, a power of two");
  group.integer("dma_outstanding", dma_outstanding, 1, 64, "bursts", "of the DMA under way at a time");
}

void DeviceConfig::check(const std::string& part) const {
  require_power_of_two(part, "dma_width", dma_width);
  require_power_of_two(part, "dma_burst", dma_burst_rows);
  if (fabric.io_rows > kMostWindowIoRows)
    throw UserError(part + ": io_rows is " + std::to_string(fabric.io_rows) + ", the window has room for " +
                    std::to_string(kMostWindowIoRows) + ".");
}

}  // namespace vp::drra
