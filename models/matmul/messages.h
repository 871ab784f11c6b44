#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/matmul/core_config.h"

namespace vp::matmul {

/// One message of the device: what a WRITE sends.
struct Message {
  std::uint8_t header = 0;
  std::vector<std::int32_t> words;  ///< the matrix, row-major

  bool operator==(const Message& other) const { return header == other.header && words == other.words; }
};

/// A device's bytes split into messages (README, line).
struct DecodedBytes {
  std::vector<Message> messages;
  std::size_t rest = 0;  ///< index of the first byte after the last whole message
};

/// Splits `bytes` from their beginning; stops at a count that is none of this device, or at an incomplete message.
/// Where the hardware lost bytes everything behind is rest: nothing on the line marks a message's start.
DecodedBytes decode_messages(const std::vector<std::uint8_t>& bytes, const CoreConfig& config);

}  // namespace vp::matmul
