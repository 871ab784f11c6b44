#include "models/tinytpu/original_text.h"

#include <array>
#include <charconv>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "models/tinytpu/asm.h"

namespace vp::tinytpu {
namespace {

constexpr const char* kBlank = " \t\r\v\f";
constexpr std::array<const char*, 4> kBlocks = {"weights:[", "inputs:[", "instructions:[", "results:["};
enum Block : unsigned { weights, inputs, instructions, results, none };

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

Block block_of(const std::string& line) {
  for (unsigned block = 0; block < kBlocks.size(); ++block)
    if (line == kBlocks[block]) return static_cast<Block>(block);
  return none;
}

/// A number as the original's driver reads it: decimal, 0x hexadecimal, 0 octal. Nothing for any other text.
std::optional<std::uint64_t> number_of(const std::string& text) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const bool octal = !hex && text.size() > 1 && text[0] == '0';
  const char* const first = text.data() + (hex ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : octal ? 8 : 10);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

/// Reads the blocks line by line.
class Reader {
 public:
  Reader(const std::string& text, const std::string& source) : text_(text), source_(source) {}

  OriginalText read() {
    Block block = none;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::string line = trimmed(text_.substr(begin, end - begin));
      begin = end + 1;
      ++number_;
      if (line.empty()) continue;
      if (block == none)
        block = open(line);
      else if (line == "]")
        block = none;
      else
        item(block, line);
    }
    if (block != none) fail("the block " + std::string(kBlocks[block]) + " has no closing ]");
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(source_ + ":" + std::to_string(number_) + ": " + what);
  }

  template <typename List>
  void open(std::optional<List>& list, const std::string& line) {
    if (list) fail("a second block " + line + ", which is a further batch: give each a file of its own");
    list.emplace();
  }

  Block open(const std::string& line) {
    const Block block = block_of(line);
    if (block == none) fail("a line weights:[ or inputs:[ or instructions:[ or results:[ expected");
    if (block == weights) open(result_.weights, line);
    if (block == inputs) open(result_.inputs, line);
    if (block == instructions) open(result_.instructions, line);
    return block;
  }

  void item(Block block, const std::string& line) {
    const std::vector<std::string> fields = split(line);
    if (block == weights) result_.weights->push_back(vector_of(fields));
    if (block == inputs) result_.inputs->push_back(vector_of(fields));
    if (block == instructions) result_.instructions->push_back(instruction_of(fields));
    if (block == results) {
      if (fields.size() != 3) fail("[first row,rows,append] expected");
      for (const std::string& field : fields) number(field, "a row, a number of rows or 0 or 1", 0xFFFFFFFF);
    }
  }

  std::vector<std::string> split(const std::string& line) const {
    if (line.size() < 2 || line.front() != '[' || line.back() != ']')
      fail("a list in square brackets expected, or ] behind the last one");
    std::vector<std::string> fields;
    for (std::size_t begin = 1; begin < line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size() - 1);
      fields.push_back(trimmed(line.substr(begin, end - begin)));
      begin = end + 1;
    }
    return fields;
  }

  std::uint64_t number(const std::string& text, const char* what, std::uint64_t most) const {
    const std::optional<std::uint64_t> value = number_of(text);
    if (!value || *value > most) fail("'" + text + "' is no " + what + ": 0 to " + std::to_string(most) + " allowed");
    return *value;
  }

  std::vector<std::uint8_t> vector_of(const std::vector<std::string>& fields) const {
    std::vector<std::uint8_t> bytes;
    for (const std::string& field : fields) {
      int value = 0;
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
      if (error != std::errc() || end != field.data() + field.size() || value < -128 || value > 255)
        fail("'" + field + "' is no byte: -128 to 255 allowed");
      bytes.push_back(static_cast<std::uint8_t>(value));
    }
    return bytes;
  }

  Instruction instruction_of(const std::vector<std::string>& fields) const {
    if (fields.size() != 3 && fields.size() != 4)
      fail("[opcode,length,weight address] or [opcode,length,accumulator,buffer] expected");
    Instruction made;
    made.opcode = static_cast<std::uint8_t>(number(fields[0], "opcode", 0xFF));
    made.length = static_cast<std::uint32_t>(number(fields[1], "length", 0xFFFFFFFF));
    if (fields.size() == 3) {
      made.set_weight_address(number(fields[2], "weight address", (std::uint64_t{1} << 40) - 1));
      return made;
    }
    made.accumulator = static_cast<std::uint16_t>(number(fields[2], "accumulator address", 0xFFFF));
    made.buffer = static_cast<std::uint32_t>(number(fields[3], "buffer address", 0xFFFFFF));
    return made;
  }

  const std::string& text_;
  const std::string& source_;
  unsigned number_ = 0;
  OriginalText result_;
};

}  // namespace

bool is_original_text(const std::string& text) {
  const std::size_t first = text.find_first_not_of(std::string(kBlank) + "\n");
  if (first == std::string::npos) return false;
  return block_of(trimmed(text.substr(first, text.find('\n', first) - first))) != none;
}

OriginalText parse_original_text(const std::string& text, const std::string& source) {
  return Reader(text, source).read();
}

std::vector<BufferRow> buffer_rows(const std::vector<std::vector<std::uint8_t>>& vectors, const std::string& source,
                                   unsigned matrix_width, unsigned depth) {
  if (vectors.size() > depth)
    throw UserError(source + " holds " + counted(vectors.size(), "vector") + ": at most " + std::to_string(depth) +
                    " fit the buffer");
  std::vector<BufferRow> rows;
  for (const std::vector<std::uint8_t>& vector : vectors) {
    if (vector.size() != matrix_width)
      throw UserError(source + ": vector " + std::to_string(rows.size()) + " has " + counted(vector.size(), "byte") +
                      ", but a row of the buffer has " + std::to_string(matrix_width));
    rows.push_back({static_cast<unsigned>(rows.size()), vector});
  }
  return rows;
}

std::vector<Instruction> read_instructions(const std::string& text, const std::string& source) {
  if (!is_original_text(text)) return assemble(text, source);
  const OriginalText read = parse_original_text(text, source);
  if (!read.instructions) throw UserError(source + ": there is no block instructions:[");
  return *read.instructions;
}

}  // namespace vp::tinytpu
