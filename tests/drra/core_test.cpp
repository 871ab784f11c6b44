#include "models/drra/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/drra/core_report.h"
#include "tests/drra/program_runner.h"

namespace vp::drra {
namespace {

using ::testing::HasSubstr;

TEST(DrraCore, a_word_goes_to_another_cell_in_the_same_cycle) {
  // Cell 1,3 reads r0 of cell 0,1: two columns to the left, in the other row.
  const ProgramRun done(
      ".cell 0,1\n.rf 0: 41 42 43\nREFI port_no=r0 l1_iter=2 init_delay=8\nHALT\nHALT\n"
      ".cell 1,3\nSWB hb_index=0 send_to_other_row=y v_index=0\nREFI port_no=w0 l1_iter=2 init_delay=4\nHALT\nHALT\n");
  EXPECT_EQ(done.reg(0, 1, 3), 41);
  EXPECT_EQ(done.reg(2, 1, 3), 43);
}

TEST(DrraCore, the_interconnect_reaches_two_columns) {
  const std::string source = ".cell 0,0\n.rf 0: 7\nREFI port_no=r0 init_delay=20\nHALT\nHALT\n";
  for (unsigned column = 1; column <= 3; ++column) {
    const ProgramRun done(source + ".cell 0," + std::to_string(column) +
                          "\nSWB hb_index=" + (column <= 2 ? std::to_string(2 - column) : "0") +
                          " v_index=0\nREFI port_no=w0 init_delay=" + std::to_string(19 - column) + "\nHALT\nHALT\n");
    EXPECT_EQ(done.reg(0, 0, column), column <= 2 ? 7 : 0) << column;
  }
}

TEST(DrraCore, a_route_serves_from_the_second_cycle_after_its_swb) {
  const auto run = [](const std::string& delay) {
    return ProgramRun(
               ".cell 0,0\n.rf 0: 7 7 7 7 7 7\nREFI port_no=r0 l1_iter=5\nREFI port_no=w0 init_addr=9 init_delay=" +
               delay + "\nSWB hb_index=2 v_index=0\nHALT\nHALT")
        .reg(9);
  };
  EXPECT_EQ(run("1"), 0);  // cycle 4; SWB in 3
  EXPECT_EQ(run("2"), 7);
}

TEST(DrraCore, a_fabric_at_rest_has_no_event) {
  Core core(DrraConfig{});
  EXPECT_EQ(core.next_event(), kNever);
  EXPECT_TRUE(core.done());
  core.advance_to(1'000'000'000'000);
  EXPECT_EQ(core.cycle(), 1'000'000'000'000u);
}

TEST(DrraCore, each_cycle_of_a_run_counts_once_by_what_was_done_in_it) {
  const ProgramRun done(
      ".cell 0,0\n.rf 0: 1 2 3\nSWB hb_index=2 v_index=0\nREFI port_no=r0 l1_iter=2 init_delay=20\n"
      "REFI port_no=w0 init_addr=9 l1_iter=2 init_delay=19\nWAIT cycle=5\nHALT\nHALT\n");
  const WorkCycles& work = done.core.work_cycles();
  EXPECT_EQ(work.compute, 0u);
  EXPECT_EQ(work.data, 3u) << "read and written in the same cycles";
  EXPECT_EQ(work.instructions, 5u);
  const HeldUpBy by = held_up_by(work, done.core.cycle());
  EXPECT_EQ(by.compute + by.data + by.instructions + by.wait, done.core.cycle());
  EXPECT_GT(by.wait, 5u);
}

TEST(DrraCore, a_waiting_cell_has_its_next_instruction_as_event) {
  Core core(DrraConfig{});
  load(assemble(".cell 0,0\nWAIT cycle=1000\nHALT\nHALT", "test"), core);
  core.start();
  core.advance_to(2);
  EXPECT_EQ(core.next_event(), 1002u);
  core.advance_to(1001);
  EXPECT_FALSE(core.done());
  core.advance_to(1002);
  EXPECT_TRUE(core.done());
}

TEST(DrraCore, a_second_start_runs_the_programs_again_on_the_data_of_the_first) {
  Core core(DrraConfig{});
  load(assemble(".cell 0,0\nRACCU mode=add operand1_sd=d operand1=0 operand2=3 result=0\nHALT\nHALT", "test"), core);
  for (int times = 1; times <= 3; ++times) {
    core.start();
    core.run_to(core.cycle() + 100);
    EXPECT_TRUE(core.done());
    EXPECT_EQ(core.cell(0).sequencer.raccu()[0], 3 * times);
  }
}

TEST(DrraCore, reset_forgets_programs_and_data) {
  Core core(DrraConfig{});
  load(assemble(".sram 1,0 0: 5\n.cell 0,0\n.rf 0: 1\nJUMP pc=0\nHALT", "test"), core);
  core.start();
  core.advance_to(10);
  core.reset();
  EXPECT_TRUE(core.done());
  EXPECT_EQ(core.cycle(), 10u);
  EXPECT_EQ(core.cell(0).registers[0], 0);
  EXPECT_EQ(core.dimarch().tile(1, 0, 0), Row{});
  core.start();
  EXPECT_EQ(core.next_event(), kNever);
}

TEST(DrraCore, a_running_cell_takes_no_program) {
  Core core(DrraConfig{});
  core.load(0, 0, {6u << 23, 0});
  core.start();
  EXPECT_THROW(core.load(0, 0, {0}), std::logic_error);
  EXPECT_THROW(core.load(0, 1, std::vector<std::uint32_t>(65)), std::logic_error);
}

TEST(DrraCore, an_endless_program_stands_somewhere) {
  Core core(DrraConfig{});
  load(
      assemble(".cell 0,0\nREFI l1_iter=63 l2_iter=31 l2_iter_ext=1\nagain: WAIT cycle=9\nJUMP pc=again\nHALT", "test"),
      core);
  core.start();
  core.run_to(100);
  EXPECT_FALSE(core.done());
  EXPECT_EQ(core.cycle(), 100u);
  EXPECT_THAT(standing(core.cell(0)), HasSubstr("cell 0,0: pc 3 (WAIT cycle=9) in cycle 101"));
  EXPECT_THAT(standing(core.cell(0)), HasSubstr("w0 of the REFI at pc 0"));
}

TEST(DrraCore, busy_cycles_of_the_dpu_are_those_with_elements_of_a_stream) {
  const ProgramRun done(
      ".cell 0,0\nSWB src_port=0 hb_index=2 v_index=2\nDPU mode=relu\nREFI port_no=r0 l1_iter=4 l1_delay=2\nWAIT "
      "cycle=100\nHALT\nHALT");
  EXPECT_EQ(done.core.cell(0).counters.dpu_busy, 5u);
  EXPECT_EQ(done.core.cell(0).counters.wait_cycles, 100u);
  EXPECT_EQ(done.core.cell(0).counters.instructions, 5u);
}

TEST(DrraCore, what_the_fabric_lacks_is_a_user_error) {
  DrraConfig config;
  config.columns = 2;
  config.dimarch_rows = 1;
  config.io_rows = 3;
  for (const char* text : {".cell 0,2\n", ".sram 2,0 0: 1\n", ".sram 1,2 0: 1\n", ".io 3: 1\n"}) {
    Core core(config);
    EXPECT_THROW(load(assemble(text, "test"), core), UserError) << text;
  }
}

}  // namespace
}  // namespace vp::drra
