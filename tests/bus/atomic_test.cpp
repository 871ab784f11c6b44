// LR, SC and AMO against other masters, in both modes, by host pointer and through the bus.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>

#include "models/bus/bus.h"
#include "models/memory/memory.h"
#include "tests/support/scripted_master.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

constexpr std::uint64_t kMemory = 0x10000;

/// (mode, LR and SC move their bytes by host pointer, preset of the memory)
class Atomics : public testing::TestWithParam<std::tuple<Fidelity, bool, const char*>> {
 public:
  Atomics() {
    bus.connect_initiator("hart", hart_module.socket);
    bus.connect_initiator("blocking", blocking_module.socket);
    bus.connect_initiator("dma", dma.port);
    bus.connect_target("ram", ram.socket);
    bus.set_fidelity(std::get<0>(GetParam()));
    ram.set_fidelity(std::get<0>(GetParam()));
  }
  bool by_host_pointer() const { return std::get<1>(GetParam()); }
  Access access(AccessKind kind, std::uint32_t& value) const {
    Access one;
    one.kind = kind;
    one.address = kMemory + 0x100;
    one.data = reinterpret_cast<std::uint8_t*>(&value);
    one.size = 4;
    return one;
  }
  void load_reserved(Picoseconds& now) {
    std::uint32_t value = 0;
    if (by_host_pointer()) {
      EXPECT_TRUE(hart.reserve(kMemory + 0x100, 4, now, false));
      return;
    }
    Access one = access(AccessKind::reserve, value);
    one.time = now;
    now = hart.access(one).completion;
  }
  bool store_conditional(std::uint32_t value, Picoseconds& now) {
    if (by_host_pointer()) {
      if (!hart.reserve(kMemory + 0x100, 4, now, true)) return false;
      std::memcpy(ram.data() + 0x100, &value, 4);
      return true;
    }
    Access one = access(AccessKind::conditional, value);
    one.time = now;
    const Answer answer = hart.access(one);
    now = answer.completion;
    return answer.stored;
  }
  std::uint32_t word() const {
    std::uint32_t value = 0;
    std::memcpy(&value, const_cast<Memory&>(ram).data() + 0x100, 4);
    return value;
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x1000;
    config.channel.preset = std::get<2>(GetParam());
    return config;
  }
  BusConfig config;
  Horizon horizon;
  Bus bus{"bus", config, horizon, {"hart", "blocking", "dma"}, {{"ram", kMemory, 0x1000, true}}};
  Memory ram{"ram", memory(), 10'000};
  InitiatorModule hart_module{"hart"}, blocking_module{"blocking"};
  TlmInitiator& hart = hart_module.socket;
  ScriptedMaster dma{"dma"};
  std::uint8_t zeros[64] = {};
};

TEST_P(Atomics, a_conditional_store_succeeds_once_if_nobody_wrote) {
  simulate([&] {
    Picoseconds now = 0;
    load_reserved(now);
    EXPECT_TRUE(store_conditional(5, now));
    EXPECT_EQ(word(), 5u);
    EXPECT_FALSE(store_conditional(6, now));
    EXPECT_EQ(word(), 5u);
  });
}

TEST_P(Atomics, a_dma_that_writes_the_same_bytes_makes_it_fail) {
  simulate([&] {
    Picoseconds now = 1'000'000;
    load_reserved(now);
    dma.port.write(kMemory + 0x100, zeros, 4, 1, 1'200'000);  // what is there already
    now += 500'000;
    EXPECT_FALSE(store_conditional(5, now)) << "the hart is ahead of the kernel, the write before it in time";
    EXPECT_EQ(word(), 0u);
  });
}

TEST_P(Atomics, a_dma_that_writes_later_does_not) {
  simulate([&] {
    Picoseconds now = 1'000'000;
    load_reserved(now);
    dma.port.write(kMemory + 0x100, zeros, 4, 1, 2'000'000);
    EXPECT_TRUE(store_conditional(5, now));
    EXPECT_EQ(word(), 5u);
    sc_core::wait(3, sc_core::SC_US);
    EXPECT_EQ(word(), 0u) << "then it writes";
  });
}

TEST_P(Atomics, reads_and_writes_elsewhere_do_not) {
  simulate([&] {
    Picoseconds now = 1'000'000;
    load_reserved(now);
    dma.port.read(kMemory + 0x100, zeros, 4, 1, 1'100'000);
    dma.port.write(kMemory + 0x140, zeros, 64, 2, 1'100'000);
    now += 500'000;
    EXPECT_TRUE(store_conditional(5, now));
  });
}

TEST_P(Atomics, who_writes_by_host_pointer_loses_it_while_another_has_reserved) {
  int revoked = 0;
  blocking_module.socket.on_dmi_invalidated([&](std::uint64_t, std::uint64_t) { ++revoked; });
  simulate([&] {
    bus.set_fidelity(Fidelity::functional);
    ram.set_fidelity(Fidelity::functional);
    revoked = 0;
    ASSERT_TRUE(blocking_module.socket.request_dmi(kMemory, true));
    Picoseconds now = kernel_time();
    load_reserved(now);
    EXPECT_EQ(revoked, 1);
    EXPECT_FALSE(blocking_module.socket.request_dmi(kMemory, true));
    EXPECT_TRUE(hart.request_dmi(kMemory, true));
    store_conditional(5, now);
    EXPECT_TRUE(blocking_module.socket.request_dmi(kMemory, true));
  });
}

TEST_P(Atomics, an_atomic_access_reads_computes_and_writes_at_the_price_of_a_load_and_a_store) {
  simulate([&] {
    std::uint32_t value = 40;
    Access one = access(AccessKind::atomic, value);
    one.operation = AtomicOperation::add;
    // DRAM, 830 ps a cycle: closed row from cycle 13 on, then, behind one hop more, a row hit from cycle 65 on.
    const bool dram = std::get<2>(GetParam()) != std::string("fixed");
    EXPECT_EQ(hart.access(one).completion, dram ? (65u + 1 + 12 + 4) * 830 : 120'000u);
    EXPECT_EQ(value, 0u) << "what was there";
    value = 2;
    one.time = 200'000;
    hart.access(one);
    EXPECT_EQ(value, 40u);
    EXPECT_EQ(word(), 42u);
    EXPECT_EQ(bus.traffic("hart", "ram").reads, 2u);
    EXPECT_EQ(bus.traffic("hart", "ram").writes, 2u);
    EXPECT_EQ(bus.broken_conservation(), "");
  });
}

TEST_P(Atomics, nobody_comes_between_the_read_and_the_write_of_an_atomic_access) {
  std::uint32_t ones = 1;
  simulate([&] {
    Picoseconds now = 0;
    for (int i = 0; i < 50; ++i) {
      std::uint32_t value = 1;
      // Writes of a thousand at every phase of the access.
      ones = 1000 * static_cast<std::uint32_t>(i + 1);
      dma.port.write(kMemory + 0x100, reinterpret_cast<std::uint8_t*>(&ones), 4, 1, now + 5'000 * (i % 30));
      Access one = access(AccessKind::atomic, value);
      one.operation = AtomicOperation::add;
      one.time = now;
      now = hart.access(one).completion;
      sc_core::wait(to_sc_time(now + 1'000'000 - kernel_time()));
      now = kernel_time();
      EXPECT_TRUE(word() == ones || word() == ones + 1) << word() << " after " << ones;
    }
  });
}

std::string name_of_mode(const testing::TestParamInfo<Atomics::ParamType>& info) {
  return std::string(std::get<0>(info.param) == Fidelity::timed ? "timed" : "functional") +
         (std::get<1>(info.param) ? "_by_host_pointer" : "_through_the_bus") +
         (std::get<2>(info.param) == std::string("fixed") ? "" : "_dram");
}
INSTANTIATE_TEST_SUITE_P(Modes, Atomics,
                         testing::Combine(testing::Values(Fidelity::functional, Fidelity::timed), testing::Bool(),
                                          testing::Values("fixed")),
                         name_of_mode);
INSTANTIATE_TEST_SUITE_P(Dram, Atomics,
                         testing::Combine(testing::Values(Fidelity::timed), testing::Bool(),
                                          testing::Values("ddr4-2400")),
                         name_of_mode);

}  // namespace
}  // namespace vp
