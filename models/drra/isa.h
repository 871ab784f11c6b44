#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/drra/fields.h"

namespace vp::drra {

constexpr unsigned kChunkBits = 27;  ///< of an instruction word
constexpr std::uint32_t kChunkMask = (1u << kChunkBits) - 1;
constexpr unsigned kInstructionWords = 64;  ///< of a cell's instruction memory
constexpr unsigned kMostFields = 27;        ///< REFI has the most

enum class Operation : std::uint8_t {
#define VP_DRRA_OPERATION(operation, mnemonic, opcode, chunks, fields) operation,
  VP_DRRA_INSTRUCTIONS(VP_DRRA_OPERATION)
#undef VP_DRRA_OPERATION
      nothing  ///< opcodes without meaning: one cycle without effect
};

/// Which instructions the opcodes 13 and 14 stand for; the published table gives both twice.
enum class DecoderProfile {
  a,  ///< 13 SRAM, 14 PERM
  b,  ///< 13 IO, 14 PERM: no DiMArch
  c,  ///< 13 SRAM, 14 IO
};

enum class FieldKind { plain, twos_complement };

/// One field of an instruction, from the table in fields.h.
struct Field {
  const char* name;
  unsigned low;            ///< its lowest bit in the longest form
  unsigned width;          ///< bits
  std::uint32_t standard;  ///< its value where nothing is said
  FieldKind kind;
  const char* words;  ///< names of the values from 0 up, separated by commas

  std::uint32_t mask() const { return (1u << width) - 1; }
};

/// One instruction of the table.
struct InstructionFormat {
  Operation operation;
  const char* mnemonic;
  unsigned opcode;
  unsigned chunks;  ///< of the longest form
  std::vector<Field> fields;

  /// The chunk that holds the field's last bits: a form needs that many chunks, and one more, to contain it.
  unsigned last_chunk(const Field& field) const { return chunks - 1 - field.low / kChunkBits; }
  /// The number of a field, or fields.size().
  std::size_t find(const std::string& field) const;
};

/// All instructions, in the order of Operation.
const std::vector<InstructionFormat>& instruction_formats();
/// The row of that mnemonic in any case of letters, or nullptr.
const InstructionFormat* find_mnemonic(const std::string& mnemonic);

/// A decoded instruction: operation and field values, the defaults for those of chunks that a short form lacks.
struct Instruction {
  Operation operation = Operation::nothing;
  std::uint8_t chunks = 1;  ///< words it occupies
  std::array<std::uint32_t, kMostFields> fields{};

  std::uint32_t operator[](unsigned field) const { return fields[field]; }
  bool operator==(const Instruction& other) const {
    return operation == other.operation && chunks == other.chunks && fields == other.fields;
  }
};

/// The value of a field as the machine reads it: with its sign where the field has one.
int value_of(const Instruction& instruction, unsigned field);

/// The shortest form of an instruction with all fields at their defaults.
Instruction default_instruction(Operation operation);
/// Whether the profile has an opcode for the operation.
bool available(Operation operation, DecoderProfile profile);
/// Chunks of the shortest form that holds all fields that differ from their defaults.
unsigned shortest_form(const Instruction& instruction);
/// The number of the field that chooses the form (REFI, LOOP), or -1.
int form_field(Operation operation);
/// Words that the instruction with this first word occupies: 1 to 3.
unsigned chunks_of(std::uint32_t word, DecoderProfile profile);
/// Decodes the instruction that begins at words[0]; words[0 … chunks_of(words[0]) − 1] must be there. Bits that belong
/// to no field are ignored.
Instruction decode(const std::uint32_t* words, DecoderProfile profile);
/// The words of an instruction; bits that belong to no field are 0.
std::vector<std::uint32_t> encode(const Instruction& instruction, DecoderProfile profile);
/// Assembly: "REFI port_no=r0 l1_iter=7"; fields at their defaults are left out, and `extra` in the shortest form.
std::string to_text(const Instruction& instruction);
/// A field's value as assembly writes it: a word where it has one, else a decimal number.
std::string value_text(const Field& field, std::uint32_t value);
/// The value that `text` names among the field's words; -1 if none.
int named_value(const Field& field, const std::string& text);

}  // namespace vp::drra
