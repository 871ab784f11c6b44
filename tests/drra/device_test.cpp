// The device around the fabric: window, look-ahead, DMA, interrupt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "models/common/error.h"
#include "models/drra/decode_log.h"
#include "platform/files/whole_file.h"
#include "tests/drra/device_bench.h"
#include "tests/drra/fabric_state.h"
#include "tests/support/slow_host.h"

namespace vp::drra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string kernel_text(const std::string& name) {
  return read_file(std::string(VP_SOURCE_DIR "/sw/drra/") + name + ".drra");
}

/// A cell that writes its registers over and over, and is done after 60 rounds.
const char* const kLongRun =
    ".cell 0,0\n.rf 0: 5 -3 8\nSWB src_port=0 hb_index=2 v_index=2\nSWB src_block=dpu src_port=0 hb_index=2 v_index=0\n"
    "DPU mode=sum_acc\nLOOP loopid=0 iter=60 endpc=end\nREFI port_no=r0 l1_iter=15\n"
    "REFI port_no=w0 l1_iter=15 init_addr=32\nend: WAIT cycle=40\nHALT\nHALT\n";

TEST(DrraDevice, tells_what_it_is) {
  DeviceConfig config;
  config.fabric.columns = 5;
  config.fabric.dimarch_rows = 3;
  DeviceBench bench(config);
  EXPECT_EQ(bench.read(kId), 0x41525244u);
  EXPECT_EQ(bench.read(kSize), 5u | 2u << 8 | 3u << 16);
  EXPECT_EQ(bench.read(0x0C), 1024u);
  EXPECT_EQ(bench.read(0x10), 4u) << "profile a, with skew";
  bench.write(kId, 0);
  EXPECT_EQ(bench.registers.result, AccessResult::command_error);
  bench.read(0x1000);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error);
  bench.read(kMemories + 3 * 5 * 4096);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error) << "behind the last memory";
}

