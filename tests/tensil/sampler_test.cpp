// The sampling stream: when samples are taken, what they show, and what becomes of those that nobody takes.
#include "models/tensil/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/archive.h"
#include "tests/support/dice.h"
#include "tests/tensil/small_tcu.h"

namespace vp::tensil {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Picoseconds kCycleTime = 10'000;

std::vector<std::uint64_t> cycles_of(SampleClock& clock, unsigned count) {
  std::vector<std::uint64_t> all;
  for (unsigned i = 0; i < count; ++i) {
    all.push_back(clock.next());
    clock.advance();
  }
  return all;
}

TEST(TensilSampleClock, begins_with_the_first_cycle_that_has_an_interval) {
  SampleClock clock;
  EXPECT_FALSE(clock.running());
  clock.set_interval(10, 7);
  EXPECT_THAT(cycles_of(clock, 3), ElementsAre(7, 17, 27));
}

TEST(TensilSampleClock, takes_up_a_new_interval_with_the_next_sample) {
  SampleClock clock;
  clock.set_interval(10, 7);
  clock.set_interval(3, 20);
  EXPECT_THAT(cycles_of(clock, 5), ElementsAre(7, 17, 27, 30, 33));
}

TEST(TensilSampleClock, stops_without_an_interval_and_begins_anew) {
  SampleClock clock;
  clock.set_interval(10, 7);
  clock.set_interval(0, 17);
  clock.set_interval(5, 100);
  EXPECT_THAT(cycles_of(clock, 3), ElementsAre(7, 100, 105));
  clock.set_interval(0, 106);
  EXPECT_EQ(clock.next(), SampleClock::kNone);
  EXPECT_FALSE(clock.running());
}

TEST(TensilSampleClock, passes_as_many_as_it_would_take_one_by_one) {
  Dice dice(7);
  for (unsigned round = 0; round < 300; ++round) {
    SampleClock clock;
    std::uint64_t cycle = 0;
    for (unsigned i = dice.from_to(1, 4); i > 0; --i)
      clock.set_interval(dice.one_in(3) ? 0 : dice.from_to(1, 20), cycle += dice.from_to(0, 50));
    SampleClock slow = clock;
    const std::uint64_t until = dice.from_to(0, 300);
    std::uint64_t passed = 0;
    for (; slow.next() < until; slow.advance()) ++passed;
    EXPECT_EQ(clock.pass(until), passed);
    EXPECT_EQ(clock.next(), slow.next());
  }
}

/// Takes up to `room` bytes a transfer, and acts for every `piece` of them.
class RoomySink : public PacketSink {
 public:
  std::size_t put(const std::uint8_t* bytes, std::size_t count, bool last, Picoseconds now) override {
    taken.insert(taken.end(), bytes, bytes + count);
    room -= std::min(room, count);
    if (last) room = 0;
    lasts += last;
    newest = now;
    return count;
  }
  std::size_t wants() const override { return std::min(room, piece - taken.size() % piece); }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> samples() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::size_t i = 0; i + 8 <= taken.size(); i += 8)
      all.emplace_back(taken[i] | taken[i + 1] << 8 | taken[i + 2] << 16 | taken[i + 3] << 24,
                       taken[i + 4] | taken[i + 5] << 8);
    return all;
  }
  std::vector<std::uint32_t> program_counters() const {
    std::vector<std::uint32_t> all;
    for (const auto& [program_counter, flags] : samples()) all.push_back(program_counter);
    return all;
  }

  std::vector<std::uint8_t> taken;
  std::size_t room = 0, piece = 1 << 20;
  unsigned lasts = 0;
  Picoseconds newest = 0;
};

struct TensilSamplerTest : testing::Test {
  TensilSamplerTest() { sampler.connect(sink); }
  void listen(std::size_t bytes, std::uint64_t cycle = 0) {
    sink.room = bytes;
    sampler.wanted(cycle * kCycleTime);
  }
  /// Time goes from event to event.
  void run_to(std::uint64_t cycle) {
    for (Picoseconds next = sampler.next(); next <= cycle * kCycleTime; next = sampler.next()) sampler.deliver(next);
    sampler.deliver(cycle * kCycleTime);
  }

  SmallTcu tcu;
  Sampler sampler{tcu.core, 4, kCycleTime};
  RoomySink sink;
};

TEST_F(TensilSamplerTest, shows_the_instruction_that_the_decoder_is_at) {
  listen(1000);
  // Program counter 0 in cycle 0; 1 in 1 to 29, 2 up to 41 with the draining, 3 from then on without an instruction.
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 29\nload_weight.zeroes 0, 5");
  run_to(60);
  EXPECT_THAT(sink.program_counters(), ElementsAre(1, 1, 1, 2));
  EXPECT_EQ(sink.lasts, 1u);
  EXPECT_EQ(sink.newest, (31 + Sampler::kDelay) * kCycleTime);
  EXPECT_EQ(sampler.packets(), 1u);
}

TEST_F(TensilSamplerTest, goes_on_when_the_program_has_ended) {
  listen(1000);
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 9");
  run_to(60);
  EXPECT_THAT(sink.program_counters(), ElementsAre(1, 2, 2, 2));
}

