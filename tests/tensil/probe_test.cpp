// What tells a driver that takes the acceptance of the stream for the end of the program.
#include "models/tensil/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vp::tensil {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr unsigned kDepth = 256;

DramMove write_of(std::uint64_t vector) {
  DramMove move;
  move.reads = false;
  move.count = 1;
  move.vector_bytes = 2;
  move.first = vector;
  move.mask = kDepth - 1;
  move.bytes = {7, 7};
  return move;
}

struct TensilProbeTest : testing::Test {
  TensilProbeTest() {
    probe.peek_with([this](std::uint32_t, std::uint8_t* bytes, std::size_t count) {
      std::fill_n(bytes, count, memory);
      return true;
    });
  }
  std::vector<vp::Finding> findings() const {
    std::vector<vp::Finding> all;
    probe.add_findings(all);
    return all;
  }
  Probe probe{kDepth};
  std::uint8_t memory = 0xFF;
};

TEST_F(TensilProbeTest, armed_and_awaited_is_no_finding) {
  probe.began(write_of(8), 10);
  probe.began(write_of(kDepth - 2), 20);
  probe.packet(50, 30);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(TensilProbeTest, that_holds_the_same_before_tells_nothing) {
  memory = 7;
  probe.began(write_of(kDepth - 2), 20);
  ASSERT_THAT(findings(), SizeIs(1));
  EXPECT_THAT(findings()[0].text, HasSubstr("nobody can see the end"));
  EXPECT_EQ(findings()[0].time, 20u);
}

TEST_F(TensilProbeTest, overtaken_by_the_next_stream_is_found) {
  probe.began(write_of(kDepth - 2), 20);
  probe.packet(25, 30);
  ASSERT_THAT(findings(), SizeIs(1));
  EXPECT_THAT(findings()[0].text, HasSubstr("1 stream began before the program in front of it"));
}

TEST_F(TensilProbeTest, a_stream_in_pieces_is_no_finding) {
  probe.began(write_of(8), 20);
  probe.packet(25, 30);
  probe.began(write_of(kDepth - 2), 40);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(TensilProbeTest, missing_behind_what_is_written_is_found) {
  probe.began(write_of(8), 20);
  ASSERT_THAT(findings(), SizeIs(1));
  EXPECT_THAT(findings()[0].text, HasSubstr("interrupt tells only that it was accepted"));
}

}  // namespace
}  // namespace vp::tensil
