// Random vector programs against the timing contract in closed form: which word is read, worked on and written in which
// cycle follows from the fields alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/drra/program_runner.h"
#include "tests/support/dice.h"

namespace vp::drra {
namespace {

struct RandomStream {
  unsigned init, delay, l1_iter, l1_step, minus, l1_delay, l2_iter, l2_step, l2_delay;

  RandomStream(Dice& dice, unsigned delay_)
      : init(dice.from_to(0, 63)),
        delay(delay_),
        l1_iter(dice.from_to(0, 9)),
        l1_step(dice.from_to(0, 63)),
        minus(dice.from_to(0, 1)),
        l1_delay(l1_iter == 0 ? 0 : dice.from_to(0, 63)),
        l2_iter(dice.from_to(0, 5)),
        l2_step(dice.from_to(0, 63)),
        l2_delay(dice.from_to(0, 63)) {}

  std::string text(const std::string& port) const {
    const auto field = [](const char* name, unsigned value) {
      return std::string(" ") + name + "=" + std::to_string(value);
    };
    return "REFI port_no=" + port + field("init_addr", init) + field("init_delay", delay) + field("l1_iter", l1_iter) +
           field("l1_step", l1_step) + field("l1_step_sign", minus) + field("l1_delay", l1_delay % 16) +
           field("l1_delay_ext", l1_delay / 16) + field("l2_iter", l2_iter) + field("l2_step", l2_step % 16) +
           field("l2_step_ext", l2_step / 16) + field("l2_delay", l2_delay) + "\n";
  }

  /// Address by cycle, of a REFI decoded in `decoded`.
  std::map<Cycle, unsigned> addresses(Cycle decoded) const {
    std::map<Cycle, unsigned> result;
    const Cycle period = l1_iter * (1 + l1_delay) + 1 + l2_delay;
    for (unsigned j = 0; j <= l2_iter; ++j)
      for (unsigned i = 0; i <= l1_iter; ++i)
        result[decoded + 1 + delay + j * period + i * (1 + l1_delay)] =
            (init + j * l2_step + (minus != 0 ? 64 - l1_step : l1_step) * i) % 64;
    return result;
  }
};

/// The DPU's o0 and o1 for single-cycle modes.
std::pair<int, int> expected_outputs(const std::string& mode, int a, int b) {
  const auto word = [](int value) { return std::clamp(value, -32768, 32767); };
  if (mode == "add") return {word(a + b), 0};
  if (mode == "mult") return {word(a * b), 0};
  if (mode == "max_min") return {std::max(a, b), std::min(a, b)};
  return {std::max(a, 0), 0};  // relu
}

TEST(DrraContract, random_vector_programs_write_what_the_fields_say) {
  const std::vector<std::string> modes = {"add", "mult", "max_min", "relu"};
  for (unsigned seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    const std::string mode = dice.one_of(modes);
    const unsigned row = dice.from_to(0, 1), column = dice.from_to(0, 7);
    const RandomStream first(dice, dice.from_to(0, 63)), second(dice, dice.from_to(0, 63)),
        results(dice, dice.from_to(0, 63));
    std::string text = ".cell " + std::to_string(row) + "," + std::to_string(column) + "\n";
    std::vector<int> words(64);
    for (unsigned i = 0; i < 64; ++i) {
      words[i] = static_cast<std::int16_t>(dice.source()());
      text += ".rf " + std::to_string(i) + ": " + std::to_string(words[i]) + "\n";
    }
    const unsigned output = dice.from_to(0, 1);
    text +=
        "SWB src_port=0 hb_index=2 v_index=2\nSWB src_port=1 hb_index=2 v_index=3\nSWB src_block=dpu hb_index=2 "
        "v_index=0 src_port=" +
        std::to_string(output) + "\nDPU mode=" + mode + "\nWAIT\n" + first.text("r0") + second.text("r1") +
        results.text("w0") + "HALT\nHALT\n";
    const ProgramRun run(text);

    const Cycle start = 1 + row + column;
    const auto reads0 = first.addresses(start + 5), reads1 = second.addresses(start + 6);
    const auto writes = results.addresses(start + 7);
    ASSERT_EQ(run.log.registers.size(), writes.size()) << text;
    std::map<Cycle, std::pair<int, int>> outputs;  // by the cycle after the operands
    std::size_t number = 0;
    const Cycle end = writes.rbegin()->first;
    for (Cycle cycle = start; cycle <= end; ++cycle) {
      const auto read = [&](const std::map<Cycle, unsigned>& reads) {
        const auto found = reads.find(cycle);
        return found == reads.end() ? 0 : words[found->second];
      };
      outputs[cycle + 1] = expected_outputs(mode, read(reads0), read(reads1));
      const auto write = writes.find(cycle);
      if (write == writes.end()) continue;
      const auto& seen = run.log.registers.at(number++);
      const auto shown = outputs.at(cycle);
      const int value = output == 0 ? shown.first : shown.second;
      ASSERT_EQ(std::make_tuple(seen.cycle, seen.address, seen.value), std::make_tuple(cycle, write->second, value))
          << "seed " << seed << "\n"
          << text;
      words[write->second] = value;
    }
    ASSERT_EQ(run.halted(row, column), start + 8);
  }
}

}  // namespace
}  // namespace vp::drra