TEST_F(TensilSamplerTest, shows_which_ports_are_used_and_which_wait) {
  listen(1000);
  tcu.run("configure 11, 8\nmat_mul.accumulate.zeroes 0, 0, 9\ndata_move.accumulator_to_local 0, 0, 9");
  run_to(60);
  constexpr unsigned kInstructionReady = 0x8000, kInstruction = 0x4000;
  const auto samples = sink.samples();
  ASSERT_THAT(samples, SizeIs(4));
  // Cycle 1: array, accumulators and data flow take a vector, the instruction stays. Cycle 9: its last.
  EXPECT_EQ(samples[0].second, 0xAAAA - kInstructionReady + kInstruction + 0b010101);
  EXPECT_EQ(samples[1].second, 0xAAAAu + kInstruction + 0b010101);
  // Cycle 17: the array still drains, nobody is ready; cycle 25: the last but two of the move.
  EXPECT_EQ(samples[2].second, 0xAAAA - kInstructionReady + kInstruction + 0x1014 - 0x2028);
  EXPECT_EQ(samples[3].second, 0xAAAA - kInstructionReady + kInstruction + 0x1014);
}

TEST_F(TensilSamplerTest, keeps_the_first_sample_that_nobody_takes_and_loses_the_others) {
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 29\nload_weight.zeroes 0, 5");
  run_to(55);
  EXPECT_THAT(sink.taken, IsEmpty());
  listen(1000, 55);
  run_to(100);
  EXPECT_THAT(sink.program_counters(), ElementsAre(1, 3, 3, 3));
  EXPECT_EQ(sampler.taken(), 4u);
  run_to(200);
  EXPECT_EQ(sampler.lost(), 5u + 10u);  // of cycles 11 to 51, and 101 to 191; 91 waits
}

TEST_F(TensilSamplerTest, hands_over_as_soon_as_the_sink_would_act) {
  sink.piece = 16;
  listen(1000);
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 29\nload_weight.zeroes 0, 5");
  EXPECT_EQ(sampler.next(), (11 + Sampler::kDelay) * kCycleTime);
  sampler.deliver(sampler.next());
  EXPECT_THAT(sink.taken, SizeIs(16));
  EXPECT_EQ(sampler.next(), (31 + Sampler::kDelay) * kCycleTime);
}

TEST_F(TensilSamplerTest, waits_for_the_end_of_a_transfer_to_say_what_it_showed) {
  Core core(small_architecture(), Encoding::v1, OnError::stop, 8);
  Sampler waiting(core, 4, kCycleTime);
  waiting.connect(sink);
  sink.room = 1000;
  waiting.wanted(0);
  core.sample_every(10);
  const auto bytes = assemble(core.layout(), "data_move.dram0_to_local 0, 0, 12", "test");
  const std::optional<DramMove> move = core.begin(core.layout().decode(bytes.data()));
  ASSERT_TRUE(move);
  EXPECT_EQ(waiting.next(), kNever);
  core.finish(*move, 50);
  waiting.settle(49 * kCycleTime);
  EXPECT_EQ(waiting.next(), (49 + Sampler::kDelay) * kCycleTime);
  waiting.deliver(waiting.next());
  // Memory port B and DRAM0; ready in the last twelve of fifty cycles.
  for (const auto& [program_counter, flags] : sink.samples()) EXPECT_EQ(flags & 0x0F00u, 0x0500u);
  EXPECT_THAT(sink.program_counters(), ElementsAre(0, 0, 0, 0));
}

TEST_F(TensilSamplerTest, goes_on_from_a_saved_state) {
  SmallTcu other;
  Sampler copy{other.core, 4, kCycleTime};
  RoomySink copy_sink;
  copy.connect(copy_sink);
  listen(1000);
  tcu.run("configure 11, 10\nmat_mul.zeroes 0, 0, 29\nload_weight.zeroes 0, 5");
  run_to(25);
  load_state(copy, save_state(sampler));
  EXPECT_EQ(state_difference(copy, save_state(sampler)), "");
  copy_sink.room = sink.room;
  sink.taken.clear();
  run_to(60);
  copy.deliver(60 * kCycleTime);
  EXPECT_THAT(sink.taken, SizeIs(16));
  EXPECT_EQ(copy_sink.taken, sink.taken);
}

TEST(TensilSamples, are_counted_by_operation_and_flow) {
  SmallTcu tcu;
  tcu.core.sample_every(1);
  tcu.run("mat_mul.zeroes 0, 0, 9\nno_op\ndata_move.dram0_to_local 0, 0, 3\ndata_move.local_to_dram1 0, 0, 3");
  const SampleCounts& samples = tcu.core.timing().samples();
  EXPECT_EQ(samples.of(Operation::mat_mul), 9u);
  EXPECT_EQ(samples.of(Operation::no_op), 1u);
  EXPECT_EQ(samples.of(Operation::data_move, 0), 8u);
  EXPECT_EQ(samples.of(Operation::data_move, 3), 3u);
  EXPECT_EQ(samples.total(), 21u);
}

}  // namespace
}  // namespace vp::tensil
