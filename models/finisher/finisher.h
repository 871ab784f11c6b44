#pragma once

#include <systemc>

#include "models/common/tlm_target.h"
#include "models/finisher/finisher_core.h"

namespace vp {

/// The finisher as a module (32-bit port). The platform does what the guest asks for in the callback, which comes from
/// within the guest's access.
class Finisher : public sc_core::sc_module {
 public:
  explicit Finisher(sc_core::sc_module_name name);
  void on_finish(FinisherCore::Callback callback) { core_.on_finish(std::move(callback)); }
  void on_fidelity(FinisherCore::FidelityCallback callback) { core_.on_fidelity(std::move(callback)); }
  void on_region(FinisherCore::RegionCallback callback) { core_.on_region(std::move(callback)); }
  void on_metric(FinisherCore::MetricCallback callback) { core_.on_metric(std::move(callback)); }
  void set_fidelity(Fidelity fidelity) { core_.set_fidelity(fidelity); }
  void reset() {}  // the mode stays
  const RegisterBank& registers() const { return core_.registers(); }
  void persist(Archive& archive);

 private:
  FinisherCore core_;

 public:
  TlmTarget socket;
};

}  // namespace vp
