#pragma once

#include <systemc>

#include "models/common/statistics.h"
#include "models/common/tlm_target.h"
#include "models/irq/plic_core.h"

namespace vp {

/// The PLIC as a module: a socket (32-bit port) in front of the core. Lines are calls, so it needs no kernel event.
class Plic : public sc_core::sc_module {
 public:
  Plic(sc_core::sc_module_name name, const PlicConfig& config);

  /// The receiving end of a source's interrupt line, for the device's bind().
  InterruptLine::Receiver input(unsigned source) {
    return [this, source](bool level) { core_.set_input(source, level); };
  }
  void on_seen(unsigned source, std::function<void()> callback) { core_.on_seen(source, std::move(callback)); }
  std::string masked(unsigned source) const { return core_.masked(source); }
  void on_service(std::function<void(const InterruptService&)> callback) { core_.on_service(std::move(callback)); }
  void set_edge(unsigned source) { core_.set_edge(source); }
  /// Connects a context's output, for example context 0 to the hart's MEIP.
  void bind_output(unsigned context, InterruptLine::Receiver receiver) {
    core_.output(context).bind(std::move(receiver));
  }
  void reset() { core_.reset(); }
  PlicFigures figures() const;
  void report(Statistics& statistics) const;
  const RegisterBank& registers() const { return core_.registers(); }
  void persist(Archive& archive);

 private:
  PlicCore core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
