#include "models/drra/asm.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/common/ends_with.h"
#include "models/common/parameters.h"
#include "models/drra/config.h"
#include "models/drra/isa.h"
#include "models/drra/source_line.h"

namespace vp::drra {
namespace {

constexpr std::size_t kWordDigits = 7;
constexpr std::int64_t kIoRowLimit = (1 << 25) - 1;

bool is_word(const std::string& token) {
  return token.size() == kWordDigits && token.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

std::vector<std::string> field_names(const InstructionFormat& format) {
  std::vector<std::string> names;
  for (const Field& field : format.fields) names.push_back(field.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// "did you mean …?" or what is allowed.
std::string hint(const std::string& token, const std::vector<std::string>& allowed) {
  const std::string nearest = nearest_word(token, allowed);
  return nearest.empty() ? ": " + listed(allowed) + " allowed" : ": did you mean " + nearest + "?";
}

/// A program on its way from text.
class Assembler {
 public:
  Assembler(const std::string& text, const std::string& source) : source_(source) {
    unsigned number = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      SourceLine line(source_, ++number, text.substr(begin, end - begin));
      begin = end + 1;
      if (!line.at_end()) statement(line);
    }
    resolve();
  }
  Program take() { return std::move(program_); }

 private:
  /// A field that holds a label's address, to be filled in when all labels are known.
  struct Reference {
    Place cell;
    std::size_t word;  // of the field
    unsigned shift;
    std::string label;
    SourceLine line;
    std::size_t position;
  };

  void statement(SourceLine& line) {
    std::size_t begin = line.position();
    std::string token = line.word();
    while (!token.empty() && token[0] != '.' && line.take(':')) {
      label(line, begin, token);
      if (line.at_end()) return;
      begin = line.position();
      token = line.word();
    }
    if (!token.empty() && token[0] == '.') {
      directive(line, begin, token);
    } else if (is_word(token)) {
      std::int64_t value = 0;
      line.is_number("0x" + token, value);
      if (value > kChunkMask) line.fail(begin, "'" + token + "' has more than 27 bits");
      append(line, begin, {static_cast<std::uint32_t>(value)});
    } else {
      instruction(line, begin, token);
    }
    if (!line.at_end()) line.fail(line.position(), "end of line expected");
  }

  void directive(SourceLine& line, std::size_t begin, const std::string& token) {
    if (token == ".cell") {
      cell_ = place(line, "row of the cell", 0, kRows - 1);
      has_cell_ = true;
      program_.cells[cell_];
    } else if (token == ".word") {
      append(line, begin, {static_cast<std::uint32_t>(line.number("instruction word", 0, kChunkMask))});
    } else if (token == ".rf") {
      need_cell(line, begin);
      registers(line);
    } else if (token == ".sram") {
      const Place tile = place(line, "row of the SRAM", 1, kMostDimarchRows);
      rows(line, program_.tiles[tile], kTileRows - 1);
    } else if (token == ".io") {
      rows(line, program_.input, kIoRowLimit);
    } else if (token == ".profile") {
      profile(line);
    } else {
      line.fail(begin,
                "'" + token + "' is no directive" + hint(token, {".cell", ".rf", ".sram", ".io", ".word", ".profile"}));
    }
  }

  void profile(SourceLine& line) {
    line.at_end();
    const std::size_t begin = line.position();
    const std::string name = line.word();
    if (name != "a" && name != "b" && name != "c") line.fail(begin, "a decoder profile expected: a, b or c");
    for (const auto& cell : program_.cells)
      if (!cell.second.words.empty()) line.fail(begin, ".profile must stand before the first instruction");
    program_.profile = static_cast<DecoderProfile>(name[0] - 'a');
  }

  static Place place(SourceLine& line, const char* row_name, unsigned low, unsigned high) {
    const auto row = static_cast<unsigned>(line.number(row_name, low, high));
    line.expect(',');
    return {row, static_cast<unsigned>(line.number("column", 0, kMostColumns - 1))};
  }

  static std::int16_t value(SourceLine& line) {
    line.take(',');
    return static_cast<std::int16_t>(line.number("a 16-bit value", INT16_MIN, UINT16_MAX));
  }

  void registers(SourceLine& line) {
    auto address = line.number("register", 0, kRegisterWords - 1);
    line.expect(':');
    CellProgram& cell = program_.cells[cell_];
    do {
      line.at_end();
      if (address >= kRegisterWords) line.fail(line.position(), "there are 64 registers");
      cell.registers[static_cast<unsigned>(address++)] = value(line);
    } while (!line.at_end());
  }

  /// Values from the beginning of a row on; more than 16 run on into the next rows.
  static void rows(SourceLine& line, std::map<unsigned, Row>& rows, std::int64_t last) {
    auto address = line.number("row", 0, last);
    line.expect(':');
    for (unsigned i = 0; i == 0 || !line.at_end(); ++i) {
      const std::int64_t row = address + i / kBlockWords;
      line.at_end();
      if (row > last) line.fail(line.position(), "the last row is " + std::to_string(last));
      rows[static_cast<unsigned>(row)][i % kBlockWords] = value(line);
    }
  }

  void need_cell(const SourceLine& line, std::size_t position) const {
    if (!has_cell_) line.fail(position, "no cell is chosen: '.cell row,column' must stand before");
  }

  void label(const SourceLine& line, std::size_t begin, const std::string& name) {
    need_cell(line, begin);
    const auto address = static_cast<unsigned>(program_.cells[cell_].words.size());
    if (!labels_.insert({{cell_, name}, address}).second)
      line.fail(begin, "the label '" + name + "' stands twice in this cell");
  }

  void append(const SourceLine& line, std::size_t begin, const std::vector<std::uint32_t>& words) {
    need_cell(line, begin);
    std::vector<std::uint32_t>& program = program_.cells[cell_].words;
    if (program.size() + words.size() > kInstructionWords)
      line.fail(begin, "the instruction memory of a cell has 64 words: no room for this instruction");
    program.insert(program.end(), words.begin(), words.end());
  }

  void instruction(SourceLine& line, std::size_t begin, const std::string& mnemonic) {
    const InstructionFormat* format = find_mnemonic(mnemonic);
    if (format == nullptr) {
      std::vector<std::string> names;
      for (const InstructionFormat& one : instruction_formats()) names.push_back(one.mnemonic);
      line.fail(begin, "'" + mnemonic + "' is no instruction" + hint(mnemonic, names));
    }
    const DecoderProfile profile = program_.profile.value_or(DecoderProfile::a);
    if (!available(format->operation, profile))
      line.fail(begin, std::string(format->mnemonic) + " has no opcode in decoder profile " +
                           static_cast<char>('a' + static_cast<int>(profile)) + " (see .profile)");
    Instruction instruction = default_instruction(format->operation);
    std::vector<bool> given(format->fields.size());
    while (!line.at_end()) {
      line.take(',');
      field(line, *format, instruction, given);
    }
    choose_form(line, begin, *format, instruction, given);
    const std::vector<std::uint32_t> words = encode(instruction, profile);
    need_cell(line, begin);
    place_references(*format);
    append(line, begin, words);
  }

  void field(SourceLine& line, const InstructionFormat& format, Instruction& instruction, std::vector<bool>& given) {
    line.at_end();
    const std::size_t begin = line.position();
    const std::string name = line.word();
    const std::size_t number = format.find(name);
    if (number == format.fields.size())
      line.fail(begin, "'" + name + "' is no field of " + format.mnemonic +
                           (format.fields.empty() ? std::string(": it has none") : hint(name, field_names(format))));
    if (given[number]) line.fail(begin, "'" + name + "' stands twice");
    given[number] = true;
    line.expect('=');
    instruction.fields[number] = field_value(line, format.fields[number]);
  }

  std::uint32_t field_value(SourceLine& line, const Field& field) {
    line.at_end();
    const std::size_t begin = line.position();
    SourceLine ahead = line;
    const std::string token = ahead.word();
    std::int64_t number = 0;
    if (token.empty() || line.is_number(token, number)) {
      const bool has_sign = field.kind == FieldKind::twos_complement;
      const std::int64_t half = std::int64_t{1} << (field.width - 1);
      return static_cast<std::uint32_t>(
                 line.number(field.name, has_sign ? -half : 0, has_sign ? half - 1 : std::int64_t{field.mask()})) &
             field.mask();
    }
    line = ahead;
    const int named = named_value(field, token);
    if (named >= 0) return static_cast<std::uint32_t>(named);
    if (!ends_with(field.name, "pc")) {
      const std::string words = field.words;
      line.fail(begin, "'" + token + "' is no value of " + field.name + ": a number" +
                           (words.empty() ? "" : " or " + words) + " expected");
    }
    pending_.push_back({&field, token, begin, line});
    return 0;
  }

  /// As many chunks as `extra` says, or as the fields need.
  static void choose_form(const SourceLine& line, std::size_t begin, const InstructionFormat& format,
                          Instruction& instruction, const std::vector<bool>& given) {
    const int form = form_field(format.operation);
    if (form < 0) return;
    const auto extra = static_cast<std::size_t>(form);
    // What is given by name must be in the form, even at its default value; what differs, too.
    unsigned needed = 1;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (instruction.fields[i] != format.fields[i].standard)
        needed = std::max(needed, format.last_chunk(format.fields[i]) + 1);
    if (!given[extra]) instruction.fields[extra] = needed - 1;
    const unsigned wanted = instruction.fields[extra] + 1;
    const unsigned chunks = wanted > format.chunks ? 1 : wanted;  // REFI with extra = 3 behaves as with 0
    if (needed > chunks)
      line.fail(begin, "a field of this " + std::string(format.mnemonic) +
                           " needs extra=" + std::to_string(needed - 1) + " or more");
    instruction.chunks = static_cast<std::uint8_t>(chunks);
  }

  struct PendingLabel {
    const Field* field;
    std::string label;
    std::size_t position;
    SourceLine line;
  };

  /// The labels of the instruction that is appended next. No field of a pc reaches over two words.
  void place_references(const InstructionFormat& format) {
    const std::size_t first = program_.cells[cell_].words.size();
    for (PendingLabel& pending : pending_)
      references_.push_back({cell_, first + format.last_chunk(*pending.field), pending.field->low % kChunkBits,
                             pending.label, pending.line, pending.position});
    pending_.clear();
  }

  void resolve() {
    for (const Reference& reference : references_) {
      const auto found = labels_.find({reference.cell, reference.label});
      if (found == labels_.end())
        reference.line.fail(reference.position, "there is no label '" + reference.label + "' in this cell");
      if (found->second >= kInstructionWords)
        reference.line.fail(reference.position, "the label '" + reference.label + "' is behind the last word");
      program_.cells[reference.cell].words[reference.word] |= found->second << reference.shift;
    }
  }

  const std::string& source_;
  Program program_;
  Place cell_{};
  bool has_cell_ = false;
  std::map<std::pair<Place, std::string>, unsigned> labels_;
  std::vector<PendingLabel> pending_;
  std::vector<Reference> references_;
};

}  // namespace

Program assemble(const std::string& text, const std::string& source) { return Assembler(text, source).take(); }

}  // namespace vp::drra
