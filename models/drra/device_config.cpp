#include "models/drra/device_config.h"

#include "models/common/error.h"
#include "models/drra/registers.h"

namespace vp::drra {
namespace {

bool power_of_two(unsigned value) { return (value & (value - 1)) == 0; }

}  // namespace

void DeviceConfig::declare(const ParameterGroup& group) {
  fabric.declare(group);
  group.integer("dma_width", dma_width, 32, 1024, "bits", "width of the DMA's port, a power of two");
  group.integer("dma_burst", dma_burst_rows, 1, 128, "rows",
                "longest burst of the DMA in rows of 32 bytes, a power of two");
  group.integer("dma_outstanding", dma_outstanding, 1, 64, "bursts", "of the DMA under way at a time");
}

void DeviceConfig::check(const std::string& part) const {
  if (!power_of_two(dma_width))
    throw UserError(part + ": dma_width " + std::to_string(dma_width) + " is not a power of two.");
  if (!power_of_two(dma_burst_rows))
    throw UserError(part + ": dma_burst " + std::to_string(dma_burst_rows) + " is not a power of two.");
  if (fabric.io_rows > kMostWindowIoRows)
    throw UserError(part + ": io_rows is " + std::to_string(fabric.io_rows) + ", the window has room for " +
                    std::to_string(kMostWindowIoRows) + ".");
}

}  // namespace vp::drra
