#include "models/uart/uart.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"

namespace vp {

Uart::Uart(sc_core::sc_module_name module_name, const UartConfig& config, Horizon& horizon, HostWake& wake,
           const StopRequest& stop)
    : sc_module(module_name),
      timer_("timer", horizon, [this](Picoseconds due) { core_.timer_due(due); }),
      core_(config, timer_),
      input_bell_(wake, [this] { core_.input_arrived(kernel_time()); }),
      socket("socket", core_, {UartCore::kWindow, 1}) {
  console_ = config.open([this] { input_bell_.ring(); }, stop);
  if (console_) core_.connect(*console_);
}

Uart::~Uart() = default;

void Uart::start_of_simulation() {
  if (console_) console_->begin();
}

void Uart::connect_line(SerialLineEnd& other) { core_.connect(other); }

void Uart::reset() { core_.reset(kernel_time()); }

void Uart::persist(Archive& archive) { archive("timer", timer_)("core", core_)("socket", socket); }

UartFigures Uart::figures() const { return {core_.figures(), socket.figures()}; }

void Uart::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp
