#include "models/tinytpu/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/program.h"

namespace vp::tinytpu {
namespace {

using ::testing::HasSubstr;

struct Timer : VisibleTimer {
  void set(Picoseconds when) override { next = when; }
  Picoseconds next = kNever;
};

/// A host that does one access after the other, and sees the interrupt line.
class Host {
 public:
  explicit Host(const TinyTpuConfig& config = {}) : device(config, timer) {
    device.synchronize_line().bind([this](bool level) { edges.emplace_back(now_of_timer, level); });
  }
  void write32(std::uint64_t offset, std::uint32_t value) {
    ASSERT_EQ(device.write(offset, reinterpret_cast<std::uint8_t*>(&value), 4, now), AccessResult::ok);
  }
  std::uint32_t read32(std::uint64_t offset) {
    std::uint32_t value = 0;
    EXPECT_EQ(device.read(offset, reinterpret_cast<std::uint8_t*>(&value), 4, now), AccessResult::ok);
    return value;
  }
  void push(const Instruction& in) {
    const InstructionWords words = encode(in);
    for (unsigned i = 0; i < 3; ++i) write32(device.port().map().instruction_offset() + 4 + 4 * i, words[i]);
  }
  void push(const std::string& text) {
    for (const Instruction& in : assemble(text, "test")) push(in);
  }
  /// Lets the timer deliver everything that is due up to `time`.
  void pass(Picoseconds time) {
    while (timer.next <= time) {
      now_of_timer = timer.next;
      timer.next = kNever;
      device.deliver();
    }
    now = std::max(now, time);
  }
  Picoseconds cycles(std::uint64_t count) const { return count * device.clock().period(); }

