// Processes made without starting a program.
#include "platform/common/fork_server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "models/common/error.h"
#include "platform/common/child_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

constexpr int kCopied = 40;
int things_done = 0;

/// Says on standard output what it knows.
int tell(const std::vector<std::string>& words) {
  const std::string text = words.back() + " of " + std::to_string(::getppid());
  if (!ForkServer::in_copy()) return 2;
  return ::write(STDOUT_FILENO, text.data(), text.size()) < 0 ? 1 : kCopied + things_done;
}

TEST(ForkServer, a_copy_is_a_child_of_who_asks_and_knows_nothing_that_came_later) {
  const TemporaryFolder folder;
  ForkServer server(tell);
  things_done = 2;
  ChildSetup setup;
  setup.server = &server;
  setup.command = {"/bin/false", "a word\nand another"};
  setup.output = folder.path("said");
  EXPECT_EQ(ChildProcess(setup).wait().exit_code, kCopied);
  EXPECT_FALSE(ForkServer::in_copy());
  EXPECT_EQ(TemporaryFolder::read(setup.output), "a word\nand another of " + std::to_string(::getpid()));
}

TEST(ForkServer, a_copy_that_cannot_write_its_log_is_a_mistake_of_the_user) {
  const TemporaryFolder folder;
  ForkServer server(tell);
  ChildSetup setup;
  setup.server = &server;
  setup.command = {"/bin/false"};
  setup.output = folder.path("missing/said");
  try {
    ChildProcess child(setup);
    FAIL() << "it was started";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "'/bin/false': cannot write its log: No such file or directory");
  }
}

TEST(ForkServer, what_it_cannot_copy_is_started) {
  ForkServer server(tell);
  ChildSetup setup;
  setup.server = &server;
  setup.command.assign(15, std::string(100'000, 'x'));  // more than a message may have
  setup.command.front() = "/bin/true";
  EXPECT_EQ(ChildProcess(setup).wait().exit_code, 0);
}

}  // namespace
}  // namespace vp
