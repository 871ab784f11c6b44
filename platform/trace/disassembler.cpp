#include "platform/trace/disassembler.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "models/cpu/csrs.h"
#include "models/cpu/isa.h"
#include "models/cpu/opcodes.h"

namespace vp {

namespace {

using cpu::Instruction;
using cpu::InstructionClass;
using cpu::InstructionFormat;
using cpu::Opcode;

/// By Opcode, from the one list of instructions.
constexpr std::array kNames = {
#define X(name, match, mask, format, cls, width) #name,
    VP_CPU_OPCODES(X)
#undef X
};

template <typename... Arguments>
std::string format_text(const char* pattern, Arguments... arguments) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), pattern, arguments...);
  return text.data();
}

/// C++ keywords carry a "_" behind them in the list; else "_" stands for ".".
std::string mnemonic(const Instruction& instruction) {
  std::string name = kNames[static_cast<std::size_t>(instruction.opcode)];
  if (name.back() == '_') name.pop_back();
  std::replace(name.begin(), name.end(), '_', '.');
  if (instruction.cls == InstructionClass::kAmo) {
    if (instruction.encoding >> 26 & 1) name += ".aq";
    if (instruction.encoding >> 25 & 1) name += (instruction.encoding >> 26 & 1) ? "rl" : ".rl";
  }
  return name;
}

std::string fence_set(std::uint32_t bits) {
  std::string set;
  for (unsigned i = 0; i < 4; ++i)
    if (bits >> (3 - i) & 1) set += "iorw"[i];
  return set.empty() ? "unknown" : set;
}

bool has_one_source(Opcode opcode) {
  if (cpu::is_double(opcode)) opcode = cpu::single_form(opcode);
  return opcode == Opcode::fsqrt_s || opcode == Opcode::fclass_s || opcode == Opcode::fcvt_s_d ||
         (opcode >= Opcode::fcvt_w_s && opcode <= Opcode::fmv_w_x);
}

/// ",rtz"; empty for the usual mode: dynamic, or the first where the result is always exact.
std::string rounding_of(const Instruction& in) {
  static constexpr std::array<const char*, 8> kModes = {"rne", "rtz", "rdn", "rup", "rmm", "unknown", "unknown", "dyn"};
  const bool exact = in.opcode == Opcode::fcvt_d_s || in.opcode == Opcode::fcvt_d_w || in.opcode == Opcode::fcvt_d_wu;
  const unsigned mode = cpu::rounding_field(in.imm);
  return mode == (exact ? 0 : cpu::kDynamicRounding) ? "" : std::string(",") + kModes[mode];
}

/// Of an instruction of F or D between registers.
std::string float_operands_of(const Instruction& in) {
  const cpu::FloatOperands floats = cpu::float_operands(in.opcode);
  const auto name = [](bool floating, unsigned reg) {
    return floating ? float_register_name(reg % 32) : register_name(reg % 32);
  };
  std::string text = std::string(name(floats.rd, in.rd)) + "," + name(floats.rs1, in.rs1);
  if (!has_one_source(in.opcode)) text += std::string(",") + name(floats.rs2, in.rs2);
  if (floats.rs3) text += std::string(",") + name(true, cpu::third_source(in.imm));
  return floats.rounding ? text + rounding_of(in) : text;
}

std::string operands_of(const Instruction& in, std::uint64_t pc, unsigned xlen) {
  const char* rd = register_name(in.rd);
  const char* rs1 = register_name(in.rs1 % 32);
  const char* rs2 = register_name(in.rs2 % 32);
  const std::uint64_t target =
      (pc + static_cast<std::uint64_t>(static_cast<std::int64_t>(in.imm))) & (xlen == 32 ? 0xFFFF'FFFFu : ~0ull);
  const auto target_text = static_cast<unsigned long long>(target);
  switch (cpu::format_of(in.opcode)) {
    case InstructionFormat::kR:
      if (in.opcode == Opcode::sfence_vma) return format_text("%s,%s", rs1, rs2);
      if (in.cls != InstructionClass::kAmo) return format_text("%s,%s,%s", rd, rs1, rs2);
      if (in.opcode == Opcode::lr_w || in.opcode == Opcode::lr_d) return format_text("%s,(%s)", rd, rs1);
      return format_text("%s,%s,(%s)", rd, rs2, rs1);
    case InstructionFormat::kI:
      if (in.cls == InstructionClass::kLoad || in.opcode == Opcode::jalr)
        return format_text("%s,%d(%s)", rd, in.imm, rs1);
      return format_text("%s,%s,%d", rd, rs1, in.imm);
    case InstructionFormat::kShift:
      return format_text("%s,%s,0x%x", rd, rs1, static_cast<unsigned>(in.imm));
    case InstructionFormat::kS:
      return format_text("%s,%d(%s)", rs2, in.imm, rs1);
    case InstructionFormat::kB:
      return format_text("%s,%s,0x%llx", rs1, rs2, target_text);
    case InstructionFormat::kJ:
      return format_text("%s,0x%llx", rd, target_text);
    case InstructionFormat::kU:
      return format_text("%s,0x%x", rd, static_cast<std::uint32_t>(in.imm) >> 12);
    case InstructionFormat::kCsr: {
      const unsigned number = static_cast<std::uint32_t>(in.imm) & 0xFFF;
      const std::string name = cpu::csr_name(number);
      const std::string csr = name.empty() ? format_text("0x%x", number) : name;
      const bool immediate = in.opcode == Opcode::csrrwi || in.opcode == Opcode::csrrsi || in.opcode == Opcode::csrrci;
      return immediate ? format_text("%s,%s,%u", rd, csr.c_str(), static_cast<unsigned>(in.rs1))
                       : format_text("%s,%s,%s", rd, csr.c_str(), rs1);
    }
    case InstructionFormat::kFloatLoad:
      return format_text("%s,%d(%s)", float_register_name(in.rd), in.imm, rs1);
    case InstructionFormat::kFloatStore:
      return format_text("%s,%d(%s)", float_register_name(in.rs2 % 32), in.imm, rs1);
    case InstructionFormat::kFloatFused:
    case InstructionFormat::kFloatRounded:
    case InstructionFormat::kFloatExact:
    case InstructionFormat::kFloatToRounded:
    case InstructionFormat::kFloatToExact:
    case InstructionFormat::kFloatFromRounded:
    case InstructionFormat::kFloatFromExact:
      return float_operands_of(in);
    case InstructionFormat::kNone:
      break;
  }
  if (in.opcode == Opcode::fence) return fence_set(in.encoding >> 24 & 15) + "," + fence_set(in.encoding >> 20 & 15);
  return "";
}

}  // namespace

const char* register_name(unsigned index) {
  static constexpr std::array<const char*, 32> names = {
      "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
      "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return names.at(index);
}

const char* float_register_name(unsigned index) {
  static constexpr std::array<const char*, 32> names = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                                        "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                                        "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                                        "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
  return names.at(index);
}

std::string disassemble(std::uint32_t encoding, std::uint64_t pc, unsigned xlen) {
  Instruction instruction = cpu::decode(encoding, xlen, true);
  if (instruction.opcode == Opcode::illegal)
    return instruction.length == 2 ? format_text(".half 0x%x", encoding & 0xFFFF) : format_text(".word 0x%x", encoding);
  if (instruction.length == 2) instruction.encoding = cpu::expand_compressed(encoding & 0xFFFF, xlen, true);
  const std::string text = operands_of(instruction, pc, xlen);
  return text.empty() ? mnemonic(instruction) : mnemonic(instruction) + " " + text;
}

}  // namespace vp
