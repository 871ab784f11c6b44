#include "platform/files/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/platform/temporary_folder.h"
#include "tests/support/sentence_of.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

std::size_t entries(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
}

TEST(WholeFile, is_written_and_read_back) {
  const TemporaryFolder folder;
  const std::string content("a\0b\n", 4);
  write_file(folder.path("x"), content);
  EXPECT_EQ(read_file(folder.path("x")), content);
  EXPECT_EQ(entries(folder), 1u);
}

TEST(WholeFile, replaces_an_older_file_and_keeps_a_link_a_link) {
  const TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink(folder.path("real"), folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(read_file(folder.path("real")), "new");
}

TEST(WholeFile, a_file_that_is_in_the_way_becomes_another_and_is_gone_where_it_cannot) {
  const TemporaryFolder folder;
  folder.write("part", "longer than what it becomes");
  write_file_as(folder.path("part"), folder.path("x"), "new");
  EXPECT_EQ(read_file(folder.path("x")), "new");
  EXPECT_EQ(entries(folder), 1u);
  EXPECT_THAT(sentence_of([&] { write_file_as(folder.path("part"), folder.path("none/x"), "new"); }),
              HasSubstr("none/x': No such file or directory"));
  EXPECT_EQ(entries(folder), 1u);
}

TEST(WholeFile, a_missing_folder_is_the_users_error_with_the_systems_reason) {
  EXPECT_THAT(sentence_of([] { write_file("/none/x", "a"); }), HasSubstr("'/none/x': No such file or directory"));
  EXPECT_THAT(sentence_of([] { check_writable("/none/x"); }), HasSubstr("'/none/x': No such file or directory"));
}

TEST(WholeFile, a_folder_is_no_file) {
  EXPECT_THAT(sentence_of([] { check_writable("/"); }), HasSubstr("Is a directory"));
  EXPECT_THAT(sentence_of([] { write_file("/", "a"); }), HasSubstr("Is a directory"));
  EXPECT_THAT(sentence_of([] { read_file("/"); }), HasSubstr("Is a directory"));
}

TEST(WholeFile, a_full_disk_is_the_users_error) {
  EXPECT_THAT(sentence_of([] { write_file("/dev/full", "a"); }), HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WholeFile, checking_tries_where_rights_alone_would_allow_it) {
  EXPECT_THAT(sentence_of([] { check_writable("/proc/x"); }), HasSubstr("cannot write '/proc/x'"));
}

TEST(WholeFile, checking_leaves_nothing_behind) {
  const TemporaryFolder folder;
  check_writable(folder.path("x"));
  EXPECT_EQ(entries(folder), 0u);
}

TEST(WholeFile, a_file_beyond_the_limit_is_refused) {
  EXPECT_THAT(sentence_of([] { read_file("/dev/zero", 1 << 20); }), HasSubstr("larger than 1 MiB"));
}

}  // namespace
}  // namespace vp
