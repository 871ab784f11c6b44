#include "platform/sweep/tidy_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

/// Two lines: parameters of every type, a figure, text that begins as a formula does.
TidyTable example() {
  TidyTable table;
  for (const bool first : {true, false}) {
    table.begin_row();
    table.add("note", "", first ? "=cmd|'/c calc'!A0" : "</script>");
    table.add_parameter("bus.clock", first ? "50MHz" : "10ns");
    table.add_parameter("width", first ? "8" : "0x10");
    table.add_parameter("size", first ? "2KiB" : "1GiB");
    table.add_parameter("mixed", first ? "8" : "10ns");
    table.add_parameter("preset", first ? "fixed" : "ddr3-1600");
    table.add_parameter("on", first ? "true" : "false");
    table.add_parameter("input", "-");
    if (first) table.add("run.time", "ps", 18446744073709551615u);
    table.add("share", "%", -2.5);
  }
  return table;
}

TEST(TidyTable, units_stand_in_names_and_numbers_are_numbers) {
  EXPECT_EQ(example().csv(),
            "note,bus.clock [ps],width,size [bytes],mixed,preset,on,input,run.time [ps],share [%]\r\n"
            "'=cmd|'/c calc'!A0,20000,8,2048,8,fixed,true,-,18446744073709551615,-2.5\r\n"
            "</script>,10000,16,1073741824,10ns,ddr3-1600,false,-,,-2.5\r\n");
}

TEST(TidyTable, every_line_of_json_has_every_column) {
  const std::string lines = example().json_lines();
  const std::string second = lines.substr(lines.find('\n') + 1);
  EXPECT_EQ(second, R"({"note":"</script>","bus.clock [ps]":10000,"width":16,"size [bytes]":1073741824,"mixed":"10ns",)"
                    R"("preset":"ddr3-1600","on":false,"input":"-","run.time [ps]":null,"share [%]":-2.5})"
                    "\n");
}

TEST(TidyTable, columns_are_chosen_by_name_with_or_without_unit_or_by_their_beginning) {
  TidyTable table = example();
  table.choose({"share", "bus.clock [ps]", "s*"});
  EXPECT_THAT(table.csv(), HasSubstr("share [%],bus.clock [ps],size [bytes],share [%]\r\n-2.5,20000,2048,-2.5"));
  try {
    example().choose({"widht"});
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "there is no column 'widht': did you mean 'width'?");
  }
}

TEST(TidyTable, a_cell_that_a_spreadsheet_would_run_is_text) {
  for (const char* formula : {"=1+1", "+cmd", "-cmd", "@SUM(A1)", "\tx", "\rx", "="}) {
    TidyTable table;
    table.begin_row();
    table.add("x", "", formula);
    EXPECT_THAT(table.csv(), HasSubstr(std::string("'") + formula)) << formula;
  }
  TidyTable table;
  table.begin_row();
  table.add("=x", "", "-1.5");
  EXPECT_EQ(table.csv(), "'=x\r\n-1.5\r\n");
}

}  // namespace
}  // namespace vp
