#include "platform/gdb/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/gdb/array_target.h"
#include "tests/gdb/client.h"

namespace vp::gdb {
namespace {

using testing::StartsWith;

/// A client in a thread of its own: sends packets one after the other and returns what came back.
std::string talk(TcpClient& client, const std::vector<std::string>& payloads) {
  std::string all;
  for (const std::string& payload : payloads) {
    client.send(framed(payload));
    PacketReader reader;
    for (;;) {
      const std::string byte = client.read(1);
      if (byte.empty()) return all + "(gone)";
      if (const auto one = reader.put(byte[0]); one && one->kind == Received::Kind::packet) {
        all += (all.empty() ? "" : " ") + one->payload;
        break;
      }
    }
  }
  return all;
}

class GdbServer : public testing::Test {
 protected:
  GdbServer() {
    server.start([this] { ++wishes; });
  }
  static Place free_port() {
    Place place;
    place.port = 0;
    return place;
  }
  /// What a machine does that runs: it looks whenever it is asked to, until it is to do something else than to go on.
  Resumption run() {
    for (;;) {
      while (wishes.exchange(0) == 0) std::this_thread::yield();
      if (const Resumption how = server.asked_to_stop(); how.how != Resumption::How::go_on) return how;
    }
  }

  ArrayTarget target;
  Server server{target, free_port()};
  std::atomic<unsigned> wishes{0};
};

TEST_F(GdbServer, holds_the_machine_until_a_client_lets_it_go) {
  std::string heard;
  std::thread user([&] {
    { TcpClient passer_by(server.address()); }
    TcpClient client(server.address());
    heard = talk(client, {"?", "m1000,1", "c"});
  });
  EXPECT_EQ(server.wait_for_client().how, Resumption::How::go_on);
  EXPECT_TRUE(server.attached());
  EXPECT_GT(server.stood_still().count(), 0);
  EXPECT_FALSE(server.ended(7));
  user.join();
  EXPECT_THAT(heard, testing::MatchesRegex("T05.* 00 W07"));
}

TEST_F(GdbServer, stops_a_running_machine_when_a_client_attaches_and_for_its_interrupt) {
  std::string heard;
  std::thread user([&] {
    TcpClient client(server.address());
    heard = talk(client, {"?"});
    client.send(framed("c") + "\x03");
    heard += " " + talk(client, {"qC"});
    client.send(framed("k"));
  });
  EXPECT_EQ(run().how, Resumption::How::kill);
  user.join();
  EXPECT_THAT(heard, testing::MatchesRegex("T05.* T02.*"));
  EXPECT_FALSE(server.attached());
}

TEST_F(GdbServer, a_client_that_detached_may_attach_again) {
  std::thread user([&] {
    for (int i = 0; i < 3; ++i) {
      TcpClient client(server.address());
      EXPECT_THAT(talk(client, {"?", "Z0,1000,2", "D"}), testing::MatchesRegex("T05.* OK OK"));
    }
    TcpClient client(server.address());
    client.send(framed("k"));
  });
  EXPECT_EQ(run().how, Resumption::How::kill);
  user.join();
  EXPECT_TRUE(target.breaks.empty());
}

TEST_F(GdbServer, a_client_that_goes_in_the_middle_of_a_packet_leaves_the_machine_running) {
  std::thread user([&] {
    {
      TcpClient client(server.address());
      talk(client, {"?", "Z0,1000,2"});
      client.send("$m1000");
    }
    TcpClient client(server.address());
    client.send(framed("k"));
  });
  EXPECT_EQ(run().how, Resumption::How::kill);
  user.join();
  EXPECT_TRUE(target.breaks.empty());
}

TEST_F(GdbServer, without_a_client_the_machine_goes_on_at_once) {
  EXPECT_EQ(server.stopped(Stop{Signal::segment}).how, Resumption::How::go_on);
  EXPECT_FALSE(server.ended(Signal::segment));
}

TEST_F(GdbServer, a_wait_for_a_client_can_be_given_up) {
  std::thread user([&] { server.give_up(); });
  EXPECT_EQ(server.wait_for_client().how, Resumption::How::kill);
  user.join();
}

TEST_F(GdbServer, a_client_may_start_a_program_again_that_has_ended) {
  std::string heard;
  std::thread user([&] {
    TcpClient client(server.address());
    talk(client, {"!"});
    heard = talk(client, {"vCont;c", "vRun;"});
    client.send(framed("k"));
  });
  EXPECT_EQ(server.wait_for_client().how, Resumption::How::go_on);
  EXPECT_TRUE(server.ended(0));
  EXPECT_EQ(server.stopped(Stop{}).how, Resumption::How::kill);
  user.join();
  EXPECT_THAT(heard, StartsWith("W00 T05"));
}

}  // namespace
}  // namespace vp::gdb
