#include "models/tinytpu/asm.h"

#include <cctype>
#include <cstdio>
#include <limits>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp::tinytpu {
namespace {

constexpr char kMnemonics[] =
    "read_weights, matrix_multiply, activate, synchronize, halt, nop, .word or 20 hexadecimal digits";
constexpr std::uint64_t kWeightAddressLimit = (std::uint64_t{1} << 40) - 1;

/// One line of source with a reading position; its errors carry line and column (both from 1).
class Line {
 public:
  Line(const std::string& source, unsigned number, std::string text)
      : source_(source), number_(number), text_(std::move(text)) {
    text_.resize(std::min(text_.find_first_of("#;"), text_.size()));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  std::size_t position() const { return at_; }
  /// A run of characters up to a blank, a comma or `stop`.
  std::string word(char stop = ',') {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != stop &&
           !std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// A number from 0 to `limit`, decimal, 0x or 0b.
  std::uint64_t number(const char* what, std::uint64_t limit) {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string text = word();
    if (text.empty()) fail(begin, std::string(what) + " expected");
    std::uint64_t value = 0;
    if (!parse(text, value)) fail(begin, "'" + text + "' is no number: decimal, 0x or 0b expected for " + what);
    if (value > limit)
      fail(begin, std::string(what) + " " + text + " is out of range: 0 to " + hex(limit) + " allowed");
    return value;
  }
  void comma() {
    skip_blanks();
    if (!take(',')) fail(at_, "',' expected");
  }
  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw UserError(source_ + ":" + std::to_string(number_) + ":" + std::to_string(position + 1) + ": " + message);
  }

  static std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
  }

 private:
  static bool parse(const std::string& text, std::uint64_t& value) {
    unsigned base = 10;
    std::size_t i = 0;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2;
    if (base != 10) i = 2;
    for (; i < text.size(); ++i) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
      const unsigned digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
      if (digit >= base) return false;
      // Saturate: a number of any length is then simply out of range.
      if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) {
        value = std::numeric_limits<std::uint64_t>::max();
      } else {
        value = value * base + digit;
      }
    }
    return true;
  }

  const std::string& source_;
  unsigned number_;
  std::string text_;
  std::size_t at_ = 0;
};

/// `.s` or `.u`.
bool signedness(Line& line, const char* mnemonic) {
  const std::size_t begin = line.position();
  if (line.take('.')) {
    const std::string suffix = line.word('.');
    if (suffix == "s") return true;
    if (suffix == "u") return false;
  }
  line.fail(begin, std::string(mnemonic) + " needs .s (signed) or .u (unsigned)");
}

void read_weights(Line& line, Instruction& out) {
  out.opcode = read_weights_opcode(signedness(line, "read_weights"));
  out.set_weight_address(line.number("weight address", kWeightAddressLimit));
  line.comma();
  out.length = static_cast<std::uint32_t>(line.number("length", 0xFFFFFFFF));
}

void matrix_multiply(Line& line, Instruction& out) {
  const bool is_signed = signedness(line, "matrix_multiply");
  bool accumulate = false;
  const std::size_t begin = line.position();
  if (line.take('.')) {
    const std::string suffix = line.word('.');
    if (suffix != "acc")
      line.fail(begin, "'." + suffix + "' is unknown: .acc (accumulate) or nothing (overwrite) allowed");
    accumulate = true;
  }
  out.opcode = matrix_multiply_opcode(is_signed, accumulate);
  out.accumulator = static_cast<std::uint16_t>(line.number("accumulator address", 0xFFFF));
  line.comma();
  out.buffer = static_cast<std::uint32_t>(line.number("buffer address", 0xFFFFFF));
  line.comma();
  out.length = static_cast<std::uint32_t>(line.number("length", 0xFFFFFFFF));
}

unsigned activation_code(Line& line) {
  const std::size_t begin = line.position();
  if (line.take('.')) {
    const std::string suffix = line.word('.');
    if (suffix == "none") return 0;
    if (suffix == "relu") return 1;
    if (suffix == "sigmoid") return 9;
    for (unsigned code = 0; code < 16; ++code)
      if (suffix == "f" + std::to_string(code)) return code;
  }
  line.fail(begin, "activate needs a function: .none, .relu, .sigmoid or a code .f0 to .f15");
}

