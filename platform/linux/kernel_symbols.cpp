#include "platform/linux/kernel_symbols.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/loader/elf_file.h"

namespace vp::linux_boot {

namespace {

/// Lists say where names begin, not where they end: no name covers more than this behind it.
constexpr std::uint64_t kLongest = std::uint64_t{1} << 20;

struct Name {
  std::uint64_t address;
  std::string text;
};

/// One line of a list, "ffffffff80001234 T start_kernel" and in brackets behind it the module. False: no such line.
bool parse_line(const std::string& line, Name& name) {
  std::size_t digits = 0;
  std::uint64_t address = 0;
  for (; digits < line.size() && std::string("0123456789abcdefABCDEF").find(line[digits]) != std::string::npos;
       ++digits)
    address = address << 4 | static_cast<std::uint64_t>(std::stoi(line.substr(digits, 1), nullptr, 16));
  if (digits == 0 || digits > 16 || line.size() < digits + 4 || line[digits] != ' ' || line[digits + 2] != ' ')
    return false;
  const std::size_t begin = digits + 3;
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  name = {address, line.substr(begin, end - begin)};
  return !name.text.empty();
}

std::vector<Name> parse_list(const std::string& content, const std::string& path) {
  std::vector<Name> names;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    Name name;
    if (!parse_line(content.substr(begin, std::min<std::size_t>(end - begin, 1024)), name))
      throw UserError("the symbols " + quoted(path) +
                      " are neither an ELF file nor a list as System.map and /proc/kallsyms are");
    names.push_back(std::move(name));
    begin = end + 1;
  }
  return names;
}

}  // namespace

SymbolTable parse_kernel_symbols(std::string content, const std::string& path) {
  if (content.compare(0, 4,
                      "\x7f"
                      "ELF") == 0)
    return parse_elf_symbols(std::move(content), path);
  std::vector<Name> names = parse_list(content, path);
  // Debian's System.map holds one line, which says so.
  if (names.size() < 2)
    throw UserError("the symbols " + quoted(path) +
                    " name nothing: Debian's own System.map is in the package linux-image-...-dbg; /proc/kallsyms of "
                    "the running kernel, saved as a file, does as well");
  if (std::all_of(names.begin(), names.end(), [](const Name& name) { return name.address == 0; }))
    throw UserError("the symbols " + quoted(path) + " have no addresses: read /proc/kallsyms as root");
  std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.address < b.address; });
  SymbolTable symbols;
  for (auto name = names.begin(); name != names.end(); ++name) {
    const auto above = std::upper_bound(name, names.end(), name->address,
                                        [](std::uint64_t address, const Name& one) { return address < one.address; });
    const std::uint64_t next = above == names.end() ? ~std::uint64_t{0} : above->address;
    symbols.add(name->address, std::min(next - name->address, kLongest), 0, name->text);
  }
  symbols.sort();
  return symbols;
}

}  // namespace vp::linux_boot
