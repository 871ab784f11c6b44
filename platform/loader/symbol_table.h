#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vp {

/// Names of a program's addresses, for traces and reports.
class SymbolTable {
 public:
  /// size 0: up to the next symbol. `section_end`: first address behind the section that holds the symbol.
  void add(std::uint64_t address, std::uint64_t size, std::uint64_t section_end, std::string name);
  /// To be called once after the last add().
  void sort();

  /// "name+0x12", "name" at its very start, or "" where no symbol covers the address.
  std::string describe(std::uint64_t address) const;
  /// First and last address that a name covers.
  struct Range {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::optional<Range> range(const std::string& name) const;
  std::size_t size() const { return symbols_.size(); }

 private:
  struct Symbol {
    std::uint64_t address;
    std::uint64_t end;
    std::string name;
  };
  std::vector<Symbol> symbols_;
};

/// Addresses that a person gives to an option: "FROM-TO" (both included), one address, or the name of a function, which
/// stands for all of it. Throws UserError that names the option.
SymbolTable::Range parse_pc_range(const std::string& text, const SymbolTable& symbols, const std::string& option);

}  // namespace vp
