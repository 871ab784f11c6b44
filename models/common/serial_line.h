#pragma once

#include <cstdint>

#include "models/common/clock.h"
#include "models/common/origin.h"

namespace vp {

/// One character on an asynchronous serial line: line low for the start bit, then the symbols, each `bit_time` long,
/// then idle high. `symbols` holds what follows the start bit, first symbol in bit 0: data bits in the order in which
/// they are sent, parity if any, stop bits. An ordinary 8N1 byte b is symbols = 0x100 | b, count = 9.
struct SerialFrame {
  Picoseconds start = 0;     ///< absolute time of the falling edge of the start bit
  Picoseconds bit_time = 0;  ///< of the sender
  std::uint16_t symbols = 0;
  unsigned count = 0;  ///< number of symbols after the start bit
  Origin origin{};     ///< of the store that sent it, if one did

  /// Line level `since_start` picoseconds after the falling edge.
  bool level(Picoseconds since_start) const {
    const Picoseconds symbol = since_start / bit_time;
    if (symbol == 0) return false;
    return symbol > count || (symbols >> (symbol - 1) & 1) != 0;
  }
  /// When the last symbol ends.
  Picoseconds end() const { return start + (count + 1) * bit_time; }
};

/// One end of a serial line. Two ends are connected by giving each the other; each calls the other's functions.
///
/// Time: calls are made when the kernel has reached the given time (`start`, `when`), or ahead of it by an initiator's
/// local time (never behind it). The receiving end schedules what follows by itself. A frame costs no kernel event of
/// its own.
class SerialLineEnd {
 public:
  virtual ~SerialLineEnd() = default;
  /// A frame's start bit falls at frame.start. Never called before the previous frame of this direction has ended.
  virtual void receive(const SerialFrame& frame) = 0;
  /// The other end's RTS output changed; it is this end's CTS input. true: this end may send.
  virtual void set_clear_to_send(bool ready, Picoseconds when) = 0;
};

}  // namespace vp
