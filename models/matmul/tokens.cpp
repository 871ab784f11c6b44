#include "models/matmul/tokens.h"

#include <algorithm>
#include <cstring>

#include "models/common/error.h"

namespace vp::matmul {
namespace {

bool is_space(char c) { return std::strchr(" \t\n\v\f\r", c) != nullptr && c != '\0'; }

constexpr const char* kDecimalForm = "a decimal number from -2147483648 to 2147483647";
constexpr const char* kHexForm = "a hexadecimal number from 0 to 0x7fffffff";

/// Value of `digits` in `base`, or -1 if it is empty, has another character or exceeds `limit`.
std::int64_t digits_value(const std::string& digits, int base, std::int64_t limit) {
  if (digits.empty()) return -1;
  std::int64_t value = 0;
  for (char c : digits) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const char* found = lower == '\0' ? nullptr : std::strchr(kDigits, lower);
    if (found == nullptr || found - kDigits >= base) return -1;
    value = value * base + (found - kDigits);
    if (value > limit) return -1;
  }
  return value;
}

}  // namespace

std::string quoted(const std::string& token) {
  constexpr std::size_t kLongest = 40;
  std::string text = token.substr(0, kLongest);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '.');
  return "'" + text + (token.size() > kLongest ? "…'" : "'");
}

void TokenReader::skip_space() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
}

bool TokenReader::at_gap() const { return at_end() || at_marker() || is_space(text_[position_]); }

std::string TokenReader::next() {
  token_start_ = position_;
  if (at_end()) return "";
  if (at_marker()) {
    take_marker();
    skip_space();
    return kMarker;
  }
  while (!at_gap()) ++position_;
  std::string token = text_.substr(token_start_, position_ - token_start_);
  skip_space();
  return token;
}

void TokenReader::take_marker() {
  token_start_ = position_;
  position_ += std::strlen(kMarker);
}

void TokenReader::skip_to_marker() { position_ = std::min(text_.find(kMarker, position_), text_.size()); }

TokenReader::Place TokenReader::place_of(std::size_t offset) const {
  const std::size_t end = std::min(offset, text_.size());
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t newline = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
  return {static_cast<std::size_t>(line) + 1, newline == std::string::npos ? end + 1 : end - newline};
}

std::string TokenReader::place(std::size_t offset) const {
  const Place place = place_of(offset);
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

void TokenReader::fail(std::size_t offset, const std::string& sentence) const {
  const Place place = place_of(offset);
  throw UserError(name_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + sentence +
                  ".");
}

std::string TokenReader::required(const std::string& what, const std::string& form) {
  if (at_end()) fail_here("The script ends where " + what + " is due, expected " + form);
  if (at_marker()) fail_here("The section ends where " + what + " is due, expected " + form);
  return next();
}

std::int32_t TokenReader::decimal(const std::string& what) {
  const std::string token = required(what, kDecimalForm);
  const bool negative = token[0] == '-';
  const bool sign = negative || token[0] == '+';
  const std::int64_t value = digits_value(token.substr(sign), 10, std::int64_t{0x7fffffff} + negative);
  if (value < 0) fail_at_token(quoted(token) + " is no valid " + what + ", expected " + kDecimalForm);
  return static_cast<std::int32_t>(negative ? -value : value);
}

std::uint32_t TokenReader::hexadecimal(const std::string& what) { return hexadecimal(what, kHexForm, 0x7fffffff); }

std::uint32_t TokenReader::word() {
  return hexadecimal("instruction word", "a hexadecimal number from 0 to 0xffffffff", 0xffffffff);
}

std::uint32_t TokenReader::hexadecimal(const std::string& what, const std::string& form, std::int64_t limit) {
  const std::string token = required(what, form);
  const bool prefix = token.size() > 1 && token[0] == '0' && (token[1] == 'x' || token[1] == 'X');
  const std::int64_t value = digits_value(token.substr(prefix ? 2 : 0), 16, limit);
  if (value < 0) fail_at_token(quoted(token) + " is no valid " + what + ", expected " + form);
  return static_cast<std::uint32_t>(value);
}

bool TokenReader::take_if(const std::string& token) {
  TokenReader ahead = *this;
  if (ahead.next() != token) return false;
  next();
  return true;
}

Instruction parse_instruction(TokenReader& reader) {
  const std::string mnemonic = reader.next();
  const InstructionFormat* format = find_mnemonic(mnemonic);
  if (format == nullptr) {
    reader.fail_at_token("Unknown instruction " + quoted(mnemonic) + ", expected LOAD, COMP, WRITE or TERM");
  }
  Instruction instruction;
  instruction.opcode = format->opcode;
  for (const Operand& operand : format->operands) {
    const std::uint32_t value = reader.hexadecimal(std::string(operand.name) + " of " + format->mnemonic);
    instruction.*operand.field = static_cast<std::uint8_t>(operand.is_address ? value >> 8 : value);
  }
  return instruction;
}

}  // namespace vp::matmul
