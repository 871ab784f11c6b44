#include "models/matmul/core.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "models/matmul/host_commands.h"
#include "models/matmul/loader.h"
#include "models/matmul/run_recorder.h"
#include "models/matmul/work.h"

namespace vp::matmul {
namespace {

CoreConfig small(unsigned symbol_clocks = 16) {
  CoreConfig config;
  config.symbol_clocks = symbol_clocks;
  return config;
}

void send(Core& core, const std::vector<std::uint8_t>& bytes) {
  for (std::uint8_t byte : bytes) {
    const std::uint64_t first = core.line_free_at();
    core.put_frame(byte, first);
    core.advance_to(first - 1 + core.config().frame_clocks());
  }
}

std::vector<std::int32_t> matrix(std::mt19937& random, unsigned words) {
  std::vector<std::int32_t> values(words);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random());
  return values;
}

void store_program(Core& core, const std::vector<Instruction>& program) {
  for (std::size_t i = 0; i < program.size(); ++i)
    send(core, store_instruction_command(static_cast<std::uint32_t>(4 * i), encode(program[i])));
}

void run_to_rest(Core& core) {
  while (core.next_event() != ~std::uint64_t{0} && core.hung_thread() < 0) core.advance_to(core.next_event());
}

Instruction load(unsigned b) { return {Opcode::load, static_cast<std::uint8_t>(b), 0, 0, 0}; }
Instruction comp(unsigned a, unsigned d, unsigned c) {
  return {Opcode::comp, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(c), 0};
}
Instruction write(unsigned block) { return {Opcode::write, static_cast<std::uint8_t>(block), 0, 0, 7}; }

TEST(MatmulCore, an_idle_device_has_no_next_event) {
  Core core(small());
  EXPECT_EQ(core.next_event(), ~std::uint64_t{0});
  core.advance_to(std::uint64_t{1} << 60);
  EXPECT_EQ(core.cycle(), std::uint64_t{1} << 60);
}

TEST(MatmulCore, a_frame_needs_one_event_until_its_byte_is_decoded) {
  Core core(small(1085));
  core.put_frame(update_command(0), 100);
  EXPECT_EQ(core.next_event(), 100u + 9 * 1085 + 2);
  core.advance_to(core.next_event());
  EXPECT_EQ(core.counters().updates, 1u);
  EXPECT_EQ(core.next_event(), ~std::uint64_t{0});
}

TEST(MatmulCore, rts_falls_with_the_start_bit_and_rises_after_the_closing_symbol) {
  Core core(small());
  core.put_frame(0x55, 100);
  EXPECT_TRUE(core.rts(99));
  EXPECT_FALSE(core.rts(100));
  EXPECT_FALSE(core.rts(259));
  EXPECT_TRUE(core.rts(260));
  core.advance_to(250);  // the byte is decoded, its closing symbol is not over
  EXPECT_FALSE(core.rts(259));
  EXPECT_TRUE(core.rts(260));
  core.put_frame(0x55, 261);
  EXPECT_TRUE(core.rts(260));
  EXPECT_FALSE(core.rts(261));
}

TEST(MatmulCore, a_line_held_low_reads_as_zero_bytes) {
  Core core(small());
  core.set_line(false, 10);
  core.advance_to(10 + 5 * 161);
  EXPECT_EQ(core.counters().ignored_bytes, 5u);
  core.set_line(true, core.cycle() + 1);
  run_to_rest(core);
  EXPECT_EQ(core.counters().bytes_received, 6u);
}

TEST(MatmulCore, a_sender_five_percent_off_is_understood_and_ten_percent_is_not) {
  const auto received = [](unsigned sender_symbol) {
    Core core(small(100));
    std::uint64_t edge = 10;
    const std::uint8_t byte = update_command(kEnable0 | kEnable1);
    for (unsigned symbol = 0; symbol < 10; ++symbol, edge += sender_symbol)
      core.set_line(symbol > 0 && symbol < 9 && ((byte >> (8 - symbol)) & 1) != 0, edge);
    core.set_line(true, edge);
    core.advance_to(2000);
    return core.enabled(0) && core.enabled(1);
  };
  EXPECT_TRUE(received(95));
  EXPECT_TRUE(received(105));
  EXPECT_FALSE(received(90));
}

TEST(MatmulCore, the_past_of_the_line_cannot_change) {
  Core core(small());
  core.advance_to(1000);
  EXPECT_EQ(core.line_open_from(), 1000u - core.byte_latency() + 1);
  EXPECT_THROW(core.put_frame(0, core.line_open_from() - 1), std::logic_error);
  core.put_frame(update_command(0), core.line_open_from());
  core.advance_to(1001);
  EXPECT_EQ(core.counters().updates, 1u);
  EXPECT_THROW(core.put_frame(0, 1000), std::logic_error);  // overlaps
}

TEST(MatmulCore, reset_clears_memories_threads_banks_and_a_half_received_command) {
  Core core(small());
  std::mt19937 random(3);
  send(core, store_block_command(0x100, matrix(random, 16)));
  store_program(core, {load(1), write(1)});
  send(core, {update_command(kEnable0 | kStart0)});
  send(core, {0x80, 1, 2});  // a block store breaks off
  core.reset(core.cycle());
  EXPECT_EQ(core.memory().read(0x100), 0u);
  EXPECT_EQ(core.thread(0).stored(0), 0u);
  EXPECT_TRUE(core.at_rest());
  EXPECT_TRUE(core.loader().between_commands());
  EXPECT_FALSE(core.enabled(0));
  send(core, store_block_command(0x100, std::vector<std::int32_t>(16, 5)));
  store_program(core, {comp(1, 1, 2)});  // the bank is invalid again: nothing is written
  send(core, {update_command(kEnable0 | kStart0)});
  run_to_rest(core);
  EXPECT_EQ(core.memory().read(0x200), 0u);
}

/// Fills the FIFO far beyond its depth with four WRITEs and returns the bytes that arrive.
std::size_t bytes_of_five_writes(const Errata& errata, std::uint64_t* lost = nullptr) {
  CoreConfig config = small();
  config.errata = errata;
  Core core(config);
  store_program(core, {write(1), write(1), write(1), write(1), write(1)});
  send(core, {update_command(kEnable0 | kStart0)});
  run_to_rest(core);
  if (lost != nullptr) *lost = core.errata().count(ErrataEvent::Kind::fifo_byte_loss);
  return core.take_frames().size();
}

TEST(MatmulCore, fifo_byte_loss_can_be_switched_off) {
  std::uint64_t lost = 0;
  EXPECT_EQ(bytes_of_five_writes({}, &lost) + lost, 5u * 69);
  EXPECT_GT(lost, 0u);
  Errata repaired;
  repaired.fifo_byte_loss = false;
  EXPECT_EQ(bytes_of_five_writes(repaired, &lost), 5u * 69);
  EXPECT_EQ(lost, 0u);
}

TEST(MatmulCore, cts_byte_loss_can_be_switched_off) {
  for (const bool loses : {true, false}) {
    CoreConfig config = small();
    config.errata.cts_byte_loss = loses;
    Core core(config);
    store_program(core, {write(1)});
    core.set_cts(false);
    send(core, {update_command(kEnable0 | kStart0)});
    core.advance_to(core.cycle() + 5000);
    EXPECT_TRUE(core.take_frames().empty());
    EXPECT_EQ(core.errata().count(ErrataEvent::Kind::cts_byte_loss), loses ? 69u : 0u);
    EXPECT_EQ(core.errata().events().size(), loses ? 1u : 0u);
    core.set_cts(true);
    run_to_rest(core);
    EXPECT_EQ(core.take_frames().size(), loses ? 0u : 69u);
  }
}

/// Thread 0 computes, thread 1's LOAD is granted meanwhile.
Core after_late_load(const Errata& errata) {
  CoreConfig config = small(3);
  config.errata = errata;
  Core core(config);
  std::vector<Instruction> computes(200, comp(1, 1, 2));
  computes[0] = load(1);
  store_program(core, computes);
  send(core, {update_command(kEnable0)});
  store_program(core, {load(1)});
  send(core, {update_command(kEnable0 | kStart0)});
  core.advance_to(core.cycle() + 100);
  send(core, {update_command(kEnable0 | kEnable1 | kStart1)});
  run_to_rest(core);
  return core;
}

TEST(MatmulCore, the_late_load_hang_holds_the_load_path_for_two_to_the_32_clocks) {
  Core core = after_late_load({});
  ASSERT_EQ(core.hung_thread(), 1);
  const std::uint64_t granted = core.errata().events().at(0).first_cycle;
  EXPECT_EQ(core.load_counter(), 4 + 2 + 1 + (core.cycle() - granted));  // it rested at N+M+1
  // The counter wraps, then the LOAD reads its rows and ends as any other.
  const std::uint64_t finished = granted + (std::uint64_t{1} << 32) - 1;
  core.advance_to(finished);
  EXPECT_TRUE(core.thread(1).loading());
  run_to_rest(core);
  EXPECT_TRUE(core.at_rest());
  EXPECT_EQ(core.hung_thread(), -1);
  EXPECT_EQ(core.cycle(), finished + 3);  // lock released, fetch, TERM
}

TEST(MatmulCore, the_late_load_hang_can_be_switched_off) {
  Errata repaired;
  repaired.late_load_hang = false;
  Core core = after_late_load(repaired);
  EXPECT_EQ(core.hung_thread(), -1);
  EXPECT_TRUE(core.at_rest());
  EXPECT_TRUE(core.errata().events().empty());
}

/// What a program means, without time: C = A*B + D modulo 2^32.
class Meaning {
 public:
  explicit Meaning(const Core& core) : n_(core.config().side()), memory_(core.memory()), bank_(n_ * n_) {}
  void run(const std::vector<Instruction>& program) {
    for (const Instruction& i : program) {
      if (i.opcode == Opcode::load) {
        for (unsigned w = 0; w < n_ * n_; ++w) bank_[w] = memory_.read(page(i.a) + w);
      } else if (i.opcode == Opcode::comp) {
        compute(page(i.a), page(i.d), page(i.c));
      }
    }
  }
  const BlockMemory& memory() const { return memory_; }

