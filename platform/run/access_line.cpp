#include "platform/run/access_line.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/common/bus_window.h"

namespace vp {

namespace {

constexpr std::size_t kOriginColumns = 40, kPlaceColumns = 28, kValueColumns = 20;
/// Bytes of a longer access that are shown.
constexpr unsigned kShownBytes = 32;

const char* name_of(AccessResult result) {
  switch (result) {
    case AccessResult::ok:
      return "ok";
    case AccessResult::address_error:
      return "address error";
    case AccessResult::command_error:
      return "command error";
    case AccessResult::error:
      return "error";
    case AccessResult::no_answer:
      return "no answer";
  }
  return "";
}

/// At least one blank follows.
std::string padded(std::string text, std::size_t columns) {
  text.resize(std::max(columns, text.size()) + 1, ' ');
  return text;
}

/// With leading zeros to exactly so many digits.
void append_hexadecimal(std::uint64_t value, unsigned digits, std::string& text) {
  const std::size_t begin = text.size();
  text.resize(begin + digits);
  for (unsigned i = digits; i-- > 0; value >>= 4) text[begin + i] = "0123456789abcdef"[value & 0xF];
}

bool partial(const AccessFacts& facts) { return facts.in_one && facts.size < facts.registers.front().width(); }

unsigned lowest_bit(const AccessFacts& facts) { return 8 * facts.registers.front().byte; }

/// "MTIME", "SA, SA_MSB"
std::string names_of(const std::vector<RegisterPlace>& registers) {
  std::string names;
  for (const RegisterPlace& one : registers) names += (names.empty() ? "" : ", ") + one.name();
  return names;
}

AccessHead text_head(const AccessFacts& facts) {
  AccessHead head;
  std::string origin = facts.master;
  if (facts.pc != kNoPc)
    origin += (facts.processor ? " " : ", started at ") + hexadecimal(facts.pc) +
              (facts.symbol.empty() ? "" : " (" + facts.symbol + ")");
  std::string place = facts.part;
  if (!facts.registers.empty()) {
    place += "." + names_of(facts.registers);
    if (partial(facts))
      place +=
          " bits " + std::to_string(lowest_bit(facts) + 8 * facts.size - 1) + ":" + std::to_string(lowest_bit(facts));
  } else if (!facts.region.empty()) {
    head.offset_shown = true;
    place += "." + facts.region + "+0x";
  } else {
    place += "+" + hexadecimal(facts.offset) + (facts.nearest.empty() ? "" : " (" + facts.nearest + ")");
  }
  head.before_offset = "  " + padded(std::move(origin), kOriginColumns) + (facts.write ? "write  " : "read   ") +
                       (head.offset_shown ? place : padded(std::move(place), kPlaceColumns));
  head.behind_offset = head.offset_shown ? " " : "";
  return head;
}

AccessHead json_head(const AccessFacts& facts) {
  AccessHead head;
  std::string text = ",\"event\":\"access\",\"master\":" + json_string(facts.master);
  if (facts.pc != kNoPc) text += ",\"pc\":\"" + hexadecimal(facts.pc) + '"';
  if (!facts.symbol.empty()) text += ",\"symbol\":" + json_string(facts.symbol);
  text += std::string(",\"access\":\"") + (facts.write ? "write" : "read") + "\",\"part\":" + json_string(facts.part);
  if (!facts.registers.empty()) text += ",\"register\":" + json_string(names_of(facts.registers));
  if (partial(facts)) text += ",\"lowest_bit\":" + std::to_string(lowest_bit(facts));
  if (!facts.region.empty()) text += ",\"memory\":" + json_string(facts.region);
  if (!facts.nearest.empty()) text += ",\"nearest\":" + json_string(facts.nearest);
  head.before_offset = text + ",\"offset\":\"0x";
  head.offset_shown = true;
  head.behind_offset = "\",\"size\":" + std::to_string(facts.size);
  return head;
}

std::uint64_t little_endian(const Access& access) {
  std::uint64_t value = 0;
  std::memcpy(&value, access.data, access.size);
  return value;
}

/// "0x000001a4"; of a longer access its first bytes in the order of addresses, "00 1f ...".
void append_value(const Access& access, std::string& text) {
  if (access.size <= 8) {
    text += "0x";
    append_hexadecimal(little_endian(access), 2 * access.size, text);
    return;
  }
  for (unsigned i = 0; i < std::min(access.size, kShownBytes); ++i) {
    if (i != 0) text += ' ';
    append_hexadecimal(access.data[i], 2, text);
  }
  if (access.size > kShownBytes) text += " ...";
}

/// "0011": the bytes that are accessed, in the order of addresses.
std::string strobes_text(const Access& access) {
  std::string text;
  for (unsigned i = 0; i < access.size; ++i) text += access.strobes[i] != 0 ? '1' : '0';
  return text;
}

/// The value in its register, and the bits of it that the access has.
struct Bits {
  std::uint64_t value, mask;
};

Bits bits_of(const AccessHead& head, const Access& access) {
  const unsigned shift = 8 * head.place.byte;
  const std::uint64_t mask = access.size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * access.size)) - 1;
  return {little_endian(access) << shift, mask << shift};
}

