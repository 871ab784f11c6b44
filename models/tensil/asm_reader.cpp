// Text to instructions.
#include <algorithm>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/tensil/asm.h"

namespace vp::tensil {
namespace {

constexpr Operation kNamed[] = {Operation::no_op, Operation::mat_mul,  Operation::data_move, Operation::load_weight,
                                Operation::simd,  Operation::load_lut, Operation::configure};
constexpr DataFlow kFlows[] = {DataFlow::dram0_to_local,
                               DataFlow::local_to_dram0,
                               DataFlow::dram1_to_local,
                               DataFlow::local_to_dram1,
                               DataFlow::accumulator_to_local,
                               DataFlow::local_to_accumulator,
                               DataFlow::local_to_accumulator_accumulating};

/// One line, read from left to right; complaints name the place.
class Line {
 public:
  Line(std::string text, std::string source, std::size_t number)
      : text_(std::move(text)), source_(std::move(source)), number_(number) {}

  [[noreturn]] void fail(const std::string& sentence) const { fail_at(at_, sentence); }
  [[noreturn]] void fail_word(const std::string& sentence) const { fail_at(word_, sentence); }

  bool ended() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ == text_.size() || text_[at_] == '#' || text_[at_] == ';';
  }
  bool take(char wanted) {
    if (ended() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(std::string("'") + wanted + "' is expected");
  }
  /// Letters, digits, '_' and '.'.
  std::string word(const char* what) {
    if (ended()) fail(std::string(what) + " is expected");
    word_ = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    if (at_ == word_) fail(std::string(what) + " is expected");
    return text_.substr(word_, at_ - word_);
  }
  std::uint64_t number(const char* what) {
    const std::string text = word(what);
    try {
      return parse_integer(text);
    } catch (const UserError&) {
      fail_word(std::string(what) + " is expected, not '" + text + "'");
    }
  }

 private:
  [[noreturn]] void fail_at(std::size_t column, const std::string& sentence) const {
    throw UserError(source_ + ":" + std::to_string(number_) + ":" + std::to_string(column + 1) + ": " + sentence);
  }

  std::string text_;
  std::string source_;
  std::size_t number_;
  std::size_t at_ = 0;
  std::size_t word_ = 0;  ///< where the newest word began
};

/// Reads the operands of one instruction into its fields.
class Reader {
 public:
  Reader(const Layout& layout, Line& line) : layout_(layout), line_(line) {}

  Instruction instruction() {
    if (line_.take('[')) {
      set(&Instruction::thread, line_.number("a thread"));
      line_.expect(']');
    }
    mnemonic(line_.word("an instruction"));
    operands();
    if (!line_.ended()) line_.fail("nothing more is expected here");
    fits();
    return in_;
  }

 private:
  void set(std::uint32_t Instruction::*member, std::uint64_t value) {
    if (value > UINT32_MAX) line_.fail_word(std::to_string(value) + " is too large");
    in_.*member = static_cast<std::uint32_t>(value);
  }

  void mnemonic(const std::string& word) {
    const std::size_t dot = std::min(word.find('.'), word.size());
    const std::string name = word.substr(0, dot);
    const auto named = std::find_if(std::begin(kNamed), std::end(kNamed), [&](Operation operation) {
      return name == name_of(operation, layout_.encoding());
    });
    if (named == std::end(kNamed)) line_.fail_word("'" + name + "' is no instruction");
    in_.operation = *named;
    in_.opcode = layout_.opcode_of(in_.operation);
    const std::string rest = dot < word.size() ? word.substr(dot + 1) : "";
    if (in_.operation == Operation::data_move)
      flow(rest);
    else if (dot < word.size())
      flags(rest);
  }

  void flow(const std::string& name) {
    for (const DataFlow flow : kFlows)
      if (name == name_of(flow)) {
        in_.flags = static_cast<std::uint32_t>(flow);
        return;
      }
    line_.fail_word("'" + name + "' is no data flow");
  }

  void flags(const std::string& words) {
    for (std::size_t begin = 0; begin <= words.size();) {
      const std::size_t end = std::min(words.find('.', begin), words.size());
      const std::string word = words.substr(begin, end - begin);
      const unsigned flag = flag_named(in_.operation, word);
      if (flag == 0) line_.fail_word("'" + word + "' is no flag of this instruction");
      in_.flags |= flag;
      begin = end + 1;
    }
  }

