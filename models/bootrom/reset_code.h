#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace vp {

/// Where the reset code, loaded at the reset vector, sends a hart: a0 = hart id, a1 = device tree address, jump to the
/// entry point; a2 = argument, if there is one. xlen: 32 or 64. Position independent; destroys t0 and t1.
struct ResetCode {
  unsigned xlen = 64;
  std::uint64_t entry = 0;
  std::uint64_t device_tree = 0;
  std::optional<std::uint64_t> argument;

  /// Bytes as they stand in memory, a multiple of 8.
  std::vector<std::uint8_t> bytes() const;
};

}  // namespace vp
