#include "platform/board/register_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <vector>

#include "models/common/bus_window.h"

namespace vp {

namespace {

const char* words(RegisterMode mode) {
  switch (mode) {
    case RegisterMode::read_write:
      return "read, write";
    case RegisterMode::read_only:
      return "read only";
    case RegisterMode::write_only:
      return "write only";
    case RegisterMode::write_ignored:
      return "read, writes ignored";
  }
  return "";
}

const char* words(FieldAccess access) {
  switch (access) {
    case FieldAccess::read_write:
      return "";  // as the register
    case FieldAccess::read_only:
      return "read only";
    case FieldAccess::write_1_to_clear:
      return "1 clears";
    case FieldAccess::reserved:
      return "reserved";
  }
  return "";
}

/// "0x0000a0", as wide as a register of so many bytes.
std::string padded(std::uint64_t value, unsigned bytes) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setfill('0') << std::setw(static_cast<int>(2 * bytes)) << value;
  return text.str();
}

/// What a read gives after power-up, or what is stored where no read is possible.
std::uint64_t reset_value(const RegisterBase& reg) { return reg.readable() ? reg.peek(0, 0) : reg.reset_value(); }

/// "PRIORITY[1..31]"
std::string name_of(const RegisterBase& reg) {
  if (!reg.array()) return reg.name();
  const unsigned first = reg.extent().first;
  return reg.name() + "[" + std::to_string(first) + ".." + std::to_string(first + reg.extent().count - 1) + "]";
}

std::string bits_of(const FieldPlace& field) {
  const std::string lowest = std::to_string(field.lowest);
  return field.width == 1 ? lowest : std::to_string(field.lowest + field.width - 1) + ":" + lowest;
}

std::string meaning_of(const RegisterBase& reg) {
  std::string text = reg.help();
  const auto also = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (reg.array() && reg.extent().count > 1) also("one every " + std::to_string(reg.extent().stride) + " bytes");
  if (reg.view() >= 0) also("in view " + std::to_string(reg.view()));
  return text;
}

std::string meaning_of(const FieldPlace& field) {
  std::string text = field.help;
  std::string values;
  for (const ValueName& one : field.values)
    values += (values.empty() ? "" : ", ") + std::to_string(one.value) + " = " + one.name;
  if (!values.empty()) text += (text.empty() ? "" : ": ") + values;
  return text;
}

using Row = std::array<std::string, 6>;

void print(const std::vector<Row>& rows, std::ostream& out) {
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string cell = row[i];
      cell.insert(i == 0 ? 0 : cell.size(), widths[i] - row[i].size(), ' ');  // offsets stand to the right
      line += (i == 0 ? "" : "  ") + cell;
    }
    out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
  }
}

/// A name of the manual as part of a C identifier: "REGISTER_FILES" for "register files".
std::string identifier(const std::string& name) {
  std::string result;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    result += std::isalnum(code) != 0 ? static_cast<char>(std::toupper(code)) : '_';
  }
  return result;
}

/// Lines of a header.
class Header {
 public:
  Header(std::string prefix, std::ostream& out) : prefix_(std::move(prefix)), out_(out) {}

  void comment(const std::string& text) { out_ << "\n/* " << text << " */\n"; }
  void define(const std::string& name, const std::string& value, const std::string& meaning = "") {
    out_ << "#define " << prefix_ << '_' << identifier(name) << ' ' << value;
    if (!meaning.empty()) out_ << " /* " << meaning << " */";
    out_ << '\n';
  }

  void add(const RegisterBase& reg) {
    const std::string& name = reg.name();
    comment(name_of(reg) + ", " + words(reg.mode()) + ": " + meaning_of(reg));
    define(name + "_OFFSET", hexadecimal(reg.offset()));
    define(name + "_BYTES", std::to_string(reg.width()));
    define(name + "_RESET", padded(reset_value(reg), reg.width()));
    if (reg.array()) {
      define(name + "_STRIDE", std::to_string(reg.extent().stride));
      define(name + "_COUNT", std::to_string(reg.extent().count));
      define(name + "_FIRST", std::to_string(reg.extent().first));
    }
    for (const FieldPlace& field : reg.fields()) {
      const std::string of_field = name + "_" + field.name;
      define(of_field + "_SHIFT", std::to_string(field.lowest));
      define(of_field + "_MASK", padded(field.mask(), reg.width()), field.help);
      for (const ValueName& value : field.values) define(of_field + "_" + value.name, hexadecimal(value.value));
    }
  }

