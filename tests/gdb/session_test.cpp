#include "platform/gdb/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gdb/array_target.h"

namespace vp::gdb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A session whose client is a list of payloads. The machine stands still at 0x1000, its stack pointer is 0x10f0.
class GdbSession : public testing::Test {
 protected:
  GdbSession() {
    target.values[2] = 0x10f0;
    target.values[32] = 0x1000;
    session.connected();
    session.stopped(Stop{});
  }

  /// What comes back for one packet, without acknowledgement; more than one answer with blanks between. The machine
  /// goes on by `resumption`.
  std::string ask(const std::string& payload) {
    session.receive(framed(payload));
    resumption = session.serve();
    return answers();
  }
  std::string answers() {
    PacketReader reader;
    std::string all;
    for (const char byte : session.take_output())
      if (const auto one = reader.put(byte); one && one->kind == Received::Kind::packet)
        all += (all.empty() ? "" : " ") + one->payload;
    return all;
  }
  bool goes_on(Resumption::How how) const { return resumption && resumption->how == how; }

  ArrayTarget target;
  Session session{target};
  std::optional<Resumption> resumption;
};

constexpr const char* kWhere = "02:f010000000000000;20:0010000000000000;thread:1;";

TEST_F(GdbSession, says_why_the_machine_stands_and_where) { EXPECT_EQ(ask("?"), std::string("T05") + kWhere); }

TEST_F(GdbSession, acknowledges_packets_until_told_not_to) {
  session.receive("$qC#b4");
  session.serve();
  EXPECT_EQ(session.take_output(), "+" + framed("QC1"));
  session.receive(framed("QStartNoAckMode"));
  session.serve();
  EXPECT_EQ(session.take_output(), "+" + framed("OK"));
  session.receive(framed("qC"));
  session.serve();
  EXPECT_EQ(session.take_output(), framed("QC1"));
}

TEST_F(GdbSession, asks_for_a_damaged_packet_again_and_repeats_its_own_answer) {
  session.receive("$qC#b5");
  session.serve();
  EXPECT_EQ(session.take_output(), "-");
  ask("qC");
  session.receive("-");
  session.serve();
  EXPECT_EQ(session.take_output(), framed("QC1"));
}

TEST_F(GdbSession, answers_a_damaged_packet_with_an_error_where_nothing_is_acknowledged) {
  ask("QStartNoAckMode");
  session.receive("$qC#b5");
  session.serve();
  EXPECT_THAT(answers(), StartsWith("E"));
}

TEST_F(GdbSession, knows_no_packet_it_was_not_taught) {
  for (const char* unknown :
       {"vMustReplyEmpty", "vFile:setfs:0", "qTStatus", "QNonStop:1", "b", "i", "", "qCRC:0,1", "vContinue", "\x01"})
    EXPECT_EQ(ask(unknown), "") << unknown;
}

TEST_F(GdbSession, reads_and_writes_all_general_registers_at_once) {
  target.values[10] = 0x1122334455667788;
  const std::string all = ask("g");
  EXPECT_EQ(all.size(), 33u * 16);
  EXPECT_EQ(all.substr(10 * 16, 16), "8877665544332211");
  std::string changed = all;
  changed.replace(11 * 16, 16, "0100000000000000");
  EXPECT_EQ(ask("G" + changed), "OK");
  EXPECT_EQ(target.values[11], 1u);
  EXPECT_EQ(ask("G" + changed.substr(16)), "E16");
}

TEST_F(GdbSession, reads_and_writes_one_register_by_its_number) {
  target.values[65 + 0x300] = 0x1800;
  EXPECT_EQ(ask("p341"), "0018000000000000");
  EXPECT_EQ(ask("P341=0000000000000000"), "OK");
  EXPECT_EQ(target.values[65 + 0x300], 0u);
  EXPECT_EQ(ask("p" + plain_hex(50)), "E0e");
  EXPECT_EQ(ask("pffffffffffffffff"), "E0e");
  EXPECT_EQ(ask("P" + plain_hex(ArrayTarget::kReadOnlyCsr) + "=0100000000000000"), "E0e");
  EXPECT_EQ(ask("P341"), "E16");
}

TEST_F(GdbSession, reads_and_writes_memory_in_both_notations) {
  EXPECT_EQ(ask("M1010,3:0a0b0c"), "OK");
  EXPECT_EQ(ask("m1010,3"), "0a0b0c");
  EXPECT_EQ(ask(std::string("X1010,2:\0#", 10)), "OK");
  EXPECT_EQ(ask("m1010,3"), "00230c");
  EXPECT_EQ(ask("X1010,0:"), "OK");
}

