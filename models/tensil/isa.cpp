#include "models/tensil/isa.h"

#include <algorithm>
#include <cstring>

namespace vp::tensil {
namespace {

/// Bits that number `count` things.
unsigned bits_for(std::uint64_t count) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

unsigned whole_bytes(unsigned bits) { return (bits + 7) / 8 * 8; }

std::uint32_t get_bits(const std::uint8_t* bytes, unsigned count, const Layout::Field& field) {
  const unsigned first = field.position / 8;
  std::uint64_t window = 0;
  std::memcpy(&window, bytes + first, std::min<std::size_t>(sizeof window, count - first));
  return static_cast<std::uint32_t>(window >> field.position % 8 & ((std::uint64_t{1} << field.width) - 1));
}

void put_bits(InstructionBytes& bytes, const Layout::Field& field, std::uint32_t value) {
  for (unsigned bit = 0; bit < field.width; ++bit) {
    const unsigned position = field.position + bit;
    if (value >> bit & 1) bytes[position / 8] = static_cast<std::uint8_t>(bytes[position / 8] | 1u << position % 8);
  }
}

/// Opcodes by operation; the last, reserved, has none of its own.
struct Opcode {
  Operation operation;
  std::uint32_t v1;
  std::uint32_t v2;
  const char* name;
};
constexpr Opcode kOpcodes[] = {
    {Operation::no_op, 0x0, 0x0, "no_op"},         {Operation::mat_mul, 0x1, 0x1, "mat_mul"},
    {Operation::data_move, 0x2, 0x2, "data_move"}, {Operation::load_weight, 0x3, 0x3, "load_weight"},
    {Operation::simd, 0x4, 0x4, "simd"},           {Operation::load_lut, 0x5, 0x5, "load_lut"},
    {Operation::configure, 0xF, 0x7, "configure"}};

}  // namespace

bool operator==(const Instruction& a, const Instruction& b) {
  return a.operation == b.operation && a.opcode == b.opcode && a.flags == b.flags && a.thread == b.thread &&
         a.address0 == b.address0 && a.stride0 == b.stride0 && a.address1 == b.address1 && a.stride1 == b.stride1 &&
         a.size == b.size && a.simd_operation == b.simd_operation && a.left == b.left && a.right == b.right &&
         a.destination == b.destination && a.config_register == b.config_register && a.config_value == b.config_value;
}

Layout::Layout(const Architecture& arch, Encoding encoding) : encoding_(encoding) {
  const unsigned local = bits_for(arch.local_depth), accumulator = bits_for(arch.accumulator_depth);
  const unsigned dram0 = bits_for(arch.dram0_depth), dram1 = bits_for(arch.dram1_depth);
  const unsigned stride0 = bits_for(arch.stride0_depth), stride1 = bits_for(arch.stride1_depth);
  const unsigned source = bits_for(std::uint64_t{arch.simd_registers_depth} + 1);
  const unsigned simd = (arch.number_of_luts ? 5 : 4) + 3 * source;
  const unsigned a0 = std::max(local, accumulator), a1 = std::max({local, accumulator, dram0, dram1});
  const unsigned a2 = std::max({std::min(local, accumulator), std::min(local, dram0), std::min(local, dram1), simd});
  operand_bits_[0] = whole_bytes(a0 + stride0);
  operand_bits_[1] = whole_bytes(a1 + stride1);
  operand_bits_[2] = whole_bytes(a2);
  const unsigned operand1 = operand_bits_[0], operand2 = operand1 + operand_bits_[1];
  const unsigned header = operand2 + operand_bits_[2];
  const unsigned opcode = encoding == Encoding::v1 ? 4 : 3;
  const unsigned thread = encoding == Encoding::v1 ? 0 : bits_for(arch.number_of_threads);
  bytes_ = (header + whole_bytes(thread + opcode + 4)) / 8;

  using I = Instruction;
  header_ = {{&I::flags, header, 4}, {&I::opcode, header + 4, opcode}, {&I::thread, header + 4 + opcode, thread}};
  const Field address0{&I::address0, 0, a0}, step0{&I::stride0, a0, stride0};
  const Field address1{&I::address1, operand1, a1}, step1{&I::stride1, operand1 + a1, stride1};
  const Field size{&I::size, operand2, operand_bits_[2]};
  const auto of = [this](Operation operation) -> std::vector<Field>& {
    return fields_[static_cast<unsigned>(operation)];
  };
  of(Operation::mat_mul) = of(Operation::data_move) = {address0, step0, address1, step1, size};
  of(Operation::load_weight) = {address0, step0, {&I::size, operand1, std::min(operand_bits_[1], 32u)}};
  of(Operation::simd) = {{&I::address0, 0, a0},
                         {&I::address1, operand1, a1},
                         {&I::destination, operand2, source},
                         {&I::right, operand2 + source, source},
                         {&I::left, operand2 + 2 * source, source},
                         {&I::simd_operation, operand2 + 3 * source, simd - 3 * source}};
  of(Operation::load_lut) = {address0, step0, {&I::address1, operand1, a1}};
  of(Operation::configure) = {{&I::config_register, 0, 4}, {&I::config_value, 4, std::min(header - 4, 28u)}};
  if (encoding == Encoding::v2) of(Operation::no_op) = {{&I::address0, 0, thread}};
}

std::uint32_t Layout::opcode_of(Operation operation) const {
  for (const Opcode& one : kOpcodes)
    if (one.operation == operation) return encoding_ == Encoding::v1 ? one.v1 : one.v2;
  return 0x6;  // without meaning in both encodings
}

Operation Layout::operation_of(std::uint32_t opcode) const {
  for (const Opcode& one : kOpcodes)
    if (opcode == (encoding_ == Encoding::v1 ? one.v1 : one.v2)) return one.operation;
  return Operation::reserved;
}

Instruction Layout::decode(const std::uint8_t* bytes) const {
  Instruction in;
  for (const Field& field : header_) in.*field.member = field.width ? get_bits(bytes, bytes_, field) : 0;
  in.operation = operation_of(in.opcode);
  for (const Field& field : fields(in.operation)) in.*field.member = field.width ? get_bits(bytes, bytes_, field) : 0;
  return in;
}

InstructionBytes Layout::encode(const Instruction& in) const {
  InstructionBytes bytes{};
  for (const Field& field : header_) put_bits(bytes, field, in.*field.member);
  for (const Field& field : fields(in.operation)) put_bits(bytes, field, in.*field.member);
  return bytes;
}

const char* name_of(Operation operation, Encoding encoding) {
  if (operation == Operation::no_op && encoding == Encoding::v2) return "wait";
  for (const Opcode& one : kOpcodes)
    if (one.operation == operation) return one.name;
  return "reserved";
}

const char* name_of(SimdOperation operation) {
  static constexpr const char* kNames[kSimdOperations] = {
      "no_op",     "zero", "move",     "not",      "and", "or",           "increment",
      "decrement", "add",  "subtract", "multiply", "abs", "greater_than", "greater_than_equal",
      "min",       "max",  "lookup"};
  const auto index = static_cast<unsigned>(operation);
  return index < kSimdOperations ? kNames[index] : "reserved";
}

const char* name_of(DataFlow flow) {
  switch (flow) {
    case DataFlow::dram0_to_local:
      return "dram0_to_local";
    case DataFlow::local_to_dram0:
      return "local_to_dram0";
    case DataFlow::dram1_to_local:
      return "dram1_to_local";
    case DataFlow::local_to_dram1:
      return "local_to_dram1";
    case DataFlow::accumulator_to_local:
      return "accumulator_to_local";
    case DataFlow::local_to_accumulator:
      return "local_to_accumulator";
    case DataFlow::local_to_accumulator_accumulating:
      return "local_to_accumulator.accumulate";
  }
  return nullptr;
}

}  // namespace vp::tensil
