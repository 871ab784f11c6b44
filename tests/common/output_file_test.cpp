#include "models/common/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "models/common/error.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

TEST(OutputFile, a_file_that_was_there_is_emptied_by_begin) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "before");
  { const OutputFile unused(path); }
  EXPECT_EQ(TemporaryFolder::read(path), "before");
  OutputFile file(path);
  const int descriptor = file.begin();
  ASSERT_EQ(write(descriptor, "now", 3), 3);
  close(descriptor);
  EXPECT_EQ(TemporaryFolder::read(path), "now");
}

TEST(OutputFile, a_new_file_stays_only_after_begin) {
  const TemporaryFolder folder;
  { const OutputFile unused(folder.path("file")); }
  EXPECT_FALSE(std::filesystem::exists(folder.path("file")));
  {
    OutputFile file(folder.path("file"));
    close(file.begin());
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path("file")));
}

TEST(OutputFile, a_link_to_a_file_that_is_not_there_yet_survives) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.path("target"), folder.path("link"));
  { const OutputFile unused(folder.path("link")); }
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("target")));
}

TEST(OutputFile, what_cannot_be_written_is_the_users_error) {
  EXPECT_THROW(OutputFile("/none/file"), UserError);
  EXPECT_THROW(OutputFile("/"), UserError);
}

}  // namespace
}  // namespace vp
