#include "models/common/link_console.h"

#include <gtest/gtest.h>

#include <deque>

namespace vp {
namespace {

/// A link with room for so many bytes, whose reader never reads by itself.
struct FullLink : HostLink {
  explicit FullLink(std::size_t bytes) : room(bytes) {}
  const std::string& address() const override { return name; }
  void start(std::function<void()>) override {}
  std::vector<std::uint8_t> take() override { return std::exchange(input, {}); }
  bool send(std::uint8_t byte) override {
    if (sent.size() >= room) return false;
    sent.push_back(static_cast<char>(byte));
    return true;
  }
  bool wait_for_room(std::chrono::milliseconds) override {
    ++waits;
    if (waits == reads_after) room = sent.size() + 1;
    return sent.size() < room;
  }
  void drain() override {}

  std::string name = "/dev/pts/77";
  std::size_t room;
  std::vector<std::uint8_t> input;
  std::string sent;
  unsigned waits = 0;
  unsigned reads_after = 0;
};

struct LinkConsoleTest : testing::Test {
  LinkConsole& with_room(std::size_t bytes) {
    auto made = std::make_unique<FullLink>(bytes);
    link = made.get();
    console = std::make_unique<LinkConsole>(
        std::move(made), [] {}, stop);
    return *console;
  }
  void put(const std::string& text) {
    for (const char letter : text) console->put(static_cast<std::uint8_t>(letter));
  }
  StopRequest stop;
  FullLink* link = nullptr;
  std::unique_ptr<LinkConsole> console;
};

TEST_F(LinkConsoleTest, input_comes_byte_by_byte_in_order) {
  LinkConsole& tested = with_room(0);
  std::uint8_t byte = 0;
  EXPECT_FALSE(tested.take(byte));
  for (const char* word : {"ab", "c"}) {
    link->input.assign(word, word + std::char_traits<char>::length(word));
    for (const char* letter = word; *letter != 0; ++letter) {
      ASSERT_TRUE(tested.take(byte));
      EXPECT_EQ(byte, *letter);
    }
    EXPECT_FALSE(tested.take(byte));
  }
  EXPECT_TRUE(tested.may_receive_more());
}

TEST_F(LinkConsoleTest, output_waits_for_a_reader_that_is_slow_and_loses_nothing) {
  with_room(2);
  link->reads_after = 5;
  put("abc");
  EXPECT_EQ(link->sent, "abc");
  EXPECT_EQ(link->waits, 5u);
  EXPECT_EQ(console->lost_output(), "");
}

TEST_F(LinkConsoleTest, output_that_nobody_reads_is_lost_after_one_patience_and_told_of) {
  with_room(2);
  put("abcde");
  EXPECT_EQ(link->sent, "ab");
  EXPECT_EQ(link->waits, 50u) << "a second once, not for each byte";
  EXPECT_EQ(console->lost_output(), "3 bytes of output got lost, since no program read them at /dev/pts/77");
  EXPECT_EQ(console->use().sent, 5u);
  link->room = 3;
  put("f");
  EXPECT_EQ(link->sent, "abf");
}

TEST_F(LinkConsoleTest, a_stop_request_ends_the_waiting) {
  with_room(0);
  stop.ask();
  put("a");
  EXPECT_EQ(link->waits, 0u);
}

}  // namespace
}  // namespace vp
