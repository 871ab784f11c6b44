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

TEST_F(BankTest, a_register_met_before_is_not_met_again_in_another_view_nor_after_others_have_been_added) {
  Register<std::uint8_t> first(bank, {"FIRST", 1, "", RegisterMode::read_write, 0}, 0x11);
  Register<std::uint8_t> second(bank, {"SECOND", 1, "", RegisterMode::read_write, 1}, 0x22);
  for (int round = 0; round < 2; ++round) {
    bank.select_view(0);
    EXPECT_EQ(read(1, 1), 0x11u);
    EXPECT_EQ(read(1, 1), 0x11u);
    bank.select_view(1);
    EXPECT_EQ(read(1, 1), 0x22u);
    write(1, 0x22, 1);
  }
  bank.select_view(0);
  EXPECT_EQ(read(1, 1), 0x11u) << "what was written went to the other";
  Register<std::uint8_t> third(bank, {"THIRD", 0}, 0x33);
  EXPECT_EQ(read(1, 1), 0x11u);
  EXPECT_EQ(read(0, 2), 0x1133u);
}

TEST_F(BankTest, a_register_met_before_in_one_direction_is_not_met_in_the_other) {
  Register<std::uint8_t> in(bank, {"IN", 0, "", RegisterMode::read_only}, 0x44);
  Register<std::uint8_t> out(bank, {"OUT", 0, "", RegisterMode::write_only});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(read(0, 1), 0x44u);
    write(0, 0x50 + round, 1);
    EXPECT_EQ(out.value, 0x50 + round);
  }
  Register<std::uint8_t> only(bank, {"ONLY", 4, "", RegisterMode::read_only}, 0x66);
  read(4, 1);
  write(4, 1, 1);
  EXPECT_EQ(result, AccessResult::command_error);
}