void activate(Line& line, Instruction& out) {
  const bool is_signed = signedness(line, "activate");
  out.opcode = activate_opcode(is_signed, activation_code(line));
  out.buffer = static_cast<std::uint32_t>(line.number("buffer address", 0xFFFFFF));
  line.comma();
  out.accumulator = static_cast<std::uint16_t>(line.number("accumulator address", 0xFFFF));
  line.comma();
  out.length = static_cast<std::uint32_t>(line.number("length", 0xFFFFFFFF));
}

void raw_word(Line& line, Instruction& out) {
  line.skip_blanks();
  const std::size_t begin = line.position();
  std::string digits = line.word();
  if (digits.compare(0, 2, "0x") == 0) digits.erase(0, 2);
  if (digits.empty() || digits.size() > 20 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    line.fail(begin, "1 to 20 hexadecimal digits expected");
  out = from_hex(std::string(20 - digits.size(), '0') + digits);
}

struct Statement {
  const char* mnemonic;
  std::uint8_t opcode;  ///< of a statement without operands
  void (*parse)(Line&, Instruction&);
};
constexpr Statement kStatements[] = {
    {"read_weights", 0, read_weights}, {"matrix_multiply", 0, matrix_multiply},
    {"activate", 0, activate},         {"synchronize", kSynchronizeOpcode, nullptr},
    {"halt", kHaltOpcode, nullptr},    {"nop", 0, nullptr},
};

bool is_bare_word(const std::string& text) {
  return text.size() == 20 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

/// The mnemonic stands at the line's position.
Instruction parse_statement(Line& line) {
  Instruction out;
  const std::size_t begin = line.position();
  const bool directive = line.take('.');
  const std::string mnemonic = (directive ? "." : "") + line.word('.');
  if (mnemonic == ".word") {
    raw_word(line, out);
    return out;
  }
  if (is_bare_word(mnemonic)) return from_hex(mnemonic);
  for (const Statement& statement : kStatements) {
    if (mnemonic != statement.mnemonic) continue;
    out.opcode = statement.opcode;
    if (statement.parse) statement.parse(line, out);
    return out;
  }
  const std::string nearest =
      nearest_word(mnemonic, {"read_weights", "matrix_multiply", "activate", "synchronize", "halt", "nop", ".word"});
  line.fail(begin,
            "'" + mnemonic + "' is no instruction" +
                (nearest.empty() ? std::string(": ") + kMnemonics + " expected" : ": did you mean " + nearest + "?"));
}

const char* sign_suffix(bool is_signed) { return is_signed ? ".s" : ".u"; }

std::string function_suffix(unsigned code) {
  if (code == 0) return ".none";
  if (code == 1) return ".relu";
  if (code == 9) return ".sigmoid";
  return ".f" + std::to_string(code);
}

/// As if the opcode were canonical for its kind; the caller checks whether it was.
std::string mnemonic_form(const Instruction& in) {
  const std::string length = std::to_string(in.length);
  switch (in.kind()) {
    case InstructionKind::read_weights:
      return std::string("read_weights") + sign_suffix(in.weights_signed()) + " " + Line::hex(in.weight_address()) +
             ", " + length;
    case InstructionKind::matrix_multiply:
      return std::string("matrix_multiply") + sign_suffix(in.data_signed()) + (in.accumulates() ? ".acc " : " ") +
             Line::hex(in.accumulator) + ", " + Line::hex(in.buffer) + ", " + length;
    case InstructionKind::activate:
      return std::string("activate") + sign_suffix(in.activation_signed()) + function_suffix(in.activation_code()) +
             " " + Line::hex(in.buffer) + ", " + Line::hex(in.accumulator) + ", " + length;
    case InstructionKind::synchronize:
      return "synchronize";
    case InstructionKind::nothing:
      break;
  }
  return in.opcode == kHaltOpcode ? "halt" : "nop";
}

}  // namespace

std::vector<Instruction> assemble(const std::string& text, const std::string& source) {
  std::vector<Instruction> program;
  unsigned number = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Line line(source, ++number, text.substr(begin, end - begin));
    begin = end + 1;
    if (line.at_end()) continue;
    program.push_back(parse_statement(line));
    if (!line.at_end()) line.fail(line.position(), "end of line expected");
  }
  return program;
}

std::string disassemble(const Instruction& instruction) {
  const std::string text = mnemonic_form(instruction);
  if (assemble(text, "") == std::vector<Instruction>{instruction}) return text;
  return ".word 0x" + to_hex(instruction) + "  # acts as " + text;
}

std::string disassemble(const std::vector<Instruction>& program) {
  std::string text;
  for (const Instruction& instruction : program) text += disassemble(instruction) + "\n";
  return text;
}

}  // namespace vp::tinytpu
