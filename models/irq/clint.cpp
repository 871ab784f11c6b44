#include "models/irq/clint.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"

namespace vp {

Clint::Clint(sc_core::sc_module_name module_name, const ClintConfig& config, Horizon& horizon)
    : sc_module(module_name),
      timer_("timer", horizon, [this](Picoseconds due) { core_.timer_due(due); }),
      supervisor_timer_("supervisor_timer", horizon, [this](Picoseconds due) { core_.timer_due(due); }),
      core_(config, timer_, supervisor_timer_, kernel_time),
      socket("socket", core_, {ClintCore::kWindow, 8}) {}

void Clint::reset() { core_.reset(kernel_time()); }

void Clint::persist(Archive& archive) {
  archive("timer", timer_)("supervisor_timer", supervisor_timer_)("core", core_)("socket", socket);
}

ClintFigures Clint::figures() const { return {core_.figures(), socket.figures()}; }

void Clint::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp
