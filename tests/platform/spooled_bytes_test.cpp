#include "platform/files/spooled_bytes.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <numeric>

namespace vp {
namespace {

std::string some_bytes() {
  std::string bytes(300'000, '\0');
  std::iota(bytes.begin(), bytes.end(), char{7});
  return bytes;
}

void expect_comes_back(const SpooledBytes& spooled) {
  std::string copy(spooled.size(), '\0');
  for (int again = 0; again < 2; ++again) {
    std::fill(copy.begin(), copy.end(), '\0');
    spooled.copy_to(reinterpret_cast<std::uint8_t*>(copy.data()));
    EXPECT_EQ(copy, some_bytes());
  }
}

TEST(SpooledBytes, come_back_any_number_of_times) { expect_comes_back(SpooledBytes(some_bytes())); }

TEST(SpooledBytes, come_back_where_no_file_can_hold_them) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const SpooledBytes spooled(some_bytes());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  expect_comes_back(spooled);
}

TEST(SpooledBytes, may_be_none) {
  const SpooledBytes none({});
  std::uint8_t untouched = 1;
  none.copy_to(&untouched);
  EXPECT_EQ(untouched, 1);
}

}  // namespace
}  // namespace vp
