#pragma once

#include <cstdint>
#include <string>

#include "models/common/clock.h"
#include "models/common/parameters.h"

namespace vp {

/// The memory port of a DMA engine: what the guides of the AXI engines call C_M_AXI_DATA_WIDTH and the like.
struct AxiPortConfig {
  Picoseconds clock = 10'000;
  unsigned data_width = 64;  ///< bits: a power of two, 32 to 1024
  unsigned max_burst = 16;   ///< beats: a power of two, 2 to 256

  unsigned word_bytes() const { return data_width / 8; }
  /// A burst ends at the next multiple of this many bytes: of the longest, or of 4 KiB, which no AXI burst crosses.
  std::uint64_t burst_bytes() const;

  /// The edge of its clock so many cycles after the first one at or after `time`.
  Picoseconds after(Picoseconds time, std::uint64_t cycles) const;

  /// clock, data_width and max_burst of `what`, as its help says: "its memory port".
  void declare_port(const ParameterGroup& group, const std::string& what);
  /// Throws UserError, naming `part` ("cdma0"): a width or burst that is no power of two.
  void check(const std::string& part) const;
};

/// Mask of the low `bits` (0 to 32) of a register, for widths that are settings.
std::uint32_t low_bits(unsigned bits);

/// Throws UserError "cdma0: data_width 48 is not a power of two." for one that is none.
void require_power_of_two(const std::string& part, const char* parameter, unsigned value);

}  // namespace vp
