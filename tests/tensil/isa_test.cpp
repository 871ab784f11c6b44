#include "models/tensil/isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/tensil/asm.h"
#include "tests/support/dice.h"

namespace vp::tensil {
namespace {

using ::testing::ElementsAre;
using Bytes = std::vector<std::uint8_t>;

const Architecture& architecture_named(const std::string& name) {
  for (const Preset& preset : presets())
    if (name == preset.name) return preset.architecture;
  throw std::logic_error("no preset " + name);
}

Bytes bytes_of(const std::string& preset, Encoding encoding, const std::string& text) {
  return assemble(Layout(architecture_named(preset), encoding), text, "test");
}

TEST(TensilIsa, operands_are_as_wide_as_the_published_summaries_say) {
  struct Widths {
    const char* preset;
    unsigned operand0, operand1, operand2, bytes;
  };
  for (const Widths& expected :
       {Widths{"pynqz1", 16, 24, 16, 8}, Widths{"artya7100t", 16, 24, 16, 8}, Widths{"cmoda7", 16, 24, 16, 8},
        Widths{"ultra96v2", 24, 24, 16, 9}, Widths{"zcu104", 24, 24, 16, 9}, Widths{"zcu104_uram", 24, 24, 16, 9}}) {
    const Layout layout(architecture_named(expected.preset), Encoding::v1);
    EXPECT_EQ(layout.operand_bits(0), expected.operand0) << expected.preset;
    EXPECT_EQ(layout.operand_bits(1), expected.operand1) << expected.preset;
    EXPECT_EQ(layout.operand_bits(2), expected.operand2) << expected.preset;
    EXPECT_EQ(layout.instruction_bytes(), expected.bytes) << expected.preset;
  }
}

TEST(TensilIsa, a_stride_stands_above_the_widest_address) {
  EXPECT_THAT(bytes_of("pynqz1", Encoding::v1, "data_move.dram0_to_local 5, 0x12345*2, 10"),
              ElementsAre(0x05, 0x00, 0x45, 0x23, 0x11, 0x09, 0x00, 0x20));
}

TEST(TensilIsa, a_simd_instruction_holds_its_destination_lowest) {
  EXPECT_THAT(bytes_of("pynqz1", Encoding::v1, "simd.read.write max 7, 3, input, r1, output"),
              ElementsAre(0x07, 0x00, 0x03, 0x00, 0x00, 0x7A, 0x00, 0x43));
}

TEST(TensilIsa, configure_holds_the_value_above_the_register_and_differs_in_its_opcode) {
  EXPECT_THAT(bytes_of("ultra96v2", Encoding::v1, "configure 4, 0x4400"),
              ElementsAre(0x04, 0x40, 0x04, 0, 0, 0, 0, 0, 0xF0));
  EXPECT_THAT(bytes_of("ultra96v2", Encoding::v2, "configure 4, 0x4400"),
              ElementsAre(0x04, 0x40, 0x04, 0, 0, 0, 0, 0, 0x70));
}

TEST(TensilIsa, the_thread_stands_above_the_opcode_of_the_newer_encoding) {
  Architecture threaded = architecture_named("pynqz1");
  threaded.number_of_threads = 2;
  const Layout layout(threaded, Encoding::v2);
  EXPECT_EQ(assemble(layout, "[1] load_weight.zeroes 0, 1", "test").back(), 0xB1);
  EXPECT_THAT(assemble(layout, "[1] wait 0", "test"), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0x80));
}

TEST(TensilIsa, bits_of_no_field_are_ignored) {
  const Layout layout(architecture_named("pynqz1"), Encoding::v1);
  Bytes bytes = bytes_of("pynqz1", Encoding::v1, "simd.write move 7, 0, r1, r1, output");
  const Instruction expected = layout.decode(bytes.data());
  bytes[1] |= 0xE0;  // stride and padding of operand 0
  bytes[6] |= 0xFF;  // above the SIMD operation
  EXPECT_TRUE(layout.decode(bytes.data()) == expected);
}

TEST(TensilIsa, opcodes_without_meaning_are_reserved) {
  const Layout v1(architecture_named("pynqz1"), Encoding::v1), v2(architecture_named("pynqz1"), Encoding::v2);
  for (std::uint32_t opcode = 6; opcode < 15; ++opcode) EXPECT_EQ(v1.operation_of(opcode), Operation::reserved);
  EXPECT_EQ(v2.operation_of(6), Operation::reserved);
}

/// Any architecture that can be.
Architecture drawn_architecture(Dice& dice) {
  Architecture made;
  made.array_size = dice.from_to(1, 40);
  made.dram0_depth = dice.from_to(2, 1u << dice.from_to(1, 24));
  made.dram1_depth = dice.from_to(2, 1u << dice.from_to(1, 24));
  made.local_depth = dice.from_to(2, 1u << dice.from_to(1, 16));
  made.accumulator_depth = dice.from_to(2, 1u << dice.from_to(1, 16));
  made.simd_registers_depth = dice.from_to(0, 9);
  made.stride0_depth = dice.from_to(1, 32);
  made.stride1_depth = dice.from_to(1, 32);
  made.number_of_threads = dice.from_to(1, 4);
  return made;
}

TEST(TensilIsa, any_bytes_decode_to_what_encodes_to_the_same_fields) {
  Dice dice(1);
  for (int round = 0; round < 3000; ++round) {
    const Layout layout(drawn_architecture(dice), dice.one_in(2) ? Encoding::v1 : Encoding::v2);
    ASSERT_LE(layout.instruction_bytes(), kLongestInstruction);
    InstructionBytes bytes{};
    for (unsigned i = 0; i < layout.instruction_bytes(); ++i) bytes[i] = static_cast<std::uint8_t>(dice.source()());
    const Instruction in = layout.decode(bytes.data());
    ASSERT_TRUE(layout.decode(layout.encode(in).data()) == in);
  }
}

TEST(TensilAsm, any_program_comes_back_byte_for_byte_from_its_text) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const Layout layout(drawn_architecture(dice), dice.one_in(2) ? Encoding::v1 : Encoding::v2);
    Bytes program;
    for (unsigned i = 0; i < 20; ++i) {
      InstructionBytes bytes{};
      for (unsigned b = 0; b < layout.instruction_bytes(); ++b) bytes[b] = static_cast<std::uint8_t>(dice.source()());
      if (!dice.one_in(4)) bytes = layout.encode(layout.decode(bytes.data()));  // most without stray bits
      program.insert(program.end(), bytes.begin(), bytes.begin() + layout.instruction_bytes());
    }
    if (dice.one_in(3)) program.resize(program.size() - 1);
    const std::string text = disassemble(layout, program.data(), program.size());
    ASSERT_EQ(assemble(layout, text, "test"), program) << text;
  }
}

