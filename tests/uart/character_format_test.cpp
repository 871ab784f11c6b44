#include "models/uart/character_format.h"

#include <gtest/gtest.h>

namespace vp {
namespace {

constexpr Picoseconds kBit = 8'680'556;  // 115,200 baud

TEST(CharacterFormat, EightNoneOneHasTenBits) {
  const CharacterFormat format(0x03);
  const SerialFrame frame = format.encode(0x41, 1000, kBit);
  EXPECT_EQ(format.bits(), 10u);
  EXPECT_EQ(frame.end(), 1000 + 10 * kBit);
  EXPECT_EQ(frame.count, 9u);
  EXPECT_EQ(frame.symbols & 0x1FF, 0x141) << "data least significant bit first, then the stop bit";
  EXPECT_FALSE(frame.level(0));
  EXPECT_TRUE(frame.level(kBit));
  EXPECT_FALSE(frame.level(2 * kBit));
  EXPECT_TRUE(frame.level(50 * kBit));
  EXPECT_EQ(format.received_at(1000, kBit), 1000 + 19 * kBit / 2);
}

TEST(CharacterFormat, EveryFormatDecodesWhatItEncodes) {
  for (unsigned lcr_value = 0; lcr_value < 0x40; ++lcr_value) {
    const CharacterFormat format(static_cast<std::uint8_t>(lcr_value));
    for (unsigned data = 0; data < 256; ++data) {
      const auto byte = static_cast<std::uint8_t>(data);
      const ReceivedCharacter character = format.decode(format.encode(byte, 77, kBit), kBit);
      ASSERT_EQ(character.data, byte & format.data_mask()) << lcr_value;
      ASSERT_EQ(character.errors, 0) << lcr_value << " " << data;
    }
  }
}

TEST(CharacterFormat, ParityIsCheckedAsSelected) {
  const CharacterFormat odd(0x0B), even(0x1B), mark(0x2B), space(0x3B);
  const auto error = [](const CharacterFormat& receiver, const CharacterFormat& sender, std::uint8_t data) {
    return (receiver.decode(sender.encode(data, 0, kBit), kBit).errors & lsr::kParityError) != 0;
  };
  EXPECT_TRUE(error(odd, even, 0x41));
  EXPECT_TRUE(error(even, odd, 0x40));
  EXPECT_TRUE(error(mark, space, 0));
  EXPECT_FALSE(error(mark, odd, 0x41)) << "two ones: odd parity sends a one";
  EXPECT_FALSE(error(space, even, 0x41));
  EXPECT_EQ(odd.bits(), 11u);
}

TEST(CharacterFormat, ALowStopBitIsAFramingErrorAndAllLowABreak) {
  const CharacterFormat format(0x03);
  SerialFrame frame = format.encode(0x55, 0, kBit);
  frame.symbols &= 0xFF;
  EXPECT_EQ(format.decode(frame, kBit).errors, lsr::kFramingError);
  EXPECT_EQ(format.decode(frame, kBit).data, 0x55);
  frame.symbols = 0;
  EXPECT_EQ(format.decode(frame, kBit).errors, lsr::kFramingError | lsr::kBreakInterrupt);
  EXPECT_EQ(CharacterFormat(0x43).encode(0xFF, 0, kBit).symbols, 0) << "break control holds the line low";
}

TEST(CharacterFormat, ASlightlyOtherSpeedIsReadAWrongOneIsMisread) {
  const CharacterFormat format(0x03);
  EXPECT_EQ(format.decode(format.encode(0xA5, 0, kBit * 103 / 100), kBit).data, 0xA5);
  EXPECT_EQ(format.decode(format.encode(0xA5, 0, kBit * 97 / 100), kBit).data, 0xA5);
  EXPECT_NE(format.decode(format.encode(0xA5, 0, kBit * 2), kBit).data, 0xA5);
}

}  // namespace
}  // namespace vp
