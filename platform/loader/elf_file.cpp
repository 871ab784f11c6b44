#include "platform/loader/elf_file.h"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

bool fits(const ElfProgram::Segment& segment, const std::vector<LoadableRange>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&segment](const LoadableRange& range) {
    return segment.address >= range.base && segment.address - range.base < range.size &&
           segment.memory_size <= range.size - (segment.address - range.base);
  });
}

/// "dram0 0x80000000 to 0x8fffffff, …"
std::string names(const std::vector<LoadableRange>& ranges) {
  std::string text;
  for (const LoadableRange& range : ranges)
    text += (text.empty() ? "" : ", ") + range.name + " " + hex(range.base) + " to " + hex(range.base + range.size - 1);
  return text.empty() ? "there is none" : text;
}

ElfProgram::Segment without_file_headers(ElfProgram::Segment& segment) {
  return {segment.address + segment.file_headers, segment.memory_size - segment.file_headers,
          segment.bytes.all().substr(segment.file_headers)};
}

/// Reads one file; every complaint names it.
class Reader {
 public:
  Reader(std::string content, const std::string& path) : content_(std::move(content)), path_(path) {}

  ElfProgram read() {
    open();
    header();
    for (std::size_t index = 0; index < segment_count_; ++index) segment(index);
    if (program_.segments.empty()) fail("has nothing to load");
    if (!loaded(program_.entry)) fail("starts at " + hex(program_.entry) + ", where it loads nothing");
    symbols();
    read_only_sections();
    program_.path = path_;
    return std::move(program_);
  }

  SymbolTable read_symbols() {
    open();
    machine();
    symbols();
    if (program_.symbols.size() == 0) fail("has no symbols");
    return std::move(program_.symbols);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw UserError("the program '" + path_ + "' " + what); }

