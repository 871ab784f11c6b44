#pragma once

#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/statistics.h"
#include "models/common/tlm_target.h"
#include "models/irq/clint_core.h"

namespace vp {

/// The CLINT as a module: a socket (64-bit port) in front of the core, and the timer interrupt at its exact time.
class Clint : public sc_core::sc_module {
 public:
  Clint(sc_core::sc_module_name name, const ClintConfig& config, Horizon& horizon);

  void bind_software_interrupt(InterruptLine::Receiver receiver) { core_.software.bind(std::move(receiver)); }
  void bind_timer_interrupt(InterruptLine::Receiver receiver) { core_.timer.bind(std::move(receiver)); }
  /// For the hart's `time` CSR.
  std::uint64_t mtime(Picoseconds now) const { return core_.mtime(now); }
  void reset();
  ClintFigures figures() const;
  void report(Statistics& statistics) const;
  const RegisterBank& registers() const { return core_.registers(); }
  void persist(Archive& archive);

 private:
  EventTimer timer_;
  ClintCore core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
