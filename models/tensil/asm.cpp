#include "models/tensil/asm.h"

#include <algorithm>
#include <cstdio>

namespace vp::tensil {
namespace {

struct FlagWord {
  Operation operation;
  unsigned flag;
  const char* word;
};
constexpr FlagWord kFlagWords[] = {{Operation::mat_mul, kMatMulAccumulate, "accumulate"},
                                   {Operation::mat_mul, kMatMulZeroes, "zeroes"},
                                   {Operation::load_weight, kLoadWeightZeroes, "zeroes"},
                                   {Operation::simd, kSimdRead, "read"},
                                   {Operation::simd, kSimdWrite, "write"},
                                   {Operation::simd, kSimdAccumulate, "accumulate"}};

std::string flag_words(const Instruction& in) {
  std::string words;
  for (const FlagWord& one : kFlagWords)
    if (one.operation == in.operation && in.has(one.flag)) words += std::string(".") + one.word;
  return words;
}

/// Flags that have a word.
std::uint32_t known_flags(Operation operation) {
  std::uint32_t flags = 0;
  for (const FlagWord& one : kFlagWords)
    if (one.operation == operation) flags |= one.flag;
  return flags;
}

std::string place(std::uint32_t address, std::uint32_t stride) {
  std::string text = std::to_string(address);
  if (stride > 0) text += "*" + std::to_string(std::uint64_t{1} << stride);
  return text;
}

std::string source(std::uint32_t number) { return number ? "r" + std::to_string(number) : "input"; }

std::string operands(const Instruction& in, Encoding encoding) {
  switch (in.operation) {
    case Operation::mat_mul:
    case Operation::data_move:
      return place(in.address0, in.stride0) + ", " + place(in.address1, in.stride1) + ", " + std::to_string(in.count());
    case Operation::load_weight:
      return place(in.address0, in.stride0) + ", " + std::to_string(in.count());
    case Operation::simd:
      return std::string(name_of(static_cast<SimdOperation>(in.simd_operation))) + " " + std::to_string(in.address0) +
             ", " + std::to_string(in.address1) + ", " + source(in.left) + ", " + source(in.right) + ", " +
             (in.destination ? "r" + std::to_string(in.destination) : "output");
    case Operation::load_lut:
      return place(in.address0, in.stride0) + ", " + std::to_string(in.address1);
    case Operation::configure:
      return std::to_string(in.config_register) + ", " + std::to_string(in.config_value);
    default:
      return encoding == Encoding::v2 && in.operation == Operation::no_op ? std::to_string(in.address0) : "";
  }
}

std::string byte_line(const std::uint8_t* bytes, std::size_t count) {
  std::string text = "bytes";
  for (std::size_t i = 0; i < count; ++i) {
    char pair[4];
    std::snprintf(pair, sizeof pair, " %02x", bytes[i]);
    text += pair;
  }
  return text;
}

/// Whether the text has a word for everything in it.
bool has_words(const Instruction& in) {
  if (in.operation == Operation::reserved) return false;
  if (in.operation == Operation::data_move) return name_of(in.flow()) != nullptr;
  if (in.operation == Operation::simd && in.simd_operation >= kSimdOperations) return false;
  return (in.flags & ~known_flags(in.operation)) == 0;
}

}  // namespace

unsigned flag_named(Operation operation, const std::string& word) {
  for (const FlagWord& one : kFlagWords)
    if (one.operation == operation && word == one.word) return one.flag;
  return 0;
}

std::string disassemble(const Layout& layout, const Instruction& in) {
  if (!has_words(in)) return byte_line(layout.encode(in).data(), layout.instruction_bytes());
  std::string text = in.thread ? "[" + std::to_string(in.thread) + "] " : "";
  text += name_of(in.operation, layout.encoding());
  text += in.operation == Operation::data_move ? std::string(".") + name_of(in.flow()) : flag_words(in);
  const std::string rest = operands(in, layout.encoding());
  return rest.empty() ? text : text + " " + rest;
}

std::string disassemble(const Layout& layout, const std::uint8_t* bytes, std::size_t count) {
  const std::size_t length = layout.instruction_bytes();
  std::string text;
  for (; count > 0; bytes += std::min(count, length), count -= std::min(count, length)) {
    if (count < length) return text + byte_line(bytes, count) + "\n";
    const Instruction in = layout.decode(bytes);
    const InstructionBytes again = layout.encode(in);
    const bool whole = std::equal(bytes, bytes + length, again.begin());
    text += (whole ? disassemble(layout, in) : byte_line(bytes, length)) + "\n";
  }
  return text;
}

}  // namespace vp::tensil
