// Random programs: no crash, no hang, and advance_to() equal to step().
#include <gtest/gtest.h>

#include "tests/drra/fabric_state.h"
#include "tests/drra/program_runner.h"
#include "tests/support/dice.h"

namespace vp::drra {
namespace {

DrraConfig random_fabric(Dice& dice) {
  DrraConfig config;
  config.columns = dice.from_to(1, 6);
  config.dimarch_rows = dice.from_to(1, 3);
  config.io_rows = 8;
  config.profile = static_cast<DecoderProfile>(dice.from_to(0, 2));
  config.start_skew = !dice.one_in(4);
  config.acc_autoclear = dice.one_in(3);
  return config;
}

/// Instructions that do something together: short delays, routes inside the window, streams of a few addresses.
Instruction plausible_instruction(Dice& dice, const DrraConfig& config) {
  static constexpr Operation kOperations[] = {Operation::refi,  Operation::refi, Operation::refi,  Operation::dpu,
                                              Operation::swb,   Operation::swb,  Operation::jump,  Operation::wait,
                                              Operation::loop,  Operation::bw,   Operation::raccu, Operation::branch,
                                              Operation::route, Operation::sram, Operation::io,    Operation::perm};
  Instruction in;
  do {
    in = default_instruction(kOperations[dice.from_to(0, 15)]);
  } while (!available(in.operation, config.profile));
  const InstructionFormat& format = *find_mnemonic(to_text(in).substr(0, to_text(in).find(' ')));
  for (std::size_t i = 0; i < format.fields.size(); ++i) {
    const Field& field = format.fields[i];
    const std::string name = field.name;
    if (dice.one_in(3) || static_cast<int>(i) == form_field(in.operation)) continue;
    if (name.size() > 3 && name.compare(name.size() - 3, 3, "_sd") == 0 && !dice.one_in(8)) continue;
    const std::uint32_t most = dice.one_in(6) ? field.mask() : std::min<std::uint32_t>(field.mask(), 5);
    in.fields[i] = static_cast<std::uint32_t>(dice.source()() % (std::uint64_t{most} + 1));
    if (in.operation == Operation::dpu && i == dpu::mode) in.fields[i] = dice.from_to(0, 31);
  }
  const int form = form_field(in.operation);
  if (form >= 0) {
    in.chunks = static_cast<std::uint8_t>(shortest_form(in));
    in.fields[static_cast<std::size_t>(form)] = in.chunks - 1u;
  }
  return in;
}

std::vector<std::uint32_t> random_words(Dice& dice, const DrraConfig& config) {
  std::vector<std::uint32_t> words;
  const bool wild = dice.one_in(4);
  for (unsigned size = dice.from_to(1, 60); words.size() < size;) {
    if (wild || dice.one_in(20)) {
      words.push_back(static_cast<std::uint32_t>(dice.source()()) & kChunkMask);
    } else {
      const std::vector<std::uint32_t> chunks = encode(plausible_instruction(dice, config), config.profile);
      words.insert(words.end(), chunks.begin(), chunks.end());
    }
  }
  words.resize(std::min<std::size_t>(words.size(), kInstructionWords));
  return words;
}

Program random_program(Dice& dice, const DrraConfig& config) {
  Program program;
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < config.columns; ++column) {
      if (dice.one_in(4)) continue;
      CellProgram& cell = program.cells[{row, column}];
      cell.words = random_words(dice, config);
      for (unsigned i = 0; i < kRegisterWords; ++i)
        cell.registers[i] = static_cast<std::int16_t>(dice.one_in(2) ? dice.from_to(0, 20) : dice.source()());
    }
  for (unsigned address = 0; address < 8; ++address)
    for (std::int16_t& word : program.tiles[{1, 0}][address]) word = static_cast<std::int16_t>(dice.source()());
  return program;
}

TEST(DrraCoreFuzz, stepping_and_advancing_give_the_same_run) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Dice dice(seed);
    const DrraConfig config = random_fabric(dice);
    const Program program = random_program(dice, config);
    Core stepped(config), advanced(config);
    WriteLog steps, advances;
    stepped.set_observer(&steps);
    advanced.set_observer(&advances);
    for (Core* core : {&stepped, &advanced}) {
      load(program, *core);
      core->start();
    }
    for (int stop = 0; stop < 6; ++stop) {
      const Cycle goal = stepped.cycle() + dice.from_to(1, 100);
      while (stepped.cycle() < goal) stepped.step();
      advanced.advance_to(goal);
      ASSERT_EQ(state_of(stepped), state_of(advanced)) << "seed " << seed << "\n" << disassemble(program);
    }
    ASSERT_TRUE(steps.registers == advances.registers && steps.tiles == advances.tiles) << "seed " << seed;
  }
}

TEST(DrraCoreFuzz, nothing_happens_before_the_next_event) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Dice dice(seed);
    const DrraConfig config = random_fabric(dice);
    const Program program = random_program(dice, config);
    Core core(config), jumped(config);
    WriteLog log;
    core.set_observer(&log);
    for (Core* one : {&core, &jumped}) {
      load(program, *one);
      one->start();
    }
    for (int events = 0; events < 50 && core.next_event() != kNever; ++events) {
      const Cycle next = core.next_event();
      ASSERT_GT(next, core.cycle());
      if (next > 100'000) break;
      core.advance_to(next - 1);
      const std::size_t writes = log.registers.size() + log.tiles.size();
      while (jumped.cycle() < next - 1) jumped.step();
      ASSERT_EQ(state_of(core), state_of(jumped)) << "seed " << seed;
      ASSERT_EQ(log.registers.size() + log.tiles.size(), writes);
      core.advance_to(next);
    }
  }
}

TEST(DrraCoreFuzz, a_run_is_repeatable_and_ends_at_its_limit) {
  for (unsigned seed = 1000; seed < 1100; ++seed) {
    Dice dice(seed);
    const DrraConfig config = random_fabric(dice);
    const Program program = random_program(dice, config);
    std::string states[2];
    for (std::string& state : states) {
      Core core(config);
      load(program, core);
      core.start();
      core.run_to(20'000);
      ASSERT_LE(core.cycle(), 20'000u);
      ASSERT_TRUE(core.done() || core.cycle() == 20'000) << "seed " << seed;
      state = state_of(core);
    }
    ASSERT_EQ(states[0], states[1]);
  }
}

}  // namespace
}  // namespace vp::drra