TEST_F(GdbSession, gives_as_much_memory_as_there_is) {
  EXPECT_EQ(ask("m10ff,10"), "00");
  EXPECT_EQ(ask("m1100,1"), "E0e");
  EXPECT_EQ(ask("m0,ffffffffffffffff"), "E0e");
  EXPECT_EQ(ask("m1000,ffffffffffffffff").size(), 512u);
}

TEST_F(GdbSession, refuses_what_is_malformed) {
  for (const char* bad :
       {"m",         "m1000",   "m1000,",      "mx,1",      "m1000,1,", "M1000,2:00",
        "M1000,1:0", "M1000,1", "X1000,5:abc", "Z0",        "Z0,1000",  "z1,1000",
        "P1",        "p",       "p1,2",        "G00",       "vCont;x",  "vCont;r1000:1",
        "H",         "Hg7",     "T7",          "qRcmd,abc", "cxyz",     "qXfer:features:read:target.xml:0"})
    EXPECT_THAT(ask(bad), StartsWith("E")) << bad;
}

TEST_F(GdbSession, continues_and_tells_why_it_stopped) {
  EXPECT_EQ(ask("c"), "");
  EXPECT_TRUE(goes_on(Resumption::How::go_on));
  session.stopped(Stop{Signal::interrupt});
  EXPECT_EQ(answers(), std::string("T02") + kWhere);
}

TEST_F(GdbSession, continues_and_steps_from_an_address) {
  ask("c1010");
  EXPECT_TRUE(goes_on(Resumption::How::go_on));
  EXPECT_EQ(target.values[32], 0x1010u);
  session.stopped(Stop{});
  ask("S05;1020");
  EXPECT_TRUE(goes_on(Resumption::How::step));
  EXPECT_EQ(target.values[32], 0x1020u);
}

TEST_F(GdbSession, takes_the_action_that_is_meant_for_its_thread) {
  EXPECT_EQ(ask("vCont?"), "vCont;c;C;s;S;r");
  ask("vCont;s:2;c:1");
  EXPECT_TRUE(goes_on(Resumption::How::go_on));
  session.stopped(Stop{});
  ask("vCont;S05:1;c");
  EXPECT_TRUE(goes_on(Resumption::How::step));
  session.stopped(Stop{});
  EXPECT_EQ(answers().substr(0, 3), "T05");
  ask("vCont;c:0002;s:0001");  // as LLDB writes numbers
  EXPECT_TRUE(goes_on(Resumption::How::step));
}

TEST_F(GdbSession, steps_through_a_range_without_a_word) {
  ask("vCont;r1000,1008:1");
  EXPECT_TRUE(goes_on(Resumption::How::step));
  target.values[32] = 0x1004;
  const auto further = session.stopped(Stop{});
  EXPECT_TRUE(further && further->how == Resumption::How::step);
  EXPECT_EQ(answers(), "");
  target.values[32] = 0x1008;
  EXPECT_FALSE(session.stopped(Stop{}));
  EXPECT_THAT(answers(), StartsWith("T05"));
}

TEST_F(GdbSession, a_breakpoint_ends_steps_through_a_range) {
  ask("vCont;r1000,1008:1");
  target.values[32] = 0x1004;
  EXPECT_FALSE(session.stopped(Stop{Signal::trap, BreakKind::hardware}));
  EXPECT_THAT(answers(), StartsWith("T05"));
}

TEST_F(GdbSession, inserts_breakpoints_once_and_removes_them) {
  EXPECT_EQ(ask("Z0,1000,2"), "OK");
  EXPECT_EQ(ask("Z0,1000,2"), "OK");
  EXPECT_EQ(ask("Z2,1010,4"), "OK");
  EXPECT_EQ(target.breaks.size(), 2u);
  EXPECT_EQ(ask("Z1,0,2"), "E0e");
  EXPECT_EQ(ask("Z5,1000,2"), "");
  EXPECT_EQ(ask("z0,1000,2"), "OK");
  EXPECT_EQ(ask("z0,1000,2"), "OK");
  EXPECT_EQ(target.breaks.size(), 1u);
}

TEST_F(GdbSession, has_room_for_so_many_breakpoints) {
  for (unsigned i = 0; i < 4096; ++i) ask("Z0," + plain_hex(0x1000 + i) + ",2");
  EXPECT_EQ(ask("Z0,8000,2"), "E1c");
  EXPECT_EQ(target.breaks.size(), 4096u);
}

