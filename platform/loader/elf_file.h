#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/files/stored_bytes.h"
#include "platform/loader/symbol_table.h"

namespace vp {

/// A program in memory form, mostly read from an ELF executable for RISC-V (32 or 64 bit, little endian).
struct ElfProgram {
  /// A piece of memory: `bytes` first, then zeros up to `memory_size` bytes.
  struct Segment {
    std::uint64_t address = 0;  ///< physical (load) address
    std::uint64_t memory_size = 0;
    StoredBytes bytes;
    /// So many of the first bytes are the ELF file's own headers, with the padding up to the first section: linkers put
    /// them in front of the first section, on a page of their own if need be (GNU ld with -Ttext=ADDRESS).
    std::uint64_t file_headers = 0;
  };

  std::string path;    ///< of the file
  unsigned xlen = 64;  ///< 32 or 64
  std::uint64_t entry = 0;
  std::vector<Segment> segments;  ///< those to be loaded, none of them empty
  /// First and last addresses of segments and sections that the program does not write: code and constants. Without
  /// those that do not run where they are loaded.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> read_only;
  SymbolTable symbols;
  /// Of a program that brings its own device tree among its segments: where it is; and what its caller hands it beside
  /// that (BootHandOver).
  std::optional<std::uint64_t> device_tree, argument;
};

/// A range of addresses that a program may be loaded to.
struct LoadableRange {
  std::string name;  ///< "dram0"
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

/// Reads an executable. Throws UserError: no ELF file, another machine, not executable, truncated, corrupt.
ElfProgram read_elf(const std::string& path);
/// The same from the file's content; `path` is for messages only.
ElfProgram parse_elf(std::string content, const std::string& path);
/// Only the names of any ELF file for RISC-V. Throws UserError: no ELF file, another machine, no names in it.
SymbolTable parse_elf_symbols(std::string content, const std::string& path);

/// Makes every segment lie in one of `ranges` as a whole: leaves out file headers that do not. Throws UserError naming
/// the first segment that does not fit even so.
void fit_segments(ElfProgram& program, const std::vector<LoadableRange>& ranges, const std::string& path);

}  // namespace vp