TEST(DrraDevice, runs_a_program_as_the_fabric_alone_does) {
  for (const char* name : {"fir", "matvec", "activation"}) {
    Core alone{DrraConfig()};
    load(assemble(kernel_text(name), name), alone);
    alone.start();
    alone.run_to(1000);
    ASSERT_TRUE(alone.done());

    DeviceBench bench;
    bench.load(kernel_text(name));
    bench.write(kControl, kStart);
    EXPECT_EQ(bench.read(kStatus), kRunning);
    bench.run();
    EXPECT_EQ(bench.read(kStatus), kDone);
    EXPECT_EQ(bench.read(kCycles), alone.cycle());
    EXPECT_EQ(bench.now(), alone.cycle() * 10'000);
    EXPECT_EQ(state_of(bench.device.fabric()), state_of(alone)) << name;
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(bench.read_half(kFiles + 2 * i), alone.cell(0).registers[i]);
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(bench.read_half(kMemories + 32 + 2 * i), alone.dimarch().tile(1, 0, 1)[i]);
  }
}

TEST(DrraDevice, a_log_has_each_instruction_once_whoever_looks_inside) {
  struct Sink : InstructionSink {
    void take(const LoggedInstruction& in) override {
      lines.push_back(in.unit + " " + in.text + " " + std::to_string(in.issued) + " " + std::to_string(in.done));
    }
    std::vector<std::string> lines;
  } expected, logged;
  Core alone{DrraConfig()};
  load(assemble(kLongRun, "test"), alone);
  DecodeLog of_core(alone);
  of_core.log_to(expected);
  alone.start();
  alone.run_to(5000);
  of_core.end_log();
  ASSERT_GT(expected.lines.size(), 100u);

  DeviceBench bench;
  DecodeLog of_device(bench.device.watch_fabric());
  of_device.log_to(logged);
  bench.load(kLongRun);
  bench.write(kControl, kStart);
  bench.port.advance_to(500'000);
  bench.write_half(kFiles + 2 * 60, 1);  // the future is looked at again
  bench.port.advance_to(900'000);
  bench.read_half(kFiles + 2 * 33);
  bench.run();
  of_device.end_log();
  EXPECT_EQ(logged.lines, expected.lines);
}

TEST(DrraDevice, the_interrupt_comes_with_the_end_and_goes_when_it_is_cleared) {
  DeviceBench bench;
  bench.load(kernel_text("fir"));
  bench.run_to(12'345);
  bench.write(kControl, kStart | kDoneIrq);
  bench.run();
  const Picoseconds end = 20'000 + 10'000 * Picoseconds{bench.read(kCycles)};
  EXPECT_EQ(end, bench.now()) << "the start is at the edge after its write";
  EXPECT_TRUE(bench.lines.level());
  bench.write(kStatus, kDone);
  EXPECT_THAT(bench.edges, ElementsAre(Pair(end, true), Pair(end, false)));
}

TEST(DrraDevice, runs_again_with_the_same_programs_and_other_data) {
  DeviceBench bench;
  bench.load(kernel_text("activation"));
  for (const int x : {0, 2048, -4096}) {
    for (unsigned i = 0; i < 16; ++i) bench.write_half(kMemories + 2 * i, static_cast<std::int16_t>(x));
    bench.write(kControl, kStart);
    bench.run();
    EXPECT_NEAR(bench.read_half(kMemories + 32), 2048 / (1 + std::exp(-x / 2048.0)), 4);
  }
  EXPECT_EQ(bench.device.figures().run.runs, 3u);
  EXPECT_EQ(bench.device.broken_conservation(), "");
}

TEST(DrraDevice, a_look_inside_shows_the_present_and_changes_nothing) {
  DeviceBench watched, alone;
  Core reference{DrraConfig()};
  for (DeviceBench* bench : {&watched, &alone}) {
    bench->load(kLongRun);
    bench->write(kControl, kStart);
  }
  load(assemble(kLongRun, "test"), reference);
  reference.start();
  for (Picoseconds time = 5'000; time < 20'000'000; time += 1'234'567) {
    watched.run_to(time);
    reference.advance_to(time / 10'000);
    for (unsigned address = 32; address < 48; ++address)
      ASSERT_EQ(watched.read_half(kFiles + 2 * address), reference.cell(0).registers[address]) << time;
    ASSERT_EQ(watched.read(kCellState) & 63, reference.cell(0).sequencer.pc()) << time;
    ASSERT_EQ(watched.read(kCycles), time / 10'000);
  }
  watched.run();
  alone.run();
  EXPECT_EQ(watched.now(), alone.now());
  EXPECT_EQ(state_of(watched.device.fabric()), state_of(alone.device.fabric()));
}

TEST(DrraDevice, what_is_written_during_a_run_is_seen_by_it_from_then_on) {
  DeviceBench bench;
  bench.load(kLongRun);
  bench.write(kControl, kStart);
  bench.run_to(10'000'000);
  bench.write_half(kFiles, 100);
  bench.run();
  Core reference{DrraConfig()};
  load(assemble(kLongRun, "test"), reference);
  reference.start();
  reference.advance_to(1000);
  ASSERT_FALSE(reference.done());
  reference.write_register(0, 0, 0, 100);
  reference.run_to(100'000);
  EXPECT_EQ(state_of(bench.device.fabric()), state_of(reference));
}

TEST(DrraDevice, what_decides_a_branch_can_change_the_end_of_the_run) {
  // Goes on for ever while register 0 is not greater than register 1.
  const std::string text =
      "SWB src_port=0 hb_index=2 v_index=2\nSWB src_port=1 hb_index=2 v_index=3\nDPU mode=max_min\n"
      "again: REFI port_no=r0 init_delay=1\nREFI port_no=r1 init_addr=1\nWAIT\nBRANCH mode=greater "
      "false_pc=again\nHALT\nHALT\n";
  DeviceBench bench;
  bench.load(".cell 0,0\n.rf 0: 1 1\n" + text);
  bench.write(kControl, kStart);
  bench.run_to(1'000'000'000);
  EXPECT_EQ(bench.read(kStatus), kRunning);
  const unsigned before = bench.deliveries;
  EXPECT_LT(before, 60u) << "looks become longer and longer";
  bench.write_half(kFiles, 2);
  bench.run_to(1'001'000'000);
  EXPECT_EQ(bench.read(kStatus), kDone);
}

TEST(DrraDevice, a_waiting_fabric_costs_an_event_and_a_halted_one_none) {
  DeviceBench bench;
  bench.load(".cell 0,0\nWAIT cycle=32767\nHALT\nHALT\n");
  bench.write(kControl, kStart);
  bench.run();
  EXPECT_EQ(bench.deliveries, 1u);
  EXPECT_EQ(bench.now(), 32'769u * 10'000);
  EXPECT_FALSE(bench.step());
}

TEST(DrraDevice, a_look_ahead_of_the_largest_fabric_keeps_no_stop_request_waiting) {
  DeviceConfig config;
  config.fabric.columns = 64;
  DeviceBench bench(config);
  for (unsigned cell = 0; cell < 128; ++cell) {
    const std::string label = "a" + std::to_string(cell);
    bench.load(".cell " + std::to_string(cell / 64) + "," + std::to_string(cell % 64) +
               "\nSWB src_port=0 hb_index=2 v_index=2\nDPU mode=mac\n" + label +
               ": REFI port_no=r0 l1_iter=63\nWAIT cycle=62\nJUMP pc=" + label + "\nHALT\n");
  }
  bench.write(kControl, kStart);
  bench.run_to(1'000'000'000);  // looks have become as long as they get
  const std::clock_t start = std::clock();
  for (int i = 0; i < 5; ++i) bench.step();
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5 * 0.1 * slow_host());
}

TEST(DrraDevice, a_start_without_programs_is_done_at_once) {
  DeviceBench bench;
  bench.write(kControl, kStart);
  bench.run();
  EXPECT_EQ(bench.read(kStatus), kDone);
  EXPECT_EQ(bench.read(kCycles), 0u);
}

TEST(DrraDevice, rows_come_from_memory_and_go_back) {
  for (const unsigned burst : {1u, 4u, 128u}) {
    DeviceConfig config;
    config.dma_burst_rows = burst;
    DeviceBench bench(config);
    for (std::size_t i = 0; i < bench.port.memory.size(); ++i) bench.port.memory[i] = static_cast<std::uint8_t>(i * 7);
    bench.write(kControl, kDmaIrq);
    bench.carry(0, 0x1000, 3 * 128 + 100, 60);  // over the end of a memory
    EXPECT_EQ(bench.read(kStatus), kDmaBusy);
    bench.run();
    EXPECT_EQ(bench.read(kStatus), kDmaDone);
    EXPECT_TRUE(bench.lines.level());
    bench.carry(kToMemory, 0x8010, 3 * 128 + 100, 60);
    EXPECT_FALSE(bench.lines.level()) << "a start clears what is pending";
    bench.run();
    for (unsigned i = 0; i < 60 * 32; ++i) ASSERT_EQ(bench.port.memory[0x8010 + i], bench.port.memory[0x1000 + i]);
    EXPECT_EQ(
        bench.read_half(kMemories + 4 * 4096),
        static_cast<std::int16_t>(bench.port.memory[0x1000 + 28 * 32] | bench.port.memory[0x1001 + 28 * 32] << 8));
    EXPECT_EQ(bench.device.figures().dma.rows_in, 60u);
    EXPECT_EQ(bench.device.figures().dma.rows_out, 60u);
    EXPECT_EQ(bench.device.broken_conservation(), "");
  }
}

TEST(DrraDevice, io_buffers_are_reached_by_the_dma_and_the_window) {
  DeviceBench bench;
  bench.port.memory[0x40] = 9;
  bench.carry(kIo, 0x40, 1000, 1);
  bench.run();
  EXPECT_EQ(bench.read_half(kInput + 32 * 1000), 9);
  bench.write_half(kOutput + 32 * 3 + 2, -2);
  bench.carry(kIo | kToMemory, 0x200, 3, 1);
  bench.run();
  EXPECT_EQ(bench.port.memory[0x202], 0xFE);
}

TEST(DrraDevice, a_transfer_that_cannot_be_fails_and_says_so) {
  DeviceBench bench;
  bench.carry(0, 0, 16 * 128 * 2 - 1, 2);
  bench.run();
  EXPECT_EQ(bench.read(kStatus), kDmaError);
  bench.carry(0, 0, 0, 0);
  bench.run();
  EXPECT_EQ(bench.read(kStatus), kDmaError);
  bench.carry(0, 0xFFF0'0000, 0, 40);  // nobody there
  bench.run();
  EXPECT_EQ(bench.read(kStatus), kDmaError);
  EXPECT_EQ(bench.device.figures().dma.failed, 3u);
  ASSERT_EQ(bench.device.findings().size(), 1u);
  EXPECT_EQ(bench.device.findings()[0].text,
            "2 transfers named no rows, or some that the fabric does not have: it failed.");
}

TEST(DrraDevice, a_start_while_it_runs_and_a_transfer_while_rows_are_under_way_change_nothing) {
  DeviceBench bench, plain;
  for (DeviceBench* one : {&bench, &plain}) {
    one->load(kLongRun);
    one->write(kControl, kStart);
    one->carry(0, 0, 0, 100);
  }
  bench.run_to(100'000);
  bench.write(kControl, kStart);
  bench.write(kDmaRow, 500);
  bench.write(kDmaControl, kStart | kToMemory);
  bench.run();
  plain.run();
  EXPECT_EQ(bench.now(), plain.now());
  EXPECT_EQ(state_of(bench.device.fabric()), state_of(plain.device.fabric()));
  ASSERT_EQ(bench.device.findings().size(), 2u);
  EXPECT_EQ(bench.device.findings()[0].text,
            "START was written 1 time while the fabric was running: nothing was started.");
  EXPECT_EQ(bench.device.findings()[1].time, 100'000u);
}

TEST(DrraDevice, rows_arrive_in_a_run_that_is_under_way) {
  DeviceBench bench;
  // Reads row 0 of its memory into block 1, again and again.
  bench.load(
      ".cell 0,0\nROUTE direction=r\nLOOP loopid=0 iter=50 endpc=end\nSRAM rw=r\n"
      "REFI port_no=w0 dimarch=y init_addr=1 init_delay=4\nend: WAIT cycle=20\nHALT\nHALT\n");
  bench.write(kControl, kStart);
  bench.run_to(3'000'000);
  EXPECT_EQ(bench.read_half(kFiles + 2 * 16), 0);
  bench.port.memory[0] = 77;
  bench.carry(0, 0, 0, 1);
  bench.run();
  EXPECT_EQ(bench.read_half(kFiles + 2 * 16), 77);
  EXPECT_EQ(bench.device.fabric().findings().total(), 0u);
}

TEST(DrraDevice, a_reset_ends_everything_at_once) {
  DeviceBench bench;
  bench.load(".cell 0,0\nagain: JUMP pc=again\nHALT\n");
  bench.write_half(kMemories, 5);
  bench.write(kControl, kStart | kDoneIrq);
  bench.carry(0, 0, 0, 128);
  bench.run_to(500'000);
  bench.write(kControl, kReset);
  EXPECT_EQ(bench.read(kStatus), 0u);
  bench.run();
  EXPECT_EQ(bench.read_half(kMemories), 0);
  EXPECT_EQ(bench.read(kLength), 0u);
  EXPECT_EQ(bench.read(kCode), 0u);
  EXPECT_THAT(bench.edges, IsEmpty());
  EXPECT_EQ(bench.device.figures().run.cancelled, 1u);
  EXPECT_EQ(bench.device.figures().run.cycles, 50u);
  EXPECT_EQ(bench.device.figures().dma.cancelled, 1u);
  bench.load(kernel_text("fir"));
  bench.write(kControl, kStart);
  bench.carry(0, 0, 128, 4);
  bench.run();
  EXPECT_EQ(bench.read(kStatus), kDone | kDmaDone);
  EXPECT_EQ(bench.read(kCycles), 179u);
}

TEST(DrraDevice, findings_have_the_cell_the_cycle_of_the_run_and_the_instruction) {
  DeviceBench bench;
  bench.run_to(7'000'000);
  bench.load(".cell 1,2\nSRAM rw=r\nHALT\n");
  bench.write(kControl, kStart);
  bench.run();
  EXPECT_EQ(bench.read(kFindings), 1u);
  const auto findings = bench.device.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].text, HasSubstr("cycle 4, cell 1,2, pc 0 (SRAM)"));
  EXPECT_EQ(findings[0].time, 7'040'000u);
}

TEST(DrraDevice, a_run_that_has_not_ended_says_where_its_cells_stand) {
  DeviceBench bench;
  bench.load(".cell 0,1\nagain: JUMP pc=again\nHALT\n.cell 1,0\nHALT\nHALT\n");
  bench.write(kControl, kStart);
  bench.run_to(2'000'000);
  bench.device.catch_up(bench.now());
  EXPECT_EQ(bench.device.figures().run.cycles, 200u) << "those that its cells have spent";
  const auto findings = bench.device.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].text, "The fabric was still running. cell 0,1: pc 0 (JUMP) in cycle 201");
}

TEST(DrraDevice, a_debugger_reads_without_moving_anything) {
  DeviceBench bench;
  bench.load(kLongRun);
  bench.write(kControl, kStart);
  bench.run_to(1'000'000);
  const std::string before = state_of(bench.device.fabric());
  for (std::uint64_t offset = 0; offset < kDeviceWindow; offset += 0x7FC) bench.registers.peek(offset, 4);
  EXPECT_EQ(state_of(bench.device.fabric()), before);
}

TEST(DrraDevice, settings_that_cannot_be_are_refused) {
  DeviceConfig config;
  config.dma_width = 96;
  EXPECT_THROW(config.check("drra"), UserError);
  config = {};
  config.dma_burst_rows = 3;
  EXPECT_THROW(config.check("drra"), UserError);
  config = {};
  config.fabric.io_rows = kMostWindowIoRows + 1;
  EXPECT_THROW(config.check("drra"), UserError);
  config.fabric.io_rows = kMostWindowIoRows;
  config.check("drra");
}

}  // namespace
}  // namespace vp::drra