 private:
  static std::uint32_t page(std::uint8_t field) { return std::uint32_t{field} * 256; }
  void compute(std::uint32_t a, std::uint32_t d, std::uint32_t c) {
    std::vector<std::uint32_t> result(n_ * n_);
    for (unsigned row = 0; row < n_; ++row) {
      for (unsigned column = 0; column < n_; ++column) {
        std::uint32_t sum = memory_.read(d + row * n_ + column);
        for (unsigned k = 0; k < n_; ++k) sum += memory_.read(a + row * n_ + k) * bank_[k * n_ + column];
        result[row * n_ + column] = sum;
      }
    }
    for (unsigned w = 0; w < n_ * n_; ++w) memory_.write(c + w, result[w]);
  }

  unsigned n_;
  BlockMemory memory_;
  std::vector<std::uint32_t> bank_;
};

TEST(MatmulCore, random_single_thread_programs_compute_what_they_mean_in_the_clocks_of_the_table) {
  std::mt19937 random(7);
  for (const auto& [mesh, tile] :
       std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {2, 2}, {3, 2}, {1, 8}, {8, 1}, {4, 4}}) {
    CoreConfig config = small(4);
    config.mesh = mesh;
    config.tile = tile;
    const unsigned n = config.side();
    Core core(config);
    RunRecorder recorder;
    core.add_observer(recorder);
    for (unsigned block = 0; block < 8; ++block) send(core, store_block_command(block * 256, matrix(random, n * n)));
    std::vector<Instruction> program = {load(random() % 8)};
    for (int i = 0; i < 200; ++i)
      program.push_back(random() % 4 == 0 ? load(random() % 8) : comp(random() % 8, random() % 8, random() % 8));
    program.push_back({});
    store_program(core, program);
    Meaning meaning(core);
    meaning.run(program);
    send(core, {update_command(kEnable0 | kStart0)});
    run_to_rest(core);
    for (unsigned address = 0; address < 8 * 256; ++address)
      ASSERT_EQ(core.memory().read(address), meaning.memory().read(address))
          << mesh << "x" << tile << " at " << address;
    const auto& instructions = recorder.runs()[0].at(0).instructions;
    ASSERT_EQ(instructions.size(), program.size());
    for (const InstructionRecord& record : instructions) {
      const unsigned expected = record.opcode == Opcode::load ? n + mesh + 4 : n + 2 * mesh + 3;
      EXPECT_EQ(*record.cycles, record.opcode == Opcode::term ? 1u : expected);
    }
  }
}

