#include "platform/sweep/words.h"

#include "models/common/error.h"

namespace vp {

namespace {

/// Reads a quoted part that starts behind `quote` at `at`; returns the position behind the closing quote.
std::size_t read_quoted(const std::string& line, std::size_t at, char quote, std::string& word) {
  for (; at < line.size(); ++at) {
    if (line[at] == quote) return at + 1;
    if (quote == '"' && line[at] == '\\' && at + 1 < line.size()) ++at;
    word += line[at];
  }
  throw UserError(std::string("the closing ") + quote + " is missing");
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string("_-./=:,+@%").find(c) != std::string::npos;
}

}  // namespace

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at >= line.size() || line[at] == '#') return words;
    std::string word;
    while (at < line.size() && !is_blank(line[at])) {
      const char c = line[at++];
      if (c == '"' || c == '\'') {
        at = read_quoted(line, at, c, word);
      } else {
        word += c == '\\' && at < line.size() ? line[at++] : c;
      }
    }
    words.push_back(std::move(word));
  }
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') {
      values.emplace_back();
    } else {
      const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
      values.back() += text[escaped ? ++i : i];
    }
  }
  return values;
}

std::string shell_quoted(const std::string& word) {
  bool plain = !word.empty();
  for (const char c : word) plain = plain && is_plain(c);
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

std::string without_controls(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return text;
}

}  // namespace vp
