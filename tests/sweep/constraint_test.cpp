#include "platform/sweep/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "models/common/error.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

std::optional<std::string> value_at_point(const std::string& name) {
  static const std::map<std::string, std::string> values = {
      {"tpu.matrix_width", "32"}, {"dram0.preset", "ddr3-1600"}, {"bus.clock", "10ns"}, {"a", "-2"}, {"on", "true"},
      {"uart0.size", "2KiB"}};
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

bool holds(const std::string& text) { return Constraint(text).holds(value_at_point); }

std::string refusal(const std::string& text) {
  try {
    holds(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Constraint, arithmetic_binds_as_everybody_expects) {
  for (const char* text : {"tpu.matrix_width*8<=256",
                           "1+2*3==7",
                           "(1+2)*3==9",
                           "10-3-2==5",
                           "64/4/2==8",
                           "7%4==3",
                           "-a==2",
                           "- -2==2",
                           "2*-3==-6",
                           "1<2&&2<1||1==1",
                           "!(1>2)",
                           "!0",
                           "1e-3<2e+1",
                           "max(1,tpu.matrix_width,3)==32",
                           "min(4,2,3)==2",
                           "log2(tpu.matrix_width)==5",
                           "floor(2.5)+ceil(2.5)==5",
                           "on",
                           "on==true",
                           "  1 \t< 2 "})
    EXPECT_TRUE(holds(text)) << text;
  for (const char* text : {"tpu.matrix_width*8<256", "0", "1==2", "!on", "1!=1", "0.1+0.2>1"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Constraint, values_with_units_compare_in_base_units) {
  for (const char* text : {"bus.clock==10ns", "bus.clock==100MHz", "bus.clock<50MHz", "bus.clock*2==20000ps",
                           "uart0.size==2048", "uart0.size<=64KiB", "bus.clock=='100MHz'"})
    EXPECT_TRUE(holds(text)) << text;
}

TEST(Constraint, text_is_compared_for_equality_only) {
  EXPECT_TRUE(holds("dram0.preset=='ddr3-1600'"));
  EXPECT_TRUE(holds("dram0.preset!=\"fixed\" && tpu.matrix_width>2"));
  EXPECT_FALSE(holds("dram0.preset==5"));
  EXPECT_THAT(refusal("dram0.preset<5"), HasSubstr("'ddr3-1600' is no number"));
}

TEST(Constraint, what_is_wrong_is_quoted) {
  EXPECT_THAT(refusal("tpu.width<5"), HasSubstr("there is no parameter 'tpu.width'"));
  EXPECT_THAT(refusal("1 <"), HasSubstr("a value is missing at the end"));
  EXPECT_THAT(refusal("1 2"), HasSubstr("something is left over at '2'"));
  EXPECT_THAT(refusal("(1"), HasSubstr("')' is missing"));
  EXPECT_THAT(refusal("'x"), HasSubstr("closing quote"));
  EXPECT_THAT(refusal("1/0"), HasSubstr("division by zero"));
  EXPECT_THAT(refusal("f(1)"), HasSubstr("there is no function 'f'"));
  EXPECT_THAT(refusal("12q<1"), HasSubstr("no number"));
  EXPECT_THAT(refusal("log2(0)<1"), HasSubstr("logarithm"));
  EXPECT_THAT(refusal("1==1 || tpu.widht==1"), HasSubstr("tpu.widht"));
  for (const std::string& deep :
       {std::string(5000, '('), std::string(5000, '!'), std::string(5000, '-'), "1" + std::string(9000, '+')})
    EXPECT_NE(refusal(deep), "none");
  std::string chain = "1";
  for (int i = 0; i < 2000; ++i) chain += "+1";
  EXPECT_THAT(refusal(chain), HasSubstr("too many parts"));
}

TEST(Constraint, any_text_is_a_condition_or_one_sentence) {
  std::mt19937 random(5);
  const std::vector<std::string> words = {"a",
                                          "on",
                                          "tpu.matrix_width",
                                          "dram0.preset",
                                          "1",
                                          "2.5",
                                          "10ns",
                                          "'x'",
                                          "(",
                                          ")",
                                          "+",
                                          "-",
                                          "*",
                                          "/",
                                          "%",
                                          "<",
                                          "<=",
                                          "==",
                                          "!=",
                                          "&&",
                                          "||",
                                          "!",
                                          "min(",
                                          ",",
                                          "log2(",
                                          " ",
                                          "1e",
                                          "e9",
                                          ".",
                                          "\"",
                                          "=",
                                          "&",
                                          "0x",
                                          "\x01",
                                          "\xff"};
  unsigned good = 0;
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (unsigned n = random() % 9; n > 0; --n) text += words[random() % words.size()];
    const std::string why = refusal(text);
    good += why == "none";
    EXPECT_EQ(why.find('\n'), std::string::npos);
  }
  EXPECT_GT(good, 500u);
}

}  // namespace
}  // namespace vp
