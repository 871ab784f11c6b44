// Drawn programs through an AXI DMA and over two ports, whatever their latencies: none hangs, and the memories end as
// the bare core leaves them.
#include <gtest/gtest.h>

#include "models/axidma/core.h"
#include "models/tensil/sequencer.h"
#include "tests/support/dice.h"
#include "tests/support/fake_port.h"
#include "tests/support/register_access.h"
#include "tests/tensil/legal_program.h"
#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

constexpr std::uint32_t kProgram = 0x8000, kSamples = 0xC000;

/// An AXI DMA and a TCU, each with ports of their own into one memory of 64 KiB; time goes from event to event.
class StreamedTcu {
 public:
  StreamedTcu(const TensilConfig& config, Dice& dice)
      : ports_{FakePort(kBytes, drawn(dice)), FakePort(kBytes, drawn(dice)), FakePort(kBytes, drawn(dice))},
        dma_({}, ports_[2], dma_timer_, lines_),
        registers_(dma_),
        tcu_(config, ports_[0], ports_[1], tcu_timer_) {
    dma_.mm2s().connect(tcu_);
    tcu_.connect(dma_.mm2s());
    tcu_.sampler().connect(dma_.s2mm());
    dma_.s2mm().connect(tcu_.sampler());
  }

  std::vector<std::uint8_t>& dram(unsigned port) { return ports_[port].memory; }
  std::vector<std::uint8_t>& samples() { return ports_[2].memory; }
  Sequencer& tcu() { return tcu_; }
  std::uint32_t stored() { return register_at(0x58); }

  /// Returns whether everything came to its end.
  bool run(const std::vector<std::uint8_t>& program, std::uint32_t samples = 0) {
    std::copy(program.begin(), program.end(), ports_[2].memory.begin() + kProgram);
    if (samples != 0) start(0x30, kSamples, samples);
    start(0x00, kProgram, static_cast<std::uint32_t>(program.size()));
    for (unsigned steps = 0; step(); ++steps)
      if (steps == 1'000'000) return false;
    return tcu_.idle() && dma_.figures().mm2s.transfers == 1;
  }

 private:
  static constexpr std::size_t kBytes = 1 << 16;
  /// A timer of the bench's own time.
  struct Timer : VisibleTimer {
    void set(Picoseconds time) override { when = time; }
    Picoseconds when = kNever;
  };

  static FakePort::Settings drawn(Dice& dice) {
    return {10'000, dice.power_of_two(4, 3), dice.from_to(0, 40) * Picoseconds{7'000}, dice.from_to(1, 4)};
  }
  void start(unsigned channel, std::uint32_t address, std::uint32_t bytes) {
    registers_.now = now_;
    registers_.write(channel, 1, 4);
    registers_.write(channel + 0x18, address, 4);
    registers_.write(channel + 0x28, bytes, 4);
  }
  std::uint32_t register_at(unsigned offset) { return static_cast<std::uint32_t>(registers_.read(offset, 4)); }
  bool step() {
    Picoseconds next = std::min(dma_timer_.when, tcu_timer_.when);
    for (const FakePort& port : ports_) next = std::min(next, port.next_event());
    if (next == kNever) return false;
    now_ = std::max(now_, next);
    for (FakePort& port : ports_) port.advance_to(now_);
    for (FakePort& port : ports_)
      if (port.next_event() <= now_) return port.step(), true;
    Timer& timer = dma_timer_.when <= now_ ? dma_timer_ : tcu_timer_;
    timer.when = kNever;
    if (&timer == &dma_timer_)
      dma_.deliver(now_);
    else
      tcu_.deliver(now_);
    return true;
  }

  Picoseconds now_ = 0;
  FakePort ports_[3];
  Timer dma_timer_, tcu_timer_;
  InterruptLine lines_[2];
  axidma::Core dma_;
  RegisterAccess registers_;
  Sequencer tcu_;
};

TensilConfig drawn_config(Dice& dice, unsigned threads) {
  TensilConfig config;
  config.architecture = small_architecture();
  config.architecture.array_size = 4 * dice.from_to(1, 4);
  config.architecture.number_of_threads = threads;
  config.encoding = threads > 1 ? Encoding::v2 : dice.one_in(2) ? Encoding::v1 : Encoding::v2;
  config.axi_width = 32 << dice.from_to(0, 1);
  return config;
}

void fill(std::vector<std::uint8_t>& bytes, Dice& dice, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(dice.source()());
}

/// The streamed TCU and a bare one with the same DRAMs; runs both, and compares.
void expect_equal_ends(StreamedTcu& streamed, const TensilConfig& config, Dice& dice, const std::string& text) {
  const Architecture& a = config.architecture;
  const std::size_t bytes = std::size_t{a.dram0_depth} * a.vector_bytes();
  SmallTcu bare(a, OnError::hardware, config.encoding, config.port_timing());
  FixedLatencyDram* const drams[2] = {&bare.dram0, &bare.dram1};
  for (unsigned port = 0; port < 2; ++port) {
    fill(streamed.dram(port), dice, bytes);
    drams[port]->memory().write(0, streamed.dram(port).data(), bytes);
  }
  const auto program = assemble(bare.core.layout(), text, "test");
  ASSERT_LE(program.size(), kSamples - kProgram);
  bare.core.push(program.data(), program.size());
  ASSERT_TRUE(streamed.run(program)) << text;
  const Core& core = streamed.tcu().core();
  EXPECT_EQ(core.figures().instructions, bare.core.figures().instructions);
  for (unsigned port = 0; port < 2; ++port) {
    std::vector<std::uint8_t> expected(bytes);
    drams[port]->memory().read(0, expected.data(), bytes);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), streamed.dram(port).begin())) << port << '\n' << text;
  }
  for (unsigned row = 0; row < a.local_depth; ++row)
    ASSERT_TRUE(std::equal(core.local().row(row), core.local().row(row) + a.array_size, bare.core.local().row(row)))
        << row << '\n'
        << text;
  for (unsigned row = 0; row < a.accumulator_depth; ++row)
    ASSERT_TRUE(std::equal(core.accumulators().row(row), core.accumulators().row(row) + a.array_size,
                           bare.core.accumulators().row(row)))
        << row << '\n'
        << text;
  EXPECT_EQ(streamed.tcu().broken_conservation(), "");
}

