#include "platform/linux/kernel_symbols.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/platform/elf_builder.h"

namespace vp::linux_boot {
namespace {

std::string complaint_about_symbols(const std::string& content) {
  try {
    parse_kernel_symbols(content, "file");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(KernelSymbols, a_list_names_addresses_up_to_the_next_name) {
  const SymbolTable symbols = parse_kernel_symbols(
      "ffffffff80000000 T _start\n"
      "ffffffff80001000 t early\n"
      "ffffffff80001000 t alias\n"
      "ffffffff01670000 t tinytpu_probe\t[tinytpu]\n",
      "file");
  EXPECT_EQ(symbols.describe(0xffffffff80000010), "_start+0x10");
  EXPECT_EQ(symbols.describe(0xffffffff80000fff), "_start+0xfff");
  EXPECT_EQ(symbols.describe(0xffffffff80001000), "early");
  EXPECT_EQ(symbols.describe(0xffffffff01670004), "tinytpu_probe+0x4") << "of a module";
  EXPECT_EQ(symbols.describe(0xffffffff40000000), "") << "far behind every name";
  EXPECT_EQ(symbols.describe(0), "");
}

TEST(KernelSymbols, an_elf_file_needs_no_program_in_it) {
  ElfBuilder<64> elf(0);
  elf.header.e_type = ET_DYN;
  elf.add_segment(0xffffffff80000000, "code", 4);
  elf.add_symbol("start_kernel", 0xffffffff80000000, 4);
  elf.section_base = 0xffffffff80000000;
  elf.section_size = 4;
  EXPECT_EQ(parse_kernel_symbols(elf.build(), "vmlinux").describe(0xffffffff80000002), "start_kernel+0x2");
}

TEST(KernelSymbols, what_names_nothing_is_refused_with_the_reason) {
  EXPECT_NE(complaint_about_symbols("no list\n").find("neither an ELF file nor a list"), std::string::npos);
  EXPECT_NE(complaint_about_symbols("").find("-dbg"), std::string::npos);
  EXPECT_NE(complaint_about_symbols("ffffffffffffffff B The real System.map is in the -dbg package\n").find("-dbg"),
            std::string::npos);
  EXPECT_NE(complaint_about_symbols("0000000000000000 T a\n0000000000000000 T b\n").find("as root"), std::string::npos);
}

}  // namespace
}  // namespace vp::linux_boot
