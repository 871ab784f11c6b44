#pragma once

#include <cstdint>

namespace vp {

/// What a UART without a serial line talks to.
class Console {
 public:
  virtual ~Console() = default;
  virtual void put(std::uint8_t byte) = 0;
  /// The next byte of input if there is one. Never blocks.
  virtual bool take(std::uint8_t& byte) = 0;
  /// The guest has looked for input, and there was none.
  virtual void asked_in_vain() {}
};

}  // namespace vp
