#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vp::gdb {

/// Payload that a packet has at most, either way; announced to clients.
inline constexpr std::size_t kLongestPayload = 0x4000;

/// One thing that a client has sent.
struct Received {
  enum class Kind : std::uint8_t {
    packet,        ///< with its payload
    interrupt,     ///< Ctrl-C, a byte outside of packets
    acknowledged,  ///< '+'
    repeat,        ///< '-': the last answer is to be sent again
    damaged,       ///< a packet whose checksum is wrong
    too_long,      ///< a packet that is not kept
  };
  Kind kind = Kind::packet;
  std::string payload = {};  ///< without frame and escapes
};

/// Takes a client's bytes apart (GDB manual, "Overview" of the remote protocol). Whatever comes, it holds one payload
/// at most. Bytes between packets that mean nothing are passed over; a '$' always begins a packet.
class PacketReader {
 public:
  /// What this byte completes, if anything.
  std::optional<Received> put(char byte);
  /// Forgets what has begun: another client.
  void reset() { *this = PacketReader(); }

 private:
  enum class State : std::uint8_t { outside, body, escaped, first_digit, second_digit };

  std::optional<Received> put_outside(char byte);
  void put_body(char byte);
  void keep(char byte);
  Received finish(char digit);

  State state_ = State::outside;
  std::string payload_;
  bool too_long_ = false;
  std::uint8_t sum_ = 0;
  int first_digit_ = -1;
};

/// A payload as it goes over the wire.
std::string framed(const std::string& payload);

// Numbers and bytes as the protocol writes them: hexadecimal digits, two a byte; a register's lowest byte first.

/// -1: no such digit.
int digit_of(char character);
std::string hex_of(const void* bytes, std::size_t count);
std::string hex_of(const std::string& bytes);
/// Nothing if the text is not whole bytes.
std::optional<std::string> bytes_of(const std::string& hex);
/// A number in so many bytes.
std::string hex_of_number(std::uint64_t value, unsigned bytes);
std::optional<std::uint64_t> number_of_bytes(const std::string& hex);
/// 0x10 is "10".
std::string plain_hex(std::uint64_t value);

/// Reads a payload from left to right. A step that does not fit makes all that follow fail.
class PayloadText {
 public:
  explicit PayloadText(const std::string& text, std::size_t at = 0) : text_(text), at_(at) {}

  /// A number of 1 to 16 hexadecimal digits.
  std::optional<std::uint64_t> number();
  /// This character stands here; goes behind it.
  bool take(char character);
  /// Everything up to the character, which is passed, or to the end.
  std::string up_to(char character);
  std::string rest();
  bool at_end() const { return at_ >= text_.size(); }

 private:
  const std::string& text_;
  std::size_t at_;
};

}  // namespace vp::gdb