bool value_known(const Access& access, AccessResult result) { return access.write || result == AccessResult::ok; }

void make_text_tail(const AccessHead& head, const Access& access, AccessResult result, std::string& text) {
  const bool known = value_known(access, result);
  text.clear();
  if (known)
    append_value(access, text);
  else
    text += '-';
  text.resize(std::max(kValueColumns, text.size()) + 1, ' ');
  text += name_of(result);
  if (access.strobes != nullptr) text += "  strobes " + strobes_text(access);
  if (known && head.place.reg != nullptr && access.strobes == nullptr) {
    const Bits bits = bits_of(head, access);
    const std::size_t before = text.size();
    text += "  ";
    append_fields(*head.place.reg, bits.value, bits.mask, text);
    if (text.size() == before + 2) text.resize(before);
  }
  text += '\n';
}

void make_json_tail(const AccessHead& head, const Access& access, AccessResult result, std::string& text) {
  const bool known = value_known(access, result);
  text.clear();
  if (known) {
    text += ",\"value\":\"";
    append_value(access, text);
    text += '"';
  }
  text.append(",\"result\":\"").append(name_of(result)).append("\"");
  if (access.strobes != nullptr) text += ",\"strobes\":\"" + strobes_text(access) + '"';
  if (known && head.place.reg != nullptr && access.strobes == nullptr && !head.place.reg->fields().empty()) {
    const Bits bits = bits_of(head, access);
    text += ",\"fields\":{";
    const char* separator = "";
    for (const FieldPlace& field : head.place.reg->fields()) {
      if ((field.mask() & ~bits.mask) != 0) continue;
      text += separator + json_string(field.name) + ':' + std::to_string(field.of(bits.value));
      separator = ",";
    }
    text += '}';
  }
  text += "}\n";
}

}  // namespace

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

AccessHead head_of(const AccessFacts& facts, AccessLogFormat format) {
  AccessHead head = format == AccessLogFormat::text ? text_head(facts) : json_head(facts);
  if (facts.in_one) head.place = facts.registers.front();
  return head;
}

void begin_line(Picoseconds time, AccessLogFormat format, TextBuffer& out) {
  if (format == AccessLogFormat::text) {
    out.nanoseconds(time, 16);
  } else {
    out.add("{\"time_ps\":");
    out.decimal(time);
  }
}

void write_line(const AccessHead& head, AccessTail& tail, const Access& access, std::uint64_t offset,
                AccessResult result, AccessLogFormat format, TextBuffer& out) {
  const bool may_recur = access.size <= 8 && access.strobes == nullptr;
  const std::uint64_t value = may_recur && value_known(access, result) ? little_endian(access) : 0;
  if (!may_recur || !tail.made || tail.value != value || tail.result != result) {
    format == AccessLogFormat::text ? make_text_tail(head, access, result, tail.text)
                                    : make_json_tail(head, access, result, tail.text);
    tail.value = value;
    tail.result = result;
    tail.made = may_recur;
  }
  begin_line(access.time, format, out);
  out.add(head.before_offset);
  if (head.offset_shown) out.hexadecimal(offset);
  out.add(head.behind_offset);
  out.add(tail.text);
}

}  // namespace vp
