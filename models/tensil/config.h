#pragma once

#include <string>

#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/tensil/architecture.h"
#include "models/tensil/core.h"
#include "models/tensil/isa.h"

namespace vp::tensil {

/// Settings of a TCU.
struct TensilConfig {
  Architecture architecture;
  Encoding encoding = Encoding::v1;
  OnError on_error = OnError::stop;
  std::string arch;         ///< of a part: board of Tensil's or .tarch file that all sizes were taken from; empty: none
  unsigned axi_width = 64;  ///< bits of a beat of the DRAM ports
  Picoseconds clock_period = 10'000;
  unsigned read_latency = 0;     ///< cycles of a DRAM read beyond memory that never waits
  unsigned write_latency = 0;    ///< likewise of a write response
  unsigned sample_block = 1024;  ///< of a part: samples of a packet; 0: it was built without the sampling stream

  /// The architecture of a compiled model, and the AXI width that its preset was published with.
  void set_architecture(const Architecture& made);
  /// A board of Tensil's or a .tarch file by its name; "none" leaves all as it is. Throws UserError.
  void take_architecture(const std::string& text);
  void declare(const ParameterGroup& group);
  /// Without the fixed latencies, which a TCU on a bus has not.
  void declare_in_machine(const ParameterGroup& group);
  /// Throws UserError for what no single parameter shows to be wrong; `part` begins the sentence.
  void check(const std::string& part = "tensil") const;
  PortTiming port_timing() const { return {axi_width / 8, read_latency, write_latency}; }
};

}  // namespace vp::tensil