TEST_F(GdbSession, names_the_kind_of_stop_to_clients_that_know_it) {
  ask("c");
  session.stopped(Stop{Signal::trap, BreakKind::software});
  EXPECT_EQ(answers(), std::string("T05") + kWhere);
  EXPECT_THAT(ask("qSupported:swbreak+;hwbreak+;xmlRegisters=i386"), HasSubstr("PacketSize=4000"));
  ask("c");
  session.stopped(Stop{Signal::trap, BreakKind::software});
  EXPECT_EQ(answers(), std::string("T05swbreak:;") + kWhere);
  ask("c");
  session.stopped(Stop{Signal::trap, BreakKind::write, 0x43c90004});
  EXPECT_EQ(answers(), std::string("T05watch:43c90004;") + kWhere);
  ask("c");
  session.stopped(Stop{Signal::trap, BreakKind::access, 0x1010});
  EXPECT_EQ(answers(), std::string("T05awatch:1010;") + kWhere);
}

TEST_F(GdbSession, prints_a_diagnosis_on_the_clients_console_before_the_signal) {
  ask("c");
  session.stopped(Stop{Signal::segment, {}, 0, "the bus gave up\n"});
  EXPECT_EQ(answers(), "O" + hex_of("the bus gave up\n") + " T0b" + kWhere);
  EXPECT_EQ(ask("?"), std::string("T0b") + kWhere);
}

TEST_F(GdbSession, tells_of_the_end_and_stays_there) {
  ask("c");
  session.ended(3);
  EXPECT_EQ(answers(), "W03");
  EXPECT_EQ(ask("?"), "W03");
  EXPECT_EQ(ask("c"), "W03");
  EXPECT_FALSE(resumption);
  EXPECT_EQ(ask("D"), "OK");
  EXPECT_TRUE(goes_on(Resumption::How::kill));
}

TEST_F(GdbSession, tells_of_an_end_by_a_signal) {
  ask("vCont;c");
  session.ended(Signal::segment);
  EXPECT_EQ(answers(), "X0b");
}

TEST_F(GdbSession, starts_again_when_it_is_asked) {
  EXPECT_EQ(ask("!"), "OK");
  EXPECT_TRUE(session.extended());
  EXPECT_EQ(ask("R00"), "");
  EXPECT_TRUE(goes_on(Resumption::How::restart));
  session.stopped(Stop{});
  EXPECT_EQ(answers(), "");
  ask("c");
  session.ended(0);
  EXPECT_EQ(answers(), "W00");
  EXPECT_EQ(ask("vRun;ignored"), "");
  EXPECT_TRUE(goes_on(Resumption::How::restart));
  session.stopped(Stop{});
  EXPECT_EQ(answers(), std::string("T05") + kWhere);
}

TEST_F(GdbSession, a_kill_ends_the_run_unless_the_client_may_start_it_again) {
  EXPECT_EQ(ask("vKill;1"), "OK");
  EXPECT_TRUE(goes_on(Resumption::How::kill));
  EXPECT_FALSE(session.attached());
  session.connected();
  ask("!");
  EXPECT_EQ(ask("vKill;1"), "OK");
  EXPECT_FALSE(resumption);
  EXPECT_EQ(ask("?"), "X09");
  ask("k");
  EXPECT_TRUE(goes_on(Resumption::How::kill));
}

TEST_F(GdbSession, detaching_removes_breakpoints_and_lets_the_machine_run) {
  ask("Z0,1000,2");
  EXPECT_EQ(ask("D"), "OK");
  EXPECT_TRUE(goes_on(Resumption::How::go_on));
  EXPECT_TRUE(target.breaks.empty());
  EXPECT_FALSE(session.attached());
  session.receive(framed("vAttach;1"));
  EXPECT_TRUE(session.wants_stop());
  session.stopped(Stop{Signal::interrupt});
  session.serve();
  EXPECT_EQ(answers(), std::string("T02") + kWhere);
  EXPECT_TRUE(session.attached());
}

TEST_F(GdbSession, a_client_that_is_gone_leaves_nothing_behind) {
  ask("Z0,1000,2");
  ask("QStartNoAckMode");
  session.receive("$m1000");
  session.serve();
  session.disconnected();
  EXPECT_TRUE(target.breaks.empty());
  session.connected();
  session.receive("$qC#b4");
  session.serve();
  EXPECT_EQ(session.take_output(), "+" + framed("QC1"));
}

