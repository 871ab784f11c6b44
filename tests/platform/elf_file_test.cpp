#include "platform/loader/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/elf_builder.h"
#include "tests/platform/temporary_folder.h"
#include "tests/support/sentence_of.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& content) {
  return sentence_of([&] { parse_elf(content, "p.elf"); });
}

template <typename Change>
std::string refusal_of_changed(Change change) {
  ElfBuilder<64> builder(0x8000'0000);
  builder.add_segment(0x8000'0000, "code", 16);
  change(builder);
  return refusal(builder.build());
}

template <unsigned Xlen>
void expect_small_program(std::uint64_t base) {
  const ElfProgram program = parse_elf(small_program<Xlen>(base), "p.elf");
  EXPECT_EQ(program.xlen, Xlen);
  EXPECT_EQ(program.entry, base + 4);
  ASSERT_EQ(program.segments.size(), 2u);
  EXPECT_EQ(program.segments[0].bytes.size(), 8u);
  EXPECT_EQ(program.segments[1].address, base + 0x1000);
  EXPECT_EQ(program.segments[1].memory_size, 0x100u);
  EXPECT_EQ(program.segments[1].bytes.first(100), "data");
  EXPECT_EQ(program.symbols.describe(base + 2), "first+0x2");
  EXPECT_EQ(program.symbols.describe(base + 6), "second+0x2");
  EXPECT_EQ(program.symbols.describe(base + 8), "");
}

TEST(ElfFile, what_a_program_does_not_write_is_what_its_flags_say) {
  ElfBuilder<64> builder(0x8000'0000);
  builder.add_segment(0x8000'0000, "code", 0x20);
  builder.segments.back().p_flags = PF_R | PF_X;
  builder.add_segment(0x8000'1000, "data", 0x20);
  builder.segments.back().p_flags = PF_R | PF_W;
  builder.add_segment(0x8000'2000, "any", 0x20);
  builder.add_segment(0x8000'3000, "copied", 0x20);
  builder.segments.back().p_flags = PF_R;
  builder.segments.back().p_vaddr = 0x9000'0000;
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(parse_elf(builder.build(), "p.elf").read_only, (Ranges{{0x8000'0000, 0x8000'001f}}));
}

TEST(ElfFile, reads_32_and_64_bit_programs_at_any_address) {
  expect_small_program<32>(0x8000'0000);
  expect_small_program<64>(0x8000'0000);
  expect_small_program<32>(0xFFFF'0000);
  expect_small_program<64>(0xFFFF'FFFF'FFFF'0000);
  expect_small_program<64>(0);
}

TEST(ElfFile, loads_to_the_physical_address) {
  ElfBuilder<64> builder(0x1000);
  builder.add_segment(0x1000, "code", 4);
  builder.segments[0].p_paddr = 0x8000'0000;
  EXPECT_EQ(parse_elf(builder.build(), "p.elf").segments[0].address, 0x8000'0000u);
}

TEST(ElfFile, what_is_no_riscv_executable_is_refused) {
  EXPECT_EQ(refusal(""), "the program 'p.elf' is no ELF file");
  EXPECT_THAT(refusal("#!/bin/sh\n"), HasSubstr("is no ELF file"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF"),
              HasSubstr("is truncated within its header"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.header.e_machine = EM_X86_64; }),
              HasSubstr("is for another machine (ELF machine 62)"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.header.e_type = ET_REL; }),
              HasSubstr("is no executable with fixed addresses"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.header.e_type = ET_DYN; }),
              HasSubstr("is no executable with fixed addresses"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.header.e_ident[EI_DATA] = ELFDATA2MSB; }),
              HasSubstr("not little endian"));
}

TEST(ElfFile, corrupt_and_truncated_programs_are_refused) {
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.segments[0].p_filesz = 17; }),
              HasSubstr("more bytes in the file than in memory"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.segments[0].p_offset = 1 << 20; }),
              HasSubstr("ends behind the end of the file"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.segments[0].p_paddr = ~0ull - 3; }),
              HasSubstr("ends behind the last address"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.segments[0].p_type = PT_NOTE; }), HasSubstr("has nothing to load"));
  EXPECT_THAT(refusal_of_changed([](auto& b) { b.header.e_entry = 0x10; }),
              HasSubstr("starts at 0x10, where it loads nothing"));
  const std::string program = small_program<64>();
  EXPECT_THAT(refusal(program.substr(0, 100)), HasSubstr("truncated"));
  EXPECT_THAT(refusal(program.substr(0, 180)), HasSubstr("truncated"));
}

TEST(ElfFile, a_missing_file_or_a_folder_is_refused) {
  EXPECT_THAT(sentence_of([] { read_elf("/none/p.elf"); }), HasSubstr("'/none/p.elf': No such file or directory"));
  EXPECT_THAT(sentence_of([] { read_elf("/"); }), HasSubstr("Is a directory"));
}

TEST(ElfFile, segments_must_lie_in_one_memory_as_a_whole) {
  ElfProgram program;
  program.segments.push_back({0x8000'0F00, 0x200, {}});
  const auto fit = [&](const std::vector<LoadableRange>& ranges) {
    return sentence_of([&] { fit_segments(program, ranges, "p.elf"); });
  };
  EXPECT_EQ(fit({{"dram0", 0x8000'0000, 0x1000}}),
            "the program 'p.elf' does not fit: its segment 0x80000f00 to 0x800010ff is outside memory (dram0 "
            "0x80000000 to 0x80000fff)");
  EXPECT_EQ(fit({{"dram1", 0, 16}, {"dram0", 0x8000'0000, 0x1100}}), "no error");
  program.segments[0] = {0xFFFF'FFFF'FFFF'FF00, 0x100, {}};
  EXPECT_THAT(fit({{"dram0", 0x8000'0000, 0x1100}}), HasSubstr("outside memory"));
}

/// A program whose one segment also holds the file's headers, `headers` bytes in front of the code at 0x80000000.
ElfProgram program_with_headers(std::uint64_t& headers) {
  using Builder = ElfBuilder<64>;
  Builder builder(0x8000'0000);
  headers = sizeof(Builder::Ehdr) + sizeof(Builder::Phdr);
  builder.add_segment(0x8000'0000 - headers, "code", headers + 16);
  builder.segments[0].p_filesz = headers + 4;
  builder.segments[0].p_offset -= headers;  // the builder counts from the end of the headers
  builder.section_base = 0x8000'0000;
  return parse_elf(builder.build(), "p.elf");
}

TEST(ElfFile, file_headers_of_a_segment_need_no_memory) {
  std::uint64_t headers = 0;
  ElfProgram program = program_with_headers(headers);
  fit_segments(program, {{"dram0", 0x8000'0000, 0x1000}}, "p.elf");
  ASSERT_EQ(program.segments.size(), 1u);
  EXPECT_EQ(program.segments[0].address, 0x8000'0000);
  EXPECT_EQ(program.segments[0].memory_size, 16u);
  EXPECT_EQ(program.segments[0].bytes.first(100), "code");
}

TEST(ElfFile, file_headers_are_loaded_where_there_is_memory) {
  std::uint64_t headers = 0;
  ElfProgram program = program_with_headers(headers);
  fit_segments(program, {{"dram0", 0x7000'0000, 0x1000'1000}}, "p.elf");
  EXPECT_EQ(program.segments[0].address, 0x8000'0000 - headers);
  EXPECT_EQ(program.segments[0].memory_size, headers + 16);
}

TEST(ElfFile, what_follows_file_headers_must_lie_in_memory) {
  std::uint64_t headers = 0;
  ElfProgram program = program_with_headers(headers);
  EXPECT_THAT(sentence_of([&] {
                fit_segments(program, {{"dram0", 0x8000'0001, 0x1000}}, "p.elf");
              }),
              HasSubstr("its segment 0x80000000 to 0x8000000f is outside memory"));
}

TEST(ElfFile, a_huge_zero_segment_costs_no_host_memory) {
  ElfBuilder<64> builder(0x8000'0000);
  builder.add_segment(0x8000'0000, "code", std::uint64_t{1} << 62);
  ElfProgram program = parse_elf(builder.build(), "p.elf");
  EXPECT_THAT(sentence_of([&] {
                fit_segments(program, {{"dram0", 0x8000'0000, 0x1000}}, "p.elf");
              }),
              HasSubstr("outside memory"));
}

}  // namespace
}  // namespace vp
