// The firmware's device tree reader on trees that libfdt writes.
#include <gtest/gtest.h>
#include <libfdt.h>

#include <random>
#include <string>
#include <vector>

#include "firmware/board/device_tree.h"

namespace vp::test {
namespace {

// A small machine: two memories, a soc with 2 + 2 cells holding a tinyTPU and two serial ports, a bus with 1 + 1 cells.
std::vector<uint8_t> sample_tree() {
  std::vector<uint8_t> blob(4096);
  void* fdt = blob.data();
  const auto reg = [&](std::initializer_list<uint32_t> cells) {
    std::vector<uint32_t> big_endian;
    for (uint32_t cell : cells) big_endian.push_back(cpu_to_fdt32(cell));
    fdt_property(fdt, "reg", big_endian.data(), static_cast<int>(4 * big_endian.size()));
  };
  const auto begin = [&](const char* name) { fdt_begin_node(fdt, name); };
  const auto end = [&] { fdt_end_node(fdt); };
  const auto cells = [&](uint32_t address, uint32_t size) {
    fdt_property_u32(fdt, "#address-cells", address);
    fdt_property_u32(fdt, "#size-cells", size);
  };
  fdt_create(fdt, static_cast<int>(blob.size()));
  fdt_finish_reservemap(fdt);
  begin("");
  cells(2, 2);
  begin("memory@80000000");
  fdt_property_string(fdt, "device_type", "memory");
  reg({0, 0x80000000, 0, 0x10000000});
  end();
  begin("memory@c0000000");
  fdt_property_string(fdt, "device_type", "memory");
  reg({0, 0xC0000000, 0, 0x10000000, 1, 0, 2, 0});
  end();
  begin("soc");
  cells(2, 2);
  begin("tinytpu@43c00000");
  fdt_property_string(fdt, "compatible", "jofrfu,tinytpu");
  reg({0, 0x43C00000, 0, 0x100000});
  fdt_property_u32(fdt, "interrupts", 1);
  fdt_property_u32(fdt, "matrix-width", 14);
  end();
  begin("bus");
  cells(1, 1);
  begin("serial@1000");
  fdt_property(fdt, "compatible", "vendor,port\0ns16550a", 21);
  reg({0x1000, 0x100});
  end();
  end();
  begin("serial@10000000");
  fdt_property_string(fdt, "compatible", "ns16550a");
  reg({0, 0x10000000, 0, 0x100});
  end();
  end();
  end();
  fdt_finish(fdt);
  blob.resize(fdt_totalsize(fdt));
  return blob;
}

class DeviceTree : public testing::Test {
 protected:
  void expect_reg(unsigned index, uint64_t address, uint64_t size) {
    uint64_t found_address = 0, found_size = 0;
    ASSERT_TRUE(device_tree_reg(&node_, index, &found_address, &found_size));
    EXPECT_EQ(found_address, address);
    EXPECT_EQ(found_size, size);
  }
  std::vector<uint8_t> tree_ = sample_tree();
  device_tree_node node_{};
};

TEST_F(DeviceTree, FindsANodeByCompatibleAndReadsItsProperties) {
  ASSERT_TRUE(device_tree_find_compatible(tree_.data(), "jofrfu,tinytpu", 0, &node_));
  expect_reg(0, 0x43C00000, 0x100000);
  uint32_t value = 0;
  ASSERT_TRUE(device_tree_cell(&node_, "matrix-width", 0, &value));
  EXPECT_EQ(value, 14u);
  EXPECT_FALSE(device_tree_cell(&node_, "matrix-width", 1, &value));
  EXPECT_FALSE(device_tree_cell(&node_, "fifo-depth", 0, &value));
  EXPECT_FALSE(device_tree_find_compatible(tree_.data(), "jofrfu,tinytpu", 1, &node_));
}

TEST_F(DeviceTree, FindsNamesFurtherDownACompatibleListAndUnderOtherCellSizes) {
  ASSERT_TRUE(device_tree_find_compatible(tree_.data(), "ns16550a", 0, &node_));
  expect_reg(0, 0x1000, 0x100);
  ASSERT_TRUE(device_tree_find_compatible(tree_.data(), "ns16550a", 1, &node_));
  expect_reg(0, 0x10000000, 0x100);
  EXPECT_FALSE(device_tree_find_compatible(tree_.data(), "ns16550", 0, &node_)) << "part of a name is not the name";
}

TEST_F(DeviceTree, ReadsEveryPairOfAReg) {
  ASSERT_TRUE(device_tree_find_type(tree_.data(), "memory", 1, &node_));
  expect_reg(1, 0x100000000, 0x200000000);
  uint64_t address, size;
  EXPECT_FALSE(device_tree_reg(&node_, 2, &address, &size));
}

TEST_F(DeviceTree, RefusesWhatIsNoTree) {
  EXPECT_FALSE(device_tree_valid(nullptr));
  EXPECT_FALSE(device_tree_find_compatible(nullptr, "ns16550a", 0, &node_));
  tree_[0] ^= 1;
  EXPECT_FALSE(device_tree_valid(tree_.data()));
}

// Damaged trees may be read wrongly, but never beyond their end; the sanitizer build watches.
TEST_F(DeviceTree, StaysInsideADamagedTree) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    auto damaged = tree_;
    for (int i = 0; i < 3; ++i) damaged[8 + random() % (damaged.size() - 8)] = static_cast<uint8_t>(random());
    fdt_set_totalsize(damaged.data(), static_cast<uint32_t>(damaged.size()));
    uint64_t address, size;
    uint32_t value;
    for (unsigned index = 0; index < 3; ++index) {
      if (!device_tree_find_compatible(damaged.data(), "ns16550a", index, &node_)) break;
      device_tree_reg(&node_, 0, &address, &size);
      device_tree_cell(&node_, "matrix-width", 0, &value);
    }
  }
}

}  // namespace
}  // namespace vp::test
