#include "models/drra/isa.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace vp::drra {
namespace {

constexpr unsigned kOpcodeLow = 23;  // in chunk 0
constexpr std::size_t kOpcodes = 16;

// Opcodes 13 and 14 by profile.
constexpr unsigned kFirstShared = 13;
constexpr Operation kShared[3][2] = {
    {Operation::sram, Operation::perm}, {Operation::io, Operation::perm}, {Operation::sram, Operation::io}};

const InstructionFormat& format_of(Operation operation) {
  return instruction_formats()[static_cast<std::size_t>(operation)];
}

/// What each opcode stands for in a profile.
std::array<Operation, kOpcodes> operations_of(DecoderProfile profile) {
  std::array<Operation, kOpcodes> operations;
  operations.fill(Operation::nothing);
  for (const InstructionFormat& format : instruction_formats()) operations[format.opcode] = format.operation;
  const auto& shared = kShared[static_cast<std::size_t>(profile)];
  operations[kFirstShared] = shared[0];
  operations[kFirstShared + 1] = shared[1];
  return operations;
}

Operation operation_of(std::uint32_t word, DecoderProfile profile) {
  static const std::array<std::array<Operation, kOpcodes>, 3> operations = {
      operations_of(DecoderProfile::a), operations_of(DecoderProfile::b), operations_of(DecoderProfile::c)};
  return operations[static_cast<std::size_t>(profile)][(word >> kOpcodeLow) % kOpcodes];
}

unsigned opcode_of(Operation operation, DecoderProfile profile) {
  const auto& shared = kShared[static_cast<std::size_t>(profile)];
  for (unsigned i = 0; i < 2; ++i)
    if (shared[i] == operation) return kFirstShared + i;
  return format_of(operation).opcode;
}

/// The field's bits in the words of the longest form; those of a shorter one stand at the beginning. A field may reach
/// over the border of two words.
struct FieldPlace {
  unsigned word;   // the one of its low bits
  unsigned shift;  // there

