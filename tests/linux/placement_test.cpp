#include "platform/linux/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libfdt.h>

#include <cstring>

#include "models/common/error.h"
#include "tests/linux/image_builder.h"
#include "tests/platform/elf_builder.h"

namespace vp::linux_boot {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000, kMiB = 1 << 20;

/// Something that compares with the magic number of fw_dynamic: "lui a1, 0x49425".
std::string dynamic_firmware() {
  std::string content(4096, '\0');
  content.replace(64, 4, std::string("\xb7\x55\x42\x49", 4));
  return content;
}

BootFiles small_files() {
  BootFiles files;
  files.firmware = {"firmware", dynamic_firmware()};
  files.kernel = {"kernel", small_image()};
  files.initrd = {"initrd", std::string("070701 and so on")};
  return files;
}

LoadableRange memory_of(std::uint64_t size) { return {"dram0", kBase, size}; }

DeviceTreeNode small_tree() {
  DeviceTreeNode root;
  root.add(DeviceTreeNode("chosen"));
  return root;
}

const ElfProgram::Segment& segment_at(const ElfProgram& program, std::uint64_t address) {
  for (const ElfProgram::Segment& segment : program.segments)
    if (segment.address == address) return segment;
  throw std::out_of_range("no segment there");
}

std::uint64_t chosen_cells(const ElfProgram& program, const char* property) {
  const std::string blob = segment_at(program, *program.device_tree).bytes.first(1 << 20);
  int length = 0;
  const int node = fdt_path_offset(blob.data(), "/chosen");
  const void* const data = fdt_getprop(blob.data(), node, property, &length);
  fdt64_t value = 0;
  if (data && length == 8) std::memcpy(&value, data, 8);
  return fdt64_to_cpu(value);
}

std::string complaint_about_placement(const BootFiles& files, std::uint64_t memory, unsigned xlen = 64) {
  try {
    place(files, memory_of(memory), xlen, small_tree());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(LinuxPlacement, every_piece_has_its_place_and_none_touches_another) {
  const ElfProgram program = place(small_files(), memory_of(64 * kMiB), 64, small_tree());
  EXPECT_EQ(program.entry, kBase);
  EXPECT_EQ(segment_at(program, kBase + 2 * kMiB).memory_size, 8192u);
  EXPECT_EQ(segment_at(program, kBase + 36 * kMiB).bytes.size(), 16u);
  EXPECT_EQ(*program.device_tree, kBase + 62 * kMiB);
  for (const ElfProgram::Segment& one : program.segments)
    for (const ElfProgram::Segment& other : program.segments)
      EXPECT_TRUE(&one == &other || one.address + one.memory_size <= other.address ||
                  other.address + other.memory_size <= one.address);
}

TEST(LinuxPlacement, the_tree_tells_of_the_initrd_and_brings_a_seed) {
  const ElfProgram program = place(small_files(), memory_of(64 * kMiB), 64, small_tree());
  EXPECT_EQ(chosen_cells(program, "linux,initrd-start"), kBase + 36 * kMiB);
  EXPECT_EQ(chosen_cells(program, "linux,initrd-end"), kBase + 36 * kMiB + 16);
  int length = 0;
  const std::string blob = segment_at(program, *program.device_tree).bytes.first(1 << 20);
  EXPECT_NE(fdt_getprop(blob.data(), fdt_path_offset(blob.data(), "/chosen"), "rng-seed", &length), nullptr);
  EXPECT_EQ(length, 64);
}

TEST(LinuxPlacement, the_firmware_is_told_where_the_kernel_stands) {
  for (const unsigned xlen : {32u, 64u}) {
    const ElfProgram program = place(small_files(), memory_of(64 * kMiB), xlen, small_tree());
    const std::string info = segment_at(program, *program.argument).bytes.first(1 << 20);
    ASSERT_EQ(info.size(), 6 * xlen / 8);
    const auto word = [&](unsigned index) {
      std::uint64_t value = 0;
      std::memcpy(&value, info.data() + index * xlen / 8, xlen / 8);
      return value;
    };
    EXPECT_EQ(word(0), 0x4942534Fu);  // "OSBI"
    EXPECT_EQ(word(2), kBase + 2 * kMiB);
    EXPECT_EQ(word(3), 1u) << "supervisor mode";
  }
}

TEST(LinuxPlacement, an_initrd_stands_behind_a_large_kernel) {
  BootFiles files = small_files();
  files.kernel.content = small_image(4096, 40 * kMiB);
  const ElfProgram program = place(files, memory_of(128 * kMiB), 64, small_tree());
  EXPECT_EQ(chosen_cells(program, "linux,initrd-start"), kBase + 42 * kMiB);
}

TEST(LinuxPlacement, firmware_may_be_an_elf_file) {
  ElfBuilder<64> elf(kBase + 0x100);
  elf.add_segment(kBase + 0x100, dynamic_firmware(), 0x8000);
  BootFiles files = small_files();
  files.firmware.content = elf.build();
  const ElfProgram program = place(files, memory_of(64 * kMiB), 64, small_tree());
  EXPECT_EQ(program.entry, kBase + 0x100);
  EXPECT_EQ(segment_at(program, kBase + 0x100).memory_size, 0x8000u);
  EXPECT_NE(complaint_about_placement(files, 64 * kMiB, 32).find("has 64 bits, but the CPU has 32"), std::string::npos);
}

TEST(LinuxPlacement, too_little_memory_is_told_with_what_is_needed) {
  EXPECT_EQ(complaint_about_placement(small_files(), 4 * kMiB),
            "the kernel 'kernel' needs 5 MiB from the start of memory on, but dram0 has 4 MiB: give it more with --set "
            "dram0.size=BYTES");
  EXPECT_EQ(complaint_about_placement(small_files(), 40 * kMiB), "");
  EXPECT_NE(
      complaint_about_placement(small_files(), 38 * kMiB).find("the initrd 'initrd' behind the kernel needs 41 MiB"),
      std::string::npos);
  BootFiles files = small_files();
  files.initrd = {};
  EXPECT_EQ(complaint_about_placement(files, 8 * kMiB), "");
}

TEST(LinuxPlacement, pieces_that_would_overlap_are_refused) {
  BootFiles files = small_files();
  files.firmware.content = dynamic_firmware() + std::string(2 * kMiB, '\0');
  EXPECT_NE(
      complaint_about_placement(files, 64 * kMiB).find("and so into the kernel 'kernel', which begins at 0x80200000"),
      std::string::npos);
  files = small_files();
  files.kernel.content = small_image(4096, 33 * kMiB);
  EXPECT_EQ(complaint_about_placement(files, 64 * kMiB), "");
  files.firmware.content = std::string(4096, '\0');
  EXPECT_NE(complaint_about_placement(files, 64 * kMiB).find("take fw_dynamic"), std::string::npos);
}

TEST(LinuxPlacement, empty_files_are_refused) {
  BootFiles files = small_files();
  files.initrd.content = {};
  EXPECT_EQ(complaint_about_placement(files, 64 * kMiB), "the initrd 'initrd' is empty");
  files = small_files();
  files.firmware.content = {};
  EXPECT_EQ(complaint_about_placement(files, 64 * kMiB), "the firmware 'firmware' is empty");
}

}  // namespace
}  // namespace vp::linux_boot
