#pragma once

#include "models/common/axi_port_config.h"

namespace vp::cdma {

/// How one AXI CDMA is built. Names are those of the product guide's user parameters, without C_ and M_AXI_.
struct CdmaConfig : AxiPortConfig {
  unsigned btt_width = 26;      ///< bits of BTT
  unsigned address_width = 64;  ///< bits of SA and DA
  bool include_dre = true;      ///< data realignment: source and destination may lie differently in a port word
  unsigned outstanding = 4;     ///< bursts under way on each of the two channels

  void declare(const ParameterGroup& group);
};

}  // namespace vp::cdma
