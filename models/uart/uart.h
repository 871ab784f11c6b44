#pragma once

#include <memory>
#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/host_end.h"
#include "models/common/host_wake.h"
#include "models/common/statistics.h"
#include "models/common/stop_request.h"
#include "models/common/tlm_target.h"
#include "models/uart/uart_core.h"

namespace vp {

/// The UART as a module (8-bit port). Its far side is a console on the host, from the configuration, unless a serial
/// line is connected.
class Uart : public sc_core::sc_module {
 public:
  /// stop: ends its waiting for who reads its output. Throws UserError if the console's files, terminal or port cannot
  /// be opened.
  Uart(sc_core::sc_module_name name, const UartConfig& config, Horizon& horizon, HostWake& wake,
       const StopRequest& stop);
  ~Uart() override;

  void bind_interrupt(InterruptLine::Receiver receiver) { core_.interrupt.bind(std::move(receiver)); }

  /// This end of the serial line, to give to the other; and the other end, to be connected before the simulation
  /// starts.
  SerialLineEnd& line_end() { return core_; }
  void connect_line(SerialLineEnd& other);

  /// The console on the host, nullptr if there is none. When the simulation has nothing left to do, but the console
  /// may_receive_more(), the platform waits for the HostWake and calls sc_start() again.
  HostEnd* console() { return console_.get(); }
  bool interrupts_on_input() const { return core_.interrupts_on_input(); }
  std::string lost_bits() const { return core_.lost_bits(); }
  void reset();
  UartFigures figures() const;
  std::vector<std::string> work() const { return core_.work(); }
  void report(Statistics& statistics) const;
  const RegisterBank& registers() const { return core_.registers(); }
  void persist(Archive& archive);

 private:
  void start_of_simulation() override;

  EventTimer timer_;
  UartCore core_;
  HostWake::Bell input_bell_;
  std::unique_ptr<HostEnd> console_;  // after the bell that its thread rings

 public:
  TlmTarget socket;
};

}  // namespace vp