TEST(MatmulCore, two_threads_on_separate_blocks_do_not_disturb_each_other) {
  std::mt19937 random(8);
  for (int round = 0; round < 20; ++round) {
    CoreConfig config = small(3);
    config.errata.late_load_hang = false;
    Core core(config);
    for (unsigned block = 0; block < 16; ++block) send(core, store_block_command(block * 256, matrix(random, 16)));
    std::vector<Instruction> programs[2];
    for (unsigned thread = 0; thread < 2; ++thread) {
      const unsigned base = 8 * thread;
      programs[thread].push_back(load(base));
      for (int i = 0; i < 100; ++i) {
        programs[thread].push_back(random() % 3 == 0
                                       ? load(base + random() % 8)
                                       : comp(base + random() % 8, base + random() % 8, base + random() % 8));
      }
    }
    store_program(core, programs[0]);
    send(core, {update_command(kEnable0)});
    store_program(core, programs[1]);
    Meaning meaning(core);
    for (const auto& program : programs) meaning.run(program);
    send(core, {update_command(kEnable0 | kStart0 | kEnable1 | kStart1)});
    run_to_rest(core);
    for (unsigned address = 0; address < 16 * 256; ++address)
      ASSERT_EQ(core.memory().read(address), meaning.memory().read(address)) << "round " << round;
  }
}

