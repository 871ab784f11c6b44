#include "platform/sweep/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"
#include "platform/common/child_process.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Words, blanks_separate_and_quotes_keep) {
  EXPECT_THAT(split_words("a=1  b=\"x y\" c='p \"q' d=e\\ f"), ElementsAre("a=1", "b=x y", "c=p \"q", "d=e f"));
}

TEST(Words, a_comment_ends_the_line) {
  EXPECT_THAT(split_words("a=1 # b=2"), ElementsAre("a=1"));
  EXPECT_THAT(split_words("# nothing"), IsEmpty());
  EXPECT_THAT(split_words("a=1#2"), ElementsAre("a=1#2"));
}

TEST(Words, an_open_quote_is_an_error) { EXPECT_THROW(split_words("a='x"), UserError); }

TEST(Words, commas_split_and_a_backslash_keeps_one) {
  EXPECT_THAT(split_list("1,2,x\\,y,\\\\"), ElementsAre("1", "2", "x,y", "\\"));
  EXPECT_THAT(split_list(""), ElementsAre(""));
}

TEST(Words, a_real_shell_reads_quoted_words_back) {
  std::mt19937 random(7);
  const std::string alphabet = "aZ0 '\"\\$`\n\t*?!#&|;<>(){}[]~=%^,é";
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> words = {"printf", "%s\\0"};
    std::string expected;
    for (int i = 0; i < 20; ++i) {
      std::string word;
      for (unsigned n = random() % 12; n > 0; --n) word += alphabet[random() % alphabet.size()];
      words.push_back(word);
      expected += word + '\0';
    }
    std::string output;
    EXPECT_TRUE(run_captured({"/bin/sh", "-c", shell_quoted(words)}, output).success());
    EXPECT_EQ(output, expected);
  }
}

}  // namespace
}  // namespace vp
