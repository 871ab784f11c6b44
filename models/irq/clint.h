#pragma once

#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/statistics.h"
#include "models/common/tlm_target.h"
#include "models/irq/clint_core.h"

namespace vp {

/// The CLINT as a module: a socket (64-bit port) in front of the core, and the timer interrupts at their exact times.
class Clint : public sc_core::sc_module {
 public:
  Clint(sc_core::sc_module_name name, const ClintConfig& config, Horizon& horizon);

  void bind_software_interrupt(InterruptLine::Receiver receiver) { core_.software.bind(std::move(receiver)); }
  void bind_supervisor_timer_interrupt(InterruptLine::Receiver receiver) {
    core_.supervisor_timer.bind(std::move(receiver));
  }
  void bind_timer_interrupt(InterruptLine::Receiver receiver) { core_.timer.bind(std::move(receiver)); }
  /// For the hart's `time` CSR.
  std::uint64_t mtime(Picoseconds now) const { return core_.mtime(now); }
  void set_supervisor_compare(std::uint64_t value, Picoseconds now) { core_.set_supervisor_compare(value, now); }
  void reset();
  ClintFigures figures() const;
  void report(Statistics& statistics) const;
  const RegisterBank& registers() const { return core_.registers(); }
  void persist(Archive& archive);

 private:
  EventTimer timer_;
  EventTimer supervisor_timer_;
  ClintCore core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
