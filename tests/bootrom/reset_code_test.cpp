#include "models/bootrom/reset_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vp {
namespace {

std::vector<std::uint32_t> words(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> result(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) result[i / 4] |= std::uint32_t{bytes[i]} << (8 * (i % 4));
  return result;
}

// The words as the GNU assembler encodes them.
TEST(ResetCode, Rv64LoadsDoublewords) {
  EXPECT_THAT(words(ResetCode{64, 0x8000'0000, 0x1100}.bytes()),
              testing::ElementsAre(0x00000297,  // auipc t0, 0
                                   0x0202b583,  // ld    a1, 32(t0)
                                   0x0182b303,  // ld    t1, 24(t0)
                                   0xf1402573,  // csrr  a0, mhartid
                                   0x00030067,  // jr    t1
                                   0, 0x80000000, 0, 0x1100, 0));
}

TEST(ResetCode, Rv32LoadsWords) {
  EXPECT_THAT(words(ResetCode{32, 0xC000'0000, 0x1100}.bytes()),
              testing::ElementsAre(0x00000297,  // auipc t0, 0
                                   0x0202a583,  // lw    a1, 32(t0)
                                   0x0182a303,  // lw    t1, 24(t0)
                                   0xf1402573,  // csrr  a0, mhartid
                                   0x00030067,  // jr    t1
                                   0, 0xC0000000, 0, 0x1100, 0));
}

TEST(ResetCode, an_argument_is_loaded_into_a2) {
  EXPECT_THAT(words(ResetCode{64, 0x8000'0000, 0x1100, 0x8FFF'F000}.bytes()),
              testing::ElementsAre(0x00000297,  // auipc t0, 0
                                   0x0202b583,  // ld    a1, 32(t0)
                                   0x0182b303,  // ld    t1, 24(t0)
                                   0xf1402573,  // csrr  a0, mhartid
                                   0x0282b603,  // ld    a2, 40(t0)
                                   0x00030067,  // jr    t1
                                   0x80000000, 0, 0x1100, 0, 0x8FFFF000, 0));
}

}  // namespace
}  // namespace vp
