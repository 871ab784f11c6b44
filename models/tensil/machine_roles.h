#pragma once

#include "models/tensil/config.h"
#include "models/tensil/sequencer.h"

namespace vp::tensil {

/// A TCU of a machine, for who runs a compiled network on it.
class Accelerator {
 public:
  virtual ~Accelerator() = default;
  virtual const TensilConfig& config() const = 0;
  virtual Sequencer& sequencer() = 0;
  virtual const Sequencer& sequencer() const = 0;
};

}  // namespace vp::tensil
