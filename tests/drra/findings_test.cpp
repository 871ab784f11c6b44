#include "models/drra/findings.h"

#include <gtest/gtest.h>

#include "tests/drra/program_runner.h"

namespace vp::drra {
namespace {

TEST(DrraFindings, a_stream_restarted_while_busy_is_dropped_and_named) {
  const ProgramRun done(".cell 1,2\nREFI l1_iter=9\nWAIT\nREFI init_addr=32\nHALT\nHALT");
  EXPECT_EQ(done.found(FindingKind::stream_busy), 1u);
  EXPECT_EQ(describe(done.core.findings().kept().at(1)),
            "cycle 6, cell 1,2, pc 2 (REFI init_addr=32): a stream was started on a port that was still busy; it was "
            "dropped");
  EXPECT_EQ(done.log.registers.size(), 10u);
}

TEST(DrraFindings, a_port_is_free_in_the_cycle_after_its_last_address) {
  // Addresses in cycles 2 to 5; a REFI of cycle 5 begins in 6.
  EXPECT_EQ(ProgramRun(".cell 0,0\nREFI l1_iter=3\nWAIT cycle=2\nREFI\nHALT\nHALT").found(FindingKind::stream_busy),
            0u);
  EXPECT_EQ(ProgramRun(".cell 0,0\nREFI l1_iter=3\nWAIT cycle=1\nREFI\nHALT\nHALT").found(FindingKind::stream_busy),
            1u);
}

TEST(DrraFindings, a_write_port_without_a_route_is_found_once) {
  const ProgramRun done(".cell 0,0\nREFI l1_iter=9\nHALT\nHALT");
  EXPECT_EQ(done.found(FindingKind::unrouted_input), 1u);
  EXPECT_EQ(done.core.findings().kept().at(0).pc, 0u);
}

TEST(DrraFindings, an_operand_without_a_route_is_found_a_whole_unit_without_is_not) {
  const std::string streams = "REFI port_no=r0 l1_iter=9 init_delay=4\nHALT\nHALT";
  const std::string first = ".cell 0,0\nSWB src_port=0 hb_index=2 v_index=2\n",
                    second = "SWB src_port=1 hb_index=2 v_index=3\n";
  EXPECT_EQ(ProgramRun(first + "DPU mode=add\n" + streams).found(FindingKind::unrouted_input), 1u);
  EXPECT_EQ(ProgramRun(first + second + "DPU mode=add\n" + streams).found(FindingKind::unrouted_input), 0u);
  EXPECT_EQ(ProgramRun(first + "DPU mode=sigm\n" + streams).found(FindingKind::unrouted_input), 0u);
  EXPECT_EQ(ProgramRun(first + streams).found(FindingKind::unrouted_input), 0u);
}

TEST(DrraFindings, the_constant_zero_is_a_route_a_column_off_the_fabric_is_none) {
  const auto run = [](const std::string& index) {
    return ProgramRun(".cell 0,0\nSWB hb_index=" + index + " v_index=0\nWAIT\nREFI\nHALT\nHALT")
        .found(FindingKind::unrouted_input);
  };
  EXPECT_EQ(run("7"), 0u);
  EXPECT_EQ(run("2"), 0u);
  EXPECT_EQ(run("1"), 1u);
  EXPECT_EQ(run("5"), 1u);
}

TEST(DrraFindings, a_negative_shift_amount_is_found) {
  const ProgramRun done(
      ".cell 0,0\n.rf 0: -1\nSWB src_port=0 hb_index=2 v_index=2\nSWB src_port=0 hb_index=2 v_index=3\nDPU "
      "mode=shift_l\n"
      "REFI port_no=r0 init_delay=2\nHALT\nHALT");
  EXPECT_EQ(done.found(FindingKind::bad_shift), 1u);
}

TEST(DrraFindings, details_are_kept_for_the_first_of_each_kind_and_all_are_counted) {
  FindingLog log;
  for (unsigned i = 0; i < 100; ++i)
    if (log.count(FindingKind::tile_busy)) log.keep({FindingKind::tile_busy, i, 0, 0, 0, ""});
  EXPECT_EQ(log.count_of(FindingKind::tile_busy), 100u);
  EXPECT_EQ(log.total(), 100u);
  EXPECT_EQ(log.kept().size(), FindingLog::kKept);
}

}  // namespace
}  // namespace vp::drra
