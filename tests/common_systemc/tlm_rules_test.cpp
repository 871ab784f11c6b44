// The rules of the TLM-2.0 base protocol that TlmTarget and TlmInitiator keep for every device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "models/common/tlm_initiator.h"
#include "models/common/tlm_target.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"
#include "tests/support/recording_model.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// A target of 64 bytes, an access takes 100 ps; and a raw socket for transactions that TlmInitiator would never make.
struct RulesTest : testing::Test {
  RulesTest() { initiator.bind(target); }

  tlm::tlm_response_status send(tlm::tlm_generic_payload& sent, sc_core::sc_time& delay) {
    sent.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.get_base_port()->b_transport(sent, delay);
    return sent.get_response_status();
  }
  tlm::tlm_response_status send(tlm::tlm_generic_payload& sent) {
    sc_core::sc_time delay;
    return send(sent, delay);
  }
  /// Refills the one raw transaction of the test.
  tlm::tlm_generic_payload& transaction(tlm::tlm_command command, std::uint64_t address, unsigned length) {
    payload.set_byte_enable_ptr(nullptr);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    return payload;
  }

  tlm::tlm_generic_payload payload;
  RecordingModel model{64, 100};
  TargetModule target_module{"target", model, {64, 4}};
  InitiatorModule initiator_module{"initiator"};
  TlmTarget& target = target_module.socket;
  TlmInitiator& initiator = initiator_module.socket;
  std::array<std::uint8_t, 64> data{};
};

/// A model whose reads only give a value.
struct StillModel : TargetModel {
  StillModel() : TargetModel(Reads::move_nothing) {}
  AccessResult read(std::uint64_t, std::uint8_t*, unsigned, Picoseconds&) override { return AccessResult::ok; }
  AccessResult write(std::uint64_t, const std::uint8_t*, unsigned, Picoseconds&) override { return AccessResult::ok; }
};

TEST_F(RulesTest, only_a_read_of_a_model_that_promises_it_has_moved_nothing) {
  StillModel still_model;
  TargetModule still("still", still_model, {64, 4});
  Access access;
  access.data = data.data();
  access.size = 4;
  EXPECT_FALSE(still.socket.access(access).moved);
  EXPECT_TRUE(target.access(access).moved);
  access.address = 64;
  EXPECT_TRUE(still.socket.access(access).moved) << "refused";
  access.address = 2;
  EXPECT_TRUE(still.socket.access(access).moved) << "in two parts";
  access.address = 0;
  access.write = true;
  EXPECT_TRUE(still.socket.access(access).moved);
}

TEST_F(RulesTest, ReadsAndWritesTakeTheModelsTime) {
  simulate([&] {
    Picoseconds now = 1000;
    const std::uint32_t out = 0x11223344;
    EXPECT_EQ(initiator.write(8, &out, 4, now), AccessResult::ok);
    EXPECT_EQ(now, 1100u);
    std::uint32_t in = 0;
    EXPECT_EQ(initiator.read(8, &in, 4, now), AccessResult::ok);
    EXPECT_EQ(in, out);
    EXPECT_EQ(now, 1200u);
    EXPECT_EQ(kernel_time(), 0u) << "temporal decoupling: an access does not wait";
  });
}

TEST_F(RulesTest, WideAccessesAreCutAtThePortLowerAddressFirst) {
  simulate([&] {
    Picoseconds now = 0;
    std::uint64_t value = 0;
    EXPECT_EQ(initiator.read(8, &value, 8, now), AccessResult::ok);
    EXPECT_EQ(initiator.read(6, &value, 8, now), AccessResult::ok);
    EXPECT_THAT(model.accesses, ElementsAre("r4@8 t=0", "r4@12 t=100", "r2@6 t=200", "r4@8 t=300", "r2@12 t=400"));
    EXPECT_EQ(now, 500u);
  });
}

