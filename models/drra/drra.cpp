#include "models/drra/drra.h"

#include "models/common/archive.h"
#include "models/common/tlm_time.h"

namespace vp {

Drra::Drra(sc_core::sc_module_name module_name, Horizon& horizon, const drra::DeviceConfig& config)
    : sc_module(module_name),
      master("master", {config.dma_outstanding, config.dma_burst_rows * drra::kRowBytes}),
      timer_("timer", horizon, [this](Picoseconds due) { device_.deliver(due); }),
      device_(config, master, timer_, interrupt_),
      socket("socket", device_, {drra::kDeviceWindow, 4}) {}

void Drra::reset() { device_.reset(kernel_time()); }

void Drra::catch_up() { device_.catch_up(kernel_time()); }

void Drra::persist(Archive& archive) { archive("timer", timer_)("device", device_)("master", master); }

}  // namespace vp
