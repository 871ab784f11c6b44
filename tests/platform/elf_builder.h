#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace vp {

/// Makes small ELF executables in memory: loadable segments and a symbol table. Members may be changed before build().
template <unsigned Xlen>
class ElfBuilder {
 public:
  using Ehdr = std::conditional_t<Xlen == 32, Elf32_Ehdr, Elf64_Ehdr>;
  using Phdr = std::conditional_t<Xlen == 32, Elf32_Phdr, Elf64_Phdr>;
  using Shdr = std::conditional_t<Xlen == 32, Elf32_Shdr, Elf64_Shdr>;
  using Sym = std::conditional_t<Xlen == 32, Elf32_Sym, Elf64_Sym>;

  Ehdr header{};
  std::vector<Phdr> segments;
  std::string contents;  ///< bytes of all segments, behind the headers

  explicit ElfBuilder(std::uint64_t entry) {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = Xlen == 32 ? ELFCLASS32 : ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof(Ehdr);
    header.e_phentsize = sizeof(Phdr);
    header.e_shentsize = sizeof(Shdr);
    header.e_phoff = sizeof(Ehdr);
    set(header.e_entry, entry);
  }

  void add_segment(std::uint64_t address, const std::string& bytes, std::uint64_t memory_size) {
    Phdr segment{};
    segment.p_type = PT_LOAD;
    set(segment.p_offset, contents.size());  // made absolute by build()
    set(segment.p_vaddr, address);
    set(segment.p_paddr, address);
    set(segment.p_filesz, bytes.size());
    set(segment.p_memsz, memory_size);
    segments.push_back(segment);
    contents += bytes;
  }

  /// A function of the one section that spans `section_base` to `section_base + section_size`.
  void add_symbol(const std::string& name, std::uint64_t address, std::uint64_t size) {
    Sym symbol{};
    symbol.st_name = static_cast<unsigned>(names_.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;
    set(symbol.st_value, address);
    set(symbol.st_size, size);
    symbols_.push_back(symbol);
    names_ += name + '\0';
  }
  std::uint64_t section_base = 0;
  std::uint64_t section_size = 0;

  std::string build() {
    const std::size_t start = sizeof(Ehdr) + segments.size() * sizeof(Phdr);
    std::string symbols(reinterpret_cast<const char*>(symbols_.data()), symbols_.size() * sizeof(Sym));
    const std::size_t symbols_at = start + contents.size();
    const std::size_t names_at = symbols_at + symbols.size();
    std::vector<Shdr> sections(4);
    sections[1] = section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, start, contents.size());
    set(sections[1].sh_addr, section_base);
    set(sections[1].sh_size, section_size);
    sections[2] = section(SHT_SYMTAB, 0, symbols_at, symbols.size());
    sections[2].sh_link = 3;
    set(sections[2].sh_entsize, sizeof(Sym));
    sections[3] = section(SHT_STRTAB, 0, names_at, names_.size());
    set(header.e_shoff, names_at + names_.size());
    header.e_shnum = static_cast<unsigned short>(sections.size());
    header.e_phnum = static_cast<unsigned short>(segments.size());

    std::string file = bytes_of(&header, 1);
    for (Phdr segment : segments) {
      set(segment.p_offset, segment.p_offset + start);
      file += bytes_of(&segment, 1);
    }
    return file + contents + symbols + names_ + bytes_of(sections.data(), sections.size());
  }

 private:
  template <typename Field>
  static void set(Field& field, std::uint64_t value) {
    field = static_cast<Field>(value);
  }
  template <typename T>
  static std::string bytes_of(const T* items, std::size_t count) {
    return {reinterpret_cast<const char*>(items), count * sizeof(T)};
  }
  static Shdr section(unsigned type, unsigned flags, std::size_t offset, std::size_t size) {
    Shdr header{};
    header.sh_type = type;
    set(header.sh_flags, flags);
    set(header.sh_offset, offset);
    set(header.sh_size, size);
    set(header.sh_addralign, 1);
    return header;
  }

  std::vector<Sym> symbols_ = std::vector<Sym>(1);
  std::string names_ = std::string(1, '\0');
};

/// A program of two segments with symbols, the second segment with zeros behind its bytes.
template <unsigned Xlen>
std::string small_program(std::uint64_t base = 0x8000'0000) {
  ElfBuilder<Xlen> builder(base + 4);
  builder.add_segment(base, std::string("\x13\0\0\0\x13\0\0\0", 8), 8);
  builder.add_segment(base + 0x1000, "data", 0x100);
  builder.section_base = base;
  builder.section_size = 8;
  builder.add_symbol("first", base, 4);
  builder.add_symbol("second", base + 4, 0);
  return builder.build();
}

}  // namespace vp
