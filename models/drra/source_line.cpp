#include "models/drra/source_line.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "models/common/error.h"

namespace vp::drra {
namespace {

constexpr std::int64_t kNoNumberIsLarger = std::int64_t{1} << 40;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_separator(char c) { return c == ',' || c == ':' || c == '='; }

}  // namespace

SourceLine::SourceLine(const std::string& source, unsigned number, std::string text)
    : source_(&source), number_(number), text_(std::move(text)) {
  text_.resize(std::min(text_.find_first_of("#;"), text_.size()));
}

bool SourceLine::at_end() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  return at_ >= text_.size();
}

std::string SourceLine::word() {
  at_end();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_]) && !is_separator(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

bool SourceLine::take(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void SourceLine::expect(char c) {
  if (!take(c)) fail(at_, std::string("'") + c + "' expected");
}

bool SourceLine::is_number(const std::string& token, std::int64_t& value) const {
  std::size_t i = 0;
  const bool negative = !token.empty() && token[0] == '-';
  if (negative) ++i;
  int base = 10;
  if (token.size() > i + 2 && token[i] == '0') {
    const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(token[i + 1])));
    base = kind == 'x' ? 16 : kind == 'b' ? 2 : 10;
    if (base != 10) i += 2;
  }
  if (i >= token.size()) return false;
  value = 0;
  for (; i < token.size(); ++i) {
    const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(token[i])));
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base) return false;
    value = std::min(value * base + digit, kNoNumberIsLarger);  // of any length: simply out of range
  }
  if (negative) value = -value;
  return true;
}

std::int64_t SourceLine::number(const std::string& what, std::int64_t low, std::int64_t high) {
  at_end();
  const std::size_t begin = at_;
  const std::string token = word();
  std::int64_t value = 0;
  if (token.empty()) fail(begin, what + " expected");
  if (!is_number(token, value)) fail(begin, "'" + token + "' is no number: decimal, 0x or 0b expected for " + what);
  if (value < low || value > high)
    fail(begin,
         what + " " + token + " is out of range: " + std::to_string(low) + " to " + std::to_string(high) + " allowed");
  return value;
}

void SourceLine::fail(std::size_t position, const std::string& sentence) const {
  throw UserError(*source_ + ":" + std::to_string(number_) + ":" + std::to_string(position + 1) + ": " + sentence);
}

}  // namespace vp::drra
