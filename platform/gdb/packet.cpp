#include "platform/gdb/packet.h"

#include <algorithm>
#include <utility>

namespace vp::gdb {

namespace {

constexpr char kInterrupt = 0x03;
constexpr char kEscape = '}';
constexpr char kEscapeMask = 0x20;
constexpr const char* kDigits = "0123456789abcdef";

}  // namespace

std::optional<Received> PacketReader::put(char byte) {
  switch (state_) {
    case State::outside:
      return put_outside(byte);
    case State::body:
      put_body(byte);
      return {};
    case State::escaped:
      sum_ = static_cast<std::uint8_t>(sum_ + static_cast<std::uint8_t>(byte));
      keep(static_cast<char>(byte ^ kEscapeMask));
      state_ = State::body;
      return {};
    case State::first_digit:
      first_digit_ = digit_of(byte);
      state_ = State::second_digit;
      return {};
    case State::second_digit:
      break;
  }
  return finish(byte);
}

std::optional<Received> PacketReader::put_outside(char byte) {
  switch (byte) {
    case '+':
      return Received{Received::Kind::acknowledged};
    case '-':
      return Received{Received::Kind::repeat};
    case kInterrupt:
      return Received{Received::Kind::interrupt};
    case '$':
      reset();
      state_ = State::body;
      break;
    default:
      break;
  }
  return {};
}

void PacketReader::put_body(char byte) {
  if (byte == '$') {  // never part of a packet: the one before was cut off
    reset();
    state_ = State::body;
    return;
  }
  if (byte == '#') {
    state_ = State::first_digit;
    return;
  }
  sum_ = static_cast<std::uint8_t>(sum_ + static_cast<std::uint8_t>(byte));
  if (byte == kEscape)
    state_ = State::escaped;
  else
    keep(byte);
}

void PacketReader::keep(char byte) {
  if (payload_.size() == kLongestPayload)
    too_long_ = true;
  else
    payload_ += byte;
}

Received PacketReader::finish(char digit) {
  const int second = digit_of(digit);
  const bool right = first_digit_ >= 0 && second >= 0 && first_digit_ * 16 + second == sum_;
  Received received{right ? too_long_ ? Received::Kind::too_long : Received::Kind::packet : Received::Kind::damaged};
  if (received.kind == Received::Kind::packet) received.payload = std::move(payload_);
  reset();
  return received;
}

std::string framed(const std::string& payload) {
  std::string text = "$";
  for (const char byte : payload) {
    if (byte == '$' || byte == '#' || byte == '*' || byte == kEscape) {
      text += kEscape;
      text += static_cast<char>(byte ^ kEscapeMask);
    } else {
      text += byte;
    }
  }
  std::uint8_t sum = 0;
  for (std::size_t i = 1; i < text.size(); ++i)
    sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(text[i]));
  return text + '#' + hex_of(&sum, 1);
}

int digit_of(char character) {
  if ('0' <= character && character <= '9') return character - '0';
  if ('a' <= character && character <= 'f') return character - 'a' + 10;
  if ('A' <= character && character <= 'F') return character - 'A' + 10;
  return -1;
}

std::string hex_of(const void* bytes, std::size_t count) {
  const auto* const data = static_cast<const std::uint8_t*>(bytes);
  std::string hex;
  hex.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    hex += kDigits[data[i] >> 4];
    hex += kDigits[data[i] & 15];
  }
  return hex;
}

std::string hex_of(const std::string& bytes) { return hex_of(bytes.data(), bytes.size()); }

std::optional<std::string> bytes_of(const std::string& hex) {
  if (hex.size() % 2 != 0) return {};
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit_of(hex[i]), low = digit_of(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string hex_of_number(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return hex_of(text);
}

std::optional<std::uint64_t> number_of_bytes(const std::string& hex) {
  const auto bytes = bytes_of(hex);
  if (!bytes || bytes->empty() || bytes->size() > sizeof(std::uint64_t)) return {};
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes->size(); ++i)
    value |= std::uint64_t{static_cast<std::uint8_t>((*bytes)[i])} << (8 * i);
  return value;
}

std::string plain_hex(std::uint64_t value) {
  std::string text;
  do text += kDigits[value & 15];
  while ((value >>= 4) != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::optional<std::uint64_t> PayloadText::number() {
  constexpr std::size_t kMostDigits = 16;
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; at_ + digits < text_.size() && digits <= kMostDigits; ++digits) {
    const int digit = digit_of(text_[at_ + digits]);
    if (digit < 0) break;
    value = value << 4 | static_cast<unsigned>(digit);
  }
  if (digits == 0 || digits > kMostDigits) {
    at_ = text_.size() + 1;
    return {};
  }
  at_ += digits;
  return value;
}

bool PayloadText::take(char character) {
  if (at_ >= text_.size() || text_[at_] != character) return false;
  ++at_;
  return true;
}

std::string PayloadText::up_to(char character) {
  if (at_ > text_.size()) return "";
  const std::size_t end = std::min(text_.find(character, at_), text_.size());
  const std::string part = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  return part;
}

std::string PayloadText::rest() {
  if (at_ > text_.size()) return "";
  const std::string part = text_.substr(at_);
  at_ = text_.size();
  return part;
}

}  // namespace vp::gdb
