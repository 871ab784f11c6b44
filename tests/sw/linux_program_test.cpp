// What the Linux module asks of a program before it feeds it, against the models' own reading of instructions; and the
// recorder that writes programs down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <vector>

#include "models/tinytpu/instruction_check.h"
#include "models/tinytpu/memory_map.h"
#include "sw/digits/digits_data.h"
#include "sw/driver/tinytpu/tinytpu_recorder.h"
#include "sw/linux/module/feed.h"
#include "sw/linux/module/program.h"
#include "tests/support/dice.h"

namespace vp::test {
namespace {

using Words = tinytpu_instruction_words;

tinytpu_ioc_info sizes(uint32_t width, uint32_t weights, uint32_t buffer) {
  tinytpu_ioc_info info{};
  info.matrix_width = width;
  info.weight_buffer_depth = weights;
  info.unified_buffer_depth = buffer;
  return info;
}

tinytpu::TinyTpuConfig config_of(const tinytpu_ioc_info& info) {
  tinytpu::TinyTpuConfig config;
  config.matrix_width = info.matrix_width;
  config.weight_depth = info.weight_buffer_depth;
  config.unified_buffer_depth = info.unified_buffer_depth;
  return config;
}

Words words_of(const ::tinytpu_instruction& instruction) {
  return {instruction.lower, instruction.middle, instruction.upper};
}

tinytpu_refusal check(const tinytpu_ioc_info& info, const std::vector<Words>& program, uint64_t* bad = nullptr) {
  __u64 number = 0;
  const tinytpu_refusal refusal = tinytpu_check_program(&info, program.data(), program.size(), &number);
  if (bad != nullptr) *bad = number;
  return refusal;
}

/// A number at or near a border, or anywhere in `bits` bits.
uint64_t number_near(Dice& dice, uint64_t border, unsigned bits) {
  const uint64_t most = (uint64_t{1} << bits) - 1;
  switch (dice.from_to(0, 3)) {
    case 0:
      return std::min(most, border + dice.from_to(0, 2));
    case 1:
      return border >= 2 ? std::min(most, border - dice.from_to(0, 2)) : border;
    case 2:
      return dice.from_to(0, 20);
    default:
      return dice.source()() & most;
  }
}

tinytpu::Instruction random_instruction(Dice& dice, const tinytpu_ioc_info& info) {
  static constexpr uint8_t kOpcodes[] = {0x00, 0x08, 0x09, 0x20, 0x21, 0x22, 0x23, 0x80,
                                         0x81, 0x89, 0x90, 0x91, 0x99, 0x82, 0xFF};
  tinytpu::Instruction in;
  in.opcode = dice.one_in(4) ? static_cast<uint8_t>(dice.source()()) : kOpcodes[dice.from_to(0, 14)];
  const bool weights = in.kind() == tinytpu::InstructionKind::read_weights;
  const uint32_t depth = weights ? info.weight_buffer_depth : info.unified_buffer_depth;
  in.length = static_cast<uint32_t>(number_near(dice, dice.one_in(2) ? depth : 512, 32));
  if (weights) {
    in.set_weight_address(number_near(dice, depth - std::min(depth, in.length), 40));
  } else {
    in.buffer = static_cast<uint32_t>(number_near(dice, depth - std::min(depth, in.length), 24));
    in.accumulator = static_cast<uint16_t>(number_near(dice, 512 - std::min(512u, in.length), 16));
  }
  if (dice.one_in(8)) in.length = 0, in.buffer = 0, in.accumulator = 0;
  return in;
}

/// Opcodes that an assembler writes and that the hardware carries out.
bool is_canonical(uint8_t opcode) {
  if (opcode == 0x00 || opcode == 0x08 || opcode == 0x09 || (opcode >= 0x20 && opcode <= 0x23) || opcode == 0xFF)
    return true;
  const unsigned code = opcode & 0x0Fu;
  return opcode >= 0x80 && opcode <= 0x9F && (code == 0 || code == 1 || code == 9);
}

/// What the model finds in the instruction by itself: rows beyond a memory.
bool model_finds_rows_beyond(const tinytpu::Instruction& in, const tinytpu_ioc_info& info) {
  tinytpu::HazardReport report(true, 32);
  tinytpu::check_instruction({in, 0, 0}, config_of(info), report);
  return report.count(tinytpu::HazardKind::address_wrapped) + report.count(tinytpu::HazardKind::longer_than_buffer) > 0;
}

TEST(LinuxProgram, is_refused_exactly_where_the_model_finds_rows_beyond_a_memory_or_no_such_instruction) {
  Dice dice(1);
  unsigned accepted = 0, refused = 0;
  for (int round = 0; round < 200000; ++round) {
    const tinytpu_ioc_info info =
        sizes(dice.from_to(2, 256), dice.from_to(1, 40000), dice.one_in(2) ? 4096 : dice.from_to(1, 5000));
    const tinytpu::Instruction in = random_instruction(dice, info);
    const auto encoded = encode(in);
    const Words words{encoded[0], encoded[1], encoded[2]};
    const tinytpu_refusal refusal = tinytpu_check_instruction(&info, &words, 1);
    const bool empty = in.opcode == 0x00 || in.opcode == 0xFF;
    if (in.length == 0 && !empty) continue;  // no rows: the model asks nothing of their address
    const bool good = is_canonical(in.opcode) && !model_finds_rows_beyond(in, info) &&
                      (!empty || (in.length == 0 && in.weight_address() == 0));
    ASSERT_EQ(refusal == TINYTPU_ACCEPTED, good) << to_hex(in) << " by " << refusal;
    ++(good ? accepted : refused);
  }
  EXPECT_GT(accepted, 20000u);
  EXPECT_GT(refused, 20000u);
}

TEST(LinuxProgram, of_any_words_is_checked_without_harm) {
  Dice dice(2);
  for (int round = 0; round < 20000; ++round) {
    const tinytpu_ioc_info info = sizes(dice.from_to(2, 256), dice.from_to(1, 40000), dice.from_to(1, 5000));
    std::vector<Words> program(dice.from_to(1, 8));
    for (Words& words : program) {
      words = {static_cast<__u32>(dice.source()()), static_cast<__u32>(dice.source()()),
               static_cast<__u32>(dice.source()())};
      if (!dice.one_in(4)) words.upper &= 0xFFFF;
    }
    uint64_t bad = 0;
    if (check(info, program, &bad) == TINYTPU_ACCEPTED) continue;
    ASSERT_LT(bad, program.size());
  }
}

TEST(LinuxProgram, names_the_first_bad_instruction_and_the_reason) {
  const tinytpu_ioc_info info = sizes(14, 100, 50);
  const Words nop{0, 0, 0}, synchronize{0xFF, 0, 0};
  const auto reason = [&](const Words& words) {
    uint64_t bad = 0;
    const tinytpu_refusal refusal = check(info, {nop, words, nop}, &bad);
    EXPECT_EQ(bad, refusal == TINYTPU_ACCEPTED ? 0u : 1u);
    return refusal;
  };
  EXPECT_EQ(reason(nop), TINYTPU_ACCEPTED);
  EXPECT_EQ(reason(synchronize), TINYTPU_INNER_SYNCHRONIZE);
  EXPECT_EQ(reason(words_of(tinytpu_read_weights(90, 10, true))), TINYTPU_ACCEPTED);
  EXPECT_EQ(reason(words_of(tinytpu_read_weights(90, 11, true))), TINYTPU_WEIGHT_ROWS);
  EXPECT_EQ(reason(words_of(tinytpu_read_weights(0, 0, true))), TINYTPU_ACCEPTED) << "it holds the next one back";
  EXPECT_EQ(reason(words_of(tinytpu_matrix_multiply(40, 498, 10, 3))), TINYTPU_ACCEPTED);
  EXPECT_EQ(reason(words_of(tinytpu_matrix_multiply(41, 0, 10, 0))), TINYTPU_BUFFER_ROWS);
  EXPECT_EQ(reason(words_of(tinytpu_matrix_multiply(0, 499, 14, 0))), TINYTPU_ACCUMULATOR_ROWS_BEYOND);
  EXPECT_EQ(reason(words_of(tinytpu_matrix_multiply(0, 498, 50, 0))), TINYTPU_ACCEPTED) << "its rows come round";
  EXPECT_EQ(reason(words_of(tinytpu_activate(40, 502, 10, TINYTPU_RELU, true))), TINYTPU_ACCEPTED);
  EXPECT_EQ(reason(words_of(tinytpu_activate(40, 503, 10, TINYTPU_RELU, true))), TINYTPU_ACCUMULATOR_ROWS_BEYOND);
  EXPECT_EQ(reason({0x92 | 1 << 8, 0, 0}), TINYTPU_BAD_ACTIVATION);
  EXPECT_EQ(reason({0x02, 0, 0}), TINYTPU_BAD_OPCODE);
  EXPECT_EQ(reason({0, 0, 0x10000}), TINYTPU_BAD_WORD);
}

TEST(LinuxProgram, has_at_most_as_many_instructions_as_the_driver_says_its_synchronize_included) {
  const tinytpu_ioc_info info = sizes(14, 100, 50);
  std::vector<Words> program(TINYTPU_MAX_INSTRUCTIONS - 1);
  EXPECT_EQ(check(info, program), TINYTPU_ACCEPTED);
  program.push_back({0xFF, 0, 0});
  EXPECT_EQ(check(info, program), TINYTPU_ACCEPTED);
  program.back() = {0, 0, 0};
  EXPECT_EQ(check(info, program), TINYTPU_TOO_LONG) << "no room for the synchronize that closes it";
  program.push_back({0xFF, 0, 0});
  EXPECT_EQ(check(info, program), TINYTPU_TOO_LONG);
  EXPECT_EQ(check(info, {}), TINYTPU_EMPTY);
}

TEST(LinuxLayout, is_the_devices_at_every_size) {
  Dice dice(3);
  for (int round = 0; round < 2000; ++round) {
    const tinytpu_ioc_info info = sizes(dice.from_to(2, 256), dice.from_to(1, 70000), dice.from_to(1, 70000));
    const tinytpu::MemoryMap map(config_of(info));
    struct tinytpu_layout layout;
    ASSERT_EQ(tinytpu_lay_out(&info, &layout), 0);
    EXPECT_EQ(layout.stride, map.stride());
    EXPECT_EQ(layout.unified_offset, map.unified_buffer_offset());
    EXPECT_EQ(layout.instruction_offset, map.instruction_offset());
    EXPECT_EQ(layout.window_size, map.window());
  }
}

TEST(LinuxLayout, of_sizes_that_cannot_be_is_refused) {
  struct tinytpu_layout layout;
  for (const tinytpu_ioc_info& info : {sizes(0, 1, 1), sizes(1, 1, 1), sizes(257, 1, 1), sizes(14, 0, 1),
                                       sizes(14, 1, 0), sizes(256, 0xFFFFFFFF, 1), sizes(256, 1, 0xFFFFFFFF)}) {
    EXPECT_EQ(tinytpu_lay_out(&info, &layout), -1);
  }
}

TEST(LinuxFeed, stores_the_three_words_of_each_instruction_up_to_the_last) {
  uint32_t port[4] = {7, 0, 0, 0xAAAA0000};
  const Words program[2] = {{1, 2, 3}, {0x11223344, 0x55667788, 0x99AA}};
  tinytpu_feed(port, program, program + 2);
  EXPECT_EQ(port[0], 7u) << "the runtime counter is not written";
  EXPECT_EQ(port[1], 0x11223344u);
  EXPECT_EQ(port[2], 0x55667788u);
  EXPECT_EQ(port[3], 0xAAAA99AAu) << "the upper word by 16 bits";
  tinytpu_feed(port, program, program + 1);
  EXPECT_EQ(port[1], 1u) << "nothing behind the end is fed";
}

/// A device whose buffers are memory and whose programs are written down.
struct Recorded {
  explicit Recorded(const tinytpu_geometry& geometry, size_t room = TINYTPU_MAX_INSTRUCTIONS) : words(room) {
    tinytpu_window window;
    EXPECT_TRUE(tinytpu_layout(&geometry, &window));
    memory.resize(window.size / 4);
    EXPECT_EQ(tinytpu_init(&device, reinterpret_cast<uintptr_t>(memory.data()), &geometry), 0);
    tinytpu_record(&device, &recorder, reinterpret_cast<uint32_t(*)[3]>(words.data()), room, submit);
    current = this;
    device.wait = [](void*, const volatile uint32_t*, uint32_t) { tinytpu_interrupt(&current->device); };
  }

