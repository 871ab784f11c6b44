#pragma once

#include <string>

#include "models/common/axi_port_config.h"

namespace vp::axidma {

/// How one AXI DMA is built. Names are those of the product guide's user parameters, without C_ and M_AXI_.
struct AxiDmaConfig : AxiPortConfig {
  AxiDmaConfig() { max_burst = 256; }

  unsigned length_width = 26;   ///< bits of the LENGTH registers
  unsigned address_width = 32;  ///< bits of SA and DA
  unsigned outstanding = 4;     ///< bursts of MM2S that are under way or wait in its buffer
  std::string mm2s;             ///< the part that its stream leads to; empty: none
  std::string s2mm;             ///< the part whose packets it takes; empty: none

  void declare(const ParameterGroup& group);
};

}  // namespace vp::axidma
