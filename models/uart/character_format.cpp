#include "models/uart/character_format.h"

#include <bitset>

namespace vp {

bool CharacterFormat::parity_of(std::uint8_t data) const {
  const bool even = (lcr_ & lcr::kEvenParity) != 0;
  if ((lcr_ & lcr::kStickParity) != 0) return !even;
  const bool odd_number_of_ones = std::bitset<8>(data).count() % 2 != 0;
  return even == odd_number_of_ones;
}

SerialFrame CharacterFormat::encode(std::uint8_t data, Picoseconds start, Picoseconds bit_time) const {
  SerialFrame frame;
  frame.start = start;
  frame.bit_time = bit_time;
  frame.count = bits() - 1;
  if ((lcr_ & lcr::kBreak) != 0) return frame;
  data &= data_mask();
  unsigned symbols = data;
  if (has_parity() && parity_of(data)) symbols |= 1u << data_bits();
  symbols |= ~0u << symbols_before_stop();  // stop bits and idle line
  frame.symbols = static_cast<std::uint16_t>(symbols);
  return frame;
}

ReceivedCharacter CharacterFormat::decode(const SerialFrame& frame, Picoseconds bit_time) const {
  const auto sample = [&](unsigned symbol) { return frame.level((2 * symbol + 1) * bit_time / 2); };
  ReceivedCharacter character;
  bool all_low = true;
  for (unsigned bit = 0; bit < data_bits(); ++bit) {
    if (!sample(1 + bit)) continue;
    character.data |= static_cast<std::uint8_t>(1u << bit);
    all_low = false;
  }
  if (has_parity()) {
    const bool parity = sample(1 + data_bits());
    if (parity != parity_of(character.data)) character.errors |= lsr::kParityError;
    if (parity) all_low = false;
  }
  if (!sample(1 + symbols_before_stop())) {
    character.errors |= lsr::kFramingError;
    if (all_low) character.errors |= lsr::kBreakInterrupt;
  }
  return character;
}

Picoseconds CharacterFormat::received_at(Picoseconds start, Picoseconds bit_time) const {
  return start + (2 * (1 + symbols_before_stop()) + 1) * bit_time / 2;
}

}  // namespace vp