TEST_F(BankTest, CallbacksSeeTheTimeAndMayMoveIt) {
  Register<std::uint32_t> counter(bank, {"COUNT", 0, "", RegisterMode::read_only});
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
  Register<std::uint32_t> status(bank, {"STATUS", 0, "", RegisterMode::read_only}, 3);
  Register<std::uint32_t> command(bank, {"COMMAND", 4, "", RegisterMode::write_only});
  Register<std::uint32_t> id(bank, {"ID", 8, "", RegisterMode::write_ignored}, 9);
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
  Register<std::uint8_t> receive(bank, {"RBR", 0, "", RegisterMode::read_only, 0}, 1);
  Register<std::uint8_t> transmit(bank, {"THR", 0, "", RegisterMode::write_only, 0});
  Register<std::uint8_t> divisor(bank, {"DLL", 0, "", RegisterMode::read_write, 1}, 7);
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
  EXPECT_THROW(Register<std::uint16_t>(bank, {"THIRD", 6, "", RegisterMode::read_only}), std::logic_error);
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

// ---- arrays

TEST_F(BankTest, callbacks_of_an_array_get_the_index) {
  RegisterArray<std::uint32_t> priority(bank, {"PRIORITY", 4}, {3, 4, 1});
  std::vector<unsigned> written;
  priority.on_write = [&](unsigned index, std::uint32_t value, Picoseconds&) {
    written.push_back(index);
    priority.values[index] = value + 1;
  };
  write(12, 7, 4);
  write(4, 2, 4);
  EXPECT_THAT(written, testing::ElementsAre(2, 0));
  EXPECT_THAT(priority.values, testing::ElementsAre(3, 0, 8));
  EXPECT_EQ(read(12, 4), 8u);
  read(16, 4);
  EXPECT_EQ(result, AccessResult::address_error);
}

TEST_F(BankTest, arrays_may_be_interleaved) {
  RegisterArray<std::uint32_t> threshold(bank, {"THRESHOLD", 0x100}, {2, 0x10}, 1);
  RegisterArray<std::uint32_t> claim(bank, {"CLAIM", 0x104}, {2, 0x10}, 2);
  write(0x110, 5, 4);
  write(0x114, 6, 4);
  EXPECT_THAT(threshold.values, testing::ElementsAre(1, 5));
  EXPECT_THAT(claim.values, testing::ElementsAre(2, 6));
  EXPECT_EQ(bank.describe(0x114), "CLAIM[1]");
  EXPECT_EQ(bank.describe(0x108), "4 bytes after CLAIM[0]");
  bank.reset();
  EXPECT_THAT(threshold.values, testing::ElementsAre(1, 1));
}

TEST_F(BankTest, elements_that_overlap_are_refused) {
  EXPECT_THROW(RegisterArray<std::uint32_t>(bank, {"CLOSE", 0}, {2, 2}), std::logic_error);
  Register<std::uint8_t> inside(bank, {"INSIDE", 0x26});
  EXPECT_THROW(RegisterArray<std::uint32_t>(bank, {"AROUND", 0x20}, {2, 4}), std::logic_error);
}

// ---- fields

/// A control and a status register as those of a DMA engine.
struct FieldTest : BankTest {
  enum class Mode : std::uint8_t { idle, copy, fill };
  Register<std::uint32_t> control{bank, {"CR", 0, "control"}, 0x8000'0004};
  Field<std::uint32_t> start{control, {"START", 0}};
  Field<std::uint32_t, Mode> mode{control,
                                  {"MODE", 1, 2, "what it does", FieldAccess::read_write, {{1, "copy"}, {2, "fill"}}}};
  Field<std::uint32_t, unsigned> burst{control, {"BURST", 8, 4}};
  Register<std::uint32_t> status{bank, {"SR", 4, "status"}};
  Field<std::uint32_t> idle{status, {"IDLE", 1, 1, "", FieldAccess::read_only}};
  Field<std::uint32_t> done{status, {"IOC_IRQ", 12, 1, "", FieldAccess::write_1_to_clear}};
  Field<std::uint32_t> error{status, {"ERR_IRQ", 14, 1, "", FieldAccess::write_1_to_clear}};
};

TEST_F(FieldTest, fields_have_types_and_change_nothing_else) {
  EXPECT_EQ(mode, Mode::fill);
  mode.set(Mode::copy);
  burst.set(0x1F);
  start.set(true);
  EXPECT_EQ(control.value, 0x8000'0F03u) << "a value wider than its field is cut";
  EXPECT_EQ(burst.of(0x0300), 3u);
  EXPECT_EQ(burst.word(3), 0x0300u);
}

TEST_F(FieldTest, bits_without_a_field_keep_their_values) {
  write(0, 0, 4);
  EXPECT_EQ(control.value, 0x8000'0000u);
  write(0, ~0u, 4);
  EXPECT_EQ(control.value, 0x8000'0F07u);
}

TEST_F(FieldTest, a_one_clears_a_flag_that_is_written_1_to_clear) {
  status.value = 0x5002;
  write(4, 0x1000, 4);
  EXPECT_EQ(status.value, 0x4002u);
  EXPECT_TRUE(error);
  EXPECT_FALSE(done);
  write(4, 0xFFFF'FFFF, 4);
  EXPECT_EQ(status.value, 2u) << "read_only keeps its value";
}

TEST_F(FieldTest, a_write_to_one_byte_clears_no_flag_of_another) {
  status.value = 0x5002;
  write(4, 0xFF, 1);
  EXPECT_EQ(status.value, 0x5002u);
  write(5, 0x40, 1);
  EXPECT_EQ(status.value, 0x1002u);
}

TEST_F(FieldTest, callbacks_get_the_word_after_access_kinds_are_applied) {
  status.value = 0x5002;
  std::uint32_t seen = 0;
  status.on_write = [&](std::uint32_t value, Picoseconds&) { seen = value; };
  write(4, 0x4001, 4);
  EXPECT_EQ(seen, 0x1002u);
  EXPECT_EQ(status.value, 0x5002u);
}

TEST_F(FieldTest, fields_outside_their_register_or_over_another_are_refused) {
  EXPECT_THROW(Field<std::uint32_t>(control, {"FAR", 32}), std::logic_error);
  EXPECT_THROW(Field<std::uint32_t>(control, {"WIDE", 28, 5}), std::logic_error);
  EXPECT_THROW(Field<std::uint32_t>(control, {"NONE", 28, 0}), std::logic_error);
  EXPECT_THROW(Field<std::uint32_t>(control, {"OVER", 2}), std::logic_error);
}

// ---- listing

TEST_F(BankTest, lists_every_element_with_its_value_without_side_effects) {
  RegisterArray<std::uint16_t> samples(bank, {"SAMPLE", 8, "last samples"}, {2, 4, 1}, 5);
  Register<std::uint32_t> count(bank, {"COUNT", 0, "", RegisterMode::read_only});
  int reads = 0;
  count.on_read = [&](Picoseconds&) { return static_cast<std::uint32_t>(++reads); };
  count.on_peek = [](Picoseconds time) { return static_cast<std::uint32_t>(time); };
  samples.values[1] = 9;
  const std::vector<RegisterListing> listing = bank.list(42);
  ASSERT_EQ(listing.size(), 3u);
  EXPECT_EQ(listing[0].name(), "COUNT");
  EXPECT_EQ(listing[0].value, 42u);
  EXPECT_EQ(listing[1].name(), "SAMPLE[1]");
  EXPECT_EQ(listing[2].offset(), 12u);
  EXPECT_EQ(listing[2].value, 9u);
  EXPECT_EQ(listing[2].reg->reset_value(), 5u);
  EXPECT_STREQ(listing[2].reg->help(), "last samples");
  EXPECT_EQ(reads, 0);
}

TEST_F(BankTest, finds_registers_by_name) {
  RegisterArray<std::uint16_t> samples(bank, {"SAMPLE", 8}, {2, 4, 1});
  samples.values[1] = 9;
  ASSERT_TRUE(bank.find("SAMPLE[2]", 0));
  EXPECT_EQ(bank.find("SAMPLE[2]", 0)->value, 9u);
  EXPECT_FALSE(bank.find("SAMPLE[0]", 0));
  EXPECT_FALSE(bank.find("SAMPLE", 0));
}

TEST_F(FieldTest, text_names_fields_and_their_values) {
  burst.set(3);
  EXPECT_EQ(bank.find("CR", 0)->text(), "CR 0x80000304: MODE=fill BURST=3");
  EXPECT_EQ(bank.find("SR", 0)->text(), "SR 0x0");
}

TEST(RegisterBankRefusal, says_what_is_wrong_with_an_access) {
  RegisterBank bank(4);
  Register<std::uint32_t> status(bank, {"STATUS", 0, "", RegisterMode::read_only});
  Register<std::uint64_t> count(bank, {"COUNT", 8});
  EXPECT_EQ(bank.refusal(0, 1, false), "it is too narrow, 4 bytes at least");
  EXPECT_EQ(bank.refusal(2, 4, false), "it is not aligned");
  EXPECT_EQ(bank.refusal(0, 4, true), "STATUS cannot be written");
  EXPECT_EQ(bank.refusal(4, 4, false), "") << "there is no register";
  EXPECT_EQ(bank.refusal(12, 4, true), "") << "nothing is wrong with it";
}

TEST_F(BankTest, regions_are_listed_and_described_and_may_not_overlap) {
  Register<std::uint32_t> counter(bank, {"COUNTER", 0x200});
  bank.add_region({"BUFFER", 0x100, 0x100, "rows"});
  EXPECT_EQ(bank.describe(0x1FF), "BUFFER");
  EXPECT_EQ(bank.describe(0x80), "384 bytes before COUNTER");
  EXPECT_THROW(bank.add_region({"SECOND", 0x1FF, 1}), std::logic_error);
  EXPECT_THROW(bank.add_region({"THIRD", 0, 0x101}), std::logic_error);
  bank.add_region({"FOURTH", 0, 0x100});
  EXPECT_EQ(bank.regions().front().name, "FOURTH");
}

TEST_F(BankTest, the_register_of_a_place_is_that_of_the_view_and_if_possible_of_the_direction) {
  Register<std::uint8_t> input(bank, {"RBR", 0, "", RegisterMode::read_only, 0});
  Register<std::uint8_t> output(bank, {"THR", 0, "", RegisterMode::write_only, 0});
  Register<std::uint8_t> divisor(bank, {"DLL", 0, "", RegisterMode::read_write, 1});
  RegisterArray<std::uint32_t> list(bank, {"PRIORITY", 4}, {3, 4, 1});
  Register<std::uint32_t> id(bank, {"ID", 16, "", RegisterMode::read_only});
  EXPECT_EQ(bank.place(0, false)->reg, &input);
  EXPECT_EQ(bank.place(0, true)->reg, &output);
  bank.select_view(1);
  EXPECT_EQ(bank.place(0, true)->reg, &divisor);
  EXPECT_EQ(bank.view(), 1);
  EXPECT_EQ(bank.place(10, false)->name(), "PRIORITY[2]");
  EXPECT_EQ(bank.place(10, false)->byte, 2u);
  EXPECT_EQ(bank.place(16, true)->reg, &id) << "what is refused is there, too";
  EXPECT_FALSE(bank.place(1, false));
}

TEST_F(BankTest, the_region_of_an_offset_is_found) {
  bank.add_region({"WEIGHTS", 0x100, 0x80});
  EXPECT_EQ(bank.region(0xFF), nullptr);
  EXPECT_EQ(bank.region(0x100)->name, "WEIGHTS");
  EXPECT_EQ(bank.region(0x17F)->name, "WEIGHTS");
  EXPECT_EQ(bank.region(0x180), nullptr);
}

TEST_F(BankTest, fields_are_shown_as_far_as_their_bits_are_known) {
  Register<std::uint16_t> status(bank, {"STATUS", 0});
  status.add_field({"READY", 0});
  status.add_field({"MODE", 4, 8, "", FieldAccess::read_write, {{0, "off"}, {2, "fast"}}});
  const auto fields = [&status](std::uint64_t value, std::uint64_t mask) {
    std::string text = "> ";
    append_fields(status, value, mask, text);
    return text;
  };
  EXPECT_EQ(fields(0x21, 0xFFFF), "> READY=1 MODE=fast");
  EXPECT_EQ(fields(0x30, 0xFFFF), "> MODE=3");
  EXPECT_EQ(fields(0x00, 0xFFFF), "> MODE=off");
  EXPECT_EQ(fields(0x21, 0x00FF), "> READY=1") << "half of MODE is not known";
}

}  // namespace
}  // namespace vp
