#pragma once

#include <cstdint>

#include "models/common/serial_line.h"

namespace vp {

class Archive;

/// Bits of the line control register LCR that define a character (names as in the PC16550D data sheet).
namespace lcr {
inline constexpr std::uint8_t kWordLength = 0x03;  ///< WLS: 5, 6, 7, 8 data bits
inline constexpr std::uint8_t kStopBits = 0x04;    ///< STB: 2 stop bits instead of 1
inline constexpr std::uint8_t kParity = 0x08;      ///< PEN
inline constexpr std::uint8_t kEvenParity = 0x10;  ///< EPS
inline constexpr std::uint8_t kStickParity = 0x20;
inline constexpr std::uint8_t kBreak = 0x40;
inline constexpr std::uint8_t kDivisorLatch = 0x80;  ///< DLAB
}  // namespace lcr

/// Error bits of a received character, where LSR has them.
namespace lsr {
inline constexpr std::uint8_t kDataReady = 0x01;
inline constexpr std::uint8_t kOverrun = 0x02;
inline constexpr std::uint8_t kParityError = 0x04;
inline constexpr std::uint8_t kFramingError = 0x08;
inline constexpr std::uint8_t kBreakInterrupt = 0x10;
inline constexpr std::uint8_t kHoldingEmpty = 0x20;      ///< THRE
inline constexpr std::uint8_t kTransmitterEmpty = 0x40;  ///< TEMT
inline constexpr std::uint8_t kFifoError = 0x80;
}  // namespace lsr

struct ReceivedCharacter {
  std::uint8_t data = 0;
  std::uint8_t errors = 0;  ///< kParityError, kFramingError, kBreakInterrupt
  void persist(Archive& archive);
};

/// The format that an LCR value selects.
class CharacterFormat {
 public:
  explicit CharacterFormat(std::uint8_t line_control) : lcr_(line_control) {}

  unsigned data_bits() const { return 5 + (lcr_ & lcr::kWordLength); }
  std::uint8_t data_mask() const { return static_cast<std::uint8_t>(0xFF >> (8 - data_bits())); }
  /// Start, data, parity and stop bits. The 1.5 stop bits of 5-bit characters count as 2.
  unsigned bits() const { return 1 + symbols_before_stop() + ((lcr_ & lcr::kStopBits) != 0 ? 2 : 1); }

  /// The character on the line; all low while break control is set.
  SerialFrame encode(std::uint8_t data, Picoseconds start, Picoseconds bit_time) const;
  /// Samples a frame in the middle of each of the receiver's own bits, so that senders of another speed or format are
  /// misread as on a real line.
  ReceivedCharacter decode(const SerialFrame& frame, Picoseconds bit_time) const;
  /// When the receiver has the character: the middle of its first stop bit.
  Picoseconds received_at(Picoseconds start, Picoseconds bit_time) const;

 private:
  bool has_parity() const { return (lcr_ & lcr::kParity) != 0; }
  unsigned symbols_before_stop() const { return data_bits() + (has_parity() ? 1 : 0); }
  bool parity_of(std::uint8_t data) const;

  std::uint8_t lcr_;
};

}  // namespace vp
