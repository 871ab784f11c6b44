#include "models/cdma/cdma.h"

#include "models/common/archive.h"

namespace vp {

Cdma::Cdma(sc_core::sc_module_name module_name, Horizon& horizon, const cdma::CdmaConfig& config)
    : sc_module(module_name),
      master("master", {config.outstanding, static_cast<unsigned>(config.burst_bytes())}),
      timer_("timer", horizon, [this](Picoseconds due) { core_.deliver(due); }),
      core_(config, master, timer_, interrupt_),
      socket("socket", core_, {cdma::Core::kWindow, 4}) {}

void Cdma::persist(Archive& archive) { archive("timer", timer_)("core", core_)("master", master); }

}  // namespace vp
