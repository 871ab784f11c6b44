#include "models/common/access_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"
#include "tests/support/recording_model.h"
#include "tests/support/socket_modules.h"

namespace vp {
namespace {

using testing::ElementsAre;

/// Writes down what it is told.
struct Witness : AccessObserver {
  void begins(const Access& access) override {
    told.push_back((access.write ? "w" : "r") + std::to_string(access.size) + "@" + std::to_string(access.address) +
                   " t=" + std::to_string(access.time));
    last = access;
  }
  void ended(const Access& access, AccessResult result) override {
    told.push_back(result == AccessResult::ok ? "ok" : result == AccessResult::no_answer ? "no answer" : "error");
    if (access.data != nullptr) byte = access.data[0];
  }
  std::vector<std::string> told;
  Access last;
  std::uint8_t byte = 0;
};

/// A target of 64 bytes behind a probe, whose port takes 4 bytes and an access 100 ps.
struct ProbeTest : testing::Test {
  ProbeTest() {
    probe.connect(target.socket, target.socket);
    initiator.socket.bind(probe.socket);
    payload.set_data_ptr(data.data());
    payload.set_extension(&notes);
    notes.initiator = 3;
    notes.pc = 0x1234;
  }
  ~ProbeTest() override { payload.clear_extension(&notes); }

  tlm::tlm_response_status send(tlm::tlm_command command, std::uint64_t address, unsigned size,
                                sc_core::sc_time& delay) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.socket.get_base_port()->b_transport(payload, delay);
    return payload.get_response_status();
  }

  tlm::tlm_generic_payload payload;
  TransportNotes notes;
  std::array<std::uint8_t, 16> data{};
  Witness witness;
  RecordingModel model{64, 100};
  TargetModule target{"target", model, {64, 4}};
  AccessProbe probe{"probe", witness};
  InitiatorModule initiator{"initiator"};
};

TEST_F(ProbeTest, an_access_is_told_of_whole_with_its_own_time_and_goes_on_unchanged) {
  model.bytes[8] = 0x5A;
  sc_core::sc_time delay = to_sc_time(700);
  EXPECT_EQ(send(tlm::TLM_READ_COMMAND, 8, 8, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(witness.told, ElementsAre("r8@8 t=700", "ok"));
  EXPECT_THAT(model.accesses, ElementsAre("r4@8 t=700", "r4@12 t=800")) << "as the port takes it";
  EXPECT_EQ(from_sc_time(delay), 900u);
  EXPECT_EQ(witness.last.initiator, 3u);
  EXPECT_EQ(witness.last.pc, 0x1234u);
  EXPECT_EQ(witness.byte, 0x5A) << "what was read";
}

TEST_F(ProbeTest, refused_and_unanswered_accesses_are_told_of_as_such) {
  sc_core::sc_time delay;
  model.result = AccessResult::command_error;
  EXPECT_EQ(send(tlm::TLM_WRITE_COMMAND, 0, 4, delay), tlm::TLM_COMMAND_ERROR_RESPONSE);
  model.result = AccessResult::no_answer;
  delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(send(tlm::TLM_WRITE_COMMAND, 4, 4, delay), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(notes.no_answer, "lane 2 is full.");
  EXPECT_THAT(witness.told, ElementsAre("w4@0 t=0", "error", "w4@4 t=0", "no answer"));
}

TEST_F(ProbeTest, a_pattern_of_byte_enables_is_told_of_as_a_strobe_a_byte) {
  const std::array<std::uint8_t, 2> pattern = {0xFF, 0};
  payload.set_byte_enable_ptr(const_cast<std::uint8_t*>(pattern.data()));
  payload.set_byte_enable_length(2);
  sc_core::sc_time delay;
  send(tlm::TLM_WRITE_COMMAND, 0, 4, delay);
  ASSERT_NE(witness.last.strobes, nullptr);
  EXPECT_THAT(std::vector<std::uint8_t>(witness.last.strobes, witness.last.strobes + 4), ElementsAre(0xFF, 0, 0xFF, 0));
}

TEST_F(ProbeTest, debug_accesses_and_transactions_that_do_nothing_pass_unseen) {
  sc_core::sc_time delay;
  model.bytes[0] = 7;
  EXPECT_EQ(initiator.socket.debug_read(0, data.data(), 4), 4u);
  EXPECT_EQ(data[0], 7);
  send(tlm::TLM_IGNORE_COMMAND, 0, 4, delay);
  EXPECT_TRUE(witness.told.empty());
}

TEST_F(ProbeTest, host_pointers_are_granted_and_taken_back_through_it) {
  model.with_dmi = true;
  EXPECT_TRUE(initiator.socket.request_dmi(0, false));
  std::vector<std::uint64_t> taken;
  initiator.socket.on_dmi_invalidated([&taken](std::uint64_t first, std::uint64_t last) { taken = {first, last}; });
  target.socket.invalidate_dmi(4, 7);
  EXPECT_THAT(taken, ElementsAre(4u, 7u));
}

TEST_F(ProbeTest, an_access_with_a_later_answer_is_told_of_when_it_is_answered) {
  struct Asker : PendingAccess {
    void answer(const Answer& answer) override { given.push_back(answer.completion); }
    std::vector<Picoseconds> given;
  } asker;
  asker.access.write = true;
  asker.access.size = 4;
  asker.access.address = 16;
  asker.access.data = data.data();
  asker.access.time = 50;
  probe.begin(asker);
  EXPECT_THAT(asker.given, ElementsAre(150u));
  EXPECT_THAT(witness.told, ElementsAre("w4@16 t=50", "ok"));
}

}  // namespace
}  // namespace vp
