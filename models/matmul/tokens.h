#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/matmul/isa.h"

namespace vp::matmul {

/// Reads white-space separated tokens of a script with their place. A section marker `===` ends a token and is a token
/// of its own, as in the original, which splits the text at it before anything else.
class TokenReader {
 public:
  /// text, name: must outlive the reader; name is the file's, for messages.
  TokenReader(const std::string& text, const std::string& name) : text_(text), name_(name) { skip_space(); }

  static constexpr const char* kMarker = "===";

  /// Nothing but white space is left.
  bool at_end() const { return position_ >= text_.size(); }
  /// A section marker comes next.
  bool at_marker() const { return text_.compare(position_, 3, kMarker) == 0; }
  /// White space, a marker or the end comes next; so after a marker a section's name is missing.
  bool at_gap() const;
  /// Takes the next token (a marker or a word); at the end an empty one.
  std::string next();
  /// Takes a marker without skipping the white space after it.
  void take_marker();
  /// Moves to the next marker or the end.
  void skip_to_marker();

  /// Throws UserError "name:line:column: sentence" for the place of the token last taken, or of what comes next.
  [[noreturn]] void fail_at_token(const std::string& sentence) const { fail(token_start_, sentence); }
  [[noreturn]] void fail_here(const std::string& sentence) const { fail(position_, sentence); }
  /// Throws for the place of `offset` in the text.
  [[noreturn]] void fail(std::size_t offset, const std::string& sentence) const;
  /// Where the token last taken, and what comes next, stand in the text.
  std::size_t token_offset() const { return token_start_; }
  std::size_t offset() const { return position_; }
  /// "line 3, column 7" of an offset in the text.
  std::string place(std::size_t offset) const;

  /// The next token as a decimal number of 32 bits (sign allowed) or as hexadecimal (0x optional, at most 0x7fffffff).
  /// what: for the message, "a value of matrix A".
  std::int32_t decimal(const std::string& what);
  std::uint32_t hexadecimal(const std::string& what);
  /// The next token as an instruction word of 32 bits, hexadecimal (0x optional).
  std::uint32_t word();
  /// Takes the next token if it is this one.
  bool take_if(const std::string& token);

 private:
  struct Place {
    std::size_t line, column;  // both count from 1; the column in bytes
  };
  Place place_of(std::size_t offset) const;
  void skip_space();
  /// The next token, or throws that `what` is missing.
  std::string required(const std::string& what, const std::string& form);
  std::uint32_t hexadecimal(const std::string& what, const std::string& form, std::int64_t limit);

  const std::string& text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::size_t token_start_ = 0;
};

/// A token for a message: quoted, shortened, unprintable bytes as dots.
std::string quoted(const std::string& token);

/// Takes one instruction. Throws UserError: unknown mnemonic, missing operand, bad number.
Instruction parse_instruction(TokenReader& reader);

}  // namespace vp::matmul
