// The bus answers plain accesses by a call where it can. Beside it stands an equal bus whose master it knows only as a
// TLM-2.0 socket, so that each of its accesses is a transaction: answers, order, traffic and complaints are the same.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <tuple>

#include "models/bus/bus.h"
#include "models/common/event_timer.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "tests/support/recording_model.h"
#include "tests/support/saved_state.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

MemoryConfig small_memory() {
  MemoryConfig config;
  config.size = 0x1000;
  return config;
}

/// A bus of its own, with a device that refuses what is beyond its 64 bytes and a memory that is larger than its
/// window.
struct OneWay {
  OneWay(const std::string& name, const Horizon& horizon, bool calls)
      : bus((name + "_bus").c_str(), config, horizon, {"master"},
            {{"ram", 0x8000, 0x800, true}, {"device", 0x1000, 0x100, false}}),
        device((name + "_device").c_str(), model, {64, 4}),
        ram((name + "_ram").c_str(), small_memory(), 10'000),
        module((name + "_master").c_str()) {
    if (calls)
      bus.connect_initiator("master", module.socket);
    else
      bus.connect_initiator("master", static_cast<tlm::tlm_initiator_socket<64>&>(module.socket));
    bus.connect_target("device", device.socket);
    bus.connect_target("ram", ram.socket);
    bus.on_hang([this](const BusHang& hang) { hangs.emplace_back(hang.address, hang.time, hang.reason); });
  }
  BusConfig config;
  Bus bus;
  RecordingModel model{64, 5'000};
  TargetModule device;
  Memory ram;
  InitiatorModule module;
  std::vector<std::tuple<std::uint64_t, Picoseconds, std::string>> hangs;
};

struct BusAtOnce : testing::Test {
  Horizon horizon;
  OneWay calls{"calls", horizon, true};
  OneWay transactions{"transactions", horizon, false};

  static auto complaints(const Bus& bus) {
    std::vector<std::tuple<std::uint64_t, unsigned, bool, Picoseconds, AccessResult, std::uint64_t, std::string>> all;
    for (const BadAccess& bad : bus.bad_accesses())
      all.emplace_back(bad.address, bad.size, bad.write, bad.time, bad.result, bad.pc, bad.nearest);
    return all;
  }
  void same(const Access& access) {
    std::array<std::uint8_t, 64> first{}, second{};
    for (unsigned i = 0; i < first.size(); ++i) first[i] = second[i] = static_cast<std::uint8_t>(i * 7 + access.size);
    Access one = access, other = access;
    one.data = first.data();
    other.data = second.data();
    const Answer answer = calls.module.socket.access(one);
    const Answer expected = transactions.module.socket.access(other);
    EXPECT_EQ(answer.result, expected.result);
    EXPECT_EQ(answer.completion, expected.completion);
    EXPECT_EQ(answer.dmi, expected.dmi);
    EXPECT_EQ(answer.stored, expected.stored);
    EXPECT_EQ(answer.why, expected.why);
    EXPECT_EQ(first, second);
  }
  void same_figures() {
    EXPECT_EQ(calls.model.accesses, transactions.model.accesses);
    EXPECT_EQ(complaints(calls.bus), complaints(transactions.bus));
    EXPECT_EQ(calls.bus.bad_access_count(), transactions.bus.bad_access_count());
    EXPECT_EQ(calls.hangs, transactions.hangs);
    EXPECT_EQ(text_of(calls.bus.figures()), text_of(transactions.bus.figures()));
    EXPECT_EQ(text_of(calls.device.socket.figures()), text_of(transactions.device.socket.figures()));
    EXPECT_EQ(calls.bus.broken_conservation(), transactions.bus.broken_conservation());
    for (const char* const target : {"device", "ram"}) {
      const BusTraffic one = calls.bus.traffic("master", target), other = transactions.bus.traffic("master", target);
      EXPECT_EQ(one.reads, other.reads) << target;
      EXPECT_EQ(one.writes, other.writes) << target;
      EXPECT_EQ(one.read_bytes, other.read_bytes) << target;
      EXPECT_EQ(one.write_bytes, other.write_bytes) << target;
    }
  }
};

TEST_F(BusAtOnce, a_call_answers_as_a_transaction_does) {
  simulate([&] {
    std::mt19937_64 random(17);
    const std::array<std::uint64_t, 6> places = {0x1000, 0x1038, 0x10F8, 0x8000, 0x87F0, 0x4000};
    for (unsigned i = 0; i < 3000; ++i) {
      Access access;
      access.write = random() % 2;
      access.size = 1 + static_cast<unsigned>(random() % 64);
      access.address = places[random() % places.size()] + random() % 16;
      access.time = kernel_time() + random() % 100'000;
      access.pc = random() % 3 == 0 ? kNoPc : 0x8000'0000 + i;
      for (OneWay* const way : {&calls, &transactions}) way->model.streams = i % 3 * 4'000;
      same(access);
    }
    same_figures();
  });
}

/// Accesses to the device and around it, of any size at any time, and changes to and from timed mode.
TEST_F(BusAtOnce, a_call_takes_the_turn_that_a_transaction_takes_in_timed_mode) {
  simulate([&] {
    std::mt19937_64 random(23);
    const std::array<std::uint64_t, 5> places = {0x1000, 0x1010, 0x1038, 0x10F8, 0x4000};
    for (unsigned i = 0; i < 3000; ++i) {
      if (i % 500 == 0)
        for (OneWay* const way : {&calls, &transactions})
          way->bus.set_fidelity(i % 1500 == 1000 ? Fidelity::functional : Fidelity::timed);
      Access access;
      access.write = random() % 2;
      access.size = 1 + static_cast<unsigned>(random() % (random() % 2 ? 8 : 64));
      access.address = places[random() % places.size()] + random() % 16;
      access.time = kernel_time() + random() % 100'000;
      access.pc = random() % 3 == 0 ? kNoPc : 0x8000'0000 + i;
      for (OneWay* const way : {&calls, &transactions}) {
        way->model.streams = i % 3 * 4'000;
        way->model.result = i % 37 == 0 ? AccessResult::no_answer : AccessResult::ok;
      }
      same(access);
      if (i % 100 == 0) sc_core::wait(to_sc_time(1'000'000'000));
    }
    same_figures();
    EXPECT_GT(calls.bus.traffic("master", "device").reads, 300u);
  });
}

TEST_F(BusAtOnce, an_access_that_has_to_wait_for_a_visible_event_stays_a_transaction) {
  EventTimer timer("timer", horizon, [](Picoseconds) {});
  simulate([&] {
    for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed}) {
      for (OneWay* const way : {&calls, &transactions}) way->bus.set_fidelity(fidelity);
      for (OneWay* const way : {&calls, &transactions}) {
        std::array<std::uint8_t, 4> data{};
        Access access;
        access.address = 0x1000;
        access.size = 4;
        access.data = data.data();
        access.time = kernel_time() + 100'000;
        timer.set(access.time);
        Answer answer;
        EXPECT_FALSE(way->module.socket.bus() != nullptr && way->module.socket.bus()->answer_at_once(access, answer));
        answer = way->module.socket.access(access);
        EXPECT_EQ(kernel_time(), access.time + 10'000) << "with the hop";
        EXPECT_EQ(answer.completion, kernel_time() + 5'000);
      }
    }
    EXPECT_EQ(calls.model.accesses.size(), 2u);
    EXPECT_EQ(transactions.model.accesses.size(), 2u);
  });
}

/// Who may come first has to be waited for: timed mode knows nobody's turn then.
TEST_F(BusAtOnce, with_a_second_master_that_may_come_first_an_access_stays_a_transaction) {
  BusConfig config;
  Bus bus("shared_bus", config, horizon, {"one", "two"}, {{"device", 0x1000, 0x100, false}});
  RecordingModel model{64, 5'000};
  TargetModule device("shared_device", model, {64, 4});
  InitiatorModule one("one"), two("two");
  bus.connect_initiator("one", one.socket);
  bus.connect_initiator("two", two.socket);
  bus.connect_target("device", device.socket);
  bus.set_fidelity(Fidelity::timed);
  simulate([&] {
    std::array<std::uint8_t, 4> data{};
    Access access;
    access.address = 0x1000;
    access.size = 4;
    access.data = data.data();
    access.time = kernel_time() + 50'000;
    Answer answer;
    EXPECT_FALSE(one.socket.bus()->answer_at_once(access, answer)) << "the other has announced nothing";
    two.socket.bus()->announce(kernel_time() + 40'000);
    EXPECT_FALSE(one.socket.bus()->answer_at_once(access, answer)) << "it may be there before";
    EXPECT_TRUE(model.accesses.empty());
    two.socket.bus()->announce(kernel_time() + 60'000);
    EXPECT_TRUE(one.socket.bus()->answer_at_once(access, answer));
    EXPECT_EQ(answer.completion, access.time + 10'000 + 5'000);
  });
}

TEST_F(BusAtOnce, kinds_that_are_not_plain_and_empty_accesses_stay_transactions) {
  simulate([&] {
    for (const AccessKind kind : {AccessKind::reserve, AccessKind::conditional, AccessKind::atomic}) {
      Access access;
      access.kind = kind;
      access.size = 4;
      access.address = 0x8010;
      same(access);
    }
    Access nothing;
    nothing.address = 0x8000;
    same(nothing);
    same_figures();
  });
}

TEST_F(BusAtOnce, a_target_that_never_answers_is_told_of_in_both_ways) {
  simulate([&] {
    for (OneWay* const way : {&calls, &transactions}) way->model.result = AccessResult::no_answer;
    Access access;
    access.size = 4;
    access.address = 0x1004;
    access.pc = 0x8000'1234;
    same(access);
    EXPECT_EQ(calls.hangs.size(), 1u);
    same_figures();
  });
}

}  // namespace
}  // namespace vp
