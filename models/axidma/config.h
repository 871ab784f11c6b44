#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "models/common/parameters.h"

namespace vp::axidma {

/// How one AXI DMA is built. Names are those of the product guide's user parameters, without C_ and M_AXI_.
struct AxiDmaConfig {
  Picoseconds clock = 10'000;   ///< of its memory ports and streams
  unsigned data_width = 64;     ///< bits of memory ports and streams: a power of two, 32 to 1024
  unsigned max_burst = 256;     ///< beats: a power of two, 2 to 256
  unsigned length_width = 26;   ///< bits of the LENGTH registers
  unsigned address_width = 32;  ///< bits of SA and DA
  unsigned outstanding = 4;     ///< bursts of MM2S that are under way or wait in its buffer
  std::string mm2s;             ///< the part that its stream leads to; empty: none
  std::string s2mm;             ///< the part whose packets it takes; empty: none

  unsigned word_bytes() const { return data_width / 8; }
  /// A burst ends at the next multiple of this many bytes.
  std::uint64_t burst_bytes() const;

  void declare(const ParameterGroup& group);
  /// Throws UserError, naming `part` ("axidma0"): a width or burst that is no power of two.
  void check(const std::string& part) const;
};

}  // namespace vp::axidma
