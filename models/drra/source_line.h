#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vp::drra {

/// One line of assembly with a reading position. Tokens end at blanks and at the separators , : =; comments run from
/// '#' or ';' to the end of the line.
class SourceLine {
 public:
  /// source: must outlive the line.
  SourceLine(const std::string& source, unsigned number, std::string text);

  /// Nothing but blanks is left.
  bool at_end();
  std::size_t position() const { return at_; }
  /// Takes what stands up to the next blank or separator; empty at one.
  std::string word();
  /// Takes this character, and blanks before it, if it comes next.
  bool take(char c);
  /// Takes it or fails.
  void expect(char c);
  /// Takes a number: decimal, 0x or 0b, with a sign. Fails outside low … high; `what` is for the message.
  std::int64_t number(const std::string& what, std::int64_t low, std::int64_t high);
  /// Whether this token, read at `begin`, is a number, and which one.
  bool is_number(const std::string& token, std::int64_t& value) const;

  /// Throws UserError "source:line:column: sentence"; positions count from 0, lines and columns from 1.
  [[noreturn]] void fail(std::size_t position, const std::string& sentence) const;

 private:
  const std::string* source_;  // a pointer, so that lines can be assigned
  unsigned number_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace vp::drra
