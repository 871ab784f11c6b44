#include "models/axidma/axidma.h"

#include "models/common/archive.h"

namespace vp {

AxiDma::AxiDma(sc_core::sc_module_name module_name, Horizon& horizon, const axidma::AxiDmaConfig& config)
    : sc_module(module_name),
      master("master", {config.outstanding, static_cast<unsigned>(config.burst_bytes())}),
      timer_("timer", horizon, [this](Picoseconds due) { core_.deliver(due); }),
      core_(config, master, timer_, interrupts_),
      socket("socket", core_, {axidma::Core::kWindow, 4}) {}

void AxiDma::persist(Archive& archive) { archive("timer", timer_)("core", core_)("master", master); }

}  // namespace vp
