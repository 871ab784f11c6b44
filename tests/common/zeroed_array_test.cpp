#include "models/common/zeroed_array.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "models/common/error.h"

namespace vp {
namespace {

constexpr std::size_t kWords = std::size_t{1} << 20;

std::size_t pages_in_use(ZeroedArray<std::uint32_t>& array) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> in_use(kWords * sizeof(std::uint32_t) / page);
  EXPECT_EQ(mincore(array.data(), kWords * sizeof(std::uint32_t), in_use.data()), 0);
  return static_cast<std::size_t>(std::count_if(in_use.begin(), in_use.end(), [](auto one) { return (one & 1) != 0; }));
}

TEST(ZeroedArray, takes_memory_where_it_is_touched) {
  ZeroedArray<std::uint32_t> array(kWords, "the test");
  EXPECT_EQ(array.size(), kWords);
  EXPECT_EQ(pages_in_use(array), 0u);
  array[kWords / 2] = 7;
  EXPECT_EQ(pages_in_use(array), 1u);
}

TEST(ZeroedArray, is_zero_at_first_and_when_cleared) {
  ZeroedArray<std::uint32_t> array(kWords, "the test");
  array[0] = array[kWords - 1] = 7;
  EXPECT_EQ(std::count(array.begin(), array.end(), 0u), kWords - 2);
  array.clear();
  EXPECT_EQ(std::count(array.begin(), array.end(), 0u), kWords);
}

TEST(ZeroedArray, more_than_there_are_addresses_is_the_users_error) {
  EXPECT_THROW(ZeroedArray<std::uint32_t>(std::size_t{1} << 60, "the test"), UserError);
}

}  // namespace
}  // namespace vp
