#include "platform/gdb/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "models/common/error.h"
#include "tests/gdb/client.h"

namespace vp::gdb {
namespace {

Place free_port() {
  Place place;
  place.port = 0;
  return place;
}

using Kind = Connection::Event::Kind;

/// The next event, for which it waits.
Connection::Event next_event(Connection& connection) {
  connection.wait();
  return connection.take();
}

TEST(GdbPlace, is_a_port_an_address_with_a_port_or_the_standard_streams) {
  EXPECT_EQ(parse_place("1234").port, 1234);
  EXPECT_EQ(parse_place("1234").host, "127.0.0.1");
  EXPECT_TRUE(parse_place("0").only_this_host());
  EXPECT_EQ(parse_place("0.0.0.0:99").port, 99);
  EXPECT_FALSE(parse_place("0.0.0.0:99").only_this_host());
  EXPECT_EQ(parse_place("stdio").kind, Place::Kind::standard_streams);
  for (const std::string bad :
       {"", "65536", "123456", "-1", "port", ":1", "1.2.3:1", "localhost:1", "1.2.3.4:", "0x10"})
    EXPECT_THROW(parse_place(bad), UserError) << bad;
  try {
    parse_place(std::string(1000, 'a'));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_LT(std::string(error.what()).size(), 200u);
  }
}

TEST(GdbConnection, tells_of_a_client_its_bytes_and_its_end_in_this_order) {
  Connection connection(free_port());
  std::atomic<unsigned> events{0};
  connection.start([&] { ++events; });
  EXPECT_THAT(connection.address(), testing::StartsWith("127.0.0.1:"));
  {
    TcpClient client(connection.address());
    EXPECT_EQ(next_event(connection).kind, Kind::connected);
    client.send("$k#6b");
  }
  std::string bytes;
  Connection::Event event = next_event(connection);
  for (; event.kind == Kind::bytes; event = next_event(connection)) bytes += event.bytes;
  EXPECT_EQ(bytes, "$k#6b");
  EXPECT_EQ(event.kind, Kind::disconnected);
  EXPECT_EQ(connection.take().kind, Kind::nothing);
  // The last one is there to be taken a little before it is told of.
  for (unsigned i = 0; i < 3000 && events < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GE(events, 3u);
}

TEST(GdbConnection, serves_one_client_after_the_other_and_turns_a_second_one_away) {
  Connection connection(free_port());
  connection.start([] {});
  {
    TcpClient client(connection.address());
    EXPECT_EQ(next_event(connection).kind, Kind::connected);
    TcpClient second(connection.address());
    EXPECT_EQ(second.read_until_closed(), "");
    connection.send("+");
    EXPECT_EQ(client.read(1), "+");
  }
  EXPECT_EQ(next_event(connection).kind, Kind::disconnected);
  TcpClient third(connection.address());
  EXPECT_EQ(next_event(connection).kind, Kind::connected);
}

TEST(GdbConnection, a_client_that_reads_nothing_is_not_listened_to) {
  Connection connection(free_port());
  connection.start([] {});
  TcpClient client(connection.address());
  EXPECT_EQ(next_event(connection).kind, Kind::connected);
  client.send("$g#67");
  const std::string answer(100'000, 'a');
  while (connection.take().kind != Kind::bytes) connection.wait();
  for (int i = 0; i < 100; ++i) connection.send(answer);  // more than the host's own buffers take
  client.send("$g#67");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(connection.has_event());
  EXPECT_EQ(client.read(100 * answer.size()).size(), 100 * answer.size());
  EXPECT_EQ(next_event(connection).kind, Kind::bytes);
}

TEST(GdbConnection, nobody_waits_any_more_after_giving_up) {
  Connection connection(free_port());
  connection.start([] {});
  std::thread other([&] { connection.give_up(); });
  connection.wait();
  other.join();
  EXPECT_TRUE(connection.given_up());
  EXPECT_EQ(connection.take().kind, Kind::nothing);
}

TEST(GdbConnection, what_was_sent_last_still_arrives) {
  auto connection = std::make_unique<Connection>(free_port());
  connection->start([] {});
  TcpClient client(connection->address());
  EXPECT_EQ(next_event(*connection).kind, Kind::connected);
  connection->send("$W00#b7");
  connection.reset();
  EXPECT_EQ(client.read_until_closed(), "$W00#b7");
}

TEST(GdbConnection, a_taken_port_is_the_users_error) {
  Connection first(free_port());
  const std::string port = first.address().substr(first.address().find(':') + 1);
  try {
    Connection second(parse_place(port));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot listen on 127.0.0.1:" + port));
  }
}

}  // namespace
}  // namespace vp::gdb
