#include "platform/files/stored_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <numeric>

#include "tests/platform/temporary_folder.h"
#include "tests/support/sentence_of.h"

namespace vp {
namespace {

using testing::HasSubstr;

std::string some_bytes(std::size_t size = 300'000) {
  std::string bytes(size, '\0');
  std::iota(bytes.begin(), bytes.end(), char{7});
  return bytes;
}

void expect_comes_back(StoredBytes& stored, const std::string& bytes = some_bytes()) {
  ASSERT_EQ(stored.size(), bytes.size());
  for (int again = 0; again < 2; ++again) EXPECT_EQ(stored.all(), bytes);
  EXPECT_EQ(stored.first(10), bytes.substr(0, 10));
}

TEST(StoredBytes, come_back_any_number_of_times) {
  StoredBytes stored(some_bytes());
  expect_comes_back(stored);
  stored.spool();
  expect_comes_back(stored);
}

TEST(StoredBytes, come_back_where_no_file_can_hold_them) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  StoredBytes stored(some_bytes());
  stored.spool();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  expect_comes_back(stored);
}

TEST(StoredBytes, may_be_none) {
  StoredBytes none;
  std::uint8_t untouched = 1;
  none.copy_to(&untouched);
  EXPECT_EQ(untouched, 1);
}

class StoredFile : public testing::Test {
 protected:
  /// Changes one byte of the file in its place, or cuts it off there.
  void change(std::size_t at) {
    std::FILE* const file = std::fopen(path_.c_str(), "r+b");
    std::fseek(file, static_cast<long>(at), SEEK_SET);
    std::fputc('#', file);
    std::fclose(file);
  }
  const TemporaryFolder folder_;
  const std::string path_ = folder_.write("file", some_bytes());
  StoredBytes stored_ = StoredBytes::of_file(path_);
};

TEST_F(StoredFile, comes_back_any_number_of_times) { expect_comes_back(stored_); }

TEST_F(StoredFile, comes_back_when_it_has_been_replaced_or_removed) {
  const std::string other = folder_.write("other", std::string(300'000, 'x'));
  ASSERT_EQ(std::rename(other.c_str(), path_.c_str()), 0);
  expect_comes_back(stored_);
  ASSERT_EQ(std::remove(path_.c_str()), 0);
  expect_comes_back(stored_);
}

TEST_F(StoredFile, is_an_error_when_it_has_been_changed_in_place) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{270'001}, std::size_t{299'999}}) {
    folder_.write("file", some_bytes());
    StoredBytes stored = StoredBytes::of_file(path_);
    expect_comes_back(stored);
    change(at);
    EXPECT_THAT(sentence_of([&] { stored.all(); }), HasSubstr("'" + path_ + "' has been changed since the run began"));
    folder_.write("file", some_bytes());
    expect_comes_back(stored);
  }
}

TEST_F(StoredFile, is_an_error_when_it_has_become_shorter) {
  expect_comes_back(stored_);
  folder_.write("file", some_bytes(200'000));
  EXPECT_THAT(sentence_of([&] { stored_.all(); }), HasSubstr("has been changed"));
}

TEST_F(StoredFile, may_be_small_or_no_regular_file) {
  StoredBytes small = StoredBytes::of_file(folder_.write("small", "abc"));
  expect_comes_back(small, "abc");
  StoredBytes special = StoredBytes::of_file("/dev/null");
  EXPECT_TRUE(special.empty());
  EXPECT_THAT(sentence_of([&] { StoredBytes::of_file(folder_.path("none")); }), HasSubstr("cannot read '"));
  EXPECT_THAT(sentence_of([&] { StoredBytes::of_file(folder_.path()); }), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace vp
