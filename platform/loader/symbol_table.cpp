#include "platform/loader/symbol_table.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

void SymbolTable::add(std::uint64_t address, std::uint64_t size, std::uint64_t section_end, std::string name) {
  const std::uint64_t end = size != 0 && size <= ~address ? address + size : section_end;
  symbols_.push_back({address, end, std::move(name)});
}

void SymbolTable::sort() {
  // Of several names for one address the first of the file wins, as it does in debuggers.
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

std::string SymbolTable::describe(std::uint64_t address) const {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](std::uint64_t value, const Symbol& symbol) { return value < symbol.address; });
  if (after == symbols_.begin()) return "";
  const std::uint64_t start = std::prev(after)->address;
  const auto symbol = std::lower_bound(symbols_.begin(), after, start,
                                       [](const Symbol& s, std::uint64_t value) { return s.address < value; });
  if (address >= symbol->end && address != symbol->address) return "";
  if (address == symbol->address) return symbol->name;
  std::ostringstream text;
  text << symbol->name << "+0x" << std::hex << address - symbol->address;
  return text.str();
}

std::optional<SymbolTable::Range> SymbolTable::range(const std::string& name) const {
  for (const Symbol& symbol : symbols_) {
    if (symbol.name != name) continue;
    return Range{symbol.address, symbol.end > symbol.address ? symbol.end - 1 : symbol.address};
  }
  return std::nullopt;
}

SymbolTable::Range parse_pc_range(const std::string& text, const SymbolTable& symbols, const std::string& option) {
  if (const auto range = symbols.range(text)) return *range;
  const std::string given = option + ": '" + text.substr(0, 80) + "'";
  const auto address_of = [&given](const std::string& word) {
    try {
      return parse_integer(word);
    } catch (const UserError&) {
      throw UserError(given + " is neither an address nor a symbol of the program");
    }
  };
  const std::size_t dash = text.find('-');
  SymbolTable::Range range{};
  range.first = address_of(text.substr(0, dash));
  range.last = dash == std::string::npos ? range.first : address_of(text.substr(dash + 1));
  if (range.last < range.first) throw UserError(given + " ends before it starts");
  return range;
}

}  // namespace vp
