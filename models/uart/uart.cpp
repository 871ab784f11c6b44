#include "models/uart/uart.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"

namespace vp {

/// Brings news of the reading thread into the kernel.
class Uart::InputChannel : public sc_core::sc_prim_channel {
 public:
  explicit InputChannel(sc_core::sc_event& event) : sc_prim_channel("input"), event_(event) {}
  /// From any thread.
  void notify() { async_request_update(); }

 private:
  void update() override { event_.notify(sc_core::SC_ZERO_TIME); }
  sc_core::sc_event& event_;
};

Uart::Uart(sc_core::sc_module_name module_name, const UartConfig& config, Horizon& horizon)
    : sc_module(module_name),
      timer_("timer", horizon, [this](Picoseconds due) { core_.timer_due(due); }),
      core_(config, timer_),
      input_event_("input_event"),
      channel_(std::make_unique<InputChannel>(input_event_)),
      socket("socket", core_, {UartCore::kWindow, 1}) {
  SC_HAS_PROCESS(Uart);
  SC_METHOD(input_arrived);
  sensitive << input_event_;
  dont_initialize();
  if (config.input.empty() && config.output.empty()) return;
  console_ = std::make_unique<HostConsole>(config.input, config.output, [this] { channel_->notify(); });
  core_.connect(*console_);
}

Uart::~Uart() = default;

void Uart::start_of_simulation() {
  if (console_) console_->begin();
}

void Uart::input_arrived() { core_.input_arrived(kernel_time()); }

void Uart::connect_line(SerialLineEnd& other) { core_.connect(other); }

void Uart::reset() { core_.reset(kernel_time()); }

void Uart::persist(Archive& archive) { archive("timer", timer_)("core", core_)("socket", socket); }

UartFigures Uart::figures() const { return {core_.figures(), socket.figures()}; }

void Uart::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp
