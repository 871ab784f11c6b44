#include "platform/run/stop_source.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "platform/common/exit_code.h"

namespace vp {
namespace {

using namespace std::chrono_literals;

bool wait_for(const std::atomic<int>& stops) {
  for (int i = 0; i < 500 && stops == 0; ++i) std::this_thread::sleep_for(10ms);
  return stops == 1;
}

TEST(StopSource, the_first_interrupt_asks_the_run_to_stop) {
  std::atomic<int> stops{0};
  StopSource source([&stops](StopSource::Reason) { ++stops; }, 0s);
  EXPECT_EQ(source.reason(), StopSource::Reason::none);
  raise(SIGINT);
  EXPECT_TRUE(wait_for(stops));
  EXPECT_EQ(source.reason(), StopSource::Reason::interrupted);
}

TEST(StopSource, a_second_interrupt_ends_the_process) {
  EXPECT_EXIT(
      {
        StopSource source([](StopSource::Reason) {}, 0s);
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::ExitedWithCode(kExitInterrupted), "");
}

TEST(StopSource, the_time_limit_asks_the_run_to_stop) {
  std::atomic<int> stops{0};
  StopSource source([&stops](StopSource::Reason) { ++stops; }, 20ms);
  EXPECT_TRUE(wait_for(stops));
  EXPECT_EQ(source.reason(), StopSource::Reason::timeout);
}

TEST(StopSource, the_time_limit_stands_still_while_it_is_paused) {
  std::atomic<int> stops{0};
  StopSource source([&stops](StopSource::Reason) { ++stops; }, 50ms);
  source.pause();
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(source.reason(), StopSource::Reason::none);
  source.go_on();
  EXPECT_TRUE(wait_for(stops));
  EXPECT_EQ(source.reason(), StopSource::Reason::timeout);
}

TEST(StopSource, gives_the_signals_back_when_the_run_is_over) {
  {
    StopSource source([](StopSource::Reason) {}, 3600s);
  }
  EXPECT_EXIT(raise(SIGINT), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace vp
