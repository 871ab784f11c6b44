#include "models/common/register_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace vp {
namespace {

struct BankTest : testing::Test {
  std::uint64_t read(std::uint64_t offset, unsigned size) {
    std::uint64_t value = 0;
    result = bank.read(offset, reinterpret_cast<std::uint8_t*>(&value), size, now);
    return value;
  }
  void write(std::uint64_t offset, std::uint64_t value, unsigned size) {
    result = bank.write(offset, reinterpret_cast<const std::uint8_t*>(&value), size, now);
  }
  RegisterBank bank;
  AccessResult result = AccessResult::ok;
  Picoseconds now = 100;
};

TEST_F(BankTest, PlainRegistersStoreAndReset) {
  Register<std::uint32_t> control(bank, {"CTRL", 0x10}, 0x55);
  EXPECT_EQ(read(0x10, 4), 0x55u);
  write(0x10, 0x12345678, 4);
  EXPECT_EQ(read(0x10, 4), 0x12345678u);
  bank.reset();
  EXPECT_EQ(read(0x10, 4), 0x55u);
}

TEST_F(BankTest, PartsOfARegisterAreReadAndWritten) {
  Register<std::uint64_t> compare(bank, {"MTIMECMP", 0x4000});
  write(0x4004, 0xAABBCCDD, 4);
  write(0x4001, 0x77, 1);
  EXPECT_EQ(read(0x4000, 8), 0xAABBCCDD00007700u);
  EXPECT_EQ(read(0x4006, 2), 0xAABBu);
}

TEST_F(BankTest, AnAccessMaySpanRegistersLowerAddressFirst) {
  std::vector<char> order;
  Register<std::uint16_t> low(bank, {"LOW", 0}), high(bank, {"HIGH", 2});
  high.on_write = [&](std::uint16_t value, Picoseconds&) { order.push_back('h'), high.value = value; };
  low.on_write = [&](std::uint16_t value, Picoseconds&) { order.push_back('l'), low.value = value; };
  write(0, 0x22221111, 4);
  EXPECT_THAT(order, testing::ElementsAre('l', 'h'));
  EXPECT_EQ(read(0, 4), 0x22221111u);
}

TEST_F(BankTest, CallbacksSeeTheTimeAndMayMoveIt) {
  Register<std::uint32_t> counter(bank, {"COUNT", 0, RegisterMode::read_only});
  counter.on_read = [](Picoseconds& time) { return static_cast<std::uint32_t>(std::exchange(time, time + 5)); };
  EXPECT_EQ(read(0, 4), 100u);
  EXPECT_EQ(now, 105u);
}

TEST_F(BankTest, WriteMaskProtectsBits) {
  Register<std::uint8_t> enable(bank, {"IER", 1}, 0x80);
  enable.write_mask = 0x0F;
  write(1, 0x7F, 1);
  EXPECT_EQ(enable.value, 0x8F);
}

TEST_F(BankTest, ForbiddenDirectionsAreCommandErrorsAndHolesAddressErrors) {
  Register<std::uint32_t> status(bank, {"STATUS", 0, RegisterMode::read_only}, 3);
  Register<std::uint32_t> command(bank, {"COMMAND", 4, RegisterMode::write_only});
  Register<std::uint32_t> id(bank, {"ID", 8, RegisterMode::write_ignored}, 9);
  write(0, 1, 4);
  EXPECT_EQ(result, AccessResult::command_error);
  read(4, 4);
  EXPECT_EQ(result, AccessResult::command_error);
  write(8, 1, 4);
  EXPECT_EQ(result, AccessResult::ok);
  EXPECT_EQ(read(8, 4), 9u);
  read(12, 4);
  EXPECT_EQ(result, AccessResult::address_error);
  read(10, 4);
  EXPECT_EQ(result, AccessResult::address_error) << "half in, half out";
}

TEST_F(BankTest, DirectionsAndViewsMayShareAnAddress) {
  Register<std::uint8_t> receive(bank, {"RBR", 0, RegisterMode::read_only, 0}, 1);
  Register<std::uint8_t> transmit(bank, {"THR", 0, RegisterMode::write_only, 0});
  Register<std::uint8_t> divisor(bank, {"DLL", 0, RegisterMode::read_write, 1}, 7);
  write(0, 5, 1);
  EXPECT_EQ(transmit.value, 5);
  EXPECT_EQ(read(0, 1), 1u);
  bank.select_view(1);
  EXPECT_EQ(read(0, 1), 7u);
  write(0, 8, 1);
  EXPECT_EQ(divisor.value, 8);
  EXPECT_EQ(transmit.value, 5);
  EXPECT_EQ(bank.describe(0), "RBR/THR/DLL");
}

TEST_F(BankTest, OverlapIsRefusedAtConstruction) {
  Register<std::uint32_t> first(bank, {"FIRST", 4});
  EXPECT_THROW(Register<std::uint16_t>(bank, {"SECOND", 6}), std::logic_error);
  EXPECT_THROW(Register<std::uint16_t>(bank, {"THIRD", 6, RegisterMode::read_only}), std::logic_error);
}

TEST_F(BankTest, DebugReadsHaveNoSideEffectsAndStopAtHoles) {
  int reads = 0;
  Register<std::uint32_t> claim(bank, {"CLAIM", 4}, 6), after(bank, {"AFTER", 8}, 7);
  claim.on_read = [&](Picoseconds&) { return static_cast<std::uint32_t>(++reads); };
  std::array<std::uint8_t, 12> data{};
  EXPECT_EQ(bank.debug_read(4, data.data(), 12), 8u);
  EXPECT_EQ(data[0], 6);
  EXPECT_EQ(data[4], 7);
  EXPECT_EQ(reads, 0);
}

TEST(RegisterBankMinimum, SmallerAccessesAreAddressErrors) {
  RegisterBank bank(4);
  Register<std::uint32_t> priority(bank, {"PRIORITY1", 4});
  std::uint8_t data[4] = {1, 2, 3, 4};
  Picoseconds now = 0;
  EXPECT_EQ(bank.write(4, data, 2, now), AccessResult::address_error);
  EXPECT_EQ(bank.write(4, data, 4, now), AccessResult::ok);
  EXPECT_EQ(priority.value, 0x04030201u);
}

TEST_F(BankTest, DescribesTheNearestRegister) {
  EXPECT_EQ(bank.describe(0), "");
  Register<std::uint32_t> a(bank, {"MSIP", 0});
  Register<std::uint64_t> b(bank, {"MTIME", 0xBFF8});
  EXPECT_EQ(bank.describe(2), "MSIP");
  EXPECT_EQ(bank.describe(8), "8 bytes after MSIP");
  EXPECT_EQ(bank.describe(0xBFF0), "8 bytes before MTIME");
  EXPECT_EQ(bank.describe(0xC000), "8 bytes after MTIME");
}

TEST_F(BankTest, ListsRegistersByOffset) {
  Register<std::uint32_t> b(bank, {"B", 8}), a(bank, {"A", 0});
  ASSERT_EQ(bank.registers().size(), 2u);
  EXPECT_EQ(bank.registers()[0]->name(), "A");
}

}  // namespace
}  // namespace vp
