#include "models/irq/plic.h"

#include "models/common/archive.h"
#include "models/common/figures.h"

namespace vp {

Plic::Plic(sc_core::sc_module_name module_name, const PlicConfig& config)
    : sc_module(module_name), core_(config), socket("socket", core_, {PlicCore::kWindow, 4}) {}

void Plic::persist(Archive& archive) { archive("core", core_)("socket", socket); }

PlicFigures Plic::figures() const { return {core_.figures(), socket.figures()}; }

void Plic::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp
