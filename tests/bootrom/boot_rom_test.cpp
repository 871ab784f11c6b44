#include "models/bootrom/boot_rom.h"

#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/support/socket_modules.h"
#include "tests/support/thread_module.h"

namespace vp {
namespace {

struct BootRomTest : testing::Test {
  BootRomTest() { initiator.bind(rom.socket); }
  BootRom rom{"rom"};
  InitiatorModule initiator_module{"initiator"};
  TlmInitiator& initiator = initiator_module.socket;
  Picoseconds now = 0;
};

TEST_F(BootRomTest, HoldsCodeAndTree) {
  rom.install({64, 0x8000'0000}, 0x1000, {1, 2, 3, 4});
  simulate([&] {
    std::uint64_t value = 0;
    EXPECT_EQ(initiator.read(24, &value, 8, now), AccessResult::ok);
    EXPECT_EQ(value, 0x8000'0000u);
    initiator.read(32, &value, 8, now);
    EXPECT_EQ(value, 0x1000 + BootRom::kDeviceTreeOffset);
    initiator.read(BootRom::kDeviceTreeOffset, &value, 8, now);
    EXPECT_EQ(value, 0x04030201u);
  });
}

TEST_F(BootRomTest, a_program_with_a_tree_of_its_own_is_handed_that) {
  BootHandOver hand_over{64, 0x8000'0000};
  hand_over.device_tree = 0x8FE0'0000;
  rom.install(hand_over, 0x1000, {1, 2, 3, 4});
  simulate([&] {
    std::uint64_t value = 0;
    initiator.read(32, &value, 8, now);
    EXPECT_EQ(value, 0x8FE0'0000u);
    initiator.read(BootRom::kDeviceTreeOffset, &value, 8, now);
    EXPECT_EQ(value, 0x04030201u) << "the boot ROM's own stays there";
  });
}

TEST_F(BootRomTest, CannotBeWrittenButByDebugAccess) {
  simulate([&] {
    std::uint32_t value = 5;
    EXPECT_EQ(initiator.write(0, &value, 4, now), AccessResult::command_error);
    EXPECT_FALSE(initiator.request_dmi(0, true));
    const auto region = initiator.request_dmi(0, false);
    ASSERT_TRUE(region);
    EXPECT_FALSE(region->writable);
    EXPECT_EQ(initiator.debug_write(0, &value, 4), 4u);
    EXPECT_EQ(region->host[0], 5);
  });
}

TEST_F(BootRomTest, RefusesATreeThatDoesNotFit) {
  EXPECT_THROW(rom.install({}, 0, std::vector<std::uint8_t>(0x10000)), UserError);
}

}  // namespace
}  // namespace vp
