#include "models/virtio/virtio.h"

#include "models/common/archive.h"
#include "models/common/tlm_time.h"

namespace vp {

Virtio::Virtio(sc_core::sc_module_name module_name, Horizon& horizon, const virtio::PortConfig& config,
               virtio::Device& device)
    : sc_module(module_name),
      master("master", {config.outstanding, static_cast<unsigned>(config.burst_bytes())}),
      timer_("timer", horizon, [this](Picoseconds due) { core_.deliver(due); }),
      core_(config, device, master, timer_, interrupt_),
      socket("socket", core_, {virtio::Core::kWindow, 4}) {}

void Virtio::reset() { core_.reset(kernel_time()); }

void Virtio::persist(Archive& archive) { archive("timer", timer_)("core", core_)("master", master); }

}  // namespace vp
