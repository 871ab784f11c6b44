#include "platform/gdb/packet.h"

#include <gtest/gtest.h>

namespace vp::gdb {
namespace {

/// All that a reader makes of the bytes: payloads, and "^C", "+", "-", "damaged", "too long" for the rest.
std::vector<std::string> read_all(PacketReader& reader, const std::string& bytes) {
  std::vector<std::string> all;
  for (const char byte : bytes)
    if (const auto received = reader.put(byte)) switch (received->kind) {
        case Received::Kind::packet:
          all.push_back(received->payload);
          break;
        case Received::Kind::interrupt:
          all.push_back("^C");
          break;
        case Received::Kind::acknowledged:
          all.push_back("+");
          break;
        case Received::Kind::repeat:
          all.push_back("-");
          break;
        case Received::Kind::damaged:
          all.push_back("damaged");
          break;
        case Received::Kind::too_long:
          all.push_back("too long");
          break;
      }
  return all;
}

std::vector<std::string> read_all(const std::string& bytes) {
  PacketReader reader;
  return read_all(reader, bytes);
}

using Texts = std::vector<std::string>;

TEST(GdbPacket, a_packet_is_its_payload_between_dollar_and_checksum) {
  EXPECT_EQ(framed("OK"), "$OK#9a");
  EXPECT_EQ(framed(""), "$#00");
  EXPECT_EQ(read_all("$g#67"), Texts{"g"});
  EXPECT_EQ(read_all("$OK#9A"), Texts{"OK"});  // digits in capitals, too
}

TEST(GdbPacket, bytes_that_mean_something_to_the_frame_are_escaped_and_come_back) {
  const std::string binary("a#b$c}d*e\0f\x03", 11);
  PacketReader reader;
  EXPECT_EQ(read_all(reader, framed(binary)), Texts{binary});
  EXPECT_EQ(framed("#").substr(0, 3), "$}\x03");
}

TEST(GdbPacket, interrupt_and_acknowledgements_stand_between_packets) {
  EXPECT_EQ(read_all("+$g#67-\x03"), (Texts{"+", "g", "-", "^C"}));
  EXPECT_EQ(read_all("noise$g#67noise"), Texts{"g"});
}

TEST(GdbPacket, a_wrong_checksum_is_noticed_and_the_next_packet_read) {
  EXPECT_EQ(read_all("$g#68$g#67"), (Texts{"damaged", "g"}));
  EXPECT_EQ(read_all("$g#zz$g#67"), (Texts{"damaged", "g"}));
}

TEST(GdbPacket, a_dollar_begins_a_packet_where_one_was_cut_off) { EXPECT_EQ(read_all("$m1000,$g#67"), Texts{"g"}); }

TEST(GdbPacket, of_a_packet_without_end_one_payload_is_kept_at_most) {
  PacketReader reader;
  const std::string longest(kLongestPayload, 'a');
  EXPECT_EQ(read_all(reader, framed(longest)), Texts{longest});
  EXPECT_EQ(read_all(reader, framed(longest + "a")), Texts{"too long"});
  EXPECT_EQ(read_all(reader, "$" + std::string(1'000'000, 'x')), Texts{});
  EXPECT_EQ(read_all(reader, "$g#67"), Texts{"g"});
}

TEST(GdbPacket, numbers_go_over_the_wire_lowest_byte_first) {
  EXPECT_EQ(hex_of_number(0x80000012, 8), "1200008000000000");
  EXPECT_EQ(number_of_bytes("12000080"), 0x80000012u);
  EXPECT_FALSE(number_of_bytes(""));
  EXPECT_FALSE(number_of_bytes("123"));
  EXPECT_FALSE(number_of_bytes("zz"));
  EXPECT_FALSE(number_of_bytes("000000000000000000"));
  EXPECT_EQ(plain_hex(0), "0");
  EXPECT_EQ(plain_hex(0x43c90004), "43c90004");
}

TEST(GdbPacket, a_payload_is_read_in_steps_of_which_one_that_fails_fails_the_rest) {
  const std::string text = "m80000000,4";
  PayloadText good(text, 1);
  EXPECT_EQ(good.number(), 0x80000000u);
  EXPECT_TRUE(good.take(','));
  EXPECT_EQ(good.number(), 4u);
  EXPECT_TRUE(good.at_end());
  const std::string bad = "x,4";
  PayloadText wrong(bad);
  EXPECT_FALSE(wrong.number());
  EXPECT_FALSE(wrong.take(','));
  EXPECT_FALSE(wrong.number());
  EXPECT_EQ(wrong.rest(), "");
  const std::string huge = "11112222333344445";
  EXPECT_FALSE(PayloadText(huge).number());
}

}  // namespace
}  // namespace vp::gdb