  static void submit(tinytpu_recorder* recorder) {
    if (recorder->overflowed != 0) return;
    const auto* begin = reinterpret_cast<const Words*>(recorder->words);
    current->programs.emplace_back(begin, begin + recorder->count);
  }

  static Recorded* current;
  std::vector<uint32_t> memory;
  std::vector<Words> words;
  ::tinytpu device{};
  tinytpu_recorder recorder{};
  std::vector<std::vector<Words>> programs;
};

Recorded* Recorded::current;

TEST(LinuxRecorder, submits_what_stands_before_a_synchronize_with_it) {
  Recorded recorded({14, 100, 50});
  tinytpu_push(&recorded.device, tinytpu_read_weights(3, 14, true));
  tinytpu_push(&recorded.device, tinytpu_matrix_multiply(7, 1, 14, TINYTPU_SIGNED_DATA));
  EXPECT_TRUE(recorded.programs.empty());
  tinytpu_synchronize(&recorded.device);
  ASSERT_EQ(recorded.programs.size(), 1u);
  const std::vector<Words>& program = recorded.programs[0];
  ASSERT_EQ(program.size(), 3u);
  const Words expected = words_of(tinytpu_matrix_multiply(7, 1, 14, TINYTPU_SIGNED_DATA));
  EXPECT_EQ(program[1].lower, expected.lower);
  EXPECT_EQ(program[1].middle, expected.middle);
  EXPECT_EQ(program[1].upper, expected.upper);
  EXPECT_EQ(program[2].lower, 0xFFu);
  recorded.recorder.runtime = 99;
  EXPECT_EQ(tinytpu_runtime(&recorded.device), 99u);
}

TEST(LinuxRecorder, keeps_a_program_back_that_has_no_room) {
  Recorded recorded({14, 100, 50}, 4);
  for (int i = 0; i < 3; ++i) tinytpu_push(&recorded.device, tinytpu_nop());
  tinytpu_synchronize(&recorded.device);
  EXPECT_EQ(recorded.programs.size(), 1u);
  for (int i = 0; i < 4; ++i) tinytpu_push(&recorded.device, tinytpu_nop());
  tinytpu_synchronize(&recorded.device);
  EXPECT_EQ(recorded.programs.size(), 1u);
  EXPECT_NE(recorded.recorder.overflowed, 0);
}

TEST(LinuxRecorder, writes_networks_down_that_the_module_accepts) {
  std::ifstream file(VP_SOURCE_DIR "/sw/digits/digits.bin", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  digits_data data;
  ASSERT_EQ(digits_data_open(&data, bytes.data(), bytes.size()), 0);
  for (uint32_t width : {2, 3, 6, 7, 14, 16, 32, 100, 256}) {
    Recorded recorded({width, 32768, 4096});
    mlp network;
    ASSERT_EQ(mlp_init(&network, &recorded.device, data.layers, data.layer_count), 0);
    mlp_load_weights(&network);
    std::vector<uint8_t> outputs(size_t{data.images} * data.classes);
    mlp_run(&network, data.inputs, data.images, outputs.data());
    EXPECT_EQ(recorded.recorder.overflowed, 0);
    ASSERT_GE(recorded.programs.size(), data.layer_count);
    for (const auto& program : recorded.programs) {
      uint64_t bad = 0;
      EXPECT_EQ(check(sizes(width, 32768, 4096), program, &bad), TINYTPU_ACCEPTED) << width << ": " << bad;
    }
  }
}

}  // namespace
}  // namespace vp::test
