#include "platform/run/run_log.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

TEST(RunLog, writes_what_is_at_or_above_its_level) {
  const TemporaryFolder folder;
  RunLog log(LogLevel::warning, folder.path("log"));
  log.begin();
  log.write(LogLevel::error, 12'345'000, "broke");
  log.write(LogLevel::warning, 0, "odd");
  log.write(LogLevel::info, 0, "fine");
  log.close();
  EXPECT_EQ(TemporaryFolder::read(folder.path("log")), "[   12.345 us] error: broke\n[        0 ps] warning: odd\n");
}

TEST(RunLog, an_unwritable_file_is_the_users_error) {
  EXPECT_THROW(RunLog(LogLevel::info, "/none/log"), UserError);
  RunLog full(LogLevel::info, "/dev/full");
  full.begin();
  full.write(LogLevel::info, 0, "text");
  EXPECT_THROW(full.close(), UserError);
}

TEST(RunLog, levels_have_names) {
  EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
  EXPECT_THROW(parse_log_level("debgu"), UserError);
}

TEST(RunLog, times_are_readable) {
  EXPECT_EQ(readable_time(5), "5 ps");
  EXPECT_EQ(readable_time(5625), "5.625 ns");
  EXPECT_EQ(readable_time(1'500'000'000'000), "1.500 s");
}

}  // namespace
}  // namespace vp
