#include "platform/linux/kernel_image.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/linux/image_builder.h"

namespace vp::linux_boot {
namespace {

std::string complaint_about_image(const std::string& content) {
  try {
    parse_kernel_image(content, "file");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(KernelImage, tells_where_it_stands_and_how_much_it_takes) {
  const KernelImage image = parse_kernel_image(small_image(4096, 8192, 0x40'0000), "file");
  EXPECT_EQ(image.text_offset, 0x40'0000u);
  EXPECT_EQ(image.memory_size, 8192u);
}

TEST(KernelImage, other_kinds_of_files_are_refused_with_what_to_do_about_them) {
  const std::string rest(100, 'x');
  EXPECT_EQ(complaint_about_image("\x7f"
                                  "ELF" +
                                  rest),
            "the kernel 'file' is an ELF file: give the kernel's arch/riscv/boot/Image here, and the ELF file to "
            "--symbols");
  EXPECT_EQ(complaint_about_image("\x1f\x8b" + rest), "the kernel 'file' is compressed: unpack it with gunzip first");
  EXPECT_NE(complaint_about_image("\xfd"
                                  "7zXZ" +
                                  rest)
                .find("unxz"),
            std::string::npos);
  EXPECT_NE(complaint_about_image("\x28\xb5\x2f\xfd" + rest).find("unzstd"), std::string::npos);
  EXPECT_NE(complaint_about_image("MZ\0\0zimg" + rest).find("magic"), std::string::npos) << "cut at its zero byte";
  EXPECT_NE(complaint_about_image(std::string("MZ\0\0zimg", 8) + rest).find("zboot"), std::string::npos);
  EXPECT_NE(complaint_about_image("!<arch>\n" + rest).find("dpkg-deb"), std::string::npos);
  EXPECT_NE(complaint_about_image(rest).find("magic number"), std::string::npos);
  EXPECT_NE(complaint_about_image("").find("magic number"), std::string::npos);
}

TEST(KernelImage, a_header_that_cannot_be_is_refused) {
  EXPECT_NE(complaint_about_image(small_image(4096, 4095)).find("is damaged"), std::string::npos);
  EXPECT_NE(complaint_about_image(small_image(4096, ~0ull)).find("is damaged"), std::string::npos);
  EXPECT_NE(complaint_about_image(small_image(4096, 8192, ~0ull)).find("is damaged"), std::string::npos);
  std::string big_endian = small_image();
  put_doubleword(big_endian, 24, 1);
  EXPECT_NE(complaint_about_image(big_endian).find("big endian"), std::string::npos);
}

}  // namespace
}  // namespace vp::linux_boot
