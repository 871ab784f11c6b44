#include "models/cpu/isa.h"

#include <array>
#include <cstddef>

namespace vp::cpu {
namespace {

enum class Width : std::uint8_t { kAny, k64 };

struct Pattern {
  Opcode opcode;
  std::uint32_t match;
  std::uint32_t mask;
  InstructionFormat format;
  InstructionClass cls;
  Width width;
};

constexpr Pattern kPatterns[] = {
#define X(name, match, mask, format, cls, width) \
  {Opcode::name, match, mask, InstructionFormat::format, InstructionClass::cls, Width::width},
    VP_CPU_OPCODES(X)
#undef X
};

/// Bits 6:2 (all 32-bit instructions have bits 1:0 = 3) and 14:12 of an encoding.
constexpr std::size_t index_of(std::uint32_t encoding) { return (encoding >> 2 & 31) << 3 | (encoding >> 12 & 7); }

/// Patterns by that, so that decoding looks at a few only.
class PatternIndex {
 public:
  constexpr PatternIndex() {
    std::size_t at = 0;
    for (std::size_t index = 0; index < kIndices; ++index) {
      firsts_[index] = static_cast<std::uint16_t>(at);
      for (std::size_t i = 0; i < std::size(kPatterns); ++i)
        if (fits(kPatterns[i], index)) patterns_[at++] = static_cast<std::uint8_t>(i);
    }
    firsts_[kIndices] = static_cast<std::uint16_t>(at);
  }
  constexpr const std::uint8_t* begin(std::size_t index) const { return patterns_.data() + firsts_[index]; }
  constexpr const std::uint8_t* end(std::size_t index) const { return patterns_.data() + firsts_[index + 1]; }

 private:
  static constexpr std::size_t kIndices = 256;
  static constexpr bool fits(const Pattern& pattern, std::size_t index) {
    const std::size_t bits = index_of(pattern.mask);
    return (index & bits) == (index_of(pattern.match) & bits);
  }

