// Files in memory by the names of FatFs, as programs for other boards call them.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

extern "C" {
#include "firmware/compat/ff.h"
#include "firmware/tensil/boot_arguments.h"
}

namespace {

char content[64];
std::string argument;

struct Files : testing::Test {
  explicit Files(const char* text = "one\r\ntwo\nthree") {
    std::memset(content, '.', sizeof content);
    std::memcpy(content, text, std::strlen(text));
    argument = "a.txt," + std::to_string(reinterpret_cast<std::uintptr_t>(content)) + "," +
               std::to_string(std::strlen(text)) + " ";
  }
  FIL file{};
};

TEST_F(Files, are_read_line_by_line_without_returns) {
  ASSERT_EQ(f_open(&file, "0:/a.txt", FA_READ), FR_OK);
  char line[8];
  EXPECT_STREQ(f_gets(line, sizeof line, &file), "one\n");
  EXPECT_STREQ(f_gets(line, sizeof line, &file), "two\n");
  EXPECT_STREQ(f_gets(line, 3, &file), "th") << "a line that is too long comes in pieces";
  EXPECT_STREQ(f_gets(line, sizeof line, &file), "ree");
  EXPECT_EQ(f_gets(line, sizeof line, &file), nullptr);
  EXPECT_TRUE(f_eof(&file));
}

TEST_F(Files, can_be_read_from_anywhere_but_not_beyond_their_end) {
  ASSERT_EQ(f_open(&file, "a.txt", FA_READ), FR_OK);
  ASSERT_EQ(f_lseek(&file, 5), FR_OK);
  char letters[4] = {};
  UINT count = 0;
  EXPECT_EQ(f_read(&file, letters, 3, &count), FR_OK);
  EXPECT_STREQ(letters, "two");
  EXPECT_EQ(f_lseek(&file, 1000), FR_OK);
  EXPECT_EQ(f_tell(&file), f_size(&file));
  EXPECT_EQ(f_printf(&file, "x"), -1) << "opened for reading";
  EXPECT_EQ(f_truncate(&file), FR_DENIED);
}

TEST_F(Files, take_text_up_to_their_room) {
  ASSERT_EQ(f_open(&file, "a.txt", FA_WRITE), FR_OK);
  EXPECT_EQ(f_printf(&file, "%d,%d\n", -1, 25), 6);
  EXPECT_EQ(f_truncate(&file), FR_OK);
  EXPECT_EQ(f_size(&file), 6u);
  EXPECT_EQ(f_printf(&file, "%s", "too much for what is left"), -1);
  EXPECT_EQ(f_size(&file), 14u);
  EXPECT_EQ(std::string(content, 16), "-1,25\ntoo much..");
  EXPECT_EQ(f_close(&file), FR_OK);
  EXPECT_EQ(f_lseek(&file, 0), FR_INVALID_OBJECT);
}

}  // namespace

/// Instead of the device tree's.
extern "C" const char* boot_argument(const char*, const char* after) {
  return after == nullptr ? argument.c_str() : nullptr;
}
