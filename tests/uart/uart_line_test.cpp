// The 16550 on a serial line: characters take their time.
#include <gmock/gmock.h>

#include "tests/uart/uart_fixture.h"

namespace vp {
namespace {

constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr Picoseconds kLineBit = 10 * kMicrosecond;  // divisor 1
constexpr Picoseconds kCharacter = 10 * kLineBit;

struct LineTest : UartFixture {
  LineTest() {
    build(false);
    uart->connect(line);
    set_divisor(1);
    write(kLcr, 0x03);
  }
  /// A character from the other end.
  void arrive(std::uint8_t byte, Picoseconds start, Picoseconds bit = kLineBit) {
    uart->receive(CharacterFormat(0x03).encode(byte, start, bit));
  }
  RecordingLine line;
};

TEST_F(LineTest, FramesStartAtTheWriteAndFollowEachOther) {
  write(kFcr, 0x01);
  bus->now = 5 * kMicrosecond;
  write(kThr, 0x41);
  bus->now = 7 * kMicrosecond;
  write(kThr, 0x42);
  pass_until(300 * kMicrosecond);
  ASSERT_EQ(line.frames.size(), 2u);
  EXPECT_EQ(line.frames[0].start, 5 * kMicrosecond);
  EXPECT_EQ(line.frames[0].bit_time, kLineBit);
  EXPECT_EQ(line.frames[0].symbols & 0x1FF, 0x141);
  EXPECT_EQ(line.frames[1].start, line.frames[0].end());
  EXPECT_EQ(timer.when, kNever);
}

TEST_F(LineTest, a_frame_names_the_store_that_sent_it_also_out_of_the_fifo) {
  write(kFcr, 0x01);
  for (std::uint8_t byte = 0; byte < 3; ++byte) {
    Access access;
    access.write = true;
    access.address = kThr;
    access.data = &byte;
    access.size = 1;
    access.initiator = 2;
    access.pc = 0x100 + byte;
    uart->access(access);
  }
  pass_until(3 * kCharacter);
  ASSERT_EQ(line.frames.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(line.frames[i].origin.pc, 0x100 + i);
  EXPECT_EQ(line.frames[0].origin.initiator, 2u);
}

TEST_F(LineTest, StatusShowsHoldingRegisterAndTransmitter) {
  write(kThr, 1);
  EXPECT_EQ(read(kLsr), 0x20) << "moved to the shift register at once";
  write(kThr, 2);
  EXPECT_EQ(read(kLsr), 0x00);
  pass_until(kCharacter);
  EXPECT_EQ(read(kLsr), 0x20);
  pass_until(2 * kCharacter - 1);
  EXPECT_EQ(read(kLsr), 0x20);
  pass_until(2 * kCharacter);
  EXPECT_EQ(read(kLsr), 0x60);
}

TEST_F(LineTest, HoldingRegisterEmptyInterruptComesWhenTheLastCharacterMovesOn) {
  write(kFcr, 0x01);
  write(kIer, 0x02);
  read(kIir);
  for (unsigned i = 0; i < 3; ++i) write(kThr, i);
  EXPECT_FALSE(interrupts());
  pass_until(2 * kCharacter - 1);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(timer.when, 2 * kCharacter);
  pass_until(2 * kCharacter);
  EXPECT_TRUE(interrupts());
}

TEST_F(LineTest, AFullTransmitterLosesWrites) {
  write(kFcr, 0x01);
  for (unsigned i = 0; i < 20; ++i) write(kThr, i);  // 1 shifting, 16 waiting
  pass_until(100 * kCharacter);
  EXPECT_EQ(line.frames.size(), 17u);
}

TEST_F(LineTest, OneKernelEventACharacter) {
  write(kFcr, 0x01);
  for (unsigned i = 0; i < 16; ++i) write(kThr, i);
  int events = 0;
  for (; timer.when != kNever; ++events) {
    const Picoseconds due = timer.when;
    timer.when = kNever;
    uart->timer_due(due);
  }
  EXPECT_EQ(events, 16);
  EXPECT_EQ(line.frames.size(), 16u);
}

TEST_F(LineTest, ReceivedCharactersArriveInTheMiddleOfTheirStopBit) {
  write(kIer, 0x01);
  arrive(0x5A, 100 * kMicrosecond);
  pass_until(195 * kMicrosecond - 1);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(timer.when, 195 * kMicrosecond);
  pass_until(195 * kMicrosecond);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(read(kRbr), 0x5A);
  EXPECT_FALSE(interrupts());
}

TEST_F(LineTest, TimeoutComesFourCharactersAfterTheLastActivity) {
  write(kFcr, 0x41);  // trigger level 4
  write(kIer, 0x01);
  arrive(1, 0);
  arrive(2, kCharacter);
  const Picoseconds last = kCharacter + 19 * kLineBit / 2;
  pass_until(last + 4 * kCharacter - 1);
  EXPECT_FALSE(interrupts());
  pass_until(last + 4 * kCharacter);
  EXPECT_EQ(read(kIir), 0xCC);
  EXPECT_EQ(read(kRbr), 1);
  EXPECT_FALSE(interrupts()) << "a read clears it";
  pass_until(last + 8 * kCharacter);
  EXPECT_EQ(read(kIir), 0xCC) << "and starts it again for what is left";
  EXPECT_EQ(read(kRbr), 2);
  pass_until(last + 30 * kCharacter);
  EXPECT_FALSE(interrupts());
}

TEST_F(LineTest, AnotherSpeedGivesGarbageAndFramingErrors) {
  arrive(0x00, 0, 2 * kLineBit);
  pass_until(10 * kCharacter);
  EXPECT_EQ(read(kLsr) & 0x18, 0x18) << "a low line where the stop bit should be";
  arrive(0x3C, 20 * kCharacter, kLineBit / 2);
  pass_until(40 * kCharacter);
  EXPECT_NE(read(kRbr), 0x3C);
}

TEST_F(LineTest, ReceiverOverrunsWhenNobodyReads) {
  write(kFcr, 0x01);
  for (unsigned i = 0; i < 17; ++i) arrive(static_cast<std::uint8_t>(i), i * kCharacter);
  pass_until(20 * kCharacter);
  EXPECT_EQ(read(kLsr) & 0x02, 0x02);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(read(kRbr), i);
  EXPECT_EQ(uart->figures().overruns, 1u);
}

TEST_F(LineTest, RtsReachesTheOtherEndAndItsRtsIsOurCts) {
  bus->now = 3 * kMicrosecond;
  write(kMcr, 0x02);
  write(kMcr, 0x02);
  bus->now = 9 * kMicrosecond;
  write(kMcr, 0x00);
  EXPECT_THAT(line.ready_changes,
              testing::ElementsAre(testing::Pair(3 * kMicrosecond, true), testing::Pair(9 * kMicrosecond, false)));
  write(kIer, 0x08);
  EXPECT_EQ(read(kMsr), 0xB0);
  uart->set_clear_to_send(false, 20 * kMicrosecond);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(read(kMsr), 0xA1);
  EXPECT_FALSE(interrupts());
}

TEST_F(LineTest, DivisorZeroStopsTheTransmitterUntilItIsSet) {
  set_divisor(0);
  write(kThr, 7);
  pass_until(kCharacter);
  EXPECT_TRUE(line.frames.empty());
  EXPECT_EQ(read(kLsr), 0x00);
  set_divisor(3);
  ASSERT_EQ(line.frames.size(), 1u);
  EXPECT_EQ(line.frames[0].bit_time, 3 * kLineBit);
  EXPECT_EQ(line.frames[0].start, kCharacter);
}

TEST_F(LineTest, BreakControlSendsACharacterOfLowLine) {
  write(kLcr, 0x43);
  ASSERT_EQ(line.frames.size(), 1u);
  EXPECT_EQ(line.frames[0].symbols, 0);
}

TEST_F(LineTest, ResetStopsEverythingAndDropsRts) {
  write(kFcr, 0x01);
  write(kMcr, 0x02);
  for (unsigned i = 0; i < 4; ++i) write(kThr, i);
  arrive(1, bus->now);
  uart->reset(bus->now);
  EXPECT_EQ(timer.when, kNever);
  EXPECT_FALSE(line.ready_changes.back().second);
  EXPECT_EQ(read(kLsr), 0x60);
  EXPECT_EQ(line.frames.size(), 1u) << "the one that had begun";
}

struct TimedConsoleTest : UartFixture {
  TimedConsoleTest() {
    build(true);
    uart->connect(console);
    set_divisor(1);
    write(kLcr, 0x03);
  }
  TextConsole console;
};

TEST_F(TimedConsoleTest, CharactersOfAConsoleTakeTheirTimeWhenAsked) {
  write(kThr, 'a');
  write(kThr, 'b');
  EXPECT_EQ(console.output, "a");
  pass_until(kCharacter);
  EXPECT_EQ(console.output, "ab");
  console.input = "xy";
  write(kIer, 0x01);
  pass_until(3 * kCharacter);
  EXPECT_EQ(read(kRbr), 'x');
  pass_until(5 * kCharacter);
  EXPECT_EQ(read(kRbr), 'y');
}

}  // namespace
}  // namespace vp