TEST_F(RulesTest, ErrorsOfTheModelComeBackAndEndTheAccess) {
  simulate([&] {
    Picoseconds now = 0;
    std::uint64_t value = 0;
    for (AccessResult result : {AccessResult::address_error, AccessResult::command_error, AccessResult::error}) {
      model.result = result;
      EXPECT_EQ(initiator.read(0, &value, 8, now), result);
    }
    EXPECT_EQ(model.accesses.size(), 3u) << "one part of each, the second was not tried";
  });
}

TEST_F(RulesTest, NoAnswerBringsItsReason) {
  simulate([&] {
    model.result = AccessResult::no_answer;
    TransportNotes notes;
    transaction(tlm::TLM_WRITE_COMMAND, 0, 4);
    payload.set_extension(&notes);
    EXPECT_EQ(send(payload), tlm::TLM_GENERIC_ERROR_RESPONSE);
    payload.clear_extension(&notes);
    EXPECT_EQ(notes.no_answer, "lane 2 is full.");
    Picoseconds now = 0;
    EXPECT_EQ(initiator.write(0, data.data(), 4, now), AccessResult::no_answer);
    model.result = AccessResult::ok;
    EXPECT_EQ(initiator.write(0, data.data(), 4, now), AccessResult::ok);
  });
}

TEST_F(RulesTest, AccessesOutsideTheWindowAreAddressErrors) {
  simulate([&] {
    for (auto [address, length] :
         {std::pair<std::uint64_t, unsigned>{64, 1}, {61, 4}, {~0ull, 1}, {~0ull, 8}, {1ull << 40, 4}}) {
      transaction(tlm::TLM_READ_COMMAND, address, length);
      EXPECT_EQ(send(payload), tlm::TLM_ADDRESS_ERROR_RESPONSE) << address;
    }
    EXPECT_THAT(model.accesses, IsEmpty());
  });
}