  FieldPlace(const InstructionFormat& format, const Field& field)
      : word(format.last_chunk(field)), shift(field.low % kChunkBits) {}
};

std::uint32_t extract(const std::uint32_t* words, const InstructionFormat& format, const Field& field) {
  const FieldPlace place(format, field);
  std::uint64_t bits = words[place.word];
  if (place.shift + field.width > kChunkBits) bits |= std::uint64_t{words[place.word - 1]} << kChunkBits;
  return static_cast<std::uint32_t>(bits >> place.shift) & field.mask();
}

void insert(std::vector<std::uint32_t>& words, const InstructionFormat& format, const Field& field,
            std::uint32_t value) {
  const FieldPlace place(format, field);
  const std::uint64_t bits = std::uint64_t{value & field.mask()} << place.shift;
  words[place.word] |= static_cast<std::uint32_t>(bits) & kChunkMask;
  if (place.word > 0) words[place.word - 1] |= static_cast<std::uint32_t>(bits >> kChunkBits);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The word number `value` of a list, empty if the list is shorter.
std::string word_at(const char* words, std::uint32_t value) {
  std::string rest = words;
  for (; value > 0 && !rest.empty(); --value) {
    const std::size_t comma = rest.find(',');
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return rest.substr(0, rest.find(','));
}

}  // namespace

std::size_t InstructionFormat::find(const std::string& field) const {
  return static_cast<std::size_t>(
      std::find_if(fields.begin(), fields.end(), [&](const Field& one) { return field == one.name; }) - fields.begin());
}

const std::vector<InstructionFormat>& instruction_formats() {
#define VP_DRRA_FIELD(name, low, width, standard, kind, words) {#name, low, width, standard, FieldKind::kind, words},
#define VP_DRRA_FORMAT(operation, mnemonic, opcode, chunks, fields) \
  {Operation::operation, mnemonic, opcode, chunks, {fields(VP_DRRA_FIELD)}},
  static const std::vector<InstructionFormat> formats = {VP_DRRA_INSTRUCTIONS(VP_DRRA_FORMAT)};
#undef VP_DRRA_FORMAT
#undef VP_DRRA_FIELD
  return formats;
}

const InstructionFormat* find_mnemonic(const std::string& mnemonic) {
  for (const InstructionFormat& format : instruction_formats())
    if (lower(mnemonic) == lower(format.mnemonic)) return &format;
  return nullptr;
}

int value_of(const Instruction& instruction, unsigned field) {
  const Field& format = format_of(instruction.operation).fields[field];
  const auto value = static_cast<int>(instruction[field]);
  const bool negative = format.kind == FieldKind::twos_complement && (instruction[field] >> (format.width - 1)) != 0;
  return negative ? value - static_cast<int>(format.mask()) - 1 : value;
}

Instruction default_instruction(Operation operation) {
  Instruction instruction;
  instruction.operation = operation;
  if (operation == Operation::nothing) return instruction;
  const InstructionFormat& format = format_of(operation);
  for (std::size_t i = 0; i < format.fields.size(); ++i) instruction.fields[i] = format.fields[i].standard;
  instruction.chunks = static_cast<std::uint8_t>(form_field(operation) >= 0 ? 1 : format.chunks);
  return instruction;
}

bool available(Operation operation, DecoderProfile profile) {
  return operation_of(opcode_of(operation, profile) << kOpcodeLow, profile) == operation;
}

int form_field(Operation operation) {
  if (operation == Operation::refi) return refi::extra;
  if (operation == Operation::loop) return loop::extra;
  return -1;
}

unsigned shortest_form(const Instruction& instruction) {
  const InstructionFormat& format = format_of(instruction.operation);
  if (form_field(instruction.operation) < 0) return format.chunks;
  unsigned chunks = 1;
  for (std::size_t i = 0; i < format.fields.size(); ++i)
    if (instruction.fields[i] != format.fields[i].standard)
      chunks = std::max(chunks, format.last_chunk(format.fields[i]) + 1);
  return chunks;
}

unsigned chunks_of(std::uint32_t word, DecoderProfile profile) {
  const Operation operation = operation_of(word, profile);
  if (operation == Operation::nothing) return 1;
  const InstructionFormat& format = format_of(operation);
  const int form = form_field(operation);
  if (form < 0) return format.chunks;
  const Field& field = format.fields[static_cast<std::size_t>(form)];
  const unsigned following = word >> (field.low % kChunkBits) & field.mask();
  return following >= format.chunks ? 1 : following + 1;  // REFI with extra = 3 behaves as with 0
}

Instruction decode(const std::uint32_t* words, DecoderProfile profile) {
  Instruction instruction = default_instruction(operation_of(words[0], profile));
  if (instruction.operation == Operation::nothing) return instruction;
  instruction.chunks = static_cast<std::uint8_t>(chunks_of(words[0], profile));
  const InstructionFormat& format = format_of(instruction.operation);
  for (std::size_t i = 0; i < format.fields.size(); ++i)
    if (format.last_chunk(format.fields[i]) < instruction.chunks)
      instruction.fields[i] = extract(words, format, format.fields[i]);
  return instruction;
}

std::vector<std::uint32_t> encode(const Instruction& instruction, DecoderProfile profile) {
  if (instruction.operation == Operation::nothing) throw std::logic_error("an opcode without meaning has no encoding");
  const InstructionFormat& format = format_of(instruction.operation);
  std::vector<std::uint32_t> words(instruction.chunks);
  words[0] = opcode_of(instruction.operation, profile) << kOpcodeLow;
  for (std::size_t i = 0; i < format.fields.size(); ++i)
    if (format.last_chunk(format.fields[i]) < words.size())
      insert(words, format, format.fields[i], instruction.fields[i]);
  return words;
}

std::string value_text(const Field& field, std::uint32_t value) {
  const std::string word = word_at(field.words, value);
  if (!word.empty()) return word;
  const bool negative = field.kind == FieldKind::twos_complement && (value >> (field.width - 1)) != 0;
  return std::to_string(negative ? static_cast<int>(value) - static_cast<int>(field.mask()) - 1
                                 : static_cast<int>(value));
}

int named_value(const Field& field, const std::string& text) {
  for (std::uint32_t value = 0; value <= field.mask(); ++value) {
    const std::string word = word_at(field.words, value);
    if (word.empty()) return -1;
    if (word == lower(text)) return static_cast<int>(value);
  }
  return -1;
}

std::string to_text(const Instruction& instruction) {
  if (instruction.operation == Operation::nothing) return "(no operation)";
  const InstructionFormat& format = format_of(instruction.operation);
  std::string text = format.mnemonic;
  for (std::size_t i = 0; i < format.fields.size(); ++i) {
    const Field& field = format.fields[i];
    const bool is_form = static_cast<int>(i) == form_field(instruction.operation);
    const std::uint32_t unsaid = is_form ? shortest_form(instruction) - 1 : field.standard;
    if (instruction.fields[i] == unsaid) continue;
    text += std::string(" ") + field.name + "=" + value_text(field, instruction.fields[i]);
  }
  return text;
}

}  // namespace vp::drra
