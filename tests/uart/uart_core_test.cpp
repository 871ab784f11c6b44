// The 16550 with a console, characters taking no time; and loop-back.
#include "models/uart/uart_core.h"

#include <random>

#include "tests/uart/uart_fixture.h"

namespace vp {
namespace {

struct ConsoleTest : UartFixture {
  ConsoleTest() {
    build(false);
    uart->connect(console);
    write(kLcr, 0x03);
  }
  TextConsole console;
};

TEST_F(ConsoleTest, ResetValuesAreThoseOfTheDataSheet) {
  build(false);
  EXPECT_EQ(read(kIer), 0x00);
  EXPECT_EQ(read(kIir), 0x01);
  EXPECT_EQ(read(kLcr), 0x00);
  EXPECT_EQ(read(kMcr), 0x00);
  EXPECT_EQ(read(kLsr), 0x60);
  EXPECT_EQ(read(kMsr), 0x00);
}

TEST_F(ConsoleTest, BytesGoOutAtOnce) {
  for (const char c : std::string("hello\n")) {
    EXPECT_EQ(read(kLsr) & 0x60, 0x60);
    write(kThr, static_cast<unsigned char>(c));
  }
  EXPECT_EQ(console.output, "hello\n");
  EXPECT_EQ(timer.when, kNever) << "no kernel event";
}

TEST_F(ConsoleTest, RegistersKeepTheirWritableBits) {
  write(kScr, 0xA5);
  EXPECT_EQ(read(kScr), 0xA5);
  write(kIer, 0xFF);
  EXPECT_EQ(read(kIer), 0x0F);
  write(kMcr, 0xFF);
  EXPECT_EQ(read(kMcr), 0x1F);
  write(kLsr, 0);
  EXPECT_EQ(bus->result, AccessResult::ok);
  bus->read(8, 1);
  EXPECT_EQ(bus->result, AccessResult::address_error);
}

TEST_F(ConsoleTest, DivisorLatchIsBehindItsBit) {
  set_divisor(0x1234);
  write(kLcr, 0x83);
  EXPECT_EQ(read(kDll), 0x34);
  EXPECT_EQ(read(kDlm), 0x12);
  write(kLcr, 0x03);
  EXPECT_EQ(read(kIer), 0x00);
  EXPECT_EQ(console.output, "");
}

TEST_F(ConsoleTest, FcrShowsInIir) {
  write(kFcr, 0x01);
  EXPECT_EQ(read(kIir), 0xC1);
  write(kFcr, 0x00);
  EXPECT_EQ(read(kIir), 0x01);
}

TEST_F(ConsoleTest, InputIsReadInOrderAndNothingIsLostToAFifoReset) {
  console.input = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(read(kLsr) & 0x01, 1) << "one character in the receiver";
  write(kFcr, 0x07);
  std::string got;
  while ((read(kLsr) & 0x01) != 0) got.push_back(static_cast<char>(read(kRbr)));
  EXPECT_EQ(got, "abcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(read(kLsr) & 0x02, 0) << "no overrun";
}

TEST_F(ConsoleTest, ReceivedDataInterruptsWhenEnabledAndInputArrives) {
  write(kIer, 0x01);
  EXPECT_FALSE(interrupts());
  console.input = "x";
  uart->input_arrived(bus->now);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(read(kIir), 0x04);
  EXPECT_EQ(read(kRbr), 'x');
  EXPECT_FALSE(interrupts());
}

TEST_F(ConsoleTest, BelowTheTriggerLevelItIsATimeout) {
  write(kFcr, 0x81);  // 8 characters
  write(kIer, 0x01);
  console.input = "abc";
  uart->input_arrived(bus->now);
  EXPECT_EQ(read(kIir), 0xCC);
  console.input = "defghijkl";
  uart->input_arrived(bus->now);
  EXPECT_EQ(read(kIir), 0xC4);
}

TEST_F(ConsoleTest, HoldingRegisterEmptyInterruptFollowsTheDataSheet) {
  write(kIer, 0x02);
  EXPECT_TRUE(interrupts()) << "enabling it while the transmitter is empty interrupts";
  EXPECT_EQ(read(kIir), 0x02);
  EXPECT_FALSE(interrupts()) << "reading IIR clears it";
  EXPECT_EQ(read(kIir), 0x01);
  write(kThr, 'a');
  EXPECT_TRUE(interrupts()) << "the byte has gone already";
  write(kIer, 0x00);
  EXPECT_FALSE(interrupts());
}

TEST_F(ConsoleTest, ReadingIirLeavesOtherInterruptsPending) {
  console.input = "q";
  write(kIer, 0x03);
  EXPECT_EQ(read(kIir), 0x04) << "received data come before an empty transmitter";
  EXPECT_EQ(read(kIir), 0x04);
  read(kRbr);
  EXPECT_EQ(read(kIir), 0x02);
  EXPECT_EQ(read(kIir), 0x01);
}

struct LoopBackTest : ConsoleTest {
  LoopBackTest() { write(kMcr, 0x10); }
};

TEST_F(LoopBackTest, SendsToItselfAndNotToTheConsole) {
  console.input = "from outside";
  for (unsigned byte : {0x00u, 0x55u, 0xFFu}) {
    write(kThr, byte);
    EXPECT_EQ(read(kLsr), 0x61);
    EXPECT_EQ(read(kRbr), byte);
  }
  EXPECT_EQ(console.output, "");
}

TEST_F(LoopBackTest, WithoutFifosASecondCharacterOverrunsTheFirst) {
  write(kIer, 0x04);
  write(kThr, 1);
  EXPECT_FALSE(interrupts());
  write(kThr, 2);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(read(kIir), 0x06);
  EXPECT_EQ(read(kLsr), 0x63);
  EXPECT_EQ(read(kLsr), 0x61) << "reading LSR clears the error";
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(read(kRbr), 2);
}

TEST_F(LoopBackTest, TheFifoHoldsSixteenAndKeepsTheOldOnes) {
  write(kFcr, 0x01);
  for (unsigned i = 0; i < 17; ++i) write(kThr, i);
  EXPECT_EQ(read(kLsr) & 0x02, 0x02);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(read(kRbr), i);
  EXPECT_EQ(read(kLsr) & 0x01, 0);
}

TEST_F(LoopBackTest, TriggerLevelsAreOneFourEightFourteen) {
  const unsigned levels[] = {1, 4, 8, 14};
  write(kIer, 0x01);
  for (unsigned setting = 0; setting < 4; ++setting) {
    write(kFcr, setting << 6 | 0x03);
    for (unsigned i = 1; i <= 14; ++i) {
      write(kThr, i);
      EXPECT_EQ(read(kIir), i >= levels[setting] ? 0xC4 : 0xCC) << setting << " " << i;
    }
  }
}

TEST_F(LoopBackTest, ClearingTheReceiverFifoDropsItsCharacters) {
  write(kFcr, 0x01);
  write(kThr, 1);
  write(kThr, 2);
  write(kFcr, 0x03);
  EXPECT_EQ(read(kLsr), 0x60);
}

TEST_F(LoopBackTest, ParityErrorsBelongToTheirCharacter) {
  // Break control sends a character of low line: a break with a framing error.
  write(kFcr, 0x01);
  write(kThr, 'a');
  write(kLcr, 0x43);
  write(kLcr, 0x03);
  write(kThr, 'b');
  EXPECT_EQ(read(kLsr), 0xE1) << "an error is in the FIFO, but not at its head";
  EXPECT_EQ(read(kRbr), 'a');
  EXPECT_EQ(read(kLsr), 0xF9) << "framing error and break of the next character";
  EXPECT_EQ(read(kLsr), 0x61);
  EXPECT_EQ(read(kRbr), 0);
  EXPECT_EQ(read(kRbr), 'b');
}

TEST_F(LoopBackTest, ModemOutputsComeBackAsInputsWithTheirDeltas) {
  read(kMsr);
  write(kMcr, 0x12);
  EXPECT_EQ(read(kMsr), 0x11) << "RTS → CTS";
  EXPECT_EQ(read(kMsr), 0x10) << "reading clears the deltas";
  write(kMcr, 0x13);
  EXPECT_EQ(read(kMsr), 0x32) << "DTR → DSR";
  write(kMcr, 0x17);
  EXPECT_EQ(read(kMsr), 0x70) << "OUT1 → RI, whose leading edge is no delta";
  write(kMcr, 0x1B);
  EXPECT_EQ(read(kMsr), 0xBC) << "RI's trailing edge, OUT2 → DCD";
}

TEST_F(LoopBackTest, ModemStatusInterruptIsTheLowest) {
  read(kMsr);
  write(kIer, 0x08);
  write(kMcr, 0x12);
  EXPECT_TRUE(interrupts());
  EXPECT_EQ(read(kIir), 0x00);
  read(kMsr);
  EXPECT_FALSE(interrupts());
}

TEST_F(ConsoleTest, AConsoleIsReadyOnAllModemLines) {
  build(false);
  uart->connect(console);
  EXPECT_EQ(read(kMsr), 0xB0);
}

TEST_F(ConsoleTest, ResetBringsBackTheResetValues) {
  write(kFcr, 0xC1);
  write(kIer, 0x0F);
  write(kMcr, 0x1F);
  write(kLcr, 0x83);
  uart->reset(bus->now);
  EXPECT_FALSE(interrupts());
  EXPECT_EQ(read(kIer), 0x00);
  EXPECT_EQ(read(kIir), 0x01);
  EXPECT_EQ(read(kLcr), 0x00);
  EXPECT_EQ(read(kLsr), 0x60);
}

TEST_F(ConsoleTest, DebugReadsChangeNothing) {
  console.input = "z";
  EXPECT_EQ(read(kLsr) & 1, 1);
  EXPECT_EQ(bus->peek(kRbr, 1), 'z');
  EXPECT_EQ(bus->peek(kRbr, 1), 'z');
  write(kIer, 0x02);
  EXPECT_EQ(bus->peek(kIir, 1), 0x02);
  EXPECT_EQ(read(kIir), 0x02);
}

/// Random register traffic: always a response, the interrupt line always agrees with IIR, and time events never run
/// backwards.
TEST_F(ConsoleTest, RandomRegisterTrafficKeepsTheInvariants) {
  std::mt19937 random(21);
  for (const bool baud_timing : {false, true}) {
    build(baud_timing);
    TextConsole fuzz_console;
    uart->connect(fuzz_console);
    for (int i = 0; i < 50'000; ++i) {
      pass_until(bus->now + random() % 1'000'000'000);
      if (random() % 8 == 0) fuzz_console.input.push_back(static_cast<char>(random()));
      const unsigned offset = random() % 9;
      if (random() % 2 != 0)
        write(offset, random() & 0xFF);
      else
        read(offset);
      ASSERT_EQ(bus->result == AccessResult::ok, offset < 8) << offset;
      ASSERT_EQ(interrupts(), (bus->peek(kIir, 1) & 1) == 0);
      ASSERT_GT(timer.when, bus->now);
    }
  }
}

TEST_F(ConsoleTest, registers_are_listed_by_the_names_of_the_data_sheet) {
  write(kIer, 0x05);
  const auto text = [&](const char* name) { return uart->registers().find(name, 0)->text(); };
  EXPECT_EQ(text("IER"), "IER 0x5: ERBFI=1 ELSI=1");
  EXPECT_EQ(text("LSR"), "LSR 0x60: THRE=1 TEMT=1");
  EXPECT_EQ(text("IIR"), "IIR 0x1: INTERRUPT=none");
  EXPECT_EQ(text("LCR"), "LCR 0x3: WLS=3");
  EXPECT_EQ(text("DLL"), "DLL 0x2") << "listed in whatever view the guest is";
}

TEST_F(ConsoleTest, tells_what_waits_in_its_fifos) {
  console.input = "ab";
  EXPECT_EQ(uart->work(), (std::vector<std::string>{"transmitter: 0 bytes waiting", "receiver: 0 bytes to be read"}));
  write(kFcr, 0x01);
  read(kLsr);
  EXPECT_EQ(uart->work()[1], "receiver: 2 bytes to be read");
}

}  // namespace
}  // namespace vp
