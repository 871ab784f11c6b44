// Output to the host's side that is slow, full, or broken.
#include "models/common/host_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

namespace vp {
namespace {

struct HostWriterTest : testing::Test {
  HostWriterTest() { EXPECT_EQ(pipe(ends), 0); }
  ~HostWriterTest() override {
    for (const int end : ends) close(end);
  }
  int ends[2] = {-1, -1};
  StopRequest stop;
};

TEST_F(HostWriterTest, waits_for_a_slow_reader_and_loses_nothing) {
  std::string text;
  for (unsigned i = 0; i < 30'000; ++i) text += std::to_string(i) + '\n';
  std::string taken;
  std::thread reader([&] {
    char bytes[700];
    while (taken.size() < text.size()) {
      taken.append(bytes, static_cast<std::size_t>(read(ends[0], bytes, sizeof bytes)));
      if (taken.size() % 11 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  HostWriter writer(ends[1], &stop);
  writer.write(text.data(), text.size());
  reader.join();
  EXPECT_EQ(taken, text);
  EXPECT_EQ(writer.lost(), 0u);
  EXPECT_EQ(writer.error(), 0);
}

TEST_F(HostWriterTest, gives_up_what_nobody_takes_once_the_run_is_to_stop) {
  HostWriter writer(ends[1], &stop);
  const std::string text(std::size_t{1} << 20, 'x');
  std::thread stopper([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.ask();
  });
  writer.write(text.data(), text.size());
  stopper.join();
  EXPECT_GT(writer.lost(), text.size() / 2);
  EXPECT_LT(writer.lost(), text.size()) << "what the pipe has room for is in it";
  EXPECT_EQ(writer.error(), 0);
}

TEST_F(HostWriterTest, still_writes_after_the_request_what_is_taken) {
  stop.ask();
  HostWriter writer(ends[1], &stop);
  writer.write("end", 3);
  char bytes[4] = {};
  EXPECT_EQ(read(ends[0], bytes, sizeof bytes), 3);
  EXPECT_STREQ(bytes, "end");
}

TEST_F(HostWriterTest, keeps_the_first_error_and_writes_no_more) {
  const int full = open("/dev/full", O_WRONLY);
  HostWriter writer(full, nullptr);
  writer.write("a", 1);
  writer.write("b", 1);
  EXPECT_EQ(writer.error(), ENOSPC);
  close(full);
}

}  // namespace
}  // namespace vp
