// Programs of the sequencer, its loops and its RACCU; streams to register w0 show when an instruction ran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drra/program_runner.h"

namespace vp::drra {
namespace {

using ::testing::ElementsAre;

ProgramRun run(const std::string& text) { return ProgramRun(".cell 0,0\n" + text); }

TEST(DrraSequencer, a_cell_starts_as_many_cycles_later_as_it_is_away) {
  const ProgramRun skewed(".cell 0,0\nHALT\nHALT\n.cell 1,3\nHALT\nHALT\n");
  EXPECT_EQ(skewed.halted(), 1u);
  EXPECT_EQ(skewed.halted(1, 3), 5u);
  DrraConfig config;
  config.start_skew = false;
  EXPECT_EQ(ProgramRun(".cell 1,3\nHALT\nHALT\n", config).halted(1, 3), 1u);
}

TEST(DrraSequencer, wait_occupies_one_cycle_more_than_it_says) {
  EXPECT_EQ(run("WAIT cycle=0\nHALT\nHALT").halted(), 2u);
  EXPECT_EQ(run("WAIT cycle=9\nHALT\nHALT").halted(), 11u);
}

TEST(DrraSequencer, wait_takes_its_length_from_a_register) {
  EXPECT_EQ(run("RACCU mode=add operand1=40 operand2=60 result=2\nWAIT cycle_sd=d cycle=2\nHALT\nHALT").halted(),
            2u + 100 + 1);
}

TEST(DrraSequencer, the_last_loaded_word_ends_a_program) {
  const ProgramRun ended = run("RACCU mode=add operand1=1 result=0\nRACCU mode=add operand1=2 result=1\n");
  EXPECT_EQ(ended.raccu(1), 2);
  EXPECT_EQ(ended.core.cell(0).sequencer.state(), SequencerState::ended);
  EXPECT_EQ(ended.core.last_activity(), 2u);
}

TEST(DrraSequencer, a_taken_jump_costs_nothing) {
  const ProgramRun jumped = run("JUMP pc=over\nRACCU mode=add operand1=1 result=0\nover: HALT\nHALT");
  EXPECT_EQ(jumped.halted(), 2u);
  EXPECT_EQ(jumped.raccu(0), 0);
}

TEST(DrraSequencer, a_jump_behind_the_program_halts) { EXPECT_EQ(run("JUMP pc=60\nHALT\nHALT").halted(), 2u); }

TEST(DrraSequencer, opcodes_without_meaning_take_a_cycle) {
  EXPECT_EQ(run(".word 0x1000000\n.word 0x7800000\nHALT\nHALT").halted(), 3u);
}

TEST(DrraLoop, a_body_runs_count_times_with_its_iterator) {
  const ProgramRun looped =
      run("LOOP loopid=0 iter=5 start=3 step=2 endpc=body\nbody: RACCU mode=add operand1_sd=d operand1=0 operand2_sd=d "
          "operand2=15 result=0\nHALT\nHALT");
  EXPECT_EQ(looped.raccu(0), 3 + 5 + 7 + 9 + 11);
  EXPECT_EQ(looped.raccu(15), 0);
  EXPECT_EQ(looped.halted(), 7u);
}

TEST(DrraLoop, nested_loops_may_share_their_end) {
  const ProgramRun nested =
      run("LOOP loopid=0 iter=3 endpc=body\nLOOP loopid=1 iter=4 endpc=body\nbody: RACCU mode=add operand1_sd=d "
          "operand1=0 operand2=1 result=0\nHALT\nHALT");
  EXPECT_EQ(nested.raccu(0), 12);
  EXPECT_EQ(nested.halted(), 1 + 3 * 5 + 1u);
}

TEST(DrraLoop, a_count_of_zero_leaves_the_body_out) {
  const ProgramRun none =
      run("LOOP iter=0 endpc=body\nRACCU mode=add operand1=1 result=0\nbody: RACCU mode=add operand1=1 result=1\n"
          "HALT\nHALT");
  EXPECT_EQ(none.raccu(0), 0);
  EXPECT_EQ(none.raccu(1), 0);
  EXPECT_EQ(none.halted(), 2u);
}

TEST(DrraLoop, the_outer_loop_goes_on_over_an_inner_one_without_repetitions) {
  const ProgramRun nested =
      run("LOOP loopid=0 iter=3 endpc=body\nRACCU mode=add operand1_sd=d operand1=0 operand2=1 result=0\n"
          "LOOP loopid=1 iter=0 endpc=body\nbody: RACCU mode=add operand1=9 result=1\nHALT\nHALT");
  EXPECT_EQ(nested.raccu(0), 3);
  EXPECT_EQ(nested.raccu(1), 0);
}

TEST(DrraLoop, a_jump_at_the_end_combines_both_addresses_and_is_found) {
  const ProgramRun jumped = run("LOOP iter=2 endpc=2\nWAIT\nJUMP pc=4\nHALT\nHALT\nHALT\nHALT\n");
  EXPECT_EQ(jumped.found(FindingKind::jump_at_loop_end), 1u);
  ASSERT_EQ(jumped.core.findings().kept().size(), 1u);
  EXPECT_EQ(describe(jumped.core.findings().kept()[0]),
            "cycle 3, cell 0,0, pc 2 (JUMP pc=4): a jump was taken at the end of a loop; both addresses were combined");
  EXPECT_EQ(jumped.halted(), 4u);  // at 1 | 4
}

TEST(DrraRaccu, arithmetic_wraps_at_seven_bits) {
  const ProgramRun done = run(
      "RACCU mode=add operand1=63 operand2=1 result=0\nRACCU mode=sub operand1=-64 operand2=1 result=1\n"
      "RACCU mode=shift_r operand1=-64 operand2=3 result=2\nRACCU mode=shift_l operand1=3 operand2=5 result=3\n"
      "RACCU mode=mult operand1=9 operand2=9 result=4\nRACCU mode=add operand1=5 result=5\n"
      "RACCU mode=mult_add operand1=3 operand2=4 result=5\nRACCU mode=mult_sub operand1_sd=d operand1=5 operand2=2 "
      "result=5\nRACCU mode=shift_r operand1=-1 operand2=63 result=6\nRACCU mode=idle operand1=1 result=7\nHALT\nHALT");
  EXPECT_EQ(done.raccu(0), -64);
  EXPECT_EQ(done.raccu(1), 63);
  EXPECT_EQ(done.raccu(2), -8);
  EXPECT_EQ(done.raccu(3), -32);
  EXPECT_EQ(done.raccu(4), 81 - 128);
  EXPECT_EQ(done.raccu(5), 17 - 34);
  EXPECT_EQ(done.raccu(6), -1);
  EXPECT_EQ(done.raccu(7), 0);
}

TEST(DrraRaccu, an_iterator_of_a_loop_at_rest_keeps_a_written_value_for_one_cycle) {
  const ProgramRun done =
      run("RACCU mode=add operand1=9 result=12\nRACCU mode=add operand1_sd=d operand1=12 result=0\n"
          "RACCU mode=add operand1_sd=d operand1=12 result=1\nHALT\nHALT");
  EXPECT_EQ(done.raccu(0), 9);
  EXPECT_EQ(done.raccu(1), 0);
}

TEST(DrraBranch, falls_through_only_when_the_condition_is_among_the_named) {
  // max_min compares in0 with in1: 3 with 5, so less.
  const std::string compare =
      ".rf 0: 3 3 3 3 5 5 5 5\nSWB src_port=0 hb_index=2 v_index=2\nSWB src_port=1 hb_index=2 v_index=3\n"
      "DPU mode=max_min\nREFI port_no=r0 l1_iter=3\nREFI port_no=r1 init_addr=4 l1_iter=3\nWAIT cycle=1\n";
  const std::string branch = " false_pc=no\nRACCU mode=add operand1=1 result=0\nno: HALT\nHALT";
  EXPECT_EQ(run(compare + "BRANCH mode=greater" + branch).raccu(0), 0);
  EXPECT_EQ(run(compare + "BRANCH mode=equal" + branch).raccu(0), 0);
  EXPECT_EQ(run(compare + "BRANCH mode=none" + branch).raccu(0), 0);
}

TEST(DrraStream, levels_steps_and_delays_give_the_addresses_in_their_cycles) {
  const ProgramRun done =
      run("REFI port_no=w0 init_addr=60 init_delay=2 l1_iter=2 l1_step=3 l1_delay=1 l2_iter=1 l2_step=4 l2_step_ext=1 "
          "l2_delay=4\n"
          "HALT\nHALT");
  EXPECT_THAT(done.addresses(), ElementsAre(60u, 63u, 2u, 16u, 19u, 22u));
  EXPECT_THAT(done.write_cycles(), ElementsAre(4u, 6u, 8u, 13u, 15u, 17u));
  EXPECT_EQ(done.core.last_activity(), 17u);
}

TEST(DrraStream, extensions_stand_above_their_fields) {
  const ProgramRun done = run("REFI l1_iter=1 l1_delay=1 l1_delay_ext=1\nHALT\nHALT");
  EXPECT_THAT(done.write_cycles(), ElementsAre(2u, 2 + 18u));
}

TEST(DrraStream, dynamic_fields_come_from_registers) {
  const ProgramRun done = run(
      "RACCU mode=add operand1=7 result=1\nRACCU mode=add operand1=2 result=2\nREFI init_addr_sd=d init_addr=1 "
      "l1_iter_sd=d l1_iter=2 l1_step_sd=d l1_step=1 init_delay_sd=d init_delay=2 l2_iter_sd=d l2_iter=3 l2_delay_sd=d "
      "l2_delay=2\nHALT\nHALT");
  EXPECT_THAT(done.addresses(), ElementsAre(7u, 14u, 21u));
  EXPECT_THAT(done.write_cycles(), ElementsAre(6u, 7u, 8u));
}

TEST(DrraStream, the_first_write_port_wins_over_the_second) {
  const ProgramRun done =
      run(".rf 0: 5\nSWB src_port=0 hb_index=2 v_index=0\nWAIT\nREFI port_no=w1 init_addr=9 init_delay=2\nREFI "
          "port_no=r0 init_delay=1\nREFI port_no=w0 init_addr=9\nHALT\nHALT");
  EXPECT_EQ(done.reg(9), 5);
  EXPECT_EQ(done.log.registers.size(), 1u);
}

}  // namespace
}  // namespace vp::drra
