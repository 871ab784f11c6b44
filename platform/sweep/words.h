#pragma once

#include <string>
#include <vector>

namespace vp {

/// Splits a line into words at blanks, as a shell would: "double" and 'single' quotes keep blanks, a backslash keeps
/// the next character (outside single quotes), # starts a comment at the beginning of a word. Throws UserError for an
/// open quote.
std::vector<std::string> split_words(const std::string& line);

/// Splits at commas; "\," is a comma inside a value and "\\" a backslash. "a,b\,c" → {"a", "b,c"}.
std::vector<std::string> split_list(const std::string& text);

/// The word as a POSIX shell reads it back, whatever it holds (blanks, quotes, newlines).
std::string shell_quoted(const std::string& word);
/// Words of one command for a POSIX shell.
std::string shell_quoted(const std::vector<std::string>& words);

/// For a terminal: control characters, which texts of guests and files may hold, become blanks.
std::string without_controls(std::string text);

}  // namespace vp
