#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vp {

/// Tells a hearer what stands in a JSON text, by the events that nlohmann::json::sax_parse has, in one pass over the
/// bytes. It takes the texts that the library takes, but for a zero byte behind the end; plain strings are views of the
/// text and plain numbers are read in place, everything else about them is left to the library. Figures of a run are
/// gathered so in a third of the instructions.
template <typename Hearer>
class JsonScanner {
 public:
  JsonScanner(std::string_view text, Hearer& hearer) : text_(text), hearer_(hearer) {}

  /// False: that is no JSON text, or the hearer has had enough.
  bool scan() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
    if (!value()) return false;
    while (!open_.empty())
      if (!member()) return false;
    skip_space();
    return at_ == text_.size();
  }

 private:
  static constexpr std::size_t kUnknownSize = ~std::size_t{0};

  /// Bytes that stand for themselves in a string, and need no look at their neighbours.
  static constexpr std::array<bool, 256> plain_bytes() {
    std::array<bool, 256> plain{};
    for (unsigned byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
    return plain;
  }
  static constexpr std::array<bool, 256> kPlain = plain_bytes();

  /// 0 at the end, which is no byte of a valid text.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char byte) {
    skip_space();
    if (peek() != byte) return false;
    ++at_;
    return true;
  }

  /// The next member of what is open, or its end.
  bool member() {
    const char close = open_.back();
    if (take(close)) {
      open_.pop_back();
      first_ = false;
      return close == '}' ? hearer_.end_object() : hearer_.end_array();
    }
    if (!first_ && !take(',')) return false;
    first_ = false;
    if (close == ']') return value();
    std::string_view name;
    return take('"') && string(name, key_) && hearer_.key(name) && take(':') && value();
  }

  bool value() {
    skip_space();
    switch (peek()) {
      case '{':
        open('}');
        return hearer_.start_object(kUnknownSize);
      case '[':
        open(']');
        return hearer_.start_array(kUnknownSize);
      case '"': {
        ++at_;
        std::string_view text;
        return string(text, string_) && hearer_.string(text);
      }
      case 't':
        return word("true") && hearer_.boolean(true);
      case 'f':
        return word("false") && hearer_.boolean(false);
      case 'n':
        return word("null") && hearer_.null();
      default:
        return number();
    }
  }

  void open(char close) {
    ++at_;
    open_.push_back(close);
    first_ = true;
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  /// Behind the opening quote. `decoded` holds the text where it is not as written.
  bool string(std::string_view& text, std::string& decoded) {
    const std::size_t start = at_;
    while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
    text = text_.substr(start, at_ - start);
    if (peek() != '"') {
      while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
      if (at_ >= text_.size()) return false;
      const nlohmann::json value = by_library(start - 1, at_ + 1);
      if (!value.is_string()) return false;
      decoded = value.get_ref<const std::string&>();
      text = decoded;
    }
    ++at_;
    return true;
  }

  bool number() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    const std::size_t digits = at_ - start;
    const auto part_of_number = [](char byte) {
      return (byte >= '0' && byte <= '9') || byte == '+' || byte == '-' || byte == '.' || byte == 'e' || byte == 'E';
    };
    if (digits > 0 && digits < 20 && !part_of_number(peek()) && (digits == 1 || text_[start] != '0')) {
      std::uint64_t value = 0;
      std::from_chars(text_.data() + start, text_.data() + at_, value);
      return hearer_.number_unsigned(value);
    }
    while (part_of_number(peek())) ++at_;
    const nlohmann::json value = by_library(start, at_);
    if (value.is_number_unsigned()) return hearer_.number_unsigned(value.get<std::uint64_t>());
    if (value.is_number_integer()) return hearer_.number_integer(value.get<std::int64_t>());
    return value.is_number_float() && hearer_.number_float(value.get<double>(), "");
  }

  nlohmann::json by_library(std::size_t first, std::size_t end) const {
    return nlohmann::json::parse(text_.begin() + first, text_.begin() + end, nullptr, false);
  }

  std::string_view text_;
  Hearer& hearer_;
  std::size_t at_ = 0;
  std::vector<char> open_;    ///< what closes each object and array that is open
  bool first_ = false;        ///< nothing has been read of the innermost of them
  std::string key_, string_;  ///< those that are not as written
};

}  // namespace vp