  /// "5" or, with a step of 4, "5*4".
  void place(std::uint32_t Instruction::*address, std::uint32_t Instruction::*stride) {
    set(address, line_.number("an address"));
    if (!line_.take('*')) return;
    const std::uint64_t step = line_.number("a step");
    if (step == 0 || (step & (step - 1)) != 0) line_.fail_word("a step is a power of two");
    std::uint32_t exponent = 0;
    while (step >> exponent > 1) ++exponent;
    in_.*stride = exponent;
  }

  void count() {
    const std::uint64_t vectors = line_.number("a number of vectors");
    if (vectors == 0) line_.fail_word("at least one vector is moved");
    set(&Instruction::size, vectors - 1);
  }

  /// "r3", or the word for none.
  void reg(std::uint32_t Instruction::*member, const std::string& none) {
    const std::string word = line_.word("a register");
    if (word == none) return;
    if (word.size() < 2 || word[0] != 'r' || word.find_first_not_of("0123456789", 1) != std::string::npos)
      line_.fail_word("'" + none + "' or a register is expected, not '" + word + "'");
    set(member, parse_integer(word.substr(1)));
  }

  void simd() {
    const std::string name = line_.word("a SIMD operation");
    while (in_.simd_operation < kSimdOperations && name != name_of(static_cast<SimdOperation>(in_.simd_operation)))
      ++in_.simd_operation;
    if (in_.simd_operation == kSimdOperations) line_.fail_word("'" + name + "' is no SIMD operation");
    set(&Instruction::address0, line_.number("an address"));
    line_.expect(',');
    set(&Instruction::address1, line_.number("an address"));
    line_.expect(',');
    reg(&Instruction::left, "input");
    line_.expect(',');
    reg(&Instruction::right, "input");
    line_.expect(',');
    reg(&Instruction::destination, "output");
  }

  void operands() {
    using I = Instruction;
    switch (in_.operation) {
      case Operation::mat_mul:
      case Operation::data_move:
        place(&I::address0, &I::stride0);
        line_.expect(',');
        place(&I::address1, &I::stride1);
        line_.expect(',');
        return count();
      case Operation::load_weight:
        place(&I::address0, &I::stride0);
        line_.expect(',');
        return count();
      case Operation::simd:
        return simd();
      case Operation::load_lut:
        place(&I::address0, &I::stride0);
        line_.expect(',');
        return set(&I::address1, line_.number("a table"));
      case Operation::configure:
        set(&I::config_register, line_.number("a register"));
        line_.expect(',');
        return set(&I::config_value, line_.number("a value"));
      default:
        if (layout_.encoding() == Encoding::v2) set(&I::address0, line_.number("a thread"));
    }
  }

  /// What does not fit its field would come back as something else.
  void fits() const {
    const InstructionBytes bytes = layout_.encode(in_);
    if (!(layout_.decode(bytes.data()) == in_))
      line_.fail_word("an operand is larger than its field in this architecture");
  }

  const Layout& layout_;
  Line& line_;
  Instruction in_;
};

void append_bytes(Line& line, std::vector<std::uint8_t>& program) {
  while (!line.ended()) {
    const std::string pair = line.word("a byte");
    if (pair.size() != 2 || pair.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      line.fail_word("a byte of two hexadecimal digits is expected, not '" + pair + "'");
    program.push_back(static_cast<std::uint8_t>(std::stoul(pair, nullptr, 16)));
  }
}

}  // namespace

std::vector<std::uint8_t> assemble(const Layout& layout, const std::string& text, const std::string& source) {
  std::vector<std::uint8_t> program;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    begin = end + 1;
    Line line(one, source, ++number);
    if (line.ended()) continue;
    if (Line ahead = line; !ahead.take('[') && ahead.word("an instruction") == "bytes") {
      append_bytes(ahead, program);
      continue;
    }
    const InstructionBytes bytes = layout.encode(Reader(layout, line).instruction());
    program.insert(program.end(), bytes.begin(), bytes.begin() + layout.instruction_bytes());
  }
  return program;
}

}  // namespace vp::tensil
