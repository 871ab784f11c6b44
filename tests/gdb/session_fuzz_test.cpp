// Bounded fuzzing of the conversation: whatever bytes come, the session answers within bounds and goes on.
#include <gtest/gtest.h>

#include <random>

#include "platform/gdb/session.h"
#include "tests/gdb/array_target.h"

namespace vp::gdb {
namespace {

const char* const kGood[] = {"?",
                             "g",
                             "p341",
                             "P341=0000000000000000",
                             "m1000,40",
                             "M1000,2:0102",
                             "X1000,3:abc",
                             "c",
                             "s",
                             "C05;1000",
                             "vCont;s:1;c",
                             "vCont;r1000,1010:1",
                             "Z0,1000,2",
                             "z2,1000,4",
                             "Hg1",
                             "T1",
                             "qSupported:swbreak+;hwbreak+",
                             "qXfer:features:read:target.xml:0,100",
                             "qXfer:memory-map:read::0,ffff",
                             "qThreadExtraInfo,1",
                             "qRcmd,74696d65",
                             "QStartNoAckMode",
                             "D",
                             "!",
                             "R00",
                             "vRun;",
                             "vKill;1"};

std::string damaged(const std::string& payload, std::mt19937& random) {
  std::string bytes = framed(payload);
  switch (random() % 6) {
    case 0:  // as it is
      break;
    case 1:
      bytes[random() % bytes.size()] = static_cast<char>(random());
      break;
    case 2:
      bytes.resize(random() % bytes.size());
      break;
    case 3: {  // other digits, but a right checksum
      std::string changed = payload;
      changed[random() % changed.size()] = "0123456789abcdef,:;=-+"[random() % 22];
      bytes = framed(changed);
      break;
    }
    case 4:
      bytes = framed(payload + std::string(random() % 40, "f0,:;"[random() % 5]));
      break;
    default:
      bytes = framed(payload.substr(0, random() % (payload.size() + 1)));
      break;
  }
  return bytes;
}

TEST(GdbSessionFuzz, damaged_conversations_are_answered_within_bounds) {
  std::mt19937 random(14);
  ArrayTarget target;
  Session session(target);
  session.connected();
  session.stopped(Stop{});
  unsigned resumed = 0;
  std::size_t most = 0;
  for (int round = 0; round < 200'000; ++round) {
    session.receive(damaged(kGood[random() % std::size(kGood)], random));
    while (const auto resumption = session.serve()) {
      ++resumed;
      if (random() % 8 == 0)
        session.ended(static_cast<int>(random() % 256));
      else
        session.stopped(Stop{Signal::trap});
    }
    most = std::max(most, session.take_output().size());
    if (random() % 1000 == 0) {
      session.disconnected();
      ASSERT_TRUE(target.breaks.empty());
      session.connected();
    }
    ASSERT_LE(target.breaks.size(), 4096u);
  }
  EXPECT_GT(resumed, 1000u);
  EXPECT_LT(most, 10 * kLongestPayload);
}

TEST(GdbSessionFuzz, random_bytes_are_passed_over) {
  std::mt19937 random(15);
  ArrayTarget target;
  Session session(target);
  session.connected();
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (unsigned count = random() % 200; count > 0; --count)
      bytes += random() % 4 == 0 ? "$#}+-\x03"[random() % 6] : static_cast<char>(random());
    session.receive(bytes);
    session.wants_stop();
    while (session.serve()) session.stopped(Stop{});
    session.take_output();
  }
  session.disconnected();
  session.connected();
  session.receive(framed("qC"));
  session.serve();
  EXPECT_EQ(session.take_output(), "+" + framed("QC1"));
}

TEST(GdbSessionFuzz, a_session_with_endless_input_stays_small) {
  ArrayTarget target;
  Session session(target);
  session.connected();
  for (int i = 0; i < 1000; ++i) {
    session.receive("$" + std::string(10'000, 'm'));
    EXPECT_FALSE(session.serve());
  }
  EXPECT_LT(session.take_output().size(), 100u);
}

}  // namespace
}  // namespace vp::gdb
