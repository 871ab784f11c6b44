// The disassembler against GNU objdump, which the cross compiler brings along.
#include "platform/trace/disassembler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "models/cpu/isa.h"
#include "models/cpu/opcodes.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

constexpr std::uint64_t kBase = 0;

/// Encodings of every instruction of the width: each pattern with random operand bits.
std::vector<std::uint32_t> random_encodings(unsigned xlen) {
  struct Pattern {
    std::uint32_t match;
    std::uint32_t mask;
  };
  static const std::vector<Pattern> patterns = {
#define X(name, match, mask, format, cls, width) {match, mask},
      VP_CPU_OPCODES(X)
#undef X
  };
  std::mt19937 random(7);
  std::vector<std::uint32_t> encodings;
  for (const Pattern& pattern : patterns)
    for (int i = 0; i < 20; ++i) {
      const auto encoding = static_cast<std::uint32_t>((random() & ~pattern.mask) | pattern.match);
      if (cpu::decode(encoding, xlen, true).opcode != cpu::Opcode::illegal) encodings.push_back(encoding);
    }
  return encodings;
}

/// objdump's text by address, tabs as spaces, without the "<symbol>" and "# comment" it adds.
std::map<std::uint64_t, std::string> objdump(const std::vector<std::uint32_t>& encodings, unsigned xlen) {
  const TemporaryFolder folder;
  const std::string code(reinterpret_cast<const char*>(encodings.data()), encodings.size() * 4);
  const std::string binary = folder.write("code.bin", code);
  const std::string command = "riscv64-unknown-elf-objdump -D -b binary -M no-aliases -m riscv:rv" +
                              std::to_string(xlen) + " " + binary + " > " + folder.path("out");
  std::map<std::uint64_t, std::string> lines;
  if (std::system(command.c_str()) != 0) return lines;
  std::istringstream out(TemporaryFolder::read(folder.path("out")));
  for (std::string line; std::getline(out, line);) {
    // "  4:<tab>00a50533<spaces and tab>add<tab>a0,a0,a0 <symbol> # comment"
    const std::size_t colon = line.find(":\t");
    if (colon == std::string::npos || line.find_first_not_of(" 0123456789abcdef") != colon) continue;
    std::string text = line.substr(line.find('\t', colon + 2) + 1);
    text.resize(std::min({text.size(), text.find(" <"), text.find('#')}));
    std::replace(text.begin(), text.end(), '\t', ' ');
    text.resize(text.find_last_not_of(' ') + 1);
    lines[std::stoull(line, nullptr, 16)] = text;
  }
  return lines;
}

void compare(unsigned xlen) {
  const std::vector<std::uint32_t> encodings = random_encodings(xlen);
  const auto expected = objdump(encodings, xlen);
  if (expected.empty()) GTEST_SKIP() << "riscv64-unknown-elf-objdump is not installed";
  ASSERT_EQ(expected.size(), encodings.size());
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    const std::string& text = expected.at(i * 4);
    const cpu::InstructionClass cls = cpu::decode(encodings[i], xlen, true).cls;
    // objdump names CSRs of extensions that the hart does not have, and takes no fence whose reserved fields are not
    // zero, which the manual says are to be ignored. It takes no rounding mode where it makes no difference.
    const bool refused = text[0] == '.';
    if (cls == cpu::InstructionClass::kCsr || (cls == cpu::InstructionClass::kFence && refused)) continue;
    if (cls == cpu::InstructionClass::kFloat && refused) continue;
    EXPECT_EQ(disassemble(encodings[i], kBase + i * 4, xlen), text) << std::hex << encodings[i];
  }
}

TEST(Disassembler, equals_objdump_for_rv64) { compare(64); }

TEST(Disassembler, equals_objdump_for_rv32) { compare(32); }

TEST(Disassembler, names_control_and_status_registers) {
  EXPECT_EQ(disassemble(0x30051573, 0, 64), "csrrw a0,mstatus,a0");
  EXPECT_EQ(disassemble(0x3a0fd073, 0, 64), "csrrwi zero,pmpcfg0,31");
  EXPECT_EQ(disassemble(0x7c002573, 0, 64), "csrrs a0,0x7c0,zero");
}

TEST(Disassembler, writes_compressed_instructions_as_what_they_abbreviate) {
  EXPECT_EQ(disassemble(0x0505, 0, 64), "addi a0,a0,1");
  EXPECT_EQ(disassemble(0x8082, 0, 64), "jalr zero,0(ra)");
}

TEST(Disassembler, names_floating_point_registers_and_rounding_modes) {
  EXPECT_EQ(disassemble(0x02b57553, 0, 64), "fadd.d fa0,fa0,fa1") << "dynamic";
  EXPECT_EQ(disassemble(0xc2051553, 0, 64), "fcvt.w.d a0,fa0,rtz");
  EXPECT_EQ(disassemble(0x2108, 0, 64), "fld fa0,0(a0)");
  EXPECT_EQ(disassemble(0xe006, 0, 32), "fsw ft1,0(sp)");
  EXPECT_EQ(disassemble(0x00302573, 0, 64), "csrrs a0,fcsr,zero");
}

TEST(Disassembler, shows_what_is_no_instruction_as_data) {
  EXPECT_EQ(disassemble(0xFFFFFFFF, 0, 64), ".word 0xffffffff");
  EXPECT_EQ(disassemble(0x0000, 0, 64), ".half 0x0");
}

}  // namespace
}  // namespace vp