  std::array<std::uint16_t, kIndices + 1> firsts_{};
  std::array<std::uint8_t, 8 * std::size(kPatterns)> patterns_{};
};
constexpr PatternIndex kPatternIndex;
static_assert(std::size(kPatterns) <= 256);

constexpr std::uint32_t bits(std::uint32_t value, unsigned high, unsigned low) {
  return value >> low & ((1u << (high - low + 1)) - 1);
}
constexpr std::int32_t sign_extend(std::uint32_t value, unsigned width) {
  return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

std::int32_t immediate(std::uint32_t e, InstructionFormat format) {
  switch (format) {
    case InstructionFormat::kI:
    case InstructionFormat::kFloatLoad:
      return sign_extend(bits(e, 31, 20), 12);
    case InstructionFormat::kS:
    case InstructionFormat::kFloatStore:
      return sign_extend(bits(e, 31, 25) << 5 | bits(e, 11, 7), 12);
    case InstructionFormat::kB:
      return sign_extend(bits(e, 31, 31) << 12 | bits(e, 7, 7) << 11 | bits(e, 30, 25) << 5 | bits(e, 11, 8) << 1, 13);
    case InstructionFormat::kU:
      return static_cast<std::int32_t>(e & 0xfffff000u);
    case InstructionFormat::kJ:
      return sign_extend(bits(e, 31, 31) << 20 | bits(e, 19, 12) << 12 | bits(e, 20, 20) << 11 | bits(e, 30, 21) << 1,
                         21);
    case InstructionFormat::kShift:
      return static_cast<std::int32_t>(bits(e, 25, 20));
    case InstructionFormat::kCsr:
      return static_cast<std::int32_t>(bits(e, 31, 20));
    case InstructionFormat::kFloatFused:
    case InstructionFormat::kFloatRounded:
    case InstructionFormat::kFloatToRounded:
    case InstructionFormat::kFloatFromRounded:
      return static_cast<std::int32_t>(bits(e, 31, 27) << 3 | bits(e, 14, 12));
    case InstructionFormat::kR:
    case InstructionFormat::kNone:
    case InstructionFormat::kFloatExact:
    case InstructionFormat::kFloatToExact:
    case InstructionFormat::kFloatFromExact:
      break;
  }
  return 0;
}

// Encoders for the expansion of compressed instructions.
constexpr std::uint32_t encode_i(std::uint32_t match, std::uint32_t rd, std::uint32_t rs1, std::int32_t imm) {
  return match | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(imm) << 20;
}
constexpr std::uint32_t encode_s(std::uint32_t match, std::uint32_t rs1, std::uint32_t rs2, std::uint32_t imm) {
  return match | bits(imm, 4, 0) << 7 | rs1 << 15 | rs2 << 20 | bits(imm, 11, 5) << 25;
}
constexpr std::uint32_t encode_r(std::uint32_t match, std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
  return match | rd << 7 | rs1 << 15 | rs2 << 20;
}
constexpr std::uint32_t encode_b(std::uint32_t match, std::uint32_t rs1, std::int32_t offset) {
  const auto o = static_cast<std::uint32_t>(offset);
  return match | bits(o, 11, 11) << 7 | bits(o, 4, 1) << 8 | rs1 << 15 | bits(o, 10, 5) << 25 | bits(o, 12, 12) << 31;
}
constexpr std::uint32_t encode_j(std::uint32_t rd, std::int32_t offset) {
  const auto o = static_cast<std::uint32_t>(offset);
  return 0x6f | rd << 7 | bits(o, 19, 12) << 12 | bits(o, 11, 11) << 20 | bits(o, 10, 1) << 21 | bits(o, 20, 20) << 31;
}

constexpr std::uint32_t kLw = 0x2003, kLd = 0x3003, kSw = 0x2023, kSd = 0x3023, kFlw = 0x2007, kFld = 0x3007,
                        kFsw = 0x2027, kFsd = 0x3027, kAddi = 0x13, kAddiw = 0x1b, kLui = 0x37, kSlli = 0x1013,
                        kSrli = 0x5013, kSrai = 0x40005013, kAndi = 0x7013, kAdd = 0x33, kJalr = 0x67, kBeq = 0x63,
                        kBne = 0x1063, kEbreak = 0x00100073;

constexpr std::int32_t imm6(std::uint32_t h) { return sign_extend(bits(h, 12, 12) << 5 | bits(h, 6, 2), 6); }
constexpr std::uint32_t uimm6(std::uint32_t h) { return bits(h, 12, 12) << 5 | bits(h, 6, 2); }
constexpr std::int32_t jump_offset(std::uint32_t h) {
  return sign_extend(bits(h, 12, 12) << 11 | bits(h, 8, 8) << 10 | bits(h, 10, 9) << 8 | bits(h, 6, 6) << 7 |
                         bits(h, 7, 7) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 11) << 4 | bits(h, 5, 3) << 1,
                     12);
}
constexpr std::int32_t branch_offset(std::uint32_t h) {
  return sign_extend(
      bits(h, 12, 12) << 8 | bits(h, 6, 5) << 6 | bits(h, 2, 2) << 5 | bits(h, 11, 10) << 3 | bits(h, 4, 3) << 1, 9);
}

/// Quadrant 0: loads and stores with registers x8 to x15.
std::uint32_t expand_quadrant0(std::uint32_t h, unsigned xlen, bool floating) {
  const std::uint32_t near = 8 + bits(h, 4, 2), base = 8 + bits(h, 9, 7);  // rd' or rs2', rs1'
  const std::uint32_t word_offset = bits(h, 5, 5) << 6 | bits(h, 12, 10) << 3 | bits(h, 6, 6) << 2;
  const std::uint32_t double_offset = bits(h, 6, 5) << 6 | bits(h, 12, 10) << 3;
  switch (h >> 13 & 7) {
    case 0: {  // c.addi4spn; a zero immediate is reserved, with rd' = 0 the defined illegal instruction
      const std::uint32_t offset = bits(h, 10, 7) << 6 | bits(h, 12, 11) << 4 | bits(h, 5, 5) << 3 | bits(h, 6, 6) << 2;
      return offset == 0 ? 0 : encode_i(kAddi, near, 2, static_cast<std::int32_t>(offset));
    }
    case 1:
      return floating ? encode_i(kFld, near, base, static_cast<std::int32_t>(double_offset)) : 0;
    case 2:
      return encode_i(kLw, near, base, static_cast<std::int32_t>(word_offset));
    case 3:  // c.ld, on RV32 c.flw
      if (xlen == 64) return encode_i(kLd, near, base, static_cast<std::int32_t>(double_offset));
      return floating ? encode_i(kFlw, near, base, static_cast<std::int32_t>(word_offset)) : 0;
    case 5:
      return floating ? encode_s(kFsd, base, near, double_offset) : 0;
    case 6:
      return encode_s(kSw, base, near, word_offset);
    case 7:  // c.sd, on RV32 c.fsw
      if (xlen == 64) return encode_s(kSd, base, near, double_offset);
      return floating ? encode_s(kFsw, base, near, word_offset) : 0;
    default:
      return 0;
  }
}

/// Quadrant 1, funct3 = 4: shifts and register operations on x8 to x15.
std::uint32_t expand_arithmetic(std::uint32_t h, unsigned xlen) {
  const std::uint32_t rd = 8 + bits(h, 9, 7), rs2 = 8 + bits(h, 4, 2);
  const bool big_shift = xlen == 32 && bits(h, 12, 12);  // shift by 32 or more: reserved on RV32
  switch (bits(h, 11, 10)) {
    case 0:
      return big_shift ? 0 : encode_i(kSrli, rd, rd, static_cast<std::int32_t>(uimm6(h)));
    case 1:
      return big_shift ? 0 : encode_i(kSrai, rd, rd, static_cast<std::int32_t>(uimm6(h)));
    case 2:
      return encode_i(kAndi, rd, rd, imm6(h));
    default:
      break;
  }
  constexpr std::array<std::uint32_t, 8> kMatch = {0x40000033, 0x4033,     0x6033, 0x7033,  // sub xor or and
                                                   0x4000003b, 0x0000003b, 0,      0};      // subw addw
  const std::uint32_t which = bits(h, 12, 12) << 2 | bits(h, 6, 5);
  if (kMatch[which] == 0 || (which >= 4 && xlen != 64)) return 0;
  return encode_r(kMatch[which], rd, rd, rs2);
}

std::uint32_t expand_quadrant1(std::uint32_t h, unsigned xlen) {
  const std::uint32_t rd = bits(h, 11, 7);
  switch (h >> 13 & 7) {
    case 0:
      return encode_i(kAddi, rd, rd, imm6(h));  // c.nop, c.addi and their hints
    case 1:
      if (xlen == 32) return encode_j(1, jump_offset(h));      // c.jal
      return rd == 0 ? 0 : encode_i(kAddiw, rd, rd, imm6(h));  // c.addiw
    case 2:
      return encode_i(kAddi, rd, 0, imm6(h));  // c.li
    case 3: {
      if (rd == 2) {  // c.addi16sp
        const std::int32_t offset = sign_extend(
            bits(h, 12, 12) << 9 | bits(h, 4, 3) << 7 | bits(h, 5, 5) << 6 | bits(h, 2, 2) << 5 | bits(h, 6, 6) << 4,
            10);
        return offset == 0 ? 0 : encode_i(kAddi, 2, 2, offset);
      }
      return imm6(h) == 0 ? 0 : kLui | rd << 7 | static_cast<std::uint32_t>(imm6(h)) << 12;  // c.lui
    }
    case 4:
      return expand_arithmetic(h, xlen);
    case 5:
      return encode_j(0, jump_offset(h));
    case 6:
      return encode_b(kBeq, 8 + bits(h, 9, 7), branch_offset(h));
    default:
      return encode_b(kBne, 8 + bits(h, 9, 7), branch_offset(h));
  }
}

std::uint32_t expand_quadrant2(std::uint32_t h, unsigned xlen, bool floating) {
  const std::uint32_t rd = bits(h, 11, 7), rs2 = bits(h, 6, 2);
  const auto word_load = static_cast<std::int32_t>(bits(h, 3, 2) << 6 | bits(h, 12, 12) << 5 | bits(h, 6, 4) << 2);
  const auto double_load = static_cast<std::int32_t>(bits(h, 4, 2) << 6 | bits(h, 12, 12) << 5 | bits(h, 6, 5) << 3);
  const std::uint32_t word_store = bits(h, 8, 7) << 6 | bits(h, 12, 9) << 2;
  const std::uint32_t double_store = bits(h, 9, 7) << 6 | bits(h, 12, 10) << 3;
  switch (h >> 13 & 7) {
    case 0:  // c.slli
      return xlen == 32 && bits(h, 12, 12) ? 0 : encode_i(kSlli, rd, rd, static_cast<std::int32_t>(uimm6(h)));
    case 1:  // c.fldsp
      return floating ? encode_i(kFld, rd, 2, double_load) : 0;
    case 2:  // c.lwsp
      return rd == 0 ? 0 : encode_i(kLw, rd, 2, word_load);
    case 3:  // c.ldsp, on RV32 c.flwsp
      if (xlen == 64) return rd == 0 ? 0 : encode_i(kLd, rd, 2, double_load);
      return floating ? encode_i(kFlw, rd, 2, word_load) : 0;
    case 4:
      if (rs2 != 0) return encode_r(kAdd, rd, bits(h, 12, 12) ? rd : 0, rs2);  // c.add, c.mv
      if (rd == 0) return bits(h, 12, 12) ? kEbreak : 0;                       // c.ebreak; c.jr x0 is reserved
      return encode_i(kJalr, bits(h, 12, 12), rd, 0);                          // c.jalr, c.jr
    case 5:                                                                    // c.fsdsp
      return floating ? encode_s(kFsd, 2, rs2, double_store) : 0;
    case 6:  // c.swsp
      return encode_s(kSw, 2, rs2, word_store);
    default:  // c.sdsp, on RV32 c.fswsp
      if (xlen == 64) return encode_s(kSd, 2, rs2, double_store);
      return floating ? encode_s(kFsw, 2, rs2, word_store) : 0;
  }
}

/// By opcode.
constexpr auto kFormats = [] {
  std::array<InstructionFormat, static_cast<std::size_t>(Opcode::illegal) + 1> formats{};
  for (const Pattern& pattern : kPatterns) formats[static_cast<std::size_t>(pattern.opcode)] = pattern.format;
  formats[static_cast<std::size_t>(Opcode::illegal)] = InstructionFormat::kNone;
  return formats;
}();

}  // namespace

std::uint32_t expand_compressed(std::uint32_t half, unsigned xlen, bool floating) {
  switch (half & 3) {
    case 0:
      return expand_quadrant0(half & 0xffff, xlen, floating);
    case 1:
      return expand_quadrant1(half & 0xffff, xlen);
    case 2:
      return expand_quadrant2(half & 0xffff, xlen, floating);
    default:
      return 0;
  }
}

InstructionFormat format_of(Opcode opcode) { return kFormats[static_cast<std::size_t>(opcode)]; }

FloatOperands operands_of_float(Opcode opcode) {
  switch (format_of(opcode)) {
    case InstructionFormat::kFloatLoad:
    case InstructionFormat::kFloatFromExact:
      return {true, false, false, false, false};
    case InstructionFormat::kFloatStore:
      return {false, false, true, false, false};
    case InstructionFormat::kFloatFused:
      return {true, true, true, true, true};
    case InstructionFormat::kFloatRounded:
      return {true, true, true, false, true};
    case InstructionFormat::kFloatExact:
      return {true, true, true, false, false};
    case InstructionFormat::kFloatToRounded:
      return {false, true, false, false, true};
    case InstructionFormat::kFloatToExact:
      return {false, true, true, false, false};
    case InstructionFormat::kFloatFromRounded:
      return {true, false, false, false, true};
    default:
      return {};
  }
}

Instruction decode(std::uint32_t encoding, unsigned xlen, bool floating) {
  Instruction instruction;
  const bool compressed = is_compressed(encoding);
  instruction.length = compressed ? 2 : 4;
  instruction.encoding = compressed ? encoding & 0xffff : encoding;
  const std::uint32_t e = compressed ? expand_compressed(encoding, xlen, floating) : encoding;
  if (e == 0) return instruction;
  const std::size_t index = index_of(e);
  for (const std::uint8_t* at = kPatternIndex.begin(index); at != kPatternIndex.end(index); ++at) {
    const Pattern* const pattern = &kPatterns[*at];
    if ((e & pattern->mask) != pattern->match || (pattern->width == Width::k64 && xlen != 64)) continue;
    if (is_float(pattern->opcode) && !floating) continue;
    // A shift by 32 or more does not exist on RV32.
    if (pattern->format == InstructionFormat::kShift && xlen == 32 && bits(e, 25, 25)) continue;
    instruction.opcode = pattern->opcode;
    instruction.cls = pattern->cls;
    instruction.imm = immediate(e, pattern->format);
    if (pattern->format != InstructionFormat::kNone) {
      if (pattern->format != InstructionFormat::kS && pattern->format != InstructionFormat::kB &&
          pattern->format != InstructionFormat::kFloatStore)
        instruction.rd = bits(e, 11, 7);
      instruction.rs1 = bits(e, 19, 15);
      instruction.rs2 = bits(e, 24, 20);
    }
    return instruction;
  }
  return instruction;
}

bool ends_block(Opcode opcode) {
  switch (opcode) {
    case Opcode::jal:
    case Opcode::jalr:
    case Opcode::beq:
    case Opcode::bne:
    case Opcode::blt:
    case Opcode::bge:
    case Opcode::bltu:
    case Opcode::bgeu:
    case Opcode::fence_i:
    case Opcode::ecall:
    case Opcode::ebreak:
    case Opcode::mret:
    case Opcode::sret:
    case Opcode::sfence_vma:
    case Opcode::wfi:
    case Opcode::illegal:
      return true;
    default:
      return false;
  }
}

}  // namespace vp::cpu
