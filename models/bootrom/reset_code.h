#pragma once

#include <cstdint>
#include <vector>

namespace vp {

/// Where the reset code, loaded at the reset vector, sends a hart: a0 = hart id, a1 = device tree address, jump to the
/// entry point. xlen: 32 or 64. Position independent; destroys t0 and t1.
struct ResetCode {
  unsigned xlen = 64;
  std::uint64_t entry = 0;
  std::uint64_t device_tree = 0;

  /// Bytes as they stand in memory, a multiple of 8.
  std::vector<std::uint8_t> bytes() const;
};

}  // namespace vp