 private:
  const std::string prefix_;
  std::ostream& out_;
};

nlohmann::ordered_json document_of(const RegisterBase& reg) {
  nlohmann::ordered_json one = {{"name", reg.name()},          {"offset", reg.offset()},    {"bytes", reg.width()},
                                {"access", words(reg.mode())}, {"reset", reset_value(reg)}, {"help", reg.help()}};
  if (reg.array())
    one["array"] = {{"count", reg.extent().count}, {"stride", reg.extent().stride}, {"first", reg.extent().first}};
  if (reg.view() >= 0) one["view"] = reg.view();
  one["fields"] = nlohmann::ordered_json::array();
  for (const FieldPlace& field : reg.fields()) {
    const std::string access = words(field.access);
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const ValueName& value : field.values) values[value.name] = value.value;
    one["fields"].push_back({{"name", field.name},
                             {"lowest", field.lowest},
                             {"width", field.width},
                             {"access", access.empty() ? words(reg.mode()) : access},
                             {"help", field.help},
                             {"values", values}});
  }
  return one;
}

}  // namespace

void write_register_table(const PartRegisters& part, std::ostream& out) {
  out << part.part << " (" << part.kind << ')' << (part.base ? " at " + hexadecimal(*part.base) : "") << '\n';
  std::vector<Row> rows = {{"offset", "register", "bytes", "access", "reset", "meaning"}};
  for (const RegisterBase* const reg : part.bank.registers()) {
    rows.push_back({hexadecimal(reg->offset()), name_of(*reg), std::to_string(reg->width()), words(reg->mode()),
                    reg->readable() ? padded(reset_value(*reg), reg->width()) : "-", meaning_of(*reg)});
    for (const FieldPlace& field : reg->fields())
      rows.push_back({"", "  " + bits_of(field), "", words(field.access), field.name, meaning_of(field)});
  }
  print(rows, out);
  if (part.bank.regions().empty()) return;
  out << "\nmemories\n";
  rows = {{"offset", "name", "bytes", "", "", "meaning"}};
  for (const MemoryRegion& one : part.bank.regions())
    rows.push_back({hexadecimal(one.offset), one.name, std::to_string(one.size), "", "", one.help});
  print(rows, out);
}

void write_register_json(const PartRegisters& part, std::ostream& out) {
  nlohmann::ordered_json document = {{"part", part.part}, {"kind", part.kind}};
  if (part.base) document["base"] = *part.base;
  document["registers"] = nlohmann::ordered_json::array();
  for (const RegisterBase* const reg : part.bank.registers()) document["registers"].push_back(document_of(*reg));
  document["memories"] = nlohmann::ordered_json::array();
  for (const MemoryRegion& one : part.bank.regions())
    document["memories"].push_back(
        {{"name", one.name}, {"offset", one.offset}, {"bytes", one.size}, {"help", one.help}});
  out << document.dump(2) << '\n';
}

void write_register_header(const PartRegisters& part, std::ostream& out) {
  const std::string prefix = identifier(part.part);
  out << "/* Registers of " << part.part << " (" << part.kind << "), written by 'tinytpu-vp registers'. */\n"
      << "#ifndef " << prefix << "_REGISTERS_H\n#define " << prefix << "_REGISTERS_H\n";
  Header header(prefix, out);
  if (part.base) {
    out << '\n';
    header.define("BASE", hexadecimal(*part.base));
  }
  for (const RegisterBase* const reg : part.bank.registers()) header.add(*reg);
  for (const MemoryRegion& one : part.bank.regions()) {
    header.comment(one.name + ": " + one.help);
    header.define(one.name + "_OFFSET", hexadecimal(one.offset));
    header.define(one.name + "_SIZE", hexadecimal(one.size));
  }
  out << "\n#endif\n";
}

}  // namespace vp
