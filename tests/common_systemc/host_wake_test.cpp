#include "models/common/host_wake.h"

#include <gtest/gtest.h>

#include <systemc>
#include <thread>

namespace vp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(HostWake, a_bell_that_a_thread_rings_is_heard_inside_the_simulation_by_its_party_alone) {
  HostWake wake;
  unsigned heard = 0, heard_by_other = 0;
  HostWake::Bell bell(wake, [&heard] {
    EXPECT_EQ(sc_core::sc_get_curr_process_kind(), sc_core::SC_METHOD_PROC_);
    ++heard;
  });
  HostWake::Bell other(wake, [&heard_by_other] { ++heard_by_other; });
  sc_core::sc_start();
  EXPECT_EQ(heard, 0u);
  std::thread([&bell] { bell.ring(); }).join();
  EXPECT_EQ(heard, 0u) << "by the simulation, not by the thread";
  sc_core::sc_start();
  EXPECT_EQ(heard, 1u);
  EXPECT_EQ(heard_by_other, 0u);
}

TEST(HostWake, rings_that_nobody_has_heard_yet_are_heard_once) {
  HostWake wake;
  unsigned heard = 0;
  HostWake::Bell bell(wake, [&heard] { ++heard; });
  for (int ring = 0; ring < 5; ++ring) bell.ring();
  sc_core::sc_start();
  EXPECT_EQ(heard, 1u);
  bell.ring();
  sc_core::sc_start();
  EXPECT_EQ(heard, 2u);
}

TEST(HostWake, none_of_many_rings_while_the_simulation_runs_is_forgotten) {
  constexpr unsigned kRings = 2000;
  HostWake wake;
  std::atomic<unsigned> rung{0};
  unsigned heard = 0;
  HostWake::Bell bell(wake, [&] { heard = rung; });
  std::thread ringer([&] {
    for (unsigned i = 0; i < kRings; ++i) {
      ++rung;
      bell.ring();
    }
  });
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (heard != kRings && std::chrono::steady_clock::now() < deadline) {
    wake.wait(milliseconds(20));
    sc_core::sc_start();
  }
  ringer.join();
  EXPECT_EQ(heard, kRings);
}

TEST(HostWake, a_simulation_with_nothing_to_do_waits_in_host_time_for_a_ring) {
  HostWake wake;
  HostWake::Bell bell(wake, [] {});
  sc_core::sc_start();
  EXPECT_FALSE(wake.wait(milliseconds(1)));
  std::thread ringer([&bell] {
    std::this_thread::sleep_for(milliseconds(20));
    bell.ring();
  });
  EXPECT_TRUE(wake.wait(seconds(30)));
  ringer.join();
  EXPECT_TRUE(wake.wait(milliseconds(1))) << "the simulation has not heard it yet";
  sc_core::sc_start();
  EXPECT_FALSE(wake.wait(milliseconds(1)));
}

}  // namespace
}  // namespace vp