TEST(TensilAsm, comments_and_empty_lines_are_no_instructions) {
  EXPECT_EQ(bytes_of("pynqz1", Encoding::v1, "# nothing\n\n  no_op ; and this\n").size(), 8u);
}

TEST(TensilAsm, complaints_name_line_and_column) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      bytes_of("pynqz1", Encoding::v1, text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("no_op\n  mat_mull 1, 2, 3"), "test:2:3: 'mat_mull' is no instruction");
  EXPECT_EQ(complaint("mat_mul.quick 1, 2, 3"), "test:1:1: 'quick' is no flag of this instruction");
  EXPECT_EQ(complaint("data_move.dram2_to_local 1, 2, 3"), "test:1:1: 'dram2_to_local' is no data flow");
  EXPECT_EQ(complaint("mat_mul 1, 2, 0"), "test:1:15: at least one vector is moved");
  EXPECT_EQ(complaint("mat_mul 1*3, 2, 1"), "test:1:11: a step is a power of two");
  EXPECT_EQ(complaint("mat_mul 1 2, 1"), "test:1:11: ',' is expected");
  EXPECT_EQ(complaint("mat_mul 1, 2, 3 4"), "test:1:17: nothing more is expected here");
  EXPECT_EQ(complaint("load_weight 9000, 1"), "test:1:19: an operand is larger than its field in this architecture");
  EXPECT_EQ(complaint("simd maximal 1, 2, r1, r1, output"), "test:1:6: 'maximal' is no SIMD operation");
  EXPECT_EQ(complaint("simd max 1, 2, one, r1, output"), "test:1:16: 'input' or a register is expected, not 'one'");
  EXPECT_EQ(complaint("bytes 0 11"), "test:1:7: a byte of two hexadecimal digits is expected, not '0'");
  EXPECT_EQ(complaint("wait 1"), "test:1:1: 'wait' is no instruction");
}

}  // namespace
}  // namespace vp::tensil
