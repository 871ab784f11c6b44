#pragma once

#include <string>

#include "models/drra/config.h"

namespace vp::drra {

/// A fabric in a machine: its own settings, and the DMA's port.
struct DeviceConfig {
  DrraConfig fabric;
  unsigned dma_width = 64;       ///< bits of the port, a power of two
  unsigned dma_burst_rows = 16;  ///< of 32 bytes, a power of two
  unsigned dma_outstanding = 4;  ///< bursts under way

  void declare(const ParameterGroup& group);
  /// Throws UserError, naming `part` ("drra"): what no single parameter shows to be wrong.
  void check(const std::string& part) const;
};

}  // namespace vp::drra
