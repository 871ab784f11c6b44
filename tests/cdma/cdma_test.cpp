// The CDMA as a module on a bus, beside a host that programs it and others that use the same memory.
#include "models/cdma/cdma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"
#include "models/memory/memory.h"
#include "tests/support/recording_model.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"
#include "tests/support/two_initiators.h"

namespace vp {
namespace {

constexpr std::uint64_t kRam = 0x8000'0000, kSecond = 0xC000'0000, kNarrow = 0x4000'0000, kCdma = 0x4E20'0000;
constexpr std::uint64_t kRamSize = 1 << 20;

/// A bus of 10 ns and 8 bytes, two memories, a device with a port of four bytes, the CDMA, a host.
struct CdmaSystem {
  explicit CdmaSystem(Fidelity fidelity, BusConfig config = {}, bool with_other = false)
      : first(memory("ram0")), second(memory("ram1")) {
    std::vector<std::string> initiators{"host", "cdma"};
    if (with_other) initiators.emplace_back("other");
    bus = std::make_unique<Bus>("bus", config, horizon, initiators,
                                std::vector<BusWindow>{{"ram0", kRam, kRamSize, true},
                                                       {"ram1", kSecond, kRamSize, true},
                                                       {"narrow", kNarrow, 4096},
                                                       {"cdma", kCdma, cdma::Core::kWindow}});
    bus->connect_initiator("host", host.socket);
    bus->connect_initiator("cdma", engine.master, {64, 10'000});
    if (with_other) {
      Traffic traffic;
      traffic.base = kRam + kRamSize / 2;
      traffic.pause = 20'000;
      other = std::make_unique<PausingInitiator>("other", traffic, 1, kRamSize, 1'000'000, 100'000'000);
      bus->connect_initiator("other", other->socket);
    }
    bus->connect_target("ram0", first->socket);
    bus->connect_target("ram1", second->socket);
    bus->connect_target("narrow", narrow_device.socket);
    bus->connect_target("cdma", engine.socket);
    listen();
    bus->set_fidelity(fidelity);
    first->set_fidelity(fidelity);
    second->set_fidelity(fidelity);
    std::iota(first->data(), first->data() + kRamSize / 2, std::uint8_t{1});
  }
  static std::unique_ptr<Memory> memory(const char* name) {
    MemoryConfig config;
    config.size = kRamSize;
    return std::make_unique<Memory>(name, config, 10'000);
  }

  void listen() {
    engine.bind_interrupt([this](bool level) {
      if (!level) return;
      interrupted = kernel_time();
      interrupt.notify(sc_core::SC_ZERO_TIME);
    });
  }
  void write(unsigned offset, std::uint32_t value) {
    ASSERT_EQ(host.socket.write(kCdma + offset, &value, 4, now), AccessResult::ok);
  }
  std::uint32_t read(unsigned offset) {
    std::uint32_t value = 0;
    EXPECT_EQ(host.socket.read(kCdma + offset, &value, 4, now), AccessResult::ok);
    return value;
  }
  /// Copies with both interrupts on, and sleeps until one comes. Returns CDMASR.
  std::uint32_t copy(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    now = std::max(now, kernel_time());
    write(0x00, 1 << 12 | 1 << 14);
    write(0x18, static_cast<std::uint32_t>(source));
    write(0x20, static_cast<std::uint32_t>(destination));
    started = now;
    write(0x28, bytes);
    sc_core::wait(interrupt);
    now = std::max(now, kernel_time());
    const std::uint32_t status = read(0x04);
    write(0x04, status);
    return status;
  }
  std::string broken_conservation() const { return bus->broken_conservation() + engine.core().broken_conservation(); }

  Horizon horizon;
  std::unique_ptr<Memory> first, second;
  RecordingModel narrow{4096, 20'000};
  TargetModule narrow_device{"narrow", narrow, {4096, 4}};
  Cdma engine{"cdma", horizon, {}};
  InitiatorModule host{"host"};
  std::unique_ptr<PausingInitiator> other;
  std::unique_ptr<Bus> bus;
  sc_core::sc_event interrupt;
  Picoseconds now = 0, started = 0, interrupted = 0;
};

constexpr std::uint32_t kDone = 0x00011002, kDecodeError = 0x00014042, kSlaveError = 0x00014022;

void expect_copies(Fidelity fidelity) {
  CdmaSystem system(fidelity);
  simulate([&system] {
    EXPECT_EQ(system.copy(kSecond + 3, kRam + 100, 5000), kDone);
    EXPECT_EQ(std::memcmp(system.second->data() + 3, system.first->data() + 100, 5000), 0);
    EXPECT_EQ(system.second->data()[2] | system.second->data()[5003], 0);
    EXPECT_EQ(system.copy(kRam + kRamSize / 2, kSecond + 3, 5000), kDone);
    EXPECT_EQ(std::memcmp(system.first->data() + kRamSize / 2, system.first->data() + 100, 5000), 0);
  });
  EXPECT_EQ(system.broken_conservation(), "");
  EXPECT_EQ(system.bus->traffic("cdma", "ram1").write_bytes, 5000u);
  EXPECT_EQ(system.bus->traffic("cdma", "ram1").read_bytes, 5000u);
}

TEST(CdmaModule, copies_between_memories_in_functional_mode) { expect_copies(Fidelity::functional); }
TEST(CdmaModule, copies_between_memories_in_timed_mode) { expect_copies(Fidelity::timed); }

void expect_a_word_a_cycle(Fidelity fidelity) {
  CdmaSystem system(fidelity);
  simulate([&system] { EXPECT_EQ(system.copy(kSecond, kRam, 1 << 16), kDone); });
  const Picoseconds least = 10'000u * (1 << 16) / 8;
  EXPECT_GE(system.interrupted - system.started, least);
  EXPECT_LT(system.interrupted - system.started, least * 105 / 100);
}

TEST(CdmaModule, moves_a_word_of_its_port_a_cycle_in_functional_mode) { expect_a_word_a_cycle(Fidelity::functional); }
TEST(CdmaModule, moves_a_word_of_its_port_a_cycle_in_timed_mode) { expect_a_word_a_cycle(Fidelity::timed); }

TEST(CdmaModule, is_slowed_by_another_master_of_its_memory_and_nothing_else_changes) {
  BusConfig shared;
  shared.topology = BusTopology::shared;
  CdmaSystem system(Fidelity::timed, shared, true);
  simulate([&system] {
    EXPECT_EQ(system.copy(kSecond, kRam, 1 << 14), kDone);
    EXPECT_EQ(std::memcmp(system.second->data(), system.first->data(), 1 << 14), 0);
  });
  EXPECT_GT(system.interrupted - system.started, 2 * 10'000u * (1 << 14) / 8) << "reads and writes on one link";
  EXPECT_GT(system.other->accesses, 0);
  EXPECT_EQ(system.broken_conservation(), "");
}

TEST(CdmaModule, writes_to_a_narrow_port_word_by_word_in_order) {
  CdmaSystem system(Fidelity::timed);
  simulate([&system] { EXPECT_EQ(system.copy(kNarrow + 0x10, kRam, 300), kDone); });
  EXPECT_TRUE(std::equal(system.first->data(), system.first->data() + 300, system.narrow.bytes.begin() + 0x10));
  ASSERT_EQ(system.narrow.accesses.size(), 75u);
  for (unsigned i = 0; i < 75; ++i)
    EXPECT_THAT(system.narrow.accesses[i], testing::StartsWith("w4@" + std::to_string(0x10 + 4 * i) + " "));
}

TEST(CdmaModule, tells_who_did_not_answer_and_who_refused) {
  CdmaSystem system(Fidelity::timed);
  simulate([&system] {
    EXPECT_EQ(system.copy(0x1000, kRam, 64), kDecodeError);
    system.write(0x00, 1 << 2);
    system.now = kernel_time() + 1'000'000;
    EXPECT_EQ(system.read(0x00), 0x00010002u);
    system.narrow.result = AccessResult::command_error;
    EXPECT_EQ(system.copy(kNarrow, kRam, 64), kSlaveError);
  });
  EXPECT_EQ(system.bus->bad_access_count(), 2u);
  EXPECT_EQ(system.broken_conservation(), "");
}

TEST(CdmaModule, makes_its_accesses_in_the_name_of_the_store_that_started_them) {
  CdmaSystem system(Fidelity::functional);
  simulate([&system] {
    system.write(0x18, 0x1000);
    std::uint32_t bytes = 64;
    Access start;
    start.write = true;
    start.address = kCdma + 0x28;
    start.size = 4;
    start.data = reinterpret_cast<std::uint8_t*>(&bytes);
    start.time = system.now;
    start.pc = 0x80001234;
    system.host.socket.access(start);
    sc_core::wait(1, sc_core::SC_US);
  });
  ASSERT_NE(system.bus->last_bad_access(), nullptr);
  EXPECT_EQ(system.bus->last_bad_access()->address, 0x1000u);
  EXPECT_EQ(system.bus->last_bad_access()->pc, 0x80001234u);
}

}  // namespace
}  // namespace vp