  void open() {
    if (content_.size() < SELFMAG || content_.compare(0, SELFMAG, ELFMAG) != 0) fail("is no ELF file");
    if (content_.size() < EI_NIDENT) fail("is truncated within its header");
    if (content_[EI_DATA] != ELFDATA2LSB) fail("is not little endian, RISC-V programs are");
    if (elf_version(EV_CURRENT) == EV_NONE) throw std::logic_error("libelf is older than its header");
    elf_.reset(elf_memory(content_.data(), content_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) fail("is no readable ELF file");
  }

  GElf_Ehdr machine() {
    GElf_Ehdr header;
    if (!gelf_getehdr(elf_.get(), &header)) fail("is truncated within its header");
    if (header.e_machine != EM_RISCV)
      fail("is for another machine (ELF machine " + std::to_string(header.e_machine) + "), not for RISC-V");
    return header;
  }

  void header() {
    const GElf_Ehdr header = machine();
    if (header.e_type != ET_EXEC) fail("is no executable with fixed addresses (link it with -static -no-pie)");
    program_.xlen = gelf_getclass(elf_.get()) == ELFCLASS32 ? 32 : 64;
    program_.entry = header.e_entry;
    segment_count_ = header.e_phnum;  // libelf's own count leaves out what a truncated file lacks
    const std::uint64_t entry_size = gelf_fsize(elf_.get(), ELF_T_PHDR, 1, EV_CURRENT);
    if (header.e_phoff > content_.size() || segment_count_ > (content_.size() - header.e_phoff) / entry_size)
      fail("is truncated within its program headers");
  }

  void segment(std::size_t index) {
    GElf_Phdr header;
    if (!gelf_getphdr(elf_.get(), static_cast<int>(index), &header))
      fail("is corrupt: program header " + std::to_string(index) + " cannot be read");
    if (header.p_type != PT_LOAD || header.p_memsz == 0) return;
    const std::string name = "segment " + std::to_string(index);
    if (header.p_filesz > header.p_memsz) fail("is corrupt: " + name + " has more bytes in the file than in memory");
    if (header.p_offset > content_.size() || header.p_filesz > content_.size() - header.p_offset)
      fail("is truncated: " + name + " ends behind the end of the file");
    const std::uint64_t last = program_.xlen == 32 ? 0xFFFF'FFFFu : ~std::uint64_t{0};
    if (header.p_paddr > last || header.p_memsz - 1 > last - header.p_paddr)
      fail("is corrupt: " + name + " ends behind the last address");
    program_.segments.push_back(
        {header.p_paddr, header.p_memsz, content_.substr(header.p_offset, header.p_filesz), file_headers(header)});
    ranges_.push_back({header.p_vaddr, header.p_memsz});
    if (header.p_vaddr != header.p_paddr) return;
    in_place_.push_back({header.p_vaddr, header.p_memsz});
    if ((header.p_flags & (PF_R | PF_X)) && !(header.p_flags & PF_W))
      program_.read_only.push_back({header.p_paddr, header.p_paddr + header.p_memsz - 1});
  }

  /// Code in a segment that may be written as a whole: small programs have one for everything.
  void read_only_sections() {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || header.sh_size == 0) continue;
      if (!(header.sh_flags & SHF_ALLOC) || (header.sh_flags & SHF_WRITE)) continue;
      const bool in_place = std::any_of(in_place_.begin(), in_place_.end(), [&](const auto& segment) {
        return header.sh_addr >= segment.first && header.sh_addr - segment.first < segment.second &&
               header.sh_size <= segment.second - (header.sh_addr - segment.first);
      });
      if (in_place) program_.read_only.push_back({header.sh_addr, header.sh_addr + header.sh_size - 1});
    }
  }

  std::uint64_t file_headers(const GElf_Phdr& segment) const {
    if (segment.p_offset != 0) return 0;
    std::optional<std::uint64_t> first;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_ALLOC))
        first = std::min<std::uint64_t>(first.value_or(header.sh_offset), header.sh_offset);
    }
    return std::min<std::uint64_t>(first.value_or(0), segment.p_filesz);
  }

  /// The entry point is an address of the running program, which may differ from where it is loaded.
  bool loaded(std::uint64_t address) const {
    const auto covers = [address](std::uint64_t base, std::uint64_t size) {
      return address >= base && address - base < size;
    };
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const auto& range) { return covers(range.first, range.second); }) ||
           std::any_of(program_.segments.begin(), program_.segments.end(),
                       [&](const auto& segment) { return covers(segment.address, segment.memory_size); });
  }

  /// A damaged symbol table costs names in reports, not the run.
  void symbols() {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      if (!data) continue;
      const std::size_t count = data->d_size / gelf_fsize(elf_.get(), ELF_T_SYM, 1, EV_CURRENT);
      for (std::size_t index = 0; index < count; ++index) symbol(data, index, header.sh_link);
    }
    program_.symbols.sort();
  }

  void symbol(Elf_Data* data, std::size_t index, std::size_t strings) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, static_cast<int>(index), &symbol)) return;
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) return;
    const char* name = elf_strptr(elf_.get(), strings, symbol.st_name);
    // $x, $d … mark code and data for tools; .L… are labels of the compiler.
    if (!name || *name == '\0' || *name == '$' || std::string(name).compare(0, 2, ".L") == 0) return;
    GElf_Shdr home;
    Elf_Scn* section = symbol.st_shndx < SHN_LORESERVE ? elf_getscn(elf_.get(), symbol.st_shndx) : nullptr;
    if (symbol.st_shndx == SHN_UNDEF || !section || !gelf_getshdr(section, &home) || !(home.sh_flags & SHF_ALLOC))
      return;
    program_.symbols.add(symbol.st_value, symbol.st_size, home.sh_addr + home.sh_size, name);
  }

  std::string content_;
  std::string path_;
  ElfHandle elf_;
  std::size_t segment_count_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;    ///< running addresses: base, size
  std::vector<std::pair<std::uint64_t, std::uint64_t>> in_place_;  ///< of them those that run where they are loaded
  ElfProgram program_;
};

}  // namespace

ElfProgram parse_elf(std::string content, const std::string& path) { return Reader(std::move(content), path).read(); }

SymbolTable parse_elf_symbols(std::string content, const std::string& path) {
  return Reader(std::move(content), path).read_symbols();
}

ElfProgram read_elf(const std::string& path) { return parse_elf(read_file(path), path); }

void fit_segments(ElfProgram& program, const std::vector<LoadableRange>& ranges, const std::string& path) {
  std::vector<ElfProgram::Segment> fitting;
  for (ElfProgram::Segment& segment : program.segments) {
    if (segment.file_headers != 0 && !fits(segment, ranges)) segment = without_file_headers(segment);
    if (segment.memory_size == 0) continue;
    if (!fits(segment, ranges))
      throw UserError("the program '" + path + "' does not fit: its segment " + hex(segment.address) + " to " +
                      hex(segment.address + segment.memory_size - 1) + " is outside memory (" + names(ranges) + ")");
    fitting.push_back(std::move(segment));
  }
  program.segments = std::move(fitting);
}

}  // namespace vp
