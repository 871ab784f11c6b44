#include "platform/run/access_filter.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/support/dice.h"

namespace vp {
namespace {

struct AccessFilterTest : testing::Test {
  AccessFilterTest() {
    machine.windows.push_back({"uart0", {"uart0", 0x1000, 0x100}});
    machine.windows.push_back({"tpu", {"tpu", 0x2000, 0x100}});
    machine.windows.push_back({"dram", {"dram", 0x8000, 0x8000, true}});
  }
  AccessFilter filter(const std::string& text) const { return {parse_access_log(text), machine}; }
  std::vector<RegisterPlace> at(std::uint64_t offset) const { return {*bank.place(offset, false)}; }

  Outline machine;
  RegisterBank bank;
  Register<std::uint32_t> status{bank, {"STATUS", 0}};
  RegisterArray<std::uint32_t> level{bank, {"Level", 8}, {4, 4, 1}};
};

TEST_F(AccessFilterTest, a_request_is_subjects_and_a_file) {
  EXPECT_EQ(parse_access_log("tpu,uart0.lcr=some=file").subjects, (std::vector<std::string>{"tpu", "uart0.lcr"}));
  EXPECT_EQ(parse_access_log("tpu,uart0.lcr=some=file").file, "some=file");
  EXPECT_EQ(parse_access_log("all").file, "");
}

TEST_F(AccessFilterTest, a_part_stands_for_all_its_accesses_and_a_register_for_its_own) {
  EXPECT_TRUE(filter("uart0").has("uart0", at(0), true));
  EXPECT_TRUE(filter("uart0").has("uart0", {}, false));
  EXPECT_FALSE(filter("uart0").has("tpu", {}, false));
  EXPECT_TRUE(filter("uart0.status").has("uart0", at(0), true));
  EXPECT_FALSE(filter("uart0.status").has("uart0", at(8), true));
  EXPECT_FALSE(filter("uart0.status").has("uart0", {}, true));
  EXPECT_FALSE(filter("uart0.status").has("tpu", at(0), true));
  EXPECT_TRUE(filter("all").has("tpu", {}, true));
}

TEST_F(AccessFilterTest, an_array_is_meant_whole_or_by_element_in_capitals_or_not) {
  EXPECT_TRUE(filter("tpu.LEVEL").has("tpu", at(12), true));
  EXPECT_TRUE(filter("tpu.level[2]").has("tpu", at(12), true));
  EXPECT_FALSE(filter("tpu.level[1]").has("tpu", at(12), true));
  EXPECT_NO_THROW(filter("tpu.level[4]").check_registers("tpu", &bank));
  EXPECT_THROW(filter("tpu.level[5]").check_registers("tpu", &bank), UserError);
  EXPECT_THROW(filter("tpu.x").check_registers("tpu", nullptr), UserError);
  EXPECT_NO_THROW(filter("uart0.x").check_registers("tpu", &bank)) << "another part's";
}

TEST_F(AccessFilterTest, interrupt_lines_belong_to_parts_that_are_named_as_a_whole) {
  EXPECT_TRUE(filter("tpu").has_whole("tpu"));
  EXPECT_FALSE(filter("tpu.status").has_whole("tpu"));
  EXPECT_TRUE(filter("tpu.status").has_any("tpu"));
  EXPECT_TRUE(filter("all").has_whole("cpu"));
}

TEST_F(AccessFilterTest, a_direction_leaves_the_other_out) {
  AccessLogRequest request = parse_access_log("all");
  request.writes = true;
  EXPECT_TRUE(AccessFilter(request, machine).has("tpu", {}, true));
  EXPECT_FALSE(AccessFilter(request, machine).has("tpu", {}, false));
}

TEST_F(AccessFilterTest, any_text_is_a_filter_or_the_users_error_of_a_readable_length) {
  Dice dice(14);
  const std::vector<std::string> pieces = {"tpu",
                                           "uart0",
                                           "dram",
                                           "all",
                                           ".",
                                           ",",
                                           "=",
                                           "status",
                                           "level",
                                           "[",
                                           "2",
                                           "]",
                                           "",
                                           " ",
                                           "\n",
                                           "\0",
                                           "é",
                                           "\xff",
                                           std::string(200, 'x')};
  unsigned accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned i = dice.from_to(0, 7); i > 0; --i) text += dice.one_of(pieces);
    try {
      const AccessFilter made = filter(text);
      made.check_registers("uart0", &bank);
      made.check_registers("tpu", nullptr);
      ++accepted;
    } catch (const UserError& error) {
      EXPECT_LT(std::string(error.what()).size(), 400u) << text;
    }
  }
  EXPECT_GT(accepted, 100u);
}

}  // namespace
}  // namespace vp
