// Registers, memory, breakpoints and watchpoints of the session.
#include <algorithm>
#include <vector>

#include "platform/gdb/session.h"

namespace vp::gdb {

namespace {

// Answers to what cannot be done; clients only tell them from success.
constexpr const char* kNotThere = "E0e";  // EFAULT
constexpr const char* kNoRoom = "E1c";    // ENOSPC

/// x0 to x31 and pc: what the packet g has. The others are asked for one by one.
constexpr unsigned kGeneral = 33;
constexpr std::size_t kMostBreaks = 4096;

unsigned bytes_of_register(const TargetRegister& reg) { return reg.bits / 8; }

}  // namespace

const TargetRegister* Session::find_register(std::uint64_t number) const {
  const std::vector<TargetRegister>& all = target_.registers();
  const auto found =
      std::lower_bound(all.begin(), all.end(), number,
                       [](const TargetRegister& one, std::uint64_t wanted) { return one.number < wanted; });
  return found != all.end() && found->number == number ? &*found : nullptr;
}

std::string Session::register_bytes(const TargetRegister& reg) const {
  const auto value = target_.read_register(reg.number);
  return value ? hex_of_number(*value, bytes_of_register(reg)) : std::string(2 * bytes_of_register(reg), 'x');
}

Session::Answer Session::read_registers(PayloadText&) {
  std::string text;
  for (const TargetRegister& reg : target_.registers())
    if (reg.number < kGeneral) text += register_bytes(reg);
  return text;
}

Session::Answer Session::write_registers(PayloadText& text) {
  const std::string digits = text.rest();
  std::size_t at = 0;
  std::vector<std::uint64_t> values;
  for (const TargetRegister& reg : target_.registers()) {
    if (reg.number >= kGeneral) continue;
    const std::size_t length = 2 * bytes_of_register(reg);
    const auto value = at + length <= digits.size() ? number_of_bytes(digits.substr(at, length)) : std::nullopt;
    if (!value) return kMalformed;
    values.push_back(*value);
    at += length;
  }
  if (at != digits.size()) return kMalformed;
  for (unsigned number = 0; number < values.size(); ++number)
    if (!target_.write_register(number, values[number])) return kNotThere;
  return "OK";
}

Session::Answer Session::read_register(PayloadText& text) {
  const auto number = text.number();
  if (!number || !text.at_end()) return kMalformed;
  const TargetRegister* const reg = find_register(*number);
  return reg ? register_bytes(*reg) : kNotThere;
}

Session::Answer Session::write_register(PayloadText& text) {
  const auto number = text.number();
  if (!number || !text.take('=')) return kMalformed;
  const auto value = number_of_bytes(text.rest());
  if (!value) return kMalformed;
  return find_register(*number) && target_.write_register(static_cast<unsigned>(*number), *value) ? "OK" : kNotThere;
}

Session::Answer Session::read_memory(PayloadText& text) {
  const auto address = text.number();
  const bool comma = text.take(',');
  const auto length = text.number();
  if (!address || !comma || !length || !text.at_end()) return kMalformed;
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(*length, kLongestPayload / 2));
  const std::size_t read = target_.read_memory(*address, bytes.data(), bytes.size());
  if (read == 0 && *length != 0) return kNotThere;
  return hex_of(bytes.data(), read);
}

Session::Answer Session::write_memory(PayloadText& text) {
  const auto address = text.number();
  const bool comma = text.take(',');
  const auto length = text.number();
  if (!address || !comma || !length || !text.take(':')) return kMalformed;
  const auto bytes = bytes_of(text.rest());
  return bytes ? write_bytes(*address, *length, *bytes) : kMalformed;
}

Session::Answer Session::write_memory_binary(PayloadText& text) {
  const auto address = text.number();
  const bool comma = text.take(',');
  const auto length = text.number();
  if (!address || !comma || !length || !text.take(':')) return kMalformed;
  return write_bytes(*address, *length, text.rest());
}

Session::Answer Session::write_bytes(std::uint64_t address, std::uint64_t length, const std::string& bytes) {
  if (bytes.size() != length) return kMalformed;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return target_.write_memory(address, data, bytes.size()) == bytes.size() ? "OK" : kNotThere;
}

Session::Answer Session::insert_break(PayloadText& text) {
  const auto kind = text.number();
  const bool comma = text.take(',');
  const auto address = text.number();
  const bool second_comma = text.take(',');
  const auto length = text.number();  // conditions and commands may follow, which we have not offered
  if (!kind || !comma || !address || !second_comma || !length) return kMalformed;
  if (*kind > static_cast<unsigned>(BreakKind::access)) return "";
  const Break wanted(static_cast<BreakKind>(*kind), *address, *length);
  if (breaks_.count(wanted) != 0) return "OK";
  if (breaks_.size() >= kMostBreaks) return kNoRoom;
  if (!target_.insert_break(static_cast<BreakKind>(*kind), *address, *length)) return kNotThere;
  breaks_.insert(wanted);
  return "OK";
}

Session::Answer Session::remove_break(PayloadText& text) {
  const auto kind = text.number();
  const bool comma = text.take(',');
  const auto address = text.number();
  const bool second_comma = text.take(',');
  const auto length = text.number();
  if (!kind || !comma || !address || !second_comma || !length) return kMalformed;
  if (*kind > static_cast<unsigned>(BreakKind::access)) return "";
  const Break gone(static_cast<BreakKind>(*kind), *address, *length);
  if (breaks_.erase(gone) != 0) target_.remove_break(static_cast<BreakKind>(*kind), *address, *length);
  return "OK";
}

void Session::remove_breaks() {
  for (const auto& [kind, address, length] : breaks_) target_.remove_break(kind, address, length);
  breaks_.clear();
}

}  // namespace vp::gdb
