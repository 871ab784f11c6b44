// Two harts on one bus share counters by LR/SC and AMO: no increment is lost, in any mode and at any quantum.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

#include "models/bus/bus.h"
#include "models/cpu/cpu.h"
#include "models/memory/memory.h"
#include "tests/cpu/encode.h"

namespace vp {
namespace {

using namespace cpu::encode;

constexpr std::uint64_t kRam = 0x8000'0000;
constexpr std::uint64_t kCounters = kRam + 0x1000;
constexpr unsigned kRounds = 500;

enum class Caches { none, write_back, write_through };

/// (mode, caches of the harts in timed mode, quantum in ns)
class TwoHarts : public testing::TestWithParam<std::tuple<Fidelity, Caches, unsigned>> {
 public:
  TwoHarts() {
    const Fidelity fidelity = std::get<0>(GetParam());
    for (const char* name : {"one", "two"}) {
      cpu::CpuConfig config;
      config.reset_pc = kRam;
      config.clock = harts.empty() ? 10'000 : 7'000;
      config.quantum = std::get<2>(GetParam()) * Picoseconds{1000};
      config.dcache.present = std::get<1>(GetParam()) != Caches::none;
      if (std::get<1>(GetParam()) == Caches::write_through) config.dcache.write_policy = WritePolicy::kThrough;
      harts.push_back(std::make_unique<cpu::Cpu>(name, config, horizon));
      bus.connect_initiator(name, harts.back()->socket);
      harts.back()->set_fidelity(fidelity);
    }
    bus.connect_target("ram", ram.socket);
    bus.set_fidelity(fidelity);
    ram.set_fidelity(fidelity);
  }
  void put(const std::vector<std::uint32_t>& program) { std::memcpy(ram.data(), program.data(), 4 * program.size()); }
  std::uint32_t counter(unsigned number) {
    std::uint32_t value = 0;
    std::memcpy(&value, ram.data() + (kCounters - kRam) + 4 * number, 4);
    return value;
  }
  static MemoryConfig memory() {
    MemoryConfig config;
    config.size = 0x10000;
    return config;
  }

  Horizon horizon;
  Bus bus{"bus", BusConfig(), horizon, {"one", "two"}, {{"ram", kRam, 0x10000, true}}};
  Memory ram{"ram", memory(), 10'000};
  std::vector<std::unique_ptr<cpu::Cpu>> harts;
};

TEST_P(TwoHarts, lose_no_increment_of_a_shared_counter) {
  put({auipc(s0, 1), addi(s1, 0, kRounds),
       // again: counter 0 by LR and SC
       lr(t0, s0, 4), addi(t0, t0, 1), sc(t1, s0, t0, 4), bne(t1, 0, -12),
       // counter 1 by AMO
       addi(t2, 0, 1), addi(t3, s0, 4), amo(0, 0, t3, t2, 4),
       // counter 2 of the same block, by plain stores: both write it
       sw(s1, s0, 8), addi(s1, s1, -1), bne(s1, 0, -36), kWfi});
  sc_core::sc_start();
  EXPECT_EQ(counter(0), 2 * kRounds);
  EXPECT_EQ(counter(1), 2 * kRounds);
  EXPECT_EQ(bus.broken_conservation(), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, TwoHarts,
                         testing::Combine(testing::Values(Fidelity::functional, Fidelity::timed),
                                          testing::Values(Caches::none, Caches::write_back, Caches::write_through),
                                          testing::Values(50u, 1'000u, 10'000u)));

}  // namespace
}  // namespace vp
