// A disk is saved in the middle of its requests, with the bursts under way, and goes on elsewhere.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>

#include "models/bus/bus.h"
#include "models/memory/memory.h"
#include "tests/support/saved_state.h"
#include "tests/virtio/guest_disk.h"

namespace vp {
namespace {

constexpr std::uint64_t kRam = 0x8000'0000, kRamSize = 1 << 18;

virtio::BlockConfig saved_disk() {
  virtio::BlockConfig config;
  config.size = 1 << 18;
  config.medium.latency = 2'000'000;
  return config;
}

/// A memory, a bus and a disk with its driver.
class SavedDiskSystem {
 public:
  SavedDiskSystem(const std::string& name, Fidelity fidelity)
      : guest(name.c_str(), horizon_, saved_disk(), kRam,
              {{kOut, 3, kRam + 0x8003, 1536},
               {kOut, 9, kRam + 0x10000, 69'632},
               {kIn, 0, kRam + 0x21001, 80'384},
               {kIn, 1 << 20, kRam + 0x21001, 512},
               {kOut, 0, 0x1000, 1024}}) {
    MemoryConfig config;
    config.size = kRamSize;
    memory = std::make_unique<Memory>((name + "_memory").c_str(), config, 10'000);
    bus = std::make_unique<Bus>((name + "_bus").c_str(), BusConfig(), horizon_, std::vector<std::string>{"disk"},
                                std::vector<BusWindow>{{"memory", kRam, kRamSize, true}});
    bus->connect_initiator("disk", guest.device.master, {64, 10'000});
    bus->connect_target("memory", memory->socket);
    bus->set_fidelity(fidelity);
    memory->set_fidelity(fidelity);
    guest.device.core().set_fidelity(fidelity);
  }
  void persist(Archive& archive) { archive("bus", *bus)("memory", *memory)("guest", guest); }

 private:
  Horizon horizon_;

 public:
  GuestDisk guest;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Bus> bus;
};

void expect_disk_going_on(Fidelity fidelity) {
  SavedDiskSystem system("one", fidelity), copy("two", fidelity);
  std::iota(system.memory->data(), system.memory->data() + kRamSize, std::uint8_t{3});
  system.guest.begin();
  unsigned in_the_middle = 0;
  while (!system.guest.done()) {
    sc_core::sc_start(7'370, sc_core::SC_NS);
    while (!system.bus->quiet()) sc_core::sc_start(1, sc_core::SC_NS);
    const OverlappingMaster& port = system.guest.device.master;
    in_the_middle += port.under_way(false) + port.under_way(true) != 0;
    const std::string state = save_state(system);
    load_state(copy, state);
    ASSERT_EQ(state_difference(copy, state), "");
    system.guest.seen = copy.guest.seen = "";
    sc_core::sc_start(9'310, sc_core::SC_NS);  // the copy goes on by itself
    EXPECT_EQ(copy.guest.seen, system.guest.seen);
    EXPECT_EQ(text_of(copy.guest.device.core().figures()), text_of(system.guest.device.core().figures()));
    EXPECT_EQ(text_of(copy.guest.disk.figures()), text_of(system.guest.disk.figures()));
  }
  EXPECT_GT(in_the_middle, 5u);
  EXPECT_EQ(std::memcmp(copy.memory->data(), system.memory->data(), kRamSize), 0);
  EXPECT_EQ(std::memcmp(copy.memory->data() + 0x21001 + 9 * 512, copy.memory->data() + 0x10000, 69'632), 0);
  EXPECT_EQ(text_of(copy.bus->figures()), text_of(system.bus->figures()));
  EXPECT_EQ(copy.guest.device.core().findings(), system.guest.device.core().findings());
  EXPECT_EQ(copy.guest.device.core().findings().size(), 1u) << "the last request's buffer is nowhere";
  EXPECT_EQ(copy.bus->broken_conservation() + copy.guest.device.core().broken_conservation(), "");
}

TEST(VirtioState, goes_on_in_the_middle_of_a_request_in_functional_mode) { expect_disk_going_on(Fidelity::functional); }
TEST(VirtioState, goes_on_in_the_middle_of_a_request_in_timed_mode) { expect_disk_going_on(Fidelity::timed); }

}  // namespace
}  // namespace vp
