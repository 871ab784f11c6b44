#pragma once

#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/horizon.h"
#include "models/common/serial_line.h"
#include "models/common/statistics.h"
#include "models/matmul/config.h"
#include "models/matmul/serial_device.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// The MatMul device in the machine: a serial line is all it has. A byte costs it one kernel event in either direction,
/// and a busy thread that sends nothing one every nine symbols.
class Matmul : public sc_core::sc_module {
 public:
  /// Throws UserError as MatmulConfig::core_config() does.
  Matmul(sc_core::sc_module_name name, const MatmulConfig& config, Horizon& horizon);

  /// Connects the device's line with `other` (a UART or a HostPort), both ways.
  SerialLineEnd& line() { return device_; }
  void connect(SerialLineEnd& other) { device_.connect(other); }
  void reset();

  /// Brings the figures up to the kernel's time; call it before figures() and errata().
  void catch_up();
  const Core& core() const { return device_.core(); }
  Core& core() { return device_.core(); }
  const ErrataLog& errata() const { return device_.core().errata(); }
  /// A thread waits 2^32 clocks for its LOAD and nothing else is in work; -1 if none.
  int hung_thread() const { return device_.core().hung_thread(); }
  Figures figures() const { return device_.figures(); }
  void report(Statistics& statistics) const;
  void persist(Archive& archive);

 private:
  EventTimer timer_;
  SerialDevice device_;
};

}  // namespace vp::matmul