TEST(TensilStream, legal_programs_end_as_on_the_bare_core_whatever_the_ports_take) {
  Dice dice(11);
  for (unsigned round = 0; round < 150; ++round) {
    const TensilConfig config = drawn_config(dice, 1);
    StreamedTcu streamed(config, dice);
    std::string text;
    const Share share = whole_of(config.architecture);
    for (unsigned i = dice.from_to(1, 120); i > 0; --i) {
      const std::string line = legal_line(dice, share);
      text += (line == "no_op" && config.encoding == Encoding::v2 ? "wait 0" : line) + "\n";
    }
    expect_equal_ends(streamed, config, dice, text);
  }
}

TEST(TensilStream, threads_that_share_nothing_end_as_in_program_order_whatever_the_schedule) {
  Dice dice(12);
  for (unsigned round = 0; round < 150; ++round) {
    const TensilConfig config = drawn_config(dice, 2);
    const Architecture& a = config.architecture;
    StreamedTcu streamed(config, dice);
    const unsigned local = a.local_depth / 2, accumulators = a.accumulator_depth / 2, dram = a.dram0_depth / 2;
    const Share shares[2] = {{0, local, 0, accumulators, 0, dram, true},
                             {local, local, accumulators, accumulators, dram, dram, false}};
    std::string text;
    for (unsigned i = dice.from_to(1, 120); i > 0; --i) {
      const unsigned thread = dice.from_to(0, 1);
      std::string line = legal_line(dice, shares[thread]);
      if (line == "no_op" || dice.one_in(20)) line = "wait " + std::to_string(dice.from_to(0, 1));
      text += "[" + std::to_string(thread) + "] " + line + "\n";
    }
    expect_equal_ends(streamed, config, dice, text);
    EXPECT_EQ(streamed.tcu().core().findings().count(FindingKind::unordered_threads), 0u);
  }
}

TEST(TensilStream, threads_that_hand_rows_over_behind_a_wait_end_as_in_program_order) {
  Dice dice(13);
  for (unsigned round = 0; round < 100; ++round) {
    const TensilConfig config = drawn_config(dice, 2);
    StreamedTcu streamed(config, dice);
    const Share share = whole_of(config.architecture);
    std::string text = "[0] wait 0\n";
    unsigned thread = 0;
    for (unsigned i = dice.from_to(1, 80); i > 0; --i) {
      if (dice.one_in(4)) {
        thread ^= 1;
        text += "[" + std::to_string(thread) + "] wait " + std::to_string(thread ^ 1) + "\n";
      }
      const std::string line = legal_line(dice, share);
      if (line != "no_op") text += "[" + std::to_string(thread) + "] " + line + "\n";
    }
    expect_equal_ends(streamed, config, dice, text);
    EXPECT_EQ(streamed.tcu().core().findings().count(FindingKind::unordered_threads), 0u) << text;
  }
}

TEST(TensilStream, any_bytes_come_to_an_end) {
  Dice dice(14);
  for (unsigned round = 0; round < 60; ++round) {
    TensilConfig config = drawn_config(dice, dice.from_to(1, 2));
    config.on_error = OnError::hardware;
    StreamedTcu streamed(config, dice);
    const unsigned length = Layout(config.architecture, config.encoding).instruction_bytes();
    std::vector<std::uint8_t> program(std::size_t{length} * dice.from_to(1, 60));
    fill(program, dice, program.size());
    EXPECT_TRUE(streamed.run(program));
    EXPECT_EQ(streamed.tcu().core().figures().instructions, program.size() / length);
  }
}

TEST(TensilStream, samples_of_a_program_lie_in_memory_as_one_would_take_them_by_hand) {
  Dice dice(15);
  for (unsigned round = 0; round < 60; ++round) {
    TensilConfig config = drawn_config(dice, 1);
    config.encoding = Encoding::v1;
    config.sample_block = dice.from_to(1, 40);
    StreamedTcu streamed(config, dice);
    const Share share = whole_of(config.architecture);
    const unsigned interval = dice.from_to(1, 30);
    std::string text = "configure 11, " + std::to_string(interval) + "\n";
    for (unsigned i = 80; i > 0; --i) text += legal_line(dice, share) + "\n";
    const auto program = assemble(streamed.tcu().core().layout(), text, "test");
    ASSERT_TRUE(streamed.run(program, 0x2000));
    ASSERT_EQ(streamed.stored(), config.sample_block * Sample::kBytes);
    std::uint32_t before = 0;
    for (unsigned i = 0; i < config.sample_block; ++i) {
      const std::uint8_t* const at = &streamed.samples()[kSamples + std::size_t{i} * Sample::kBytes];
      const std::uint32_t program_counter = at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24;
      EXPECT_GE(program_counter, before);
      EXPECT_GE(program_counter, 1u);
      EXPECT_LE(program_counter, 81u);
      before = program_counter;
    }
    EXPECT_EQ(streamed.tcu().sampler().taken(), config.sample_block);
  }
}

}  // namespace
}  // namespace vp::tensil