TEST_F(GdbSession, only_what_asks_for_it_stops_a_running_machine) {
  ask("c");
  session.receive("+");
  EXPECT_FALSE(session.wants_stop());
  session.receive("$q");
  EXPECT_FALSE(session.wants_stop());
  session.receive("C#b4");
  EXPECT_TRUE(session.wants_stop());
  session.stopped(Stop{Signal::interrupt});
  EXPECT_FALSE(session.serve());
  EXPECT_EQ(answers(), std::string("T02") + kWhere + " QC1");
  ask("c");
  session.receive("\x03");
  EXPECT_TRUE(session.wants_stop());
}

TEST_F(GdbSession, gives_its_documents_in_the_pieces_that_are_asked_for) {
  std::string document;
  for (;;) {
    const std::string piece = ask("qXfer:features:read:target.xml:" + plain_hex(document.size()) + ",40");
    ASSERT_FALSE(piece.empty());
    document += piece.substr(1);
    if (piece[0] == 'l') break;
    ASSERT_EQ(piece[0], 'm');
  }
  EXPECT_THAT(document, HasSubstr("<architecture>riscv:rv64</architecture>"));
  EXPECT_THAT(document, HasSubstr("<reg name=\"mstatus\" bitsize=\"64\" regnum=\"833\" group=\"csr\"/>"));
  EXPECT_THAT(ask("qXfer:memory-map:read::0,1000"), HasSubstr("type=\"rom\" start=\"0x0000000000000000\""));
  const std::string behind = plain_hex(ArrayTarget::kBase + 256);
  EXPECT_THAT(ask("qXfer:memory-map:read::0,1000"),
              HasSubstr("type=\"ram\" start=\"0x" + std::string(16 - behind.size(), '0') + behind + "\" length=\"0xf"))
      << "a program's pages may lie anywhere";
  EXPECT_THAT(ask("qXfer:threads:read::0,1000"), HasSubstr("runs"));
  EXPECT_EQ(ask("qXfer:features:read:other.xml:0,100"), "E00");
  EXPECT_EQ(ask("qXfer:auxv:read::0,100"), "");
}

TEST_F(GdbSession, names_its_one_thread) {
  EXPECT_EQ(ask("qfThreadInfo"), "m1");
  EXPECT_EQ(ask("qsThreadInfo"), "l");
  EXPECT_EQ(ask("qC"), "QC1");
  EXPECT_EQ(ask("Hg1"), "OK");
  EXPECT_EQ(ask("Hc-1"), "OK");
  EXPECT_EQ(ask("T1"), "OK");
  EXPECT_EQ(ask("T0001"), "OK");
  EXPECT_EQ(ask("T2")[0], 'E');
  EXPECT_EQ(ask("qThreadExtraInfo,1"), hex_of("runs"));
}

TEST_F(GdbSession, tells_a_client_that_knows_no_riscv_what_it_talks_to) {
  const std::string facts = "triple:" + hex_of("riscv64-unknown-elf") + ";endian:little;ptrsize:8;";
  EXPECT_EQ(ask("qHostInfo"), facts);
  EXPECT_EQ(ask("qProcessInfo"), "pid:1;" + facts);
  const std::string document = ask("qXfer:features:read:target.xml:0,4000");
  EXPECT_THAT(document, HasSubstr("name=\"pc\" bitsize=\"64\" regnum=\"32\" generic=\"pc\"/>"));
  for (const char* const role : {R"(regnum="1" generic="ra" ehframe_regnum="1" dwarf_regnum="1")",
                                 R"(regnum="2" generic="sp" ehframe_regnum="2" dwarf_regnum="2")",
                                 R"(regnum="8" generic="fp" ehframe_regnum="8" dwarf_regnum="8")",
                                 R"(regnum="10" generic="arg1" ehframe_regnum="10" dwarf_regnum="10")"})
    EXPECT_THAT(document, HasSubstr(role));
}

TEST_F(GdbSession, hands_commands_of_the_user_to_the_machine) {
  EXPECT_EQ(ask("qRcmd," + hex_of("time")), "O" + hex_of("you said time\n") + " OK");
  EXPECT_EQ(ask("qRcmd," + hex_of("reset")), "");
  EXPECT_TRUE(goes_on(Resumption::How::restart));
  session.stopped(Stop{});
  EXPECT_EQ(answers(), "OK");
}

}  // namespace
}  // namespace vp::gdb
