#include "models/tinytpu/hazards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/network.h"

namespace vp::tinytpu {
namespace {

using ::testing::HasSubstr;

TinyTpuConfig sized(unsigned width) {
  TinyTpuConfig config;
  config.matrix_width = width;
  config.unified_buffer_depth = 256;
  return config;
}

/// Findings of a program fed one instruction a cycle.
HazardReport findings(const std::string& program, unsigned width = 8, Edge gap = 1) {
  Core core(sized(width));
  run_program(core, assemble(program, "test"), {gap});
  return core.hazards();
}

const Hazard& only(const HazardReport& report, HazardKind kind) {
  static const Hazard none{};
  EXPECT_EQ(report.findings(kind).size(), 1U);
  EXPECT_EQ(report.total(), report.count(kind)) << "no other finding";
  return report.findings(kind).size() == 1 ? report.findings(kind)[0] : none;
}

TEST(TinyTpuHazards, ACleanProgramHasNone) {
  EXPECT_EQ(findings("read_weights.s 0, 8\nmatrix_multiply.s 0, 0, 8\nactivate.s.relu 100, 0, 8\nsynchronize\n"
                     "matrix_multiply.s 8, 100, 8\nactivate.s.relu 120, 8, 8\nsynchronize")
                .total(),
            0U);
}

TEST(TinyTpuHazards, AMultiplyBehindAnActivateReadsItsRowsTooEarly) {
  const HazardReport report =
      findings("matrix_multiply.s 0, 0, 8\nactivate.s.relu 100, 0, 8\nmatrix_multiply.s 8, 102, 20");
  const Hazard& h = only(report, HazardKind::buffer_read_before_write);
  EXPECT_EQ(h.instruction, 2U);
  EXPECT_EQ(h.other, 1U);
  EXPECT_EQ(h.first_row, 102U);
  EXPECT_EQ(h.rows, 6U);
  // Issues: 5, 17 (5 + 8 + 4), 18; the first row is read four edges after the issue.
  EXPECT_EQ(h.first_edge, 22U);
  EXPECT_EQ(h.last_edge, 27U);
  EXPECT_THAT(describe(h),
              HasSubstr("instruction 2 (matrix_multiply.s 0x8, 0x66, 20) read the unified buffer before instruction 1 "
                        "(activate.s.relu 0x64, 0x0, 8) wrote it"));
  EXPECT_THAT(describe(h), HasSubstr("6 rows from row 102 on, in cycles 22 to 27"));
}

TEST(TinyTpuHazards, NarrowArraysReadTheirOwnAddendsTooEarly) {
  const HazardReport report = findings("read_weights.s 0, 6\nmatrix_multiply.s.acc 3, 0, 18", 6);
  const Hazard& h = only(report, HazardKind::accumulator_read_before_write);
  EXPECT_EQ(h.instruction, h.other);
  EXPECT_EQ(h.rows, 12U);
  EXPECT_EQ(findings("read_weights.s 0, 7\nmatrix_multiply.s.acc 3, 0, 21", 7).total(), 0U);
}

TEST(TinyTpuHazards, AShortMultiplyIsNotFinishedWhenTheNextAddsToIt) {
  const HazardReport report = findings("matrix_multiply.s 3, 0, 1\nmatrix_multiply.s.acc 3, 0, 1");
  const Hazard& h = only(report, HazardKind::accumulator_read_before_write);
  EXPECT_EQ(h.instruction, 1U);
  EXPECT_EQ(h.other, 0U);
}

TEST(TinyTpuHazards, AMultiplyOverwritesWhatALongActivateHasStillToRead) {
  const HazardReport report = findings("activate.s.relu 100, 0, 100\nmatrix_multiply.s 60, 0, 8");
  const Hazard& h = only(report, HazardKind::accumulator_overwritten);
  EXPECT_EQ(h.instruction, 0U);
  EXPECT_EQ(h.other, 1U);
  EXPECT_EQ(h.first_row, 60U);
  EXPECT_EQ(h.rows, 8U);
}

TEST(TinyTpuHazards, WeightsRunAheadOfAMultiplyThatMustWait) {
  // The second multiply waits for the first, its weights do not.
  const HazardReport report =
      findings("matrix_multiply.s 0, 0, 40\nread_weights.s 0, 24\nmatrix_multiply.s 0, 0, 24\nsynchronize");
  ASSERT_GT(report.count(HazardKind::weights_overrun), 0U);
  const Hazard& h = report.findings(HazardKind::weights_overrun)[0];
  EXPECT_EQ(h.instruction, 1U);
  EXPECT_THAT(describe(h),
              HasSubstr("weights of instruction 1 (read_weights.s 0x0, 24) were overwritten by its own later rows"));
}

TEST(TinyTpuHazards, ALongMultiplyTakesTheWeightsOfALaterLoad) {
  const HazardReport report =
      findings("read_weights.s 0, 8\nmatrix_multiply.s 0, 0, 40\nread_weights.s 8, 8\nsynchronize");
  const Hazard& h = only(report, HazardKind::weights_replaced);
  EXPECT_EQ(h.instruction, 1U);
  EXPECT_EQ(h.other, 2U);
}

TEST(TinyTpuHazards, BackToBackActivatesWriteExtraRows) {
  const HazardReport report = findings("activate.s.relu 100, 0, 5\nactivate.s.relu 120, 0, 5");
  const Hazard& h = only(report, HazardKind::extra_writes);
  EXPECT_EQ(h.instruction, 0U);
  EXPECT_EQ(h.other, 1U);
  EXPECT_EQ(h.first_row, 106U);
  EXPECT_EQ(h.rows, 2U);
}

TEST(TinyTpuHazards, ATrailingReadWeightsNeverRuns) {
  const HazardReport report = findings("nop\nread_weights.s 0, 8");
  EXPECT_EQ(only(report, HazardKind::never_ran).instruction, 1U);
  EXPECT_EQ(findings("read_weights.s 0, 8\nnop").total(), 0U);
}

TEST(TinyTpuHazards, AHostAccessInARunningMultiplyIsACollision) {
  Core core(sized(8));
  core.push(assemble("matrix_multiply.s 0, 0, 50", "test")[0], 0);
  HostAccess access;
  access.row = 7;
  core.host_access(access, 5);  // before the first row is read at edge 9
  core.host_access(access, 30);
  core.host_access(access, 100);
  core.advance_to(200);
  const HazardReport report = core.hazards();
  const Hazard& h = only(report, HazardKind::host_collision);
  EXPECT_EQ(h.rows, 1U);
  EXPECT_EQ(h.first_edge, 30U);
  EXPECT_EQ(h.first_row, 7U);
}

TEST(TinyTpuHazards, a_finding_names_time_and_pushers_where_they_are_known) {
  Core core(sized(8));
  const auto push = [&core](const char* text, Edge edge, std::uint64_t pc) {
    const InstructionWords words = encode(assemble(text, "test")[0]);
    for (unsigned lane = 0; lane < 3; ++lane) core.push_word(lane, words[lane], edge, {2, pc + 4 * lane});
  };
  push("activate.s.relu 100, 0, 5", 0, 0x100);
  push("activate.s.relu 120, 0, 5", 1, 0x200);
  core.push(assemble("nop", "test")[0], 2);
  core.advance_to(200);
  const auto who = [](const Origin& origin) {
    return "master " + std::to_string(origin.initiator) + " at " + std::to_string(origin.pc);
  };
  const std::vector<Finding> findings = core.hazards().told(1000, who);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(
      findings[0].text,
      HasSubstr("instruction 0 (activate.s.relu 0x64, 0x0, 5, pushed by master 2 at 264) wrote beyond its end because "
                "instruction 1 (activate.s.relu 0x78, 0x0, 5, pushed by master 2 at 520)"));
  EXPECT_EQ(findings[0].time, 1000 * core.hazards().findings(HazardKind::extra_writes)[0].first_edge);
}

TEST(TinyTpuHazards, a_host_collision_names_who_accessed) {
  Core core(sized(8));
  core.push(assemble("matrix_multiply.s 0, 0, 50", "test")[0], 0);
  HostAccess access;
  access.row = 7;
  access.origin = {1, 16};
  core.host_access(access, 30);
  core.advance_to(200);
  const auto who = [](const Origin& origin) { return "pc " + std::to_string(origin.pc); };
  EXPECT_THAT(core.hazards().told(1, who).at(0).text,
              HasSubstr("a host access by pc 16 of unified-buffer row 7 took the ports from instruction 0 "
                        "(matrix_multiply.s 0x0, 0x0, 50)"));
}

TEST(TinyTpuHazards, an_instruction_of_long_ago_has_its_number_only) {
  Core core(sized(8));
  const Instruction nop = assemble("nop", "test")[0];
  Edge edge = 0;
  core.push(assemble("read_weights.s 0, 8", "test")[0], edge);
  for (std::size_t i = 0; i < InstructionLog::kKept + 32; ++i) core.push(nop, edge = core.predict_push_edge(edge + 1));
  core.push(assemble("read_weights.s 0, 8", "test")[0], core.predict_push_edge(edge + 1));
  core.push(nop, core.predict_push_edge(edge + 2));
  core.advance_to(core.predict_finish());
  EXPECT_THAT(
      core.hazards().told(1).at(0).text,
      HasSubstr(
          "weights of instruction 0 (read_weights) were overwritten by instruction 8225 (read_weights.s 0x0, 8)"));
}

TEST(TinyTpuHazards, TheListIsBoundedTheCountIsNot) {
  std::string program;
  for (int i = 0; i < 150; ++i) program += "activate.s.relu 0, 0, 1\n";
  const HazardReport report = findings(program);
  EXPECT_EQ(report.findings(HazardKind::extra_writes).size(), HazardReport::kLimit);
  EXPECT_EQ(report.count(HazardKind::extra_writes), 298U);
  EXPECT_THAT(report.told(5625).back().text, HasSubstr("and 98 more"));
}

TEST(TinyTpuHazards, CanBeSwitchedOff) {
  TinyTpuConfig config = sized(8);
  config.hazard_report = false;
  Core core(config);
  run_program(core, assemble("activate.s.relu 100, 0, 5\nactivate.s.relu 120, 0, 5\nread_weights.s 0, 8", "test"), {1});
  EXPECT_EQ(core.hazards().total(), 0U);
}

/// The published MNIST streams are clean, but for the width at which the hardware loses tiles.
TEST(TinyTpuHazards, ThePublishedStreamsAreCleanExceptForWidthSix) {
  for (unsigned n : {6U, 8U, 10U, 12U, 14U}) {
    for (Edge gap : {12U, 104U}) {
      TinyTpuConfig config;
      config.matrix_width = n;
      config.weight_depth = 1 << 17;
      Core core(config);
      run_program(core, network_program(n, {{784, 504, 10}, NetworkLayout::original}).instructions, {gap});
      const HazardReport report = core.hazards();
      EXPECT_EQ(report.total(), report.count(HazardKind::accumulator_read_before_write)) << n;
      EXPECT_EQ(report.total() > 0, n == 6) << n;
    }
  }
}

// ---- against a row-by-row search

struct Issues : CoreObserver {
  void fetched(std::uint64_t, Edge) override {}
  void issued(const Issue& issue) override { all.push_back(issue); }
  std::vector<Issue> all;
};

/// Events of the kinds that are found by arithmetic, counted row by row over all pairs of instructions.
std::map<HazardKind, std::uint64_t> search(const std::vector<Issue>& issues, const TinyTpuConfig& config) {
  const std::uint64_t n = config.matrix_width;
  std::map<HazardKind, std::uint64_t> counts;
  for (const Issue& m : issues) {
    if (m.instruction.kind() != InstructionKind::matrix_multiply) continue;
    for (const Issue& a : issues) {
      if (a.instruction.kind() != InstructionKind::activate || a.number > m.number) continue;
      for (std::uint64_t km = 0; km < m.instruction.length; ++km) {
        for (std::uint64_t ka = 0; ka < a.instruction.length; ++ka) {
          const bool row = (m.instruction.buffer + km) % config.unified_buffer_depth ==
                           (a.instruction.buffer + ka) % config.unified_buffer_depth;
          if (row && m.edge + 4 + km <= a.edge + n + 19 + ka) ++counts[HazardKind::buffer_read_before_write];
          const bool sum = km < n && (m.instruction.accumulator + km) % 512 == (a.instruction.accumulator + ka) % 512;
          if (sum && m.edge + km < a.edge + ka) ++counts[HazardKind::accumulator_overwritten];
        }
      }
    }
  }
  return counts;
}

TEST(TinyTpuHazards, ArithmeticFindsWhatARowByRowSearchFinds) {
  std::mt19937 random(5);
  std::uint64_t seen = 0;
  for (int round = 0; round < 200; ++round) {
    TinyTpuConfig config = sized(2 + random() % 20);
    config.unified_buffer_depth = 40 + random() % 200;
    std::vector<Instruction> program;
    for (int i = 0; i < 12; ++i) {
      Instruction in;
      in.opcode = random() % 2 ? 0x91 : 0x21;
      in.length = random() % 60;
      in.accumulator = static_cast<std::uint16_t>(random() % 60 + 480);
      in.buffer = random() % 300;
      program.push_back(in);
    }
    Core core(config);
    Issues issues;
    core.set_observer(&issues);
    run_program(core, program, {1 + random() % 5});
    const HazardReport report = core.hazards();
    auto expected = search(issues.all, config);
    for (HazardKind kind : {HazardKind::buffer_read_before_write, HazardKind::accumulator_overwritten}) {
      EXPECT_EQ(report.count(kind), expected[kind]) << name_of(kind) << " in round " << round;
      seen += expected[kind];
    }
  }
  EXPECT_GT(seen, 1000U);
}

}  // namespace
}  // namespace vp::tinytpu
