// Function and time of the CDMA, register by register, against a port with a memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "tests/cdma/bench.h"
#include "tests/support/dice.h"

namespace vp {
namespace {

using cdma::CdmaConfig;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kQuiet = 0x00010002;  // both CDMACR and CDMASR after a reset

TEST(CdmaRegisters, hold_the_manuals_values_after_a_reset) {
  CdmaBench bench;
  EXPECT_EQ(bench.read(CDMACR), kQuiet);
  EXPECT_EQ(bench.read(CDMASR), kQuiet);
  for (unsigned offset = 0x08; offset <= 0x28; offset += 4) EXPECT_EQ(bench.read(offset), 0u) << offset;
}

TEST(CdmaRegisters, of_scatter_gather_read_0_in_simple_mode) {
  CdmaBench bench;
  for (unsigned offset : {0x08, 0x0C, 0x10, 0x14}) {
    bench.write(offset, 0xFFFFFFFF);
    EXPECT_EQ(bench.registers.result, AccessResult::ok);
    EXPECT_EQ(bench.read(offset), 0u);
  }
  bench.write(CDMACR, 1 << 3);
  EXPECT_EQ(bench.read(CDMACR) & (1 << 3), 0u) << "SGMode";
}

TEST(CdmaRegisters, have_the_widths_of_the_build) {
  CdmaConfig config;
  config.address_width = 40;
  config.btt_width = 23;
  config.include_dre = false;
  CdmaBench bench(config);
  bench.write(SA_MSB, 0xFFFFFFFF);
  bench.write(DA_MSB, 0xFFFFFFFF);
  EXPECT_EQ(bench.read(SA_MSB), 0xFFu);
  EXPECT_EQ(bench.read(DA_MSB), 0xFFu);
  bench.write(SA, 1);
  bench.write(BTT, 0xFFFFFFFF);
  EXPECT_EQ(bench.read(BTT), 0x7FFFFFu);
  CdmaConfig narrow;
  narrow.address_width = 32;
  CdmaBench other(narrow);
  other.write(SA_MSB, 1);
  EXPECT_EQ(other.read(SA_MSB), 0u);
}

TEST(CdmaRegisters, take_whole_words_only_and_name_themselves) {
  CdmaBench bench;
  bench.registers.read(CDMASR, 2);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error);
  bench.registers.read(0x2C, 4);
  EXPECT_EQ(bench.registers.result, AccessResult::address_error);
  EXPECT_EQ(bench.core.describe(0x2C), "4 bytes after BTT");
  EXPECT_EQ(bench.core.registers().find("CDMASR", 0)->text(), "CDMASR 0x10002: Idle=1 IRQThresholdSts=1");
}

/// Bytes of the source are where they should be, and nothing else has changed.
void expect_copied(CdmaBench& bench, std::uint64_t destination, std::uint64_t source, std::uint64_t bytes) {
  std::vector<std::uint8_t> expected(bench.port.memory.size());
  std::iota(expected.begin(), expected.end(), std::uint8_t{1});
  std::copy_n(expected.begin() + source, bytes, expected.begin() + destination);
  ASSERT_EQ(bench.copy(destination, source, bytes), kQuiet | kIoc);
  EXPECT_TRUE(bench.port.memory == expected) << destination << " from " << source << ", " << bytes << " bytes";
  EXPECT_EQ(bench.core.broken_conservation(), "");
}

TEST(CdmaCopies, arrive_at_every_alignment_and_size) {
  for (unsigned width : {32u, 64u, 256u}) {
    CdmaConfig config;
    config.data_width = width;
    for (unsigned source = 0; source < 9; ++source) {
      for (unsigned destination = 0; destination < 9; ++destination) {
        for (unsigned bytes : {1u, 2u, 3u, 7u, 8u, 31u, 64u, 129u, 700u}) {
          CdmaBench bench(config, 1 << 12);
          expect_copied(bench, 1024 + destination, 4 + source, bytes);
        }
      }
    }
  }
}

TEST(CdmaCopies, of_many_sizes_and_builds_arrive) {
  Dice dice(9);
  for (unsigned round = 0; round < 300; ++round) {
    CdmaConfig config;
    config.data_width = dice.power_of_two(32, 5);
    config.max_burst = dice.power_of_two(2, 7);
    config.outstanding = dice.from_to(1, 8);
    CdmaBench bench(config, 1 << 17, dice.from_to(0, 500'000));
    expect_copied(bench, (1 << 16) + dice.from_to(0, 5000), dice.from_to(0, 5000), dice.from_to(1, 30'000));
  }
}

TEST(CdmaBursts, end_at_multiples_of_the_longest_one) {
  CdmaBench bench;  // 16 beats of 8 bytes
  bench.copy(0x1000, 100, 200);
  EXPECT_THAT(bench.port.log, ElementsAre(HasSubstr("r28@100 "), HasSubstr("r128@128 "), HasSubstr("r44@256 "),
                                          HasSubstr("w128@4096 "), HasSubstr("w72@4224 ")));
}

TEST(CdmaBursts, never_cross_4_KiB) {
  CdmaConfig config;
  config.data_width = 1024;
  config.max_burst = 256;
  CdmaBench bench(config);
  bench.copy(0x8000, 4000, 8192);
  EXPECT_THAT(bench.port.log[0], HasSubstr("r96@4000 "));
  EXPECT_THAT(bench.port.log[1], HasSubstr("r4096@4096 "));
}

TEST(CdmaTime, of_one_word_is_that_of_its_two_accesses_and_the_engines_cycles) {
  CdmaBench bench;  // 10 ns, latency of an access 60 ns
  bench.port.advance_to(1003);
  bench.write(CDMACR, kIoc);
  bench.start(0x1000, 0, 8);
  bench.run();
  // Edge at 10 ns; 8 cycles; read of 60 + 10 ns; 3 cycles; write of 60 + 10 ns; 4 cycles.
  EXPECT_THAT(bench.port.log, ElementsAre("r8@0 t=90000", "w8@4096 t=190000"));
  EXPECT_THAT(bench.edges, ElementsAre(std::pair<Picoseconds, bool>(300'000, true)));
  EXPECT_EQ(bench.core.figures().busy, 300'000u - 1003u);
}

TEST(CdmaTime, of_a_long_copy_is_near_a_beat_a_cycle) {
  CdmaBench bench({}, 1 << 18);
  bench.copy(1 << 17, 0, 1 << 16);
  EXPECT_LT(bench.core.figures().busy, 10'000ull * (1 << 16) / 8 * 101 / 100);
  EXPECT_GE(bench.core.figures().busy, 10'000u * (1 << 16) / 8) << "not more than the port can";
}

TEST(CdmaTime, of_bursts_on_a_channel_is_a_cycle_a_beat_at_least) {
  CdmaConfig config;
  config.outstanding = 8;
  CdmaBench bench(config, 1 << 16, 0);
  bench.copy(0x8000, 4, 300);
  EXPECT_EQ(bench.port.log[0], "r124@4 t=80000");
  EXPECT_EQ(bench.port.log[1], "r128@128 t=240000") << "16 beats of 8 bytes, the first of which has 4";
}

TEST(CdmaTime, is_lost_when_one_burst_at_a_time_must_hide_the_latency) {
  CdmaConfig config;
  config.outstanding = 1;
  CdmaBench one(config), four;
  one.copy(0x8000, 0, 4096);
  four.copy(0x8000, 0, 4096);
  EXPECT_GT(one.core.figures().busy, four.core.figures().busy * 11 / 10);
}

TEST(CdmaInterrupt, is_a_level_that_a_written_one_clears) {
  CdmaBench bench;
  bench.write(CDMACR, kIoc);
  bench.copy(0x1000, 0, 64);
  EXPECT_TRUE(bench.lines.level());
  bench.write(CDMASR, kErr);
  EXPECT_TRUE(bench.lines.level()) << "another bit";
  bench.write(CDMASR, kIoc);
  EXPECT_FALSE(bench.lines.level());
  EXPECT_EQ(bench.read(CDMASR), kQuiet);
}

TEST(CdmaInterrupt, comes_when_it_is_enabled_after_the_event) {
  CdmaBench bench;
  bench.copy(0x1000, 0, 64);
  EXPECT_FALSE(bench.lines.level());
  bench.write(CDMACR, kErr);
  EXPECT_FALSE(bench.lines.level()) << "no error";
  bench.write(CDMACR, kIoc);
  EXPECT_TRUE(bench.lines.level());
  bench.write(CDMACR, 0);
  EXPECT_FALSE(bench.lines.level());
}

TEST(CdmaInterrupt, of_an_error_has_an_enable_of_its_own) {
  CdmaBench bench;
  bench.write(CDMACR, kErr);
  bench.copy(0x1000, 0, 0);
  EXPECT_TRUE(bench.lines.level());
  EXPECT_EQ(bench.read(CDMASR) & (kIoc | kErr), kErr);
}

TEST(CdmaStatus, is_not_idle_from_start_to_end) {
  CdmaBench bench;
  bench.start(0x1000, 0, 256);
  EXPECT_EQ(bench.read(CDMASR) & kIdle, 0u);
  bench.run();
  EXPECT_EQ(bench.read(CDMASR) & kIdle, kIdle);
}

TEST(CdmaErrors, no_bytes_are_an_internal_error) {
  CdmaBench bench;
  EXPECT_EQ(bench.copy(0x1000, 0, 0), kQuiet | kDmaIntErr | kErr);
  EXPECT_THAT(bench.port.log, IsEmpty());
}

TEST(CdmaErrors, other_offsets_in_a_word_need_the_realignment_engine) {
  CdmaConfig config;
  config.include_dre = false;
  CdmaBench bench(config);
  EXPECT_EQ(bench.copy(0x1003, 3, 50), kQuiet | kIoc) << "the same offset";
  EXPECT_EQ(bench.copy(0x1004, 3, 50) & kDmaIntErr, kDmaIntErr);
}

TEST(CdmaErrors, of_the_source_and_the_destination_are_told_apart_by_kind) {
  CdmaBench nowhere;
  EXPECT_EQ(nowhere.copy(0x1000, 1 << 20, 64), kQuiet | kDmaDecErr | kErr);
  CdmaBench to_nowhere;
  EXPECT_EQ(to_nowhere.copy(1 << 20, 0, 64), kQuiet | kDmaDecErr | kErr);
  CdmaBench refused;
  refused.port.refuse = [](const auto& burst) { return burst.write ? AccessResult::command_error : AccessResult::ok; };
  EXPECT_EQ(refused.copy(0x1000, 0, 64), kQuiet | kDmaSlvErr | kErr);
  CdmaBench broken;
  broken.port.refuse = [](const auto& burst) { return burst.write ? AccessResult::ok : AccessResult::error; };
  EXPECT_EQ(broken.copy(0x1000, 0, 64), kQuiet | kDmaSlvErr | kErr);
}

TEST(CdmaErrors, stop_the_rest_but_not_what_is_on_the_bus) {
  CdmaBench bench({}, 1 << 15);
  bench.copy(0x4000, 0x7F00, 4096);  // 256 bytes are there
  EXPECT_EQ(bench.read(CDMASR) & kDmaDecErr, kDmaDecErr);
  EXPECT_LE(bench.port.log.size(), 6u + 2u) << "two good reads, those that were under way at the third, two writes";
  EXPECT_EQ(bench.port.under_way(false) + bench.port.under_way(true), 0u);
  EXPECT_EQ(bench.core.figures().failed, 1u);
}

TEST(CdmaErrors, last_until_a_reset) {
  CdmaBench bench;
  bench.copy(0x1000, 0, 0);
  bench.write(CDMASR, kErr);
  const std::size_t before = bench.port.log.size();
  EXPECT_EQ(bench.copy(0x1000, 0, 64) & kDmaIntErr, kDmaIntErr);
  EXPECT_EQ(bench.port.log.size(), before) << "nothing was started";
  EXPECT_THAT(bench.core.findings(), ElementsAre(Field(&Finding::text, HasSubstr("after an error without a reset"))));
  bench.write(CDMACR, kReset);
  bench.run();
  EXPECT_EQ(bench.copy(0x1000, 0, 64), kQuiet | kIoc);
}

TEST(CdmaReset, of_an_idle_engine_takes_some_cycles_and_clears_all) {
  CdmaBench bench;
  bench.write(CDMACR, kIoc | kErr | kKeyHoleRead);
  bench.write(SA, 123);
  bench.write(CDMACR, kReset);
  EXPECT_EQ(bench.read(CDMACR) & kReset, kReset);
  bench.run();
  EXPECT_EQ(bench.now(), 160'000u) << "16 cycles";
  EXPECT_EQ(bench.read(CDMACR), kQuiet);
  EXPECT_EQ(bench.read(CDMASR), kQuiet);
  EXPECT_EQ(bench.read(SA), 0u);
}

TEST(CdmaReset, lets_what_is_on_the_bus_complete_and_drops_the_rest) {
  CdmaBench bench;
  bench.write(CDMACR, kIoc);
  bench.start(0x8000, 0, 0x4000);
  bench.run_to(1'000'000);
  bench.write(CDMACR, kReset);
  const std::size_t sent = bench.port.log.size();
  bench.run();
  EXPECT_LE(bench.port.log.size(), sent + 2) << "one on each channel waited for its cycle";
  EXPECT_EQ(bench.port.under_way(false) + bench.port.under_way(true), 0u);
  EXPECT_EQ(bench.read(CDMASR), kQuiet) << "no completion";
  EXPECT_EQ(bench.read(CDMACR), kQuiet);
  EXPECT_THAT(bench.edges, IsEmpty());
  EXPECT_EQ(bench.core.figures().cancelled, 1u);
  EXPECT_EQ(bench.copy(0x8001, 3, 500), kQuiet | kIoc) << "it works again";
}

TEST(CdmaReset, of_the_machine_forgets_what_is_on_the_bus) {
  CdmaBench bench;
  bench.write(CDMACR, kIoc);
  bench.start(0x8000, 0, 0x1000);
  bench.run_to(500'000);
  bench.core.reset();
  EXPECT_EQ(bench.read(CDMASR), kQuiet);
  std::iota(bench.port.memory.begin(), bench.port.memory.end(), std::uint8_t{1});
  EXPECT_EQ(bench.copy(0x9000, 5, 3000), kQuiet | kIoc) << "late answers of the old transfer do not reach the new one";
  for (unsigned i = 0; i < 3000; ++i) ASSERT_EQ(bench.port.memory[0x9000 + i], static_cast<std::uint8_t>(5 + i + 1));
  EXPECT_THAT(bench.edges, IsEmpty());
}

TEST(CdmaMistakes, a_start_while_busy_starts_nothing) {
  CdmaBench bench;
  bench.start(0x1000, 0, 64);
  bench.start(0x2000, 0x100, 128);
  bench.run();
  EXPECT_EQ(bench.read(CDMASR), kQuiet | kIoc);
  EXPECT_EQ(bench.read(BTT), 64u);
  EXPECT_EQ(bench.core.figures().bytes, 64u);
  EXPECT_EQ(bench.port.memory[0x2000], 1) << "untouched";
  EXPECT_THAT(bench.core.findings(), ElementsAre(Field(&Finding::text, HasSubstr("BTT was written 1 time while"))));
}

TEST(CdmaMistakes, an_upward_copy_into_itself_is_told) {
  CdmaBench up, down;
  up.copy(0x104, 0x100, 64);
  EXPECT_THAT(up.core.findings(), ElementsAre(Field(&Finding::text, HasSubstr("into the source itself"))));
  down.copy(0x100, 0x104, 64);
  EXPECT_THAT(down.core.findings(), IsEmpty());
}

TEST(CdmaMistakes, an_end_that_nobody_sees_is_told) {
  CdmaBench bench;
  bench.start(0x1000, 0, 64);
  bench.run();
  EXPECT_THAT(bench.core.findings(), ElementsAre(Field(&Finding::text, HasSubstr("CDMASR was not read"))));
  bench.read(CDMASR);
  EXPECT_THAT(bench.core.findings(), IsEmpty());
}

TEST(CdmaKeyHole, reads_and_writes_one_place_beat_by_beat) {
  CdmaBench bench;
  bench.write(CDMACR, kKeyHoleWrite);
  bench.copy(0x1000, 0, 24);
  EXPECT_THAT(bench.port.log,
              ElementsAre(HasSubstr("r24@0 "), HasSubstr("w8@4096 "), HasSubstr("w8@4096 "), HasSubstr("w8@4096 ")));
  EXPECT_EQ(bench.port.memory[0x1000], 17) << "the last word stays";
  CdmaBench reading;
  reading.write(CDMACR, kKeyHoleRead);
  reading.copy(0x1000, 0x10, 24);
  for (unsigned i = 0; i < 24; ++i) EXPECT_EQ(reading.port.memory[0x1000 + i], 0x11 + i % 8);
}

TEST(CdmaState, goes_on_in_another_one_as_it_was_saved) {
  CdmaBench first, second;
  first.write(CDMACR, kIoc | kKeyHoleRead);
  first.copy(0x1000, 0x10, 24);
  first.start(0x1000, 0x10, 8);
  first.run();
  first.copy(0x1008, 1 << 20, 8);
  Archive save;
  save("core", first.core);
  const std::string state = save.finish();
  Archive load(Archive::Use::load, state);
  load("core", second.core);
  Archive compare(Archive::Use::compare, state);
  compare("core", second.core);
  EXPECT_EQ(compare.difference(), "");
  EXPECT_TRUE(second.lines.level()) << "the completion is still pending";
  EXPECT_EQ(second.read(CDMASR), first.read(CDMASR));
  EXPECT_EQ(second.core.figures().bytes, 32u);
  EXPECT_EQ(second.core.figures().busy, first.core.figures().busy);
  EXPECT_EQ(second.core.findings(), first.core.findings());
  second.port.advance_to(first.now());
  for (CdmaBench* bench : {&first, &second}) {
    bench->write(CDMACR, kReset);
    bench->run();
    EXPECT_EQ(bench->copy(0x2000, 0, 100), kQuiet | kIoc);
  }
  EXPECT_EQ(second.core.broken_conservation(), "");
}

TEST(CdmaState, has_an_end_that_is_still_to_come) {
  CdmaBench first, second;
  first.write(CDMACR, kErr);
  first.start(0, 0, 0);
  Archive save;
  save("core", first.core);
  const std::string state = save.finish();
  Archive load(Archive::Use::load, state);
  load("core", second.core);
  EXPECT_EQ(second.read(CDMASR) & kIdle, 0u);
  second.timer.when = first.timer.when;  // the module's timer is a state of its own
  second.run();
  EXPECT_EQ(second.read(CDMASR), kQuiet | kDmaIntErr | kErr);
  EXPECT_TRUE(second.lines.level());
}

/// A CPU runs ahead up to the announced time, so nothing may show before it.
TEST(CdmaAnnouncement, is_never_later_than_what_becomes_visible) {
  Dice dice(4);
  for (unsigned round = 0; round < 200; ++round) {
    CdmaConfig config;
    config.data_width = dice.power_of_two(32, 5);
    config.outstanding = dice.from_to(1, 4);
    CdmaBench bench(config, 1 << 14, dice.from_to(0, 200'000));
    bench.write(CDMACR, kIoc | kErr);
    bench.start(dice.from_to(0, 0x3FFF), dice.from_to(0, 0x3FFF), dice.from_to(0, 0x1000));
    if (dice.one_in(3)) {
      bench.run_to(dice.from_to(0, 2'000'000));
      bench.write(CDMACR, kReset | kIoc | kErr);
    }
    const auto visible = [&bench] {
      return std::pair<std::uint64_t, std::uint64_t>(bench.registers.peek(CDMACR, 4), bench.registers.peek(CDMASR, 4));
    };
    for (auto before = visible();; before = visible()) {
      const Picoseconds announced = bench.timer.when;
      if (!bench.step()) break;
      if (visible() != before) {
        ASSERT_EQ(bench.now(), announced) << round;
      }
    }
    EXPECT_EQ(bench.read(CDMASR) & kIdle, kIdle) << round;
    EXPECT_EQ(bench.core.broken_conservation(), "");
  }
}

TEST(CdmaCopies, tells_how_far_its_copy_is) {
  CdmaBench bench;
  EXPECT_THAT(bench.core.work(), ElementsAre("no copy is under way"));
  bench.start(0x8000, 0, 1000);
  EXPECT_THAT(bench.core.work(), ElementsAre(HasSubstr("copies 1000 bytes: ")));
  bench.run();
  EXPECT_THAT(bench.core.work(), ElementsAre("no copy is under way"));
}

}  // namespace
}  // namespace vp
