#include "platform/files/text_buffer.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <sstream>

#include "models/common/error.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

/// What stands in a file after `write` has filled a buffer.
template <typename Write>
std::string written(Write write) {
  const TemporaryFolder folder;
  TextBuffer buffer(folder.path("file"));
  buffer.begin();
  write(buffer);
  buffer.close();
  return TemporaryFolder::read(folder.path("file"));
}

TEST(TextBuffer, numbers_stand_in_their_usual_notation) {
  EXPECT_EQ(written([](TextBuffer& out) {
              out.decimal(0);
              out.add(' ');
              out.decimal(std::numeric_limits<std::uint64_t>::max());
              out.add(' ');
              out.hexadecimal(0xA0, 4);
              out.add(' ');
              out.hexadecimal(0xABCDE, 2);
              out.add(' ');
              out.hexadecimal(~std::uint64_t{0});
              out.add('|');
              out.nanoseconds(7'830'625, 10);
              out.add('|');
              out.nanoseconds(5, 0);
            }),
            "0 18446744073709551615 00a0 abcde ffffffffffffffff|  7830.625|0.005");
}

TEST(TextBuffer, text_of_any_length_arrives_whole_and_in_order) {
  std::mt19937 random(5);
  std::string expected;
  const std::string got = written([&](TextBuffer& out) {
    for (int i = 0; i < 2000; ++i) {
      const std::string piece(random() % 2000, static_cast<char>('a' + i % 26));
      const std::uint64_t number = std::uint64_t{random()} << (random() % 32);
      out.add(piece);
      out.decimal(number);
      expected += piece + std::to_string(number);
    }
    const std::string huge(1'000'000, 'z');
    out.add(huge);
    expected += huge;
  });
  EXPECT_EQ(got, expected);
}

TEST(TextBuffer, what_is_added_before_the_beginning_waits_for_it) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "of an earlier run");
  TextBuffer buffer(file);
  buffer.add("early ");
  EXPECT_EQ(TemporaryFolder::read(file), "of an earlier run");
  buffer.begin();
  buffer.add("late");
  buffer.close();
  EXPECT_EQ(TemporaryFolder::read(file), "early late");
}

TEST(TextBuffer, a_run_that_ends_in_an_exception_leaves_what_was_written_up_to_then) {
  const TemporaryFolder folder;
  {
    TextBuffer buffer(folder.path("file"));
    buffer.begin();
    buffer.add("up to here");
  }
  EXPECT_EQ(TemporaryFolder::read(folder.path("file")), "up to here");
}

TEST(TextBuffer, a_full_disk_is_the_users_error) {
  TextBuffer buffer("/dev/full");
  buffer.begin();
  for (int i = 0; i < 100'000; ++i) buffer.add("more than fits into any buffer\n");
  EXPECT_THROW(buffer.close(), UserError);
}

}  // namespace
}  // namespace vp