  Timer timer;
  TinyTpuDevice device;
  Picoseconds now = 0;
  Picoseconds now_of_timer = 0;
  std::vector<std::pair<Picoseconds, bool>> edges;
};

constexpr std::uint64_t kBuffer = 0x80000, kInstructions = 0x90000;

TEST(TinyTpuDevice, AWriteEndsThreeClocksAfterItsFirstEdgeAndAReadFive) {
  Host host;
  host.now = 1;  // between edge 0 and edge 1
  host.write32(kBuffer, 0x44332211);
  EXPECT_EQ(host.now, host.cycles(4));
  host.now = host.cycles(5);
  EXPECT_EQ(host.read32(kBuffer), 0x44332211U);
  EXPECT_EQ(host.now, host.cycles(10));
}

TEST(TinyTpuDevice, BackToBackWritesTakeFourClocksEach) {
  Host host;
  for (int i = 0; i < 3; ++i) host.write32(kBuffer, 0);
  EXPECT_EQ(host.now, host.cycles(4 + 4 + 3));
}

TEST(TinyTpuDevice, SmallStoresDriveTheirBytesInPlaceAndZerosElsewhere) {
  Host host;
  host.write32(kBuffer, 0xAABBCCDD);
  const std::uint8_t half[] = {0x11, 0x22};
  ASSERT_EQ(host.device.write(kBuffer + 2, half, 2, host.now), AccessResult::ok);
  EXPECT_EQ(host.read32(kBuffer), 0x2211CCDDU);
  const std::uint8_t byte = 0x33;
  ASSERT_EQ(host.device.write(kBuffer + 1, &byte, 1, host.now), AccessResult::ok);
  EXPECT_EQ(host.read32(kBuffer), 0x221133DDU);
  std::uint8_t read = 0;
  ASSERT_EQ(host.device.read(kBuffer + 3, &read, 1, host.now), AccessResult::ok);
  EXPECT_EQ(read, 0x22);
}

TEST(TinyTpuDevice, ByteEnablesAreStrobes) {
  Host host;
  host.write32(kBuffer, 0xAABBCCDD);
  const std::uint8_t data[] = {1, 2, 3, 4}, enabled[] = {1, 0, 1, 0};
  const Picoseconds before = host.now;
  ASSERT_EQ(host.device.write_masked(kBuffer, data, enabled, 4, host.now), AccessResult::ok);
  EXPECT_EQ(host.now - before, host.cycles(4)) << "one transaction, not two";
  EXPECT_EQ(host.read32(kBuffer), 0xAA03CC01U);
  std::uint8_t read[] = {9, 9, 9, 9};
  ASSERT_EQ(host.device.read_masked(kBuffer, read, enabled, 4, host.now), AccessResult::ok);
  EXPECT_THAT(read, ::testing::ElementsAre(1, 9, 3, 9));
}

TEST(TinyTpuDevice, TheUpperInstructionWordTakesA16BitStore) {
  Host host;
  host.write32(kInstructions + 4, 0x00000EFF);
  host.write32(kInstructions + 8, 0);
  const std::uint8_t upper[] = {0, 0};
  ASSERT_EQ(host.device.write(kInstructions + 12, upper, 2, host.now), AccessResult::ok);
  EXPECT_NE(host.timer.next, kNever);
}

TEST(TinyTpuDevice, SynchronizeRaisesTheLineAtItsEdgeForOneClock) {
  Host host;
  host.push("synchronize");  // words at edges 0, 4, 8: complete at edge 10, pulse at 15
  EXPECT_EQ(host.timer.next, host.cycles(15));
  host.pass(host.cycles(100));
  EXPECT_EQ(host.edges, (std::vector<std::pair<Picoseconds, bool>>{{host.cycles(15), true}, {host.cycles(16), false}}));
  EXPECT_EQ(host.timer.next, kNever);
  EXPECT_EQ(host.read32(kInstructions), 4U);
}

TEST(TinyTpuDevice, AdjacentPulsesAreOneRisingEdge) {
  Host host;
  // While the second multiply waits for the first, both synchronizes gather behind it.
  host.push("matrix_multiply.u 0, 0, 200\nmatrix_multiply.u 0, 0, 200\nsynchronize\nsynchronize");
  host.pass(host.cycles(1000));
  ASSERT_EQ(host.edges.size(), 2U);
  EXPECT_EQ(host.edges[1].first - host.edges[0].first, host.cycles(2));
}

TEST(TinyTpuDevice, RunningAheadOfAnEdgeDoesNotLoseIt) {
  Host host;
  host.push("synchronize");
  host.now = host.cycles(200);
  host.read32(kBuffer);  // the core is far behind the pulse now
  EXPECT_EQ(host.timer.next, host.cycles(15));
  host.pass(host.cycles(300));
  EXPECT_EQ(host.edges.size(), 2U);
}

TEST(TinyTpuDevice, AFullLaneWithoutItsFellowsNeverAnswersAgainUntilReset) {
  Host host;
  for (int i = 0; i < 32; ++i) host.write32(kInstructions + 4, 0);
  const std::uint8_t word[4] = {};
  EXPECT_EQ(host.device.write(kInstructions + 4, word, 4, host.now), AccessResult::no_answer);
  EXPECT_THAT(host.device.port().why_blocked(), HasSubstr("the lower lane"));
  EXPECT_THAT(host.device.port().why_blocked(), HasSubstr("lower 32, middle 0, upper 0"));
  std::uint8_t read[4];
  EXPECT_EQ(host.device.read(kBuffer, read, 4, host.now), AccessResult::no_answer);
  host.device.reset(host.now);
  host.push("synchronize");
  EXPECT_NE(host.timer.next, kNever);
}

TEST(TinyTpuDevice, AFullFifoHoldsTheHostUntilThereIsRoom) {
  Host host;
  host.push("matrix_multiply.u 0, 0, 5000");
  for (int i = 0; i < 36; ++i) host.push("matrix_multiply.u 0, 0, 1");
  EXPECT_GT(host.now, host.cycles(5000));
  EXPECT_LT(host.now, host.cycles(5100));
}

TEST(TinyTpuDevice, ResetDropsAPulseAndLowersTheLine) {
  Host host;
  host.push("synchronize");
  host.device.reset(host.cycles(12));
  EXPECT_EQ(host.timer.next, kNever);
  host.pass(host.cycles(100));
  EXPECT_TRUE(host.edges.empty());
}

TEST(TinyTpuDevice, DebuggerSeesBuffersAndCounterWithoutTime) {
  Host host;
  const std::uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  EXPECT_EQ(host.device.debug_write(kBuffer + 0x10, bytes, 17), 17U);
  EXPECT_EQ(host.device.debug_write(0x20, bytes, 4), 4U);
  EXPECT_EQ(host.device.debug_write(kInstructions + 4, bytes, 4), 0U);
  EXPECT_EQ(host.read32(kBuffer + 0x1C), 0x00000E0DU) << "elements 14 and 15 do not exist";
  EXPECT_EQ(host.read32(kBuffer + 0x20), 0x00000011U);
  std::uint8_t back[17] = {};
  EXPECT_EQ(host.device.debug_read(0x20, back, 4), 4U);
  EXPECT_EQ(std::memcmp(back, bytes, 4), 0) << "weights are write-only for a guest, not for a debugger";
  EXPECT_EQ(host.read32(0x20), 0U);
}

TEST(TinyTpuDevice, NamesItsRegisters) {
  Host host;
  EXPECT_EQ(host.device.describe(0x90000), "runtime counter");
  EXPECT_EQ(host.device.describe(0x9000C), "upper instruction word");
  EXPECT_EQ(host.device.describe(0x80018), "unified buffer row 1 word 2");
}

TEST(TinyTpuDevice, ReportsBusyStallAndIdleThatAddUp) {
  Host host;
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 0x20, 0, 14\nsynchronize");
  host.pass(host.cycles(500));
  const DeviceFigures figures = host.device.figures(host.now);
  EXPECT_EQ(figures.synchronize_pulses, 1U);
  EXPECT_EQ(figures.core.instructions.activate, 1U);
  const UnitFigures& multiply = figures.core.cycles.units[static_cast<unsigned>(Unit::multiply)];
  EXPECT_EQ(multiply.busy, 17U);
  EXPECT_EQ(multiply.busy + multiply.stall + multiply.idle, multiply.total);
  EXPECT_EQ(multiply.total, 501U);
  ASSERT_TRUE(figures.core.hazards);
  EXPECT_EQ(figures.core.hazards->events[static_cast<unsigned>(HazardKind::weights_overrun)], 0U);
}

/// Cycles of the device as a whole in which a program was under way.
std::uint64_t cycles_of_programs(const CycleFigures& figures) {
  std::uint64_t sum = 0;
  for (unsigned cause = 0; cause < kHeldUps; ++cause)
    if (static_cast<HeldUp>(cause) != HeldUp::idle) sum += figures.held_up.cycles[cause];
  return sum;
}

std::uint64_t held_up(const CycleFigures& figures, HeldUp cause) {
  return figures.held_up.cycles[static_cast<unsigned>(cause)];
}

const char* const kOneTile = "read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14\nactivate.s.relu 0x20, 0, 14";

TEST(TinyTpuDevice, cycles_in_which_the_host_feeds_too_slowly_are_no_idle_time) {
  Host host;
  host.push("read_weights.s 0, 14\nmatrix_multiply.s 0, 0, 14");
  host.pass(host.cycles(1000));  // long after the multiply has ended
  host.push("activate.s.relu 0x20, 0, 14\nsynchronize");
  host.pass(host.now + host.cycles(500));
  const DeviceFigures figures = host.device.figures(host.now);
  const CycleFigures& cycles = figures.core.cycles;
  const UnitFigures& multiply = cycles.units[static_cast<unsigned>(Unit::multiply)];
  EXPECT_GT(multiply.stall_cause.cycles[static_cast<unsigned>(Wait::host)], 900U);
  EXPECT_GT(held_up(cycles, HeldUp::host_feed), 900U);
  EXPECT_LT(multiply.idle, 500U);
  // Both ends of the span that the runtime counter measures are cycles of the program.
  EXPECT_EQ(figures.runtime.count, 1U);
  EXPECT_EQ(cycles_of_programs(cycles), figures.runtime.sum + 1);
}

TEST(TinyTpuDevice, the_account_of_many_programs_is_what_the_runtime_counter_measured) {
  std::mt19937 random(11);
  Host host;
  std::uint64_t sum = 0;
  for (int program = 0; program < 50; ++program) {
    for (const char* line : {"read_weights.s 0, 14", "matrix_multiply.s 0, 0, 14", "activate.s.relu 0x20, 0, 14",
                             "read_weights.s 0, 9", "matrix_multiply.s 0, 0, 100", "synchronize"}) {
      host.pass(host.now + host.cycles(random() % 60));
      host.push(line);
    }
    host.pass(host.now + host.cycles(400 + random() % 100));
    sum += host.read32(kInstructions);
  }
  const DeviceFigures figures = host.device.figures(host.now);
  EXPECT_EQ(figures.runtime.sum, sum);
  EXPECT_EQ(figures.runtime.count, 50U);
  EXPECT_EQ(figures.runtime.last, host.read32(kInstructions));
  EXPECT_EQ(cycles_of_programs(figures.core.cycles), sum + 50);
  EXPECT_EQ(host.device.core().activity().broken_conservation(), "");
}

TEST(TinyTpuDevice, after_the_last_instruction_without_a_synchronize_it_is_idle) {
  Host host;
  host.push(kOneTile);
  host.pass(host.now + host.cycles(10'000));
  const CycleFigures cycles = host.device.figures(host.now).core.cycles;
  EXPECT_LT(held_up(cycles, HeldUp::host_feed), 20U);
  EXPECT_GT(held_up(cycles, HeldUp::idle), 9'800U);
}

TEST(TinyTpuDevice, a_reset_ends_the_program) {
  Host host;
  host.push(kOneTile);
  host.pass(host.now + host.cycles(10'000));
  host.device.reset(host.now);
  host.pass(host.now + host.cycles(10));
  host.push("synchronize");
  host.pass(host.now + host.cycles(100));
  EXPECT_LT(held_up(host.device.figures(host.now).core.cycles, HeldUp::host_feed), 20U);
}

/// Random traffic of a confused host: every access gets its answer, or the port says that it is blocked.
TEST(TinyTpuDevice, RandomTrafficAlwaysGetsAnAnswerOrAReason) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    TinyTpuConfig config;
    config.matrix_width = 2 + random() % 30;
    config.weight_depth = 1 + random() % 300;
    config.unified_buffer_depth = 1 + random() % 300;
    config.fifo_depth = 1 + random() % 8;
    Host host(config);
    const std::uint64_t instructions = host.device.port().map().instruction_offset();
    for (int i = 0; i < 3000; ++i) {
      std::uint8_t data[4], enabled[4];
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      for (auto& flag : enabled) flag = random() & 1;
      std::uint64_t offset = random() % (host.device.window() / 4) * 4;
      if (random() % 2) offset = instructions + random() % 4 * 4;
      // Lengths of a few hundred rows, seldom more: a random one is weeks of the host's time.
      if (host.device.port().map().decode(offset).region == Region::instructions) {
        data[3] = 0;
        if (offset % 16 == 8) data[0] = 0;
        if (random() % 64) data[2] = 0;
      }
      const Picoseconds before = host.now;
      AccessResult result = AccessResult::ok;
      switch (random() % 6) {
        case 0:
          result = host.device.read(offset, data, 4, host.now);
          break;
        case 1:
          result = host.device.read(offset + 2, data, 2, host.now);
          break;
        case 2:
          result = host.device.write_masked(offset, data, enabled, 4, host.now);
          break;
        case 3:
          result = host.device.write(offset + 3, data, 1, host.now);
          break;
        default:
          result = host.device.write(offset, data, 4, host.now);
          break;
      }
      if (result == AccessResult::no_answer) {
        EXPECT_THAT(host.device.port().why_blocked(), HasSubstr("full"));
        host.device.reset(host.now);
      } else {
        ASSERT_EQ(result, AccessResult::ok);
        ASSERT_GE(host.now, before + host.cycles(3));
      }
      if (random() % 16 == 0) host.now += random() % 5000000;
      if (random() % 4 == 0) host.pass(host.now);
      if (random() % 500 == 0) host.device.reset(host.now);
    }
    host.pass(host.now);
    EXPECT_NO_THROW(host.device.figures(host.now));
  }
}

TEST(TinyTpuDevice, ListsItsWindow) {
  Host host;
  const RegisterBank& registers = host.device.registers();
  EXPECT_EQ(registers.find("RUNTIME_COUNTER", 0)->offset(), 0x90000u);
  EXPECT_EQ(registers.find("INSTRUCTION_UPPER", 0)->offset(), 0x9000Cu);
  ASSERT_EQ(registers.regions().size(), 2u);
  EXPECT_EQ(registers.regions()[1].name, "UNIFIED_BUFFER");
  EXPECT_EQ(registers.regions()[1].offset, kBuffer);
  EXPECT_EQ(registers.regions()[1].size, 0x10000u);
}

TEST(TinyTpuDevice, tells_what_waits_and_what_its_units_do) {
  Host host;
  EXPECT_THAT(host.device.work(host.now),
              ::testing::ElementsAre("cycle 1; FIFO: 0 of 32 instructions", "weight loader: free",
                                     "systolic array: free", "activation unit: free"));
  host.push(
      "matrix_multiply.u 0, 0, 5000\nmatrix_multiply.u 1, 2, 300\nsynchronize\nsynchronize\nsynchronize\nsynchronize");
  host.write32(kInstructions + 4, 0);
  const std::vector<std::string> lines = host.device.work(host.now);
  const std::string all = ::testing::PrintToString(lines);
  EXPECT_THAT(all, HasSubstr("FIFO: 4 of 32 instructions"));
  EXPECT_THAT(all, HasSubstr("lane 0 has 1 word without the others"));
  EXPECT_THAT(all, HasSubstr("#1 in the coordinator: matrix_multiply.u"));
  EXPECT_THAT(all, HasSubstr("#5 in the FIFO: synchronize"));
  EXPECT_THAT(all, HasSubstr("held up: the next instruction"));
  EXPECT_THAT(all, HasSubstr("systolic array: busy for "));
}

}  // namespace
}  // namespace vp::tinytpu
