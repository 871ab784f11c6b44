#include "platform/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/sentence_of.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

/// A small machine: one parameter of each kind.
struct Machine {
  Machine() {
    const ParameterGroup root(table);
    root.text("title", title, "what the run is called");
    root.group("tpu").integer("matrix_width", width, 2, 256, "elements", "rows and columns of the array");
    root.group("tpu").clock("clock", period, "clock of the array");
    root.group("cpu").group("cycles").integer("mul", mul, 1, 100, "cycles", "a multiplication");
    root.group("cpu").boolean("trace", trace, "whether to trace");
  }
  std::string title;
  unsigned width = 14;
  unsigned mul = 1;
  Picoseconds period = 5625;
  bool trace = false;
  ParameterTable table;
};

struct Configuration : testing::Test, Machine {
  std::string dumped() {
    std::ostringstream out;
    write_ini(table, out);
    return out.str();
  }
};

TEST_F(Configuration, a_section_is_the_name_up_to_the_last_dot) {
  apply_ini(table, "title = a b\n# comment\n; another\n[cpu.cycles]\r\n mul=3\n\n[ tpu ]\nmatrix_width = 8", "f.ini");
  EXPECT_EQ(title, "a b");
  EXPECT_EQ(mul, 3u);
  EXPECT_EQ(width, 8u);
  EXPECT_EQ(table.find("tpu.matrix_width")->source, "f.ini:8");
}

TEST_F(Configuration, quoted_text_keeps_spaces_quotes_and_line_ends) {
  apply_ini(table, R"(title = " a \"b\" \\ # \n ")", "f.ini");
  EXPECT_EQ(title, " a \"b\" \\ # \n ");
}

TEST_F(Configuration, errors_of_a_file_name_file_line_and_what_is_allowed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[tpu]\nmatrix_with = 3", "f.ini:2: unknown parameter 'tpu.matrix_with': did you mean 'tpu.matrix_width'?"},
      {"[tpu]\nmatrix_width = 1000", "f.ini:2: tpu.matrix_width: 1000 is out of range (allowed: 2 to 256)"},
      {"[tpu\n", "f.ini:1: the section's closing ']' is missing"},
      {"[]\n", "f.ini:1: the section has no name"},
      {"\nwidth", "f.ini:2: expected 'name = value' or '[section]'"},
      {"= 3", "f.ini:1: the name before '=' is missing"},
      {"title = \"a", "f.ini:1: title: the closing quote is missing"},
      {"title = \"a\" b", "f.ini:1: title: text behind the closing quote"},
      {"title = a\ntitle = b", "f.ini:2: title is already set in line 1"}};
  for (const auto& [text, sentence] : cases) {
    const std::string input = text;
    EXPECT_EQ(sentence_of([&] { apply_ini(table, input, "f.ini"); }), sentence);
  }
}

TEST_F(Configuration, environment_names_are_capitals_with_two_underscores_for_a_dot) {
  EXPECT_EQ(environment_name("cpu.cycles.mul"), "TINYTPU_VP_CPU__CYCLES__MUL");
  apply_environment(table, {"HOME=/", "TINYTPU_VP_TPU__MATRIX_WIDTH=10", "TINYTPU_VPX=1"});
  EXPECT_EQ(width, 10u);
}

TEST_F(Configuration, an_unknown_environment_variable_of_ours_is_an_error_with_the_nearest) {
  EXPECT_EQ(sentence_of([&] { apply_environment(table, {"TINYTPU_VP_TPU__MATRIX_WITH=10"}); }),
            "unknown environment variable 'TINYTPU_VP_TPU__MATRIX_WITH': did you mean 'TINYTPU_VP_TPU__MATRIX_WIDTH'?");
}

TEST_F(Configuration, assignments_need_a_name_and_an_equals_sign) {
  apply_assignments(table, {"tpu.matrix_width=6", "title=a=b"});
  EXPECT_EQ(width, 6u);
  EXPECT_EQ(title, "a=b");
  EXPECT_THAT(sentence_of([&] { apply_assignments(table, {"tpu.matrix_width"}); }), HasSubstr("expected name=value"));
  EXPECT_THAT(sentence_of([&] { apply_assignments(table, {"=3"}); }), HasSubstr("expected name=value"));
  EXPECT_THAT(sentence_of([&] { apply_assignments(table, {"tpu.clokc=1ns"}); }),
              HasSubstr("did you mean 'tpu.clock'?"));
}

TEST_F(Configuration, a_dump_reproduces_the_settings) {
  apply_assignments(table, {"tpu.matrix_width=6", "tpu.clock=100MHz", "cpu.trace=yes"});
  title = " \"quoted\"\n";
  const std::string dump = dumped();
  Machine other;
  apply_ini(other.table, dump, "dump.ini");
  for (const Parameter& parameter : table.all()) EXPECT_EQ(other.table.find(parameter.name)->get(), parameter.get());
  EXPECT_THAT(dump, HasSubstr("[cpu.cycles]\n"));
  EXPECT_THAT(
      dump, HasSubstr("# rows and columns of the array (integer, 2 to 256 elements; default 14)\nmatrix_width = 6\n"));
}

}  // namespace
}  // namespace vp
