#include "platform/loader/symbol_table.h"

#include <gtest/gtest.h>

namespace vp {
namespace {

TEST(SymbolTable, describes_addresses_by_name_and_offset) {
  SymbolTable table;
  table.add(0x200, 0, 0x300, "late");
  table.add(0x100, 0x10, 0x300, "early");
  table.add(0x100, 0x10, 0x300, "alias");
  table.sort();
  EXPECT_EQ(table.describe(0x0FF), "");
  EXPECT_EQ(table.describe(0x100), "early");
  EXPECT_EQ(table.describe(0x10F), "early+0xf");
  EXPECT_EQ(table.describe(0x110), "") << "behind the symbol's end";
  EXPECT_EQ(table.describe(0x2FF), "late+0xff") << "a symbol without size reaches to the end of its section";
  EXPECT_EQ(table.describe(0x300), "");
}

TEST(SymbolTable, finds_the_addresses_that_a_name_covers) {
  SymbolTable table;
  table.add(0x200, 0, 0x300, "to_the_end");
  table.add(0x100, 4, 0x300, "sized");
  table.sort();
  ASSERT_TRUE(table.range("to_the_end"));
  EXPECT_EQ(table.range("to_the_end")->first, 0x200u);
  EXPECT_EQ(table.range("to_the_end")->last, 0x2FFu);
  EXPECT_EQ(table.range("sized")->last, 0x103u);
  EXPECT_FALSE(table.range("unknown"));
}

TEST(SymbolTable, an_empty_table_describes_nothing) { EXPECT_EQ(SymbolTable().describe(0), ""); }

}  // namespace
}  // namespace vp
