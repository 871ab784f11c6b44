#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/tensil/architecture.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// The two instruction encodings: v1 has a 4-bit opcode and NoOp, v2 a thread id, a 3-bit opcode and Wait. With one
/// thread they are equal but for Configure.
enum class Encoding { v1, v2 };

enum class Operation : std::uint8_t {
  no_op,  ///< Wait in v2
  mat_mul,
  data_move,
  load_weight,
  simd,
  load_lut,
  configure,
  reserved,  ///< an opcode without meaning
};
inline constexpr unsigned kOperations = 8;

// Flags, in the instruction's low four header bits.
inline constexpr unsigned kMatMulAccumulate = 1, kMatMulZeroes = 2;
inline constexpr unsigned kLoadWeightZeroes = 1;
inline constexpr unsigned kSimdRead = 1, kSimdWrite = 2, kSimdAccumulate = 4;

/// Flags of DataMove.
enum class DataFlow : std::uint8_t {
  dram0_to_local = 0x0,
  local_to_dram0 = 0x1,
  dram1_to_local = 0x2,
  local_to_dram1 = 0x3,
  accumulator_to_local = 0xC,
  local_to_accumulator = 0xD,
  local_to_accumulator_accumulating = 0xF,  ///< every other code is reserved
};

enum class SimdOperation : std::uint8_t {
  no_op,
  zero,
  move,
  logical_not,
  logical_and,
  logical_or,
  increment,
  decrement,
  add,
  subtract,
  multiply,
  absolute,
  greater_than,
  greater_than_equal,
  minimum,
  maximum,
  lookup,
};
inline constexpr unsigned kSimdOperations = 17;

/// Registers of Configure; the others are ignored.
enum class ConfigRegister : std::uint8_t {
  dram0_offset = 0x0,  ///< in 64 KiB
  dram0_cache = 0x1,
  dram1_offset = 0x4,
  dram1_cache = 0x5,
  timeout = 0x8,
  tracepoint = 0x9,
  program_counter = 0xA,
  sample_interval = 0xB,  ///< in cycles
};

/// An instruction by its fields. Which of them its operation uses, and where they stand, tells Layout.
struct Instruction {
  Operation operation = Operation::no_op;
  std::uint32_t opcode = 0;
  std::uint32_t flags = 0;
  std::uint32_t thread = 0;    ///< v2
  std::uint32_t address0 = 0;  ///< vector of local memory; simd: of the accumulators, written; Wait: the other thread
  std::uint32_t stride0 = 0;   ///< exponent: the step is 2^stride0 vectors
  std::uint32_t address1 = 0;  ///< vector of DRAM or accumulator, for simd the one read; number of a table
  std::uint32_t stride1 = 0;
  std::uint32_t size = 0;  ///< vectors less one
  std::uint32_t simd_operation = 0;
  std::uint32_t left = 0;         ///< 0 the value read, k register k
  std::uint32_t right = 0;        ///< likewise
  std::uint32_t destination = 0;  ///< 0 none, k register k
  std::uint32_t config_register = 0;
  std::uint32_t config_value = 0;

  bool has(unsigned flag) const { return flags & flag; }
  std::uint64_t count() const { return std::uint64_t{size} + 1; }
  DataFlow flow() const { return static_cast<DataFlow>(flags); }
  void persist(Archive& archive);
};
bool operator==(const Instruction& a, const Instruction& b);

/// The longest instruction an architecture can have, in bytes.
inline constexpr std::size_t kLongestInstruction = 16;
using InstructionBytes = std::array<std::uint8_t, kLongestInstruction>;  ///< least significant first

/// Where the fields of an architecture's instructions stand: { header, operand 2, operand 1, operand 0 }, operand 0
/// lowest. The header holds flags (4 bits, lowest), opcode and, in v2, the thread.
class Layout {
 public:
  Layout(const Architecture& architecture, Encoding encoding);

  Encoding encoding() const { return encoding_; }
  unsigned instruction_bytes() const { return bytes_; }
  unsigned operand_bits(unsigned operand) const { return operand_bits_[operand]; }
  /// Reads instruction_bytes() bytes; bits that belong to no field of the operation are ignored.
  Instruction decode(const std::uint8_t* bytes) const;
  /// The rest of the array is zero. A field's bits beyond its width are cut off.
  InstructionBytes encode(const Instruction& instruction) const;

  std::uint32_t opcode_of(Operation operation) const;
  Operation operation_of(std::uint32_t opcode) const;

  /// A field: a member of Instruction at a bit position.
  struct Field {
    std::uint32_t Instruction::*member;
    unsigned position;
    unsigned width;
  };
  const std::vector<Field>& fields(Operation operation) const { return fields_[static_cast<unsigned>(operation)]; }

 private:
  Encoding encoding_;
  unsigned operand_bits_[3] = {};
  unsigned bytes_ = 0;
  std::vector<Field> header_;
  std::vector<Field> fields_[kOperations];
};

/// "mat_mul", "data_move" …; of no_op in v2 "wait".
const char* name_of(Operation operation, Encoding encoding = Encoding::v1);
const char* name_of(SimdOperation operation);
/// nullptr for a reserved flow.
const char* name_of(DataFlow flow);

}  // namespace vp::tensil
