#include "models/common/host_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "models/common/error.h"

namespace vp {
namespace {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMostKept = std::size_t{64} << 10;

int port_of(const HostLink& link) { return std::stoi(link.address().substr(link.address().find(':') + 1)); }

int connect_to(const HostLink& link) {
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  target.sin_port = htons(static_cast<std::uint16_t>(port_of(link)));
  EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&target), sizeof target), 0);
  return client;
}

/// What comes there, up to `most` bytes or until nothing has come for `patience`.
Bytes read_from(int file, std::size_t most, milliseconds patience) {
  Bytes bytes;
  pollfd ready{file, POLLIN, 0};
  while (bytes.size() < most && ::poll(&ready, 1, static_cast<int>(patience.count())) > 0) {
    std::uint8_t some[4096];
    const ssize_t count = ::read(file, some, std::min(sizeof some, most - bytes.size()));
    if (count <= 0) break;
    bytes.insert(bytes.end(), some, some + count);
  }
  return bytes;
}

/// How many bytes it takes, until there has been no room for a while.
std::size_t send_all_it_takes(HostLink& link) {
  std::size_t sent = 0;
  while (sent < 4 * kMostKept &&
         (link.send(static_cast<std::uint8_t>(sent)) ? ++sent != 0 : link.wait_for_room(milliseconds(200))))
    continue;
  return sent;
}

/// Takes what has come until it is `count` bytes, for ten seconds at most.
Bytes take(HostLink& link, std::size_t count) {
  Bytes taken;
  for (int look = 0; look < 1000 && taken.size() < count; ++look) {
    const Bytes some = link.take();
    taken.insert(taken.end(), some.begin(), some.end());
    if (some.empty()) std::this_thread::sleep_for(milliseconds(10));
  }
  return taken;
}

TEST(HostLink, a_port_in_use_is_a_user_error) {
  const auto link = open_tcp_port(0);
  EXPECT_THROW(open_tcp_port(static_cast<std::uint16_t>(port_of(*link))), UserError);
}

TEST(HostLink, a_tcp_port_listens_on_the_loopback_only) {
  const auto link = open_tcp_port(0);
  EXPECT_EQ(link->address().substr(0, 10), "127.0.0.1:");
}

TEST(HostLink, serial_targets_are_parsed_and_others_refused) {
  EXPECT_EQ(parse_serial_target("pty").kind, SerialTarget::Kind::pty);
  EXPECT_EQ(parse_serial_target("uart1").kind, SerialTarget::Kind::part);
  EXPECT_EQ(parse_serial_target("uart1").part, "uart1");
  EXPECT_EQ(parse_serial_target("tcp:5555").port, 5555);
  EXPECT_TRUE(parse_serial_target("tcp:5555").on_host());
  EXPECT_FALSE(parse_serial_target("none").on_host());
  for (const char* bad : {"", "tcp:", "tcp:65536", "tcp:x", "UART1", "a b", "1st"})
    EXPECT_THROW(parse_serial_target(bad), UserError) << bad;
}

/// What a client could send while nobody takes it from the link, up to 4 MiB.
std::size_t sent_until_it_waits(int file) {
  const Bytes bytes(std::size_t{4} << 20);
  ::fcntl(file, F_SETFL, O_NONBLOCK);
  std::size_t sent = 0;
  for (int quiet = 0; quiet < 20 && sent < bytes.size();) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size() - sent);
    if (count > 0) sent += static_cast<std::size_t>(count);
    quiet = count > 0 ? 0 : quiet + 1;
    if (count <= 0) std::this_thread::sleep_for(milliseconds(10));
  }
  return sent;
}

TEST(HostLink, a_client_that_sends_more_than_is_taken_has_to_wait_and_loses_nothing) {
  const auto link = open_pseudo_terminal();
  link->start([] {});
  const int file = ::open(link->address().c_str(), O_RDWR | O_NOCTTY);
  const std::size_t sent = sent_until_it_waits(file);
  EXPECT_LT(sent, std::size_t{100} << 10);  // 32 KiB here, the rest in the host's own buffer
  EXPECT_EQ(take(*link, sent).size(), sent);
  ::close(file);
}

TEST(HostLink, at_most_64_kib_wait_for_a_program_that_does_not_read_and_then_reach_it_in_order) {
  const auto link = open_pseudo_terminal();
  link->start([] {});
  const std::size_t sent = send_all_it_takes(*link);
  EXPECT_GE(sent, kMostKept);
  EXPECT_LT(sent, 2 * kMostKept) << "64 KiB, and what the terminal itself holds";
  EXPECT_FALSE(link->wait_for_room(milliseconds(1)));
  const int file = ::open(link->address().c_str(), O_RDWR | O_NOCTTY);
  const Bytes read = read_from(file, sent, milliseconds(5000));
  ASSERT_EQ(read.size(), sent);
  for (std::size_t i = 0; i < sent; ++i) ASSERT_EQ(read[i], static_cast<std::uint8_t>(i));
  EXPECT_TRUE(link->wait_for_room(milliseconds(5000)));
  ::close(file);
}

TEST(HostLink, what_is_sent_to_a_port_without_client_is_lost_or_waits_for_one_as_asked) {
  for (const WithoutClient unread : {WithoutClient::lost, WithoutClient::kept}) {
    const auto link = open_tcp_port(0, unread);
    link->start([] {});
    std::this_thread::sleep_for(milliseconds(50));  // until its thread has seen that nobody is there
    for (const std::uint8_t byte : {'e', 'a', 'r', 'l', 'y'}) EXPECT_TRUE(link->send(byte));
    const int client = connect_to(*link);
    const Bytes read = read_from(client, 5, milliseconds(unread == WithoutClient::kept ? 5000 : 100));
    EXPECT_EQ(std::string(read.begin(), read.end()), unread == WithoutClient::kept ? "early" : "");
    ::close(client);
  }
}

TEST(HostLink, a_client_may_go_and_another_come) {
  const auto link = open_tcp_port(0);
  link->start([] {});
  for (const char word : {'a', 'b'}) {
    const int client = connect_to(*link);
    ASSERT_EQ(::write(client, &word, 1), 1);
    EXPECT_EQ(take(*link, 1), Bytes(1, static_cast<std::uint8_t>(word)));
    ::close(client);
  }
}

TEST(HostLink, draining_waits_until_a_slow_reader_has_everything_and_gives_up_where_nobody_reads) {
  const auto link = open_pseudo_terminal();
  link->start([] {});
  const int file = ::open(link->address().c_str(), O_RDWR | O_NOCTTY);
  for (int i = 0; i < 100; ++i) link->send('x');
  Bytes read;
  std::thread reader([&] {
    std::this_thread::sleep_for(milliseconds(100));
    read = read_from(file, 100, milliseconds(5000));
  });
  link->drain();
  reader.join();
  EXPECT_EQ(read.size(), 100u);
  link->send('y');
  const auto before = std::chrono::steady_clock::now();
  link->drain();
  EXPECT_GE(std::chrono::steady_clock::now() - before, milliseconds(250));
  ::close(file);
}

}  // namespace
}  // namespace vp
