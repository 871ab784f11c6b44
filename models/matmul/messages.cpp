#include "models/matmul/messages.h"

namespace vp::matmul {
namespace {

std::uint32_t little_endian(const std::uint8_t* bytes) {
  return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
}

}  // namespace

DecodedBytes decode_messages(const std::vector<std::uint8_t>& bytes, const CoreConfig& config) {
  DecodedBytes decoded;
  const std::size_t length = config.message_bytes();
  while (bytes.size() - decoded.rest >= length) {
    const std::uint8_t* message = bytes.data() + decoded.rest;
    if (little_endian(message) != length - 4) break;
    Message whole;
    whole.header = message[4];
    for (std::size_t i = 5; i < length; i += 4)
      whole.words.push_back(static_cast<std::int32_t>(little_endian(message + i)));
    decoded.messages.push_back(whole);
    decoded.rest += length;
  }
  return decoded;
}

}  // namespace vp::matmul
