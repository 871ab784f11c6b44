// What orders the accesses of instructions and of the host: by rule, not by the moments at which they happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/axi_port.h"
#include "models/tinytpu/network.h"

namespace vp::tinytpu {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TinyTpuConfig array_of(unsigned width) {
  TinyTpuConfig config;
  config.matrix_width = width;
  return config;
}

HazardReport report_of(const std::string& program, unsigned width, Edge gap) {
  Core core(array_of(width));
  run_program(core, assemble(program, "test"), {gap});
  return core.hazards();
}

constexpr const char* kNoSynchronize =
    "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14\nread_weights.s 14, 14\n"
    "matrix_multiply.s 0, 100, 14\nactivate.s.relu 200, 0, 14\nsynchronize\n";

TEST(TinyTpuOrder, a_multiply_that_reads_an_activates_rows_in_time_works_only_by_timing) {
  EXPECT_EQ(report_of(kNoSynchronize, 14, 12).total(), 14u);
  EXPECT_EQ(report_of(kNoSynchronize, 14, 12).by_timing_count(), 0u);
  for (const Edge gap : {30u, 104u}) {
    const HazardReport report = report_of(kNoSynchronize, 14, gap);
    EXPECT_EQ(report.total(), 0u);
    ASSERT_EQ(report.by_timing().size(), 1u);
    const Hazard& hazard = report.by_timing()[0];
    EXPECT_EQ(hazard.kind, HazardKind::buffer_read_before_write);
    EXPECT_EQ(hazard.instruction, 4u);
    EXPECT_EQ(hazard.other, 2u);
    EXPECT_EQ(hazard.first_row, 100u);
    EXPECT_EQ(hazard.rows, 14u);
    EXPECT_FALSE(hazard.any_feed);
    EXPECT_THAT(describe(hazard),
                AllOf(HasSubstr("instruction 4 (matrix_multiply.s 0x0, 0x64, 14) read what instruction 2 "
                                "(activate.s.relu 0x64, 0x0, 14) had written into the unified buffer, but no "
                                "synchronize is between them: 14 rows from row 100 on, in cycles "),
                      EndsWith("; a host that feeds faster may break it")));
    EXPECT_EQ(report.told(5625).at(0).kind, "works_only_by_timing");
  }
}

TEST(TinyTpuOrder, the_spare_time_of_a_read_is_what_its_multiply_could_come_earlier) {
  const Hazard hazard = report_of(kNoSynchronize, 14, 30).by_timing().at(0);
  // Issues 60 apart: written 33 edges after the activate's, read 4 after the multiply's.
  EXPECT_EQ(hazard.margin, 60u + 4 - 33 - 1);
}

TEST(TinyTpuOrder, a_synchronize_orders) {
  const std::string program =
      "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14\nsynchronize\n"
      "read_weights.s 14, 14\nmatrix_multiply.s 0, 100, 14\nactivate.s.relu 200, 0, 14\nsynchronize\n";
  for (const Edge gap : {1u, 12u, 104u}) {
    const HazardReport report = report_of(program, 14, gap);
    EXPECT_EQ(report.total(), 0u);
    EXPECT_EQ(report.by_timing_count(), 0u);
  }
}

TEST(TinyTpuOrder, the_published_programs_work_by_timing_but_with_any_feed) {
  for (const unsigned width : {8u, 14u}) {
    for (const Edge gap : {1u, 104u}) {
      TinyTpuConfig config = array_of(width);
      config.weight_depth = 1 << 17;
      Core core(config);
      run_program(core, network_program(width, {{784, 504, 10}, NetworkLayout::original}).instructions, {gap});
      const HazardReport report = core.hazards();
      EXPECT_EQ(report.total(), 0u);
      EXPECT_EQ(report.by_timing_count(), 504u * ((10 + width - 1) / width))
          << "the second layer reads what the first has written";
      for (const Hazard& hazard : report.by_timing()) EXPECT_TRUE(hazard.any_feed);
      EXPECT_THAT(describe(report.by_timing().at(0)), EndsWith("; the work between takes that long however it is fed"));
    }
  }
}

TEST(TinyTpuOrder, accumulators_overwritten_just_after_they_were_read) {
  const std::string program = "activate.s.relu 100, 0, 14\nmatrix_multiply.s 9, 0, 14\nsynchronize\n";
  EXPECT_EQ(report_of(program, 14, 1).count(HazardKind::accumulator_overwritten), 5u);
  const HazardReport slow = report_of(program, 14, 20);
  EXPECT_EQ(slow.total(), 0u);
  EXPECT_EQ(slow.by_timing_count(), 5u);
  EXPECT_EQ(slow.by_timing().at(0).kind, HazardKind::accumulator_overwritten);
  // The same rows one after the other are ordered by the units: row by row, the multiply behind the activate.
  EXPECT_EQ(
      report_of("activate.s.relu 100, 0, 14\nmatrix_multiply.s 0, 0, 14\nsynchronize\n", 14, 20).by_timing_count(), 0u);
}

TEST(TinyTpuOrder, streamed_weights_need_their_multiply_right_behind) {
  EXPECT_EQ(report_of("read_weights.s 0, 42\nmatrix_multiply.s 0, 0, 42\nsynchronize\n", 14, 12).by_timing_count(), 0u);
  const std::string late = "read_weights.s 0, 42\nnop\nmatrix_multiply.s 0, 0, 42\nsynchronize\n";
  const HazardReport report = report_of(late, 14, 12);
  EXPECT_EQ(report.total(), 0u);
  ASSERT_EQ(report.by_timing_count(), 28u);
  EXPECT_EQ(report.by_timing()[0].kind, HazardKind::weights_overrun);
  EXPECT_THAT(describe(report.by_timing()[0]), EndsWith("a host that feeds slower may break it"));
  EXPECT_GT(report_of(late, 14, 15).count(HazardKind::weights_overrun), 0u);
}

TEST(TinyTpuOrder, weights_loaded_during_a_long_multiply_come_late_enough_or_not) {
  const std::string program =
      "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 42\nread_weights.s 14, 14\nnop\nsynchronize\n";
  EXPECT_GT(report_of(program, 14, 1).count(HazardKind::weights_replaced), 0u);
  const HazardReport slow = report_of(program, 14, 40);
  EXPECT_EQ(slow.total(), 0u);
  ASSERT_EQ(slow.by_timing().size(), 1u);
  EXPECT_EQ(slow.by_timing()[0].kind, HazardKind::weights_replaced);
}

TEST(TinyTpuOrder, an_addend_of_a_very_short_multiply) {
  const std::string program = "matrix_multiply.s 3, 0, 1\nmatrix_multiply.s.acc 3, 0, 1\nsynchronize\n";
  EXPECT_EQ(report_of(program, 8, 1).count(HazardKind::accumulator_read_before_write), 1u);
  const HazardReport slow = report_of(program, 8, 20);
  EXPECT_EQ(slow.total(), 0u);
  EXPECT_EQ(slow.by_timing_count(), 1u);
  // A tile of weights between them keeps them apart.
  EXPECT_EQ(report_of("read_weights.s 0, 8\nmatrix_multiply.s 3, 0, 1\nread_weights.s 8, 8\n"
                      "matrix_multiply.s.acc 3, 8, 1\nsynchronize\n",
                      8, 20)
                .by_timing_count(),
            0u);
}

TEST(TinyTpuOrder, activates_that_could_follow_closely) {
  const std::string program = "activate.s.relu 100, 0, 5\nactivate.s.relu 120, 0, 5\nsynchronize\n";
  EXPECT_EQ(report_of(program, 8, 1).count(HazardKind::extra_writes), 2u);
  const HazardReport slow = report_of(program, 8, 20);
  EXPECT_EQ(slow.total(), 0u);
  EXPECT_EQ(slow.by_timing_count(), 2u);
}

// ---- the rule itself: what is neither wrong nor right by timing cannot go wrong

constexpr HazardKind kOfOrder[] = {HazardKind::buffer_read_before_write, HazardKind::accumulator_read_before_write,
                                   HazardKind::accumulator_overwritten,  HazardKind::weights_overrun,
                                   HazardKind::weights_replaced,         HazardKind::extra_writes};

std::uint64_t out_of_order(const HazardReport& report) {
  std::uint64_t sum = 0;
  for (const HazardKind kind : kOfOrder) sum += report.count(kind);
  return sum;
}

/// Fed with random pauses, some of them long.
HazardReport fed_at_random(const TinyTpuConfig& config, const std::vector<Instruction>& program, std::mt19937& random) {
  Core core(config);
  const unsigned longest = 1 + random() % 90;
  Edge edge = 0;
  for (const Instruction& in : program) core.push(in, edge = core.predict_push_edge(edge + 1 + random() % longest));
  core.advance_to(core.predict_finish());
  return core.hazards();
}

std::vector<Instruction> random_program(unsigned width, std::mt19937& random) {
  const std::uint8_t opcodes[] = {0x09, 0x09, 0x19, 0x21, 0x23, 0x23, 0x91, 0x91, 0x00, 0xFF};
  std::vector<Instruction> program;
  for (int i = 0; i < 7; ++i) {
    Instruction in;
    in.opcode = opcodes[random() % 10];
    in.length = random() % 3 ? width * (1 + random() % 3) : 1 + random() % 40;
    in.accumulator = static_cast<std::uint16_t>(random() % 2 * width);
    in.buffer = random() % 4 * width;
    if (in.kind() == InstructionKind::read_weights) in.set_weight_address(random() % 100);
    program.push_back(in);
  }
  program.push_back(assemble("synchronize", "test")[0]);
  return program;
}

TEST(TinyTpuOrder, what_is_ordered_by_rule_holds_with_every_feed) {
  std::mt19937 random(17);
  unsigned ordered = 0, broken = 0;
  for (int round = 0; round < 20000; ++round) {
    const unsigned width = 7 + random() % 9;
    const TinyTpuConfig config = array_of(width);
    const std::vector<Instruction> program = random_program(width, random);
    const HazardReport first = fed_at_random(config, program, random);
    if (out_of_order(first) > 0) continue;
    bool holds = true;  // whatever is said to hold with any feed does, too
    for (const Hazard& hazard : first.by_timing()) holds = holds && hazard.any_feed;
    for (int feed = 0; feed < 5; ++feed) {
      const HazardReport other = fed_at_random(config, program, random);
      broken += out_of_order(other) > 0;
      if (!holds) continue;
      ++ordered;
      std::string text;
      for (const Instruction& in : program) text += disassemble(in) + '\n';
      ASSERT_EQ(out_of_order(other), 0u) << other.told(1).at(0).text << " at width " << width << " in\n" << text;
    }
  }
  EXPECT_GT(ordered, 1000u);
  EXPECT_GT(broken, 1000u);
}

// ---- the host

class WatchedHost {
 public:
  explicit WatchedHost(const TinyTpuConfig& config) : core(config), port(core) {}
  void push(const std::string& program) {
    for (const Instruction& in : assemble(program, "test")) {
      const InstructionWords words = encode(in);
      for (unsigned lane = 0; lane < 3; ++lane) write(port.map().instruction_offset() + 4 + 4 * lane, words[lane]);
    }
  }
  void write(std::uint64_t offset, std::uint32_t word = 1) { now = port.write(offset, word, 15, now, {0, 8}).response; }
  void read(std::uint64_t offset) { now = port.read(offset, now, 0, {0, 16}).response; }
  std::uint64_t buffer_row(unsigned row) const {
    return port.map().unified_buffer_offset() + row * port.map().stride();
  }
  std::uint64_t weight_row(unsigned row) const { return row * port.map().stride(); }
  HazardReport report() {
    core.advance_to(core.predict_finish());
    return core.hazards();
  }
  static std::string name(const Origin& origin) { return "cpu at pc " + std::to_string(origin.pc); }

