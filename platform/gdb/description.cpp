#include "platform/gdb/description.h"

#include <algorithm>

namespace vp::gdb {

namespace {

constexpr unsigned kGeneralRegisters = 32;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char character : text) switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += character;
    }
  return out;
}

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : std::string(" ") + name + "=\"" + escaped(value) + '"';
}

std::string hexadecimal(std::uint64_t value) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[value >> shift & 15];
  return "0x" + text;
}

/// What a register is for by the calling convention, for clients that know no RISC-V (LLDB asks this of the target).
std::string role_of(unsigned number) {
  constexpr unsigned kArguments = 8, kFirstArgument = 10, kPc = kGeneralRegisters;
  if (number >= kFirstArgument && number < kFirstArgument + kArguments)
    return "arg" + std::to_string(number - kFirstArgument + 1);
  switch (number) {
    case 1:
      return "ra";
    case 2:
      return "sp";
    case 8:
      return "fp";
    case kPc:
      return "pc";
    default:
      return "";
  }
}

/// In debug information pc has no number, so those of the floating-point registers are one less than here.
std::string debug_number_of(unsigned number) {
  constexpr unsigned kFirstFloat = 33, kLastFloat = 64;
  if (number < kGeneralRegisters) return std::to_string(number);
  return number >= kFirstFloat && number <= kLastFloat ? std::to_string(number - 1) : "";
}

/// The types that registers of a feature use and clients do not know by themselves.
std::string types_of(const TargetRegister& first) {
  if (first.type != kFloatOrDouble) return "";
  return "<union" + attribute("id", kFloatOrDouble) +
         "><field name=\"float\" type=\"ieee_single\"/><field name=\"double\" type=\"ieee_double\"/></union>\n";
}

}  // namespace

std::string target_description(const Target& target) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n<architecture>"
      "riscv:rv" +
      std::to_string(target.xlen()) + "</architecture>\n";
  std::string feature;
  for (const TargetRegister& one : target.registers()) {
    if (one.feature != feature) {
      if (!feature.empty()) xml += "</feature>\n";
      feature = one.feature;
      xml += "<feature" + attribute("name", feature) + ">\n" + types_of(one);
    }
    xml += "<reg" + attribute("name", one.name) + attribute("bitsize", std::to_string(one.bits)) +
           attribute("regnum", std::to_string(one.number)) + attribute("type", one.type) +
           attribute("group", one.group) + attribute("generic", role_of(one.number)) +
           attribute("ehframe_regnum", debug_number_of(one.number)) +
           attribute("dwarf_regnum", debug_number_of(one.number)) + "/>\n";
  }
  if (!feature.empty()) xml += "</feature>\n";
  return xml + "</target>\n";
}

std::string memory_map(std::vector<TargetMemory> memory, unsigned xlen) {
  std::sort(memory.begin(), memory.end(), [](const auto& one, const auto& other) { return one.base < other.base; });
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
      "\"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n";
  const auto add = [&xml](const char* type, std::uint64_t base, std::uint64_t size) {
    xml += "<memory" + attribute("type", type) + attribute("start", hexadecimal(base)) +
           attribute("length", hexadecimal(size)) + "/>\n";
  };
  std::uint64_t next = 0;
  for (const TargetMemory& one : memory) {
    if (one.base != next) add("ram", next, one.base - next);
    add(one.read_only ? "rom" : "ram", one.base, one.size);
    next = one.base + one.size;
  }
  const std::uint64_t end = xlen == 64 ? 0 : std::uint64_t{1} << 32;  // of the addresses, modulo 2^64
  if (next != end) add("ram", next, end - next);
  return xml + "</memory-map>\n";
}

std::string thread_list(const std::string& name, const std::string& text) {
  return "<?xml version=\"1.0\"?>\n<threads>\n<thread id=\"1\" core=\"0\"" + attribute("name", name) + ">" +
         escaped(text) + "</thread>\n</threads>\n";
}

}  // namespace vp::gdb