/// Random bytes, levels, CTS changes and pauses; the same for every core that gets the same seed.
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {}
  template <typename Advance>
  void drive(Core& core, Advance advance) {
    for (int step = 0; step < 150; ++step) {
      switch (random_() % 8) {
        case 0:
          core.set_cts(random_() % 4 != 0);
          break;
        case 1:
          core.set_line(random_() % 2, core.line_free_at() + random_() % 40);
          break;
        case 2:
          advance(core, core.cycle() + random_() % 3000);
          break;
        case 3:
          command(core, {update_command(random_() % 16)}, advance);
          break;
        case 4:
          command(core, store_block_command(page(), matrix(random_, core.config().block_words())), advance);
          break;
        case 5:
          byte(core, static_cast<std::uint8_t>(random_()), advance);
          break;
        default:
          command(core, store_instruction_command(4 * (random_() % 8), instruction()), advance);
          break;
      }
    }
  }

 private:
  std::uint32_t page() { return 256 * (random_() % 4); }
  std::uint32_t instruction() {
    return (random_() % 4) << 18 | (random_() % 4) << 10 | (random_() % 4) << 2 |
           (random_() % 8 == 0 ? 0 : 1 + random_() % 3);
  }
  template <typename Advance>
  void byte(Core& core, std::uint8_t value, Advance advance) {
    const std::uint64_t first = core.line_free_at() + random_() % 3;
    core.put_frame(value, first);
    advance(core, first + core.config().frame_clocks());
  }
  template <typename Advance>
  void command(Core& core, const std::vector<std::uint8_t>& bytes, Advance advance) {
    for (std::uint8_t value : bytes) byte(core, value, advance);
  }

  std::mt19937 random_;
};

TEST(MatmulCore, jumping_over_quiet_clocks_equals_doing_every_clock) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    CoreConfig config = small(3 + seed % 5);
    config.mesh = 1 + seed % 3;
    config.tile = 1 + seed % 2;
    config.tx_fifo_bytes = 8 + seed;
    config.errata = {seed % 2 == 0, seed % 3 != 0, seed % 4 != 0};
    Core jumps(config), walks(config);
    RunRecorder jumped, walked;
    jumps.add_observer(jumped);
    walks.add_observer(walked);
    Noise(seed).drive(jumps, [](Core& core, std::uint64_t cycle) { core.advance_to(cycle); });
    Noise(seed).drive(walks, [](Core& core, std::uint64_t cycle) {
      while (core.cycle() < cycle) core.step();
    });
    ASSERT_EQ(jumps.cycle(), walks.cycle());
    const auto a = jumps.take_frames(), b = walks.take_frames();
    ASSERT_EQ(a.size(), b.size()) << seed;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a[i].start_cycle, b[i].start_cycle) << seed;
      ASSERT_EQ(a[i].byte, b[i].byte) << seed;
    }
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      ASSERT_EQ(jumped.runs()[thread].size(), walked.runs()[thread].size()) << seed;
      for (std::size_t i = 0; i < jumped.runs()[thread].size(); ++i)
        EXPECT_EQ(jumped.runs()[thread][i].finish, walked.runs()[thread][i].finish) << seed;
      EXPECT_EQ(jumps.counters().threads[thread].clocks, walks.counters().threads[thread].clocks);
    }
    for (std::uint32_t address = 0; address < 2048; ++address)
      ASSERT_EQ(jumps.memory().read(address), walks.memory().read(address)) << seed;
    EXPECT_EQ(jumps.errata().events().size(), walks.errata().events().size());
  }
}

TEST(MatmulCore, random_bytes_never_stop_the_receiver) {
  std::mt19937 random(5);
  Core core(small(4));
  for (int i = 0; i < 20000; ++i) send(core, {static_cast<std::uint8_t>(random())});
  EXPECT_EQ(core.counters().bytes_received, 20000u);
}

TEST(MatmulCore, tells_what_its_threads_do) {
  Core core(small());
  store_program(core, {load(0), {Opcode::term}});
  EXPECT_EQ(work_of(core)[1], "thread 0: disabled");
  const std::uint64_t first = core.line_free_at();
  core.put_frame(0xC3, first);  // it begins before the frame's last bit is over
  for (std::uint64_t clock = first; core.thread(0).at_rest() && clock < core.line_free_at(); ++clock)
    core.advance_to(clock);
  const std::vector<std::string> busy = work_of(core);
  EXPECT_EQ(busy[1].substr(0, 16), "thread 0: at 0: ") << busy[1];
  EXPECT_EQ(busy[2], "thread 1: disabled");
  run_to_rest(core);
  EXPECT_EQ(work_of(core)[1], "thread 0: idle");
}

}  // namespace
}  // namespace vp::matmul