  Core core;
  AxiPort port;
  Edge now = 0;
};

TEST(TinyTpuOrder, a_host_that_reads_results_before_they_are_written_is_told) {
  WatchedHost host(array_of(14));
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14");
  for (unsigned row = 100; row < 103; ++row)
    for (unsigned word = 0; word < 4; ++word) host.read(host.buffer_row(row) + 4 * word);
  const HazardReport report = host.report();
  ASSERT_GT(report.count(HazardKind::host_read_too_early), 0u);
  EXPECT_THAT(describe(report.findings(HazardKind::host_read_too_early)[0], WatchedHost::name),
              AllOf(HasSubstr("the host, by cpu at pc 16, read unified-buffer row"),
                    HasSubstr("before instruction 2 (activate.s.relu 0x64, 0x0, 14, pushed by cpu at pc 8) wrote them, "
                              "without waiting for a synchronize")));
  // What it read when the rows had landed was right, by timing.
  EXPECT_EQ(report.count(HazardKind::host_read_too_early) + report.by_timing_count(), 12u);
}

TEST(TinyTpuOrder, a_host_that_waits_for_the_synchronize_is_not) {
  WatchedHost host(array_of(14));
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14\nsynchronize");
  host.now = host.core.take_synchronize();
  host.read(host.buffer_row(100));
  host.write(host.buffer_row(0));
  host.write(host.weight_row(0));
  EXPECT_EQ(host.report().total(), 0u);
  EXPECT_EQ(host.report().by_timing_count(), 0u);
}

TEST(TinyTpuOrder, a_host_with_an_interrupt_has_to_look_whether_the_synchronize_has_come) {
  const auto findings_of = [](const std::function<void(WatchedHost&)>& look) {
    WatchedHost host(array_of(14));
    host.core.expect_looks();
    host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14\nsynchronize");
    host.now = host.core.take_synchronize() + 10;
    look(host);
    host.read(host.buffer_row(100));
    host.write(host.buffer_row(3));
    host.write(host.weight_row(5));
    EXPECT_EQ(host.report().total(), 0u);
    return host.report().by_timing();
  };
  const std::vector<Hazard> unseen = findings_of([](WatchedHost&) {});
  ASSERT_EQ(unseen.size(), 3u);
  for (const Hazard& one : unseen) EXPECT_TRUE(one.unseen);
  EXPECT_THAT(describe(unseen[1]), HasSubstr("was done with them, but without having looked whether the synchronize"));
  EXPECT_TRUE(findings_of([](WatchedHost& host) { host.core.looked(); }).empty()) << "the interrupt";
  EXPECT_TRUE(findings_of([](WatchedHost& host) { host.read(host.port.map().instruction_offset()); }).empty())
      << "the counter at rest";
}

TEST(TinyTpuOrder, a_look_at_one_synchronize_tells_nothing_of_the_next) {
  WatchedHost host(array_of(14));
  host.core.expect_looks();
  host.push("activate.s.relu 100, 0, 14\nsynchronize");
  host.now = host.core.take_synchronize() + 10;
  host.core.looked();
  host.push("activate.s.relu 200, 0, 14\nsynchronize");
  host.now = host.core.take_synchronize() + 10;
  host.read(host.buffer_row(100));
  host.read(host.buffer_row(200));
  const HazardReport report = host.report();
  ASSERT_EQ(report.by_timing().size(), 1u);
  EXPECT_EQ(report.by_timing()[0].instruction, 2u);
}

TEST(TinyTpuOrder, a_host_that_only_waits_long_enough_works_by_timing) {
  WatchedHost host(array_of(14));
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 14");
  host.now += 1000;
  host.read(host.buffer_row(100));
  host.write(host.buffer_row(3));
  host.write(host.weight_row(5));
  const HazardReport report = host.report();
  EXPECT_EQ(report.total(), 0u);
  ASSERT_EQ(report.by_timing().size(), 3u);
  EXPECT_EQ(report.by_timing()[0].kind, HazardKind::host_read_too_early);
  EXPECT_EQ(report.by_timing()[1].kind, HazardKind::host_write_too_early);
  EXPECT_EQ(report.by_timing()[2].kind, HazardKind::host_weights_too_early);
}

TEST(TinyTpuOrder, a_host_that_changes_what_a_run_has_still_to_read_is_told) {
  WatchedHost host(array_of(14));
  host.push("read_weights.s 0, 2000\nmatrix_multiply.s 0, 0, 2000\nactivate.s.relu 3000, 0, 14\nsynchronize");
  host.write(host.buffer_row(1990));
  host.write(host.weight_row(1991));
  host.write(host.buffer_row(3001));
  host.write(host.buffer_row(2500));
  const HazardReport report = host.report();
  EXPECT_EQ(report.count(HazardKind::host_write_too_early), 2u);
  EXPECT_EQ(report.findings(HazardKind::host_write_too_early).at(0).instruction, 1u);
  EXPECT_EQ(report.findings(HazardKind::host_write_too_early).at(1).instruction, 2u);
  EXPECT_EQ(report.count(HazardKind::host_weights_too_early), 1u);
  EXPECT_THAT(describe(report.findings(HazardKind::host_weights_too_early)[0]),
              HasSubstr("wrote weight-buffer row 1991 before instruction 0 (read_weights.s 0x0, 2000) read them"));
}

TEST(TinyTpuOrder, a_reset_ends_what_was_pushed) {
  WatchedHost host(array_of(14));
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 100, 0, 2000");
  host.port.reset(host.now);
  host.now += 10;
  host.read(host.buffer_row(100));
  host.write(host.buffer_row(2));
  EXPECT_EQ(host.report().total(), 0u);
  EXPECT_EQ(host.report().by_timing_count(), 0u);
}

// ---- an instruction by itself

TEST(TinyTpuOrder, rows_beyond_a_memory_wrap) {
  const HazardReport report = report_of(
      "read_weights.s 32760, 14\nmatrix_multiply.s 510, 4090, 14\nactivate.s.relu 4096, 600, 14\nsynchronize\n", 14,
      12);
  const auto& found = report.findings(HazardKind::address_wrapped);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(report.count(HazardKind::address_wrapped), 6u + 8 + 12 + 14 + 14);
  EXPECT_THAT(describe(found[0]),
              HasSubstr("instruction 0 (read_weights.s 0x7ff8, 14) goes beyond the weight buffer of 32768 rows: 6 rows "
                        "from row 0 on wrap"));
  EXPECT_THAT(describe(found[2]), HasSubstr("goes beyond the accumulator file of 512 rows: 12 rows from row 0 on"));
  EXPECT_THAT(describe(found[4]), HasSubstr("14 rows from row 88 on"));
}

TEST(TinyTpuOrder, a_host_access_beyond_a_buffer_wraps) {
  TinyTpuConfig config = array_of(14);
  config.weight_depth = 100;
  config.unified_buffer_depth = 300;
  WatchedHost host(config);
  host.write(host.weight_row(101));
  host.write(host.buffer_row(302));
  host.read(host.buffer_row(303));
  host.read(host.buffer_row(299));
  const HazardReport report = host.report();
  EXPECT_EQ(report.count(HazardKind::address_wrapped), 3u);
  EXPECT_THAT(
      describe(report.findings(HazardKind::address_wrapped).at(0), WatchedHost::name),
      HasSubstr("the host, by cpu at pc 8, accessed a row beyond the weight buffer of 100 rows, which is row 1"));
}

TEST(TinyTpuOrder, an_instruction_longer_than_its_memory_is_told) {
  const HazardReport report =
      report_of("activate.s.relu 0, 0, 513\nmatrix_multiply.s 0, 0, 4097\nsynchronize\n", 14, 1);
  ASSERT_EQ(report.findings(HazardKind::longer_than_buffer).size(), 2u);
  EXPECT_EQ(report.count(HazardKind::address_wrapped), 0u);
  EXPECT_THAT(describe(report.findings(HazardKind::longer_than_buffer)[0]),
              HasSubstr("is longer than the accumulator file of 512 rows"));
}

TEST(TinyTpuOrder, instructions_without_effect_are_told) {
  const HazardReport report =
      report_of("halt\nnop\nmatrix_multiply.s 0, 0, 0\nactivate.s.f5 0, 0, 3\nsynchronize\n", 14, 30);
  const auto& found = report.findings(HazardKind::no_effect);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(describe(found[0]), HasSubstr("instruction 0 (halt) has no effect: the hardware does nothing for this"));
  EXPECT_THAT(describe(found[1]), HasSubstr("its length is 0"));
  EXPECT_THAT(describe(found[2]), HasSubstr("applies no function: the hardware has relu and sigmoid only"));
}

TEST(TinyTpuOrder, words_that_wait_for_their_fellows_are_told_at_the_end) {
  WatchedHost host(array_of(14));
  host.push("synchronize");
  host.write(host.port.map().instruction_offset() + 4);
  const HazardReport report = host.report();
  ASSERT_EQ(report.findings(HazardKind::lanes_uneven).size(), 1u);
  EXPECT_THAT(describe(report.findings(HazardKind::lanes_uneven)[0], WatchedHost::name),
              HasSubstr("uneven at the end: the lower lane holds 1 word, the others 0; the first word that waits was "
                        "pushed by cpu at pc 8, in cycle "));
  host.write(host.port.map().instruction_offset() + 4);
  host.write(host.port.map().instruction_offset() + 8);
  EXPECT_THAT(host.report().told(1).at(0).text, HasSubstr("the lower lane holds 2 words, the middle one 1, the upper "
                                                          "one 0"));
}

}  // namespace
}  // namespace vp::tinytpu
