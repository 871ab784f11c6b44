#include "models/drra/dimarch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drra/program_runner.h"

namespace vp::drra {
namespace {

/// Reads row 5 of SRAM (1 + up, column) into block 1 of cell (row, 0); `delay` is of the block write.
std::string read_program(unsigned row, unsigned east, unsigned up, unsigned delay) {
  return ".sram " + std::to_string(1 + up) + "," + std::to_string(east) +
         " 5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n" + ".cell " + std::to_string(row) +
         ",0\nROUTE horizontal_dir=e vertical_dir=n horizontal_hops=" + std::to_string(east) +
         " vertical_hops=" + std::to_string(up) + "\nSRAM rw=r init_addr=5 hops=" + std::to_string(east + up) +
         "\nREFI port_no=w0 dimarch=y init_addr=1 init_delay=" + std::to_string(delay) + "\nHALT\nHALT\n";
}

TEST(DrraDimarch, a_row_arrives_six_cycles_and_two_a_hop_after_its_sram) {
  for (unsigned row : {0u, 1u})
    for (unsigned east : {0u, 1u, 3u})
      for (unsigned up : {0u, 1u}) {
        // The SRAM is decoded in cycle 2 + row, the REFI, which begins in the cycle after it, in 3 + row.
        const unsigned delay = 2 + 6 + 2 * (east + up) + row - 4;
        const ProgramRun right(read_program(row, east, up, delay));
        EXPECT_EQ(right.reg(16, row, 0), 1) << row << east << up;
        EXPECT_EQ(right.reg(31, row, 0), 16);
        EXPECT_EQ(right.core.findings().total(), 0u);
        EXPECT_EQ(ProgramRun(read_program(row, east, up, delay + 1)).reg(16, row, 0), 0);
        EXPECT_EQ(ProgramRun(read_program(row, east, up, delay - 1)).reg(16, row, 0), 0);
      }
}

std::string write_program(unsigned delay, const std::string& hops = "1") {
  return ".cell 0,0\n.rf 32: 9 8 7 6\nROUTE direction=w horizontal_dir=e horizontal_hops=1 vertical_dir=n\n"
         "SRAM rw=w init_addr=7 init_delay=3 hops=" +
         hops + "\nREFI port_no=r0 dimarch=y init_addr=2 init_delay=" + std::to_string(delay) + "\nHALT\nHALT\n";
}

TEST(DrraDimarch, a_written_row_is_the_block_read_three_cycles_after_its_sram) {
  const ProgramRun right(write_program(2 + 3 + 3 - 4));
  ASSERT_EQ(right.log.tiles.size(), 1u);
  EXPECT_EQ(right.log.tiles[0].cycle, 2 + 4 + 3 + 1u);
  EXPECT_EQ(right.core.dimarch().tile(1, 1, 7)[0], 9);
  EXPECT_EQ(right.core.dimarch().tile(1, 1, 7)[3], 6);
  EXPECT_EQ(right.core.last_activity(), 10u);
  EXPECT_EQ(ProgramRun(write_program(3)).core.dimarch().tile(1, 1, 7), Row{});
}

TEST(DrraDimarch, wrong_hops_transfer_zeros_and_are_found) {
  const ProgramRun write(write_program(4, "2"));
  EXPECT_EQ(write.found(FindingKind::wrong_hops), 1u);
  EXPECT_TRUE(write.log.tiles.empty());
  ProgramRun read(".cell 0,0\n.rf 0: 1\n.sram 1,0 0: 7\nROUTE\nSRAM hops=1\nREFI dimarch=y init_delay=6\nHALT\nHALT");
  EXPECT_EQ(read.found(FindingKind::wrong_hops), 1u);
  EXPECT_EQ(read.reg(0), 0);
}

TEST(DrraDimarch, a_route_out_of_the_fabric_or_none_is_found) {
  EXPECT_EQ(ProgramRun(".cell 0,0\nSRAM\nHALT\nHALT").found(FindingKind::no_route), 1u);
  EXPECT_EQ(ProgramRun(".cell 0,0\nROUTE horizontal_hops=1\nSRAM hops=1\nHALT\nHALT").found(FindingKind::no_route), 1u);
  EXPECT_EQ(ProgramRun(".cell 0,0\nROUTE vertical_hops=1\nSRAM hops=1\nHALT\nHALT").found(FindingKind::no_route), 1u);
  EXPECT_EQ(ProgramRun(".cell 0,0\nROUTE vertical_dir=n vertical_hops=2\nSRAM hops=2\nHALT\nHALT")
                .found(FindingKind::no_route),
            1u);
}

TEST(DrraDimarch, a_busy_memory_ignores_a_request_and_takes_one_right_after) {
  const auto program = [](const std::string& between) {
    return ProgramRun(".cell 0,0\nROUTE\nSRAM l1_iter=4\n" + between + "SRAM\nHALT\nHALT");
  };
  const ProgramRun early = program("WAIT cycle=2\n");  // SRAM in 2 and 6: the memory is read in 6 to 10, asked in 10
  EXPECT_EQ(early.found(FindingKind::tile_busy), 1u);
  EXPECT_EQ(early.core.dimarch().rows_read(), 5u);
  const ProgramRun late = program("WAIT cycle=3\n");
  EXPECT_EQ(late.found(FindingKind::tile_busy), 0u);
  EXPECT_EQ(late.core.dimarch().rows_read(), 6u);
}

TEST(DrraDimarch, reading_and_writing_different_rows_in_a_cycle_is_found) {
  const auto program = [](const std::string& row) {
    return ProgramRun(".cell 0,0\nROUTE\nROUTE direction=w\nSRAM init_delay=1\nSRAM rw=w init_addr=" + row +
                      "\nHALT\nHALT");
  };
  EXPECT_EQ(program("1").found(FindingKind::tile_conflict), 1u);
  EXPECT_EQ(program("0").found(FindingKind::tile_conflict), 0u);
}

TEST(DrraIo, masked_words_keep_what_they_were) {
  const ProgramRun done(
      ".profile b\n.io 3: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n.cell 0,0\n.rf 0: 90 91 92 93\n"
      "IO rw=r init_addr=3 mask=0b101\nREFI port_no=w0 dimarch=y init_delay=4\nHALT\nHALT",
      [] {
        DrraConfig config;
        config.profile = DecoderProfile::b;
        return config;
      }());
  EXPECT_EQ(done.reg(0), 90);
  EXPECT_EQ(done.reg(1), 2);
  EXPECT_EQ(done.reg(2), 92);
  EXPECT_EQ(done.reg(15), 16);
}

TEST(DrraIo, rows_beyond_the_buffer_read_as_zeros_and_are_found) {
  DrraConfig config;
  config.profile = DecoderProfile::b;
  config.io_rows = 4;
  const ProgramRun done(
      ".profile b\n.cell 0,0\nIO rw=r init_addr=3 l1_iter=2\nIO rw=w init_addr=3 l1_iter=1\nHALT\nHALT", config);
  EXPECT_EQ(done.found(FindingKind::io_row), 3u);
}

TEST(DrraPerm, a_block_is_shifted_and_rotated_at_the_end_of_the_next_cycle) {
  const auto run = [](const std::string& mode) {
    return ProgramRun(".cell 0,0\n.rf 16: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\nPERM block=1 distance=3 mode=" +
                      mode + "\nHALT\nHALT");
  };
  EXPECT_EQ(run("left").reg(16), 4);
  EXPECT_EQ(run("left").reg(31), 0);
  EXPECT_EQ(run("right").reg(19), 1);
  EXPECT_EQ(run("right").reg(18), 0);
  EXPECT_EQ(run("left_same").reg(31), 16);
  EXPECT_EQ(run("right_same").reg(16), 1);
  EXPECT_EQ(run("rotate_left").reg(31), 3);
  EXPECT_EQ(run("rotate_right").reg(16), 14);
  EXPECT_EQ(run("left").write_cycles(), std::vector<Cycle>(16, 2));
}

}  // namespace
}  // namespace vp::drra
