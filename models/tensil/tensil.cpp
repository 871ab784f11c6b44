#include "models/tensil/tensil.h"

#include "models/common/archive.h"
#include "models/common/tlm_time.h"

namespace vp {
namespace {

OverlappingMaster::Options port_options(const tensil::TensilConfig& config) {
  OverlappingMaster::Options options;
  options.outstanding = tensil::MemoryPort::kOutstanding;
  options.longest_burst = static_cast<unsigned>(tensil::MemoryPort::longest_burst(config.axi_width / 8));
  return options;
}

}  // namespace

Tensil::Tensil(sc_core::sc_module_name module_name, Horizon& horizon, const tensil::TensilConfig& config)
    : sc_module(module_name),
      dram0("dram0", port_options(config)),
      dram1("dram1", port_options(config)),
      timer_("timer", horizon, [this](Picoseconds due) { sequencer_.deliver(due); }),
      sequencer_(config, dram0, dram1, timer_) {
  sequencer_.peek_with([this](std::uint32_t address, std::uint8_t* bytes, std::size_t count) {
    return dram0.socket.debug_read(address, bytes, static_cast<unsigned>(count)) == count;
  });
}

void Tensil::reset() { sequencer_.reset(kernel_time()); }

void Tensil::persist(Archive& archive) {
  archive("timer", timer_)("sequencer", sequencer_)("dram0", dram0)("dram1", dram1);
}

}  // namespace vp
