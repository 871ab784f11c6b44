// The CDMA is saved in the middle of its copies, with the bursts under way, and goes on elsewhere.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>

#include "models/bus/bus.h"
#include "models/memory/memory.h"
#include "tests/cdma/copying_cdma.h"
#include "tests/support/saved_state.h"

namespace vp {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000, kSize = 1 << 17;

/// A memory, a bus and a CDMA.
class SavedSystem {
 public:
  SavedSystem(const std::string& name, Fidelity fidelity)
      : cdma(name.c_str(), horizon_, {},
             {{kBase + 0x10003, kBase + 5, 6000},
              {kBase + 0x12000, kBase, 400, 1u << 5},
              {kBase + 0x14000, kBase, 4000},
              {0x1000, kBase, 5000}}) {
    MemoryConfig config;
    config.size = kSize;
    memory = std::make_unique<Memory>((name + "_memory").c_str(), config, 10'000);
    bus = std::make_unique<Bus>((name + "_bus").c_str(), BusConfig(), horizon_, std::vector<std::string>{"cdma"},
                                std::vector<BusWindow>{{"memory", kBase, kSize, true}});
    bus->connect_initiator("cdma", cdma.engine.master, {64, 10'000});
    bus->connect_target("memory", memory->socket);
    bus->set_fidelity(fidelity);
    memory->set_fidelity(fidelity);
  }
  void persist(Archive& archive) { archive("bus", *bus)("memory", *memory)("cdma", cdma); }
  unsigned under_way() const { return cdma.engine.master.under_way(false) + cdma.engine.master.under_way(true); }

 private:
  Horizon horizon_;

 public:
  CopyingCdma cdma;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Bus> bus;
};

void expect_going_on(Fidelity fidelity) {
  SavedSystem system("one", fidelity), copy("two", fidelity);
  std::iota(system.memory->data(), system.memory->data() + kSize / 2, std::uint8_t{3});
  system.cdma.begin();
  unsigned in_the_middle = 0;
  while (!system.cdma.done()) {
    sc_core::sc_start(737, sc_core::SC_NS);
    while (!system.bus->quiet()) sc_core::sc_start(1, sc_core::SC_NS);
    in_the_middle += system.under_way() != 0;
    const std::string state = save_state(system);
    load_state(copy, state);
    ASSERT_EQ(state_difference(copy, state), "");
    system.cdma.seen = copy.cdma.seen = "";
    sc_core::sc_start(1'310, sc_core::SC_NS);  // the copy goes on by itself
    EXPECT_EQ(copy.cdma.seen, system.cdma.seen);
    EXPECT_EQ(text_of(copy.cdma.engine.core().figures()), text_of(system.cdma.engine.core().figures()));
  }
  EXPECT_GT(in_the_middle, 5u);
  EXPECT_NE(system.cdma.seen, "") << "the end";
  EXPECT_EQ(std::memcmp(copy.memory->data(), system.memory->data(), kSize), 0);
  EXPECT_EQ(std::memcmp(copy.memory->data() + 0x10003, copy.memory->data() + 5, 6000), 0);
  EXPECT_EQ(text_of(copy.bus->figures()), text_of(system.bus->figures()));
  EXPECT_EQ(copy.bus->broken_conservation() + copy.cdma.engine.core().broken_conservation(), "");
}

TEST(CdmaState, goes_on_in_the_middle_of_a_copy_in_functional_mode) { expect_going_on(Fidelity::functional); }
TEST(CdmaState, goes_on_in_the_middle_of_a_copy_in_timed_mode) { expect_going_on(Fidelity::timed); }

}  // namespace
}  // namespace vp