TEST_F(RulesTest, IgnoreCommandDoesNothingAndIsOk) {
  simulate([&] {
    transaction(tlm::TLM_IGNORE_COMMAND, 0, 4);
    sc_core::sc_time delay(5, sc_core::SC_PS);
    EXPECT_EQ(send(payload, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::sc_time(5, sc_core::SC_PS));
    EXPECT_THAT(model.accesses, IsEmpty());
  });
}

TEST_F(RulesTest, MalformedTransactionsGetTheirOwnErrorResponses) {
  simulate([&] {
    transaction(tlm::TLM_READ_COMMAND, 0, 0);
    EXPECT_EQ(send(payload), tlm::TLM_BURST_ERROR_RESPONSE) << "length zero";
    transaction(tlm::TLM_READ_COMMAND, 0, 4);
    payload.set_streaming_width(0);
    EXPECT_EQ(send(payload), tlm::TLM_BURST_ERROR_RESPONSE) << "streaming width zero";
    transaction(tlm::TLM_READ_COMMAND, 0, 4);
    payload.set_data_ptr(nullptr);
    EXPECT_EQ(send(payload), tlm::TLM_GENERIC_ERROR_RESPONSE) << "no data";
    transaction(tlm::TLM_READ_COMMAND, 0, 4);
    std::uint8_t enable = TLM_BYTE_ENABLED;
    payload.set_byte_enable_ptr(&enable);
    payload.set_byte_enable_length(0);
    EXPECT_EQ(send(payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE) << "empty byte-enable pattern";
    EXPECT_THAT(model.accesses, IsEmpty());
  });
}

TEST_F(RulesTest, ByteEnablesOfAnyPatternTouchEnabledBytesOnly) {
  simulate([&] {
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    transaction(tlm::TLM_WRITE_COMMAND, 0, 8);
    std::array<std::uint8_t, 3> pattern{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED,
                                        TLM_BYTE_ENABLED};  // repeated over 8 bytes
    payload.set_byte_enable_ptr(pattern.data());
    payload.set_byte_enable_length(3);
    EXPECT_EQ(send(payload), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(std::vector<std::uint8_t>(model.bytes.begin(), model.bytes.begin() + 9),
                ElementsAre(1, 0, 3, 4, 0, 6, 7, 0, 0));
    EXPECT_THAT(model.accesses, ElementsAre("w1@0 t=0", "w2@2 t=100", "w2@5 t=200"));

    data.fill(0xEE);
    payload.set_command(tlm::TLM_READ_COMMAND);
    EXPECT_EQ(send(payload), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(std::vector<std::uint8_t>(data.begin(), data.begin() + 9),
                ElementsAre(1, 0xEE, 3, 4, 0xEE, 6, 7, 0xEE, 0xEE));
  });
}

TEST_F(RulesTest, AllBytesDisabledIsOkAndTouchesNothing) {
  simulate([&] {
    transaction(tlm::TLM_WRITE_COMMAND, 0, 8);
    std::uint8_t pattern = TLM_BYTE_DISABLED;
    payload.set_byte_enable_ptr(&pattern);
    payload.set_byte_enable_length(1);
    EXPECT_EQ(send(payload), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(model.accesses, IsEmpty());
  });
}

TEST_F(RulesTest, StreamingWidthRepeatsTheAddress) {
  simulate([&] {
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    transaction(tlm::TLM_WRITE_COMMAND, 16, 10);
    payload.set_streaming_width(4);
    EXPECT_EQ(send(payload), tlm::TLM_OK_RESPONSE);
    EXPECT_THAT(model.accesses, ElementsAre("w4@16 t=0", "w4@16 t=100", "w2@16 t=200"));
    EXPECT_THAT(std::vector<std::uint8_t>(model.bytes.begin() + 16, model.bytes.begin() + 21),
                ElementsAre(9, 10, 7, 8, 0));
    payload.set_address(62);
    EXPECT_EQ(send(payload), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "a beat reaches outside";
    payload.set_address(60);
    EXPECT_EQ(send(payload), tlm::TLM_OK_RESPONSE) << "all beats fit, though the data are longer than what is left";
  });
}

TEST_F(RulesTest, DmiHintIsSetOnSuccessfulAccessesOnly) {
  simulate([&] {
    Access access;
    access.data = data.data();
    access.size = 4;
    EXPECT_FALSE(initiator.access(access).dmi);
    model.with_dmi = true;
    EXPECT_TRUE(initiator.access(access).dmi);
    access.address = 100;
    EXPECT_FALSE(initiator.access(access).dmi);
  });
}

TEST_F(RulesTest, DmiGrantsCarryRegionRightsAndLatency) {
  simulate([&] {
    EXPECT_FALSE(initiator.request_dmi(0, false));
    model.with_dmi = true;
    model.writable = false;
    model.wide_extra = 7;
    const auto region = initiator.request_dmi(20, false);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->host, model.bytes.data());
    EXPECT_EQ(region->first, 0u);
    EXPECT_EQ(region->last, 63u);
    EXPECT_TRUE(region->readable);
    EXPECT_FALSE(region->writable);
    EXPECT_EQ(region->read_latency, 100u);
    EXPECT_EQ(region->wide_extra, 7u);
    EXPECT_FALSE(initiator.request_dmi(20, true)) << "the direction asked for is not allowed";
    EXPECT_FALSE(initiator.request_dmi(64, false)) << "outside";
  });
}

TEST_F(RulesTest, DmiInvalidationReachesTheInitiator) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  initiator.on_dmi_invalidated([&](std::uint64_t first, std::uint64_t last) { ranges.emplace_back(first, last); });
  simulate([&] { target.invalidate_dmi(16, 31); });
  EXPECT_THAT(ranges, ElementsAre(testing::Pair(16, 31)));
}

TEST_F(RulesTest, DebugAccessesTakeNoTimeAndAreClippedToTheWindow) {
  simulate([&] {
    std::iota(data.begin(), data.end(), std::uint8_t{0});
    EXPECT_EQ(initiator.debug_write(60, data.data(), 16), 4u);
    std::array<std::uint8_t, 8> back{};
    EXPECT_EQ(initiator.debug_read(60, back.data(), 4), 4u);
    EXPECT_THAT(back, ElementsAre(0, 1, 2, 3, 0, 0, 0, 0));
    EXPECT_EQ(initiator.debug_read(64, back.data(), 4), 0u);
    EXPECT_EQ(initiator.debug_read(0, back.data(), 0), 0u);
    EXPECT_THAT(model.accesses, IsEmpty());
  });
}

TEST_F(RulesTest, LateArrivalsAreAnsweredAndCounted) {
  simulate([&] {
    Picoseconds ahead = 5000;
    initiator.read(0, data.data(), 4, ahead);
    Picoseconds behind = 2000;
    EXPECT_EQ(initiator.read(0, data.data(), 4, behind), AccessResult::ok);
    EXPECT_EQ(behind, 2100u);
    EXPECT_EQ(target.late_arrivals(), 1u);
    EXPECT_EQ(target.latest_arrival(), 3000u);
  });
}

TEST_F(RulesTest, NonBlockingTransportCompletesInItsFirstCall) {
  simulate([&] {
    transaction(tlm::TLM_READ_COMMAND, 4, 4);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(initiator.get_base_port()->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::sc_time(100, sc_core::SC_PS));
  });
}

TEST_F(RulesTest, WrongIncomingStatusAndLocalTimeInThePastAreErrorsOfOurs) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  simulate([&] {
    transaction(tlm::TLM_READ_COMMAND, 0, 4);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time delay;
    EXPECT_THROW(initiator.get_base_port()->b_transport(payload, delay), sc_core::sc_report);
    sc_core::wait(sc_core::sc_time(10, sc_core::SC_PS));
    Picoseconds past = 9;
    EXPECT_THROW(initiator.read(0, data.data(), 4, past), sc_core::sc_report);
  });
}

/// Any transaction, well formed or not, against the rules spelled out byte by byte.
TEST_F(RulesTest, RandomTransactionsAgreeWithTheRulesByteByByte) {
  simulate([&] {
    std::mt19937 random(17);
    std::vector<std::uint8_t> expected(64);
    std::array<std::uint8_t, 9> pattern{};
    for (int i = 0; i < 100'000; ++i) {
      const bool write = random() % 2 != 0;
      const unsigned length = random() % 33, address = random() % 72;
      const unsigned width = random() % 3 != 0 ? std::max(length, 1u) : random() % 12;
      const unsigned pattern_length = random() % 10;
      const bool masked = random() % 2 != 0;
      transaction(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, length);
      payload.set_streaming_width(width);
      for (auto& enable : pattern) enable = random() % 2 != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      payload.set_byte_enable_ptr(masked ? pattern.data() : nullptr);
      payload.set_byte_enable_length(pattern_length);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      auto expected_data = data;

      auto status = tlm::TLM_OK_RESPONSE;
      if (length == 0 || width == 0)
        status = tlm::TLM_BURST_ERROR_RESPONSE;
      else if (masked && pattern_length == 0)
        status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
      else if (address + std::min(length, width) > 64)
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
      for (unsigned b = 0; status == tlm::TLM_OK_RESPONSE && b < length; ++b) {
        if (masked && pattern[b % pattern_length] == TLM_BYTE_DISABLED) continue;
        std::uint8_t& byte = expected[address + b % width];
        if (write)
          byte = data[b];
        else
          expected_data[b] = byte;
      }
      ASSERT_EQ(send(payload), status) << i;
      ASSERT_EQ(model.bytes, expected) << i;
      ASSERT_EQ(data, expected_data) << i;
      model.accesses.clear();
    }
  });
}

}  // namespace
}  // namespace vp
