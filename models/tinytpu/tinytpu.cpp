#include "models/tinytpu/tinytpu.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"
#include "models/tinytpu/closed_form.h"

namespace vp {

TinyTpu::TinyTpu(sc_core::sc_module_name name, Horizon& horizon, const tinytpu::TinyTpuConfig& config)
    : sc_module(name),
      timer_("synchronize", horizon, [this](Picoseconds) { device_.deliver(); }),
      device_(config, timer_),
      socket("socket", device_, {device_.window(), tinytpu::TinyTpuDevice::kPortBytes}) {}

void TinyTpu::reset() { device_.reset(kernel_time()); }

tinytpu::Figures TinyTpu::figures() { return {device_.figures(kernel_time()), socket.figures()}; }

void TinyTpu::bounds(Bounds& bounds) {
  tinytpu::add_cost(device_.core().config(), bounds.cost);
  bounds.computes.push_back(
      tinytpu::compute_use(basename(), device_.core().config(), device_.figures(kernel_time()).core));
}

void TinyTpu::report(Statistics& statistics) { write_figures(figures(), statistics); }

std::vector<Finding> TinyTpu::hazards(const OriginText& origin) { return device_.hazards(kernel_time(), origin); }

std::vector<std::string> TinyTpu::work() { return device_.work(kernel_time()); }

void TinyTpu::persist(Archive& archive) { archive("timer", timer_)("device", device_)("socket", socket); }

}  // namespace vp
