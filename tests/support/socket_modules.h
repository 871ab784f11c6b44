#pragma once

#include "models/common/tlm_initiator.h"
#include "models/common/tlm_target.h"

namespace vp {

/// Sockets live inside modules only; these give a test's bare sockets a module each.
struct TargetModule : sc_core::sc_module {
  TargetModule(sc_core::sc_module_name module_name, TargetModel& model, TlmTarget::Options options)
      : sc_module(module_name), socket("socket", model, options) {}
  TlmTarget socket;
};

struct InitiatorModule : sc_core::sc_module {
  explicit InitiatorModule(sc_core::sc_module_name module_name) : sc_module(module_name), socket("socket") {}
  TlmInitiator socket;
};

}  // namespace vp
