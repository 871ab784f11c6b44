#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "models/common/parameters.h"

namespace vp::cdma {

/// How one AXI CDMA is built. Names are those of the product guide's user parameters, without C_ and M_AXI_.
struct CdmaConfig {
  Picoseconds clock = 10'000;   ///< of its memory port (m_axi_aclk)
  unsigned data_width = 64;     ///< bits of its memory port: a power of two, 32 to 1024
  unsigned max_burst = 16;      ///< beats: a power of two, 2 to 256
  unsigned btt_width = 26;      ///< bits of BTT
  unsigned address_width = 64;  ///< bits of SA and DA
  bool include_dre = true;      ///< data realignment: source and destination may lie differently in a port word
  unsigned outstanding = 4;     ///< bursts under way on each of the two channels

  unsigned word_bytes() const { return data_width / 8; }
  /// A burst ends at the next multiple of this many bytes, as the DataMover cuts.
  std::uint64_t burst_bytes() const;

  void declare(const ParameterGroup& group);
  /// Throws UserError, naming `part` ("cdma0"): a width or burst that is no power of two.
  void check(const std::string& part) const;
};

}  // namespace vp::cdma
