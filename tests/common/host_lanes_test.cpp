#include "models/common/host_lanes.h"

#include <gtest/gtest.h>

#include "models/common/error.h"

namespace vp {
namespace {

TEST(HostLanesLimit, every_step_has_a_name_and_without_one_all_may_be_used) {
  EXPECT_EQ(most_host_lanes(nullptr), HostLanes::amx);
  EXPECT_EQ(most_host_lanes("plain"), HostLanes::plain);
  EXPECT_EQ(most_host_lanes("avx2"), HostLanes::avx2);
  EXPECT_EQ(most_host_lanes("avx512"), HostLanes::avx512);
  EXPECT_EQ(most_host_lanes("amx"), HostLanes::amx);
}

TEST(HostLanesLimit, another_name_is_the_users_error) {
  for (const char* text : {"", "AVX2", "avx", "sse", "plain "}) {
    try {
      most_host_lanes(text);
      FAIL() << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(),
                "the environment's VP_HOST_LANES is '" + std::string(text) + "'; it can be plain, avx2, avx512 or amx");
    }
  }
}

}  // namespace
}  // namespace vp
