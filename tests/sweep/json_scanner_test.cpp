// The events of a JSON text: those that the library tells of the same text, whatever it is.
#include "platform/sweep/json_scanner.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/dice.h"
#include "tests/support/rounds.h"

namespace vp {
namespace {

/// Writes down what it hears, of either reader.
struct Recorder {
  std::string heard;

  bool null() { return note("null"); }
  bool boolean(bool value) { return note(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return note("i" + std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return note("u" + std::to_string(value)); }
  bool number_float(double value, std::string_view) { return note("f" + nlohmann::json(value).dump()); }
  bool string(std::string_view value) { return note("'" + std::string(value) + "'"); }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool key(std::string_view value) { return note("key '" + std::string(value) + "'"); }
  bool start_object(std::size_t) { return note("{"); }
  bool end_object() { return note("}"); }
  bool start_array(std::size_t) { return note("["); }
  bool end_array() { return note("]"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

  bool note(const std::string& event) {
    heard += event + "\n";
    return true;
  }
};

void expect_as_the_library(const std::string& text) {
  Recorder library, ours;
  const bool takes = nlohmann::json::sax_parse(text, &library);
  ASSERT_EQ(JsonScanner(text, ours).scan(), takes) << text;
  if (takes) {
    ASSERT_EQ(ours.heard, library.heard) << text;
  }
}

const std::string kTree =
    R"({"groups": {"run": {"description": "the run", "values": {"end": {"value": "limit", "unit": "1"},
    "time": {"value": 12345678901234567890, "volatile": true}, "share": {"value": 0.125}, "none": {"value": null}}}},
    "list": [1, -2, [], {}, [[3e2, "\u00e9\n\"", "µs"]], false], "" : -0.0})";

TEST(JsonScanner, events_are_those_of_the_library) {
  for (const char* text : {"",
                           " ",
                           "0",
                           "-0",
                           "01",
                           "1.",
                           ".5",
                           "1e5",
                           "1E+5x",
                           "-",
                           "1e999",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "-9223372036854775809",
                           "true",
                           "tru",
                           "truefalse",
                           "null ",
                           "\"\"",
                           "\"\\u12\"",
                           "\"\\ud834\\udd1e\"",
                           "\"\\ud834\"",
                           "\"\x01\"",
                           "\"\x80\"",
                           "\"\xc3\xa9\"",
                           "\"\\\"",
                           "\"\\",
                           "[",
                           "]",
                           "[]",
                           "[,]",
                           "[1,]",
                           "[1 2]",
                           "[1,2]",
                           "{",
                           "{}",
                           "{,}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{\"a\":1 \"b\":2}",
                           "{\"a\" :[{}]\t}\r\n",
                           "{1:2}",
                           "[}",
                           "{]",
                           "[] []",
                           "\xef\xbb\xbf[1]",
                           "\xef\xbb[1]"})
    expect_as_the_library(text);
  expect_as_the_library(kTree);
}

TEST(JsonScanner, a_hearer_that_has_had_enough_ends_the_reading) {
  struct Short : Recorder {
    bool number_unsigned(std::uint64_t value) { return value != 2; }
  } hearer;
  EXPECT_FALSE(JsonScanner("[1, 2, \"x\"]", hearer).scan());
  EXPECT_EQ(hearer.heard, "[\n");
}

TEST(JsonScanner, texts_that_are_nested_deeply_need_no_stack) {
  Recorder hearer;
  EXPECT_FALSE(JsonScanner(std::string(1'000'000, '['), hearer).scan());
}

TEST(JsonScanner, any_damage_is_met_as_by_the_library) {
  const std::string bytes = "{}[]\",:\\u0019eE+-.tfn \n\x01\x7f\x80\xc3\xa9";
  Rounds rounds(3000);
  while (rounds.next()) {
    Dice dice(rounds.seed());
    std::string text = kTree;
    for (unsigned changes = dice.from_to(1, 3); changes-- > 0;) {
      const std::size_t at = dice.from_to(0, static_cast<unsigned>(text.size()) - 1);
      const char byte = bytes[dice.from_to(0, static_cast<unsigned>(bytes.size()) - 1)];
      if (dice.one_in(3))
        text.erase(at, dice.from_to(1, 20));
      else if (dice.one_in(2))
        text.insert(at, 1, byte);
      else
        text[at] = byte;
    }
    expect_as_the_library(text);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace vp
