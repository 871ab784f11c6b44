#include "models/matmul/matmul.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"

namespace vp::matmul {

Matmul::Matmul(sc_core::sc_module_name name, const MatmulConfig& config, Horizon& horizon)
    : sc_module(name),
      timer_("timer", horizon, [this](Picoseconds due) { device_.fire(due); }),
      device_(config, timer_) {}

void Matmul::reset() { device_.reset(kernel_time()); }

void Matmul::catch_up() { device_.catch_up(kernel_time()); }

void Matmul::persist(Archive& archive) { archive("timer", timer_)("device", device_); }

void Matmul::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp::matmul
