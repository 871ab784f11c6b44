#include "models/bootrom/device_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libfdt.h>

#include <cstring>
#include <stdexcept>

namespace vp {
namespace {

using testing::ElementsAre;

MachineDescription machine() {
  MachineDescription m;
  m.isa = "rv64imac";
  m.cpu_frequency = 100'000'000;
  m.timebase_frequency = 10'000'000;
  m.memories = {{0x8000'0000, 0x1000'0000}};
  m.clint = {0x200'0000, 0x10000};
  m.plic = {0xC00'0000, 0x400'0000};
  m.interrupt_sources = 31;
  m.devices.push_back({"serial", 0x1000'0000, 0x100, {"ns16550a"}, {10}, {{"clock-frequency", 3'686'400u}}});
  m.devices.push_back({"tinytpu", 0x43C0'0000, 0x10'0000, {"jofrfu,tinytpu"}, {1}, {{"matrix-width", 14u}}});
  m.console = m.devices[0].node_name();
  return m;
}

struct Blob {
  explicit Blob(const MachineDescription& m) : bytes(flatten(make_device_tree(m))) {}
  std::vector<std::uint32_t> cells(const char* path, const char* property) const {
    int length = 0;
    const int node = fdt_path_offset(bytes.data(), path);
    const void* data = node < 0 ? nullptr : fdt_getprop(bytes.data(), node, property, &length);
    std::vector<std::uint32_t> result;
    for (int i = 0; data != nullptr && i < length / 4; ++i) {
      fdt32_t cell;
      std::memcpy(&cell, static_cast<const char*>(data) + 4 * i, 4);
      result.push_back(fdt32_to_cpu(cell));
    }
    return result;
  }
  std::string text(const char* path, const char* property) const {
    int length = 0;
    const int node = fdt_path_offset(bytes.data(), path);
    const void* data = node < 0 ? nullptr : fdt_getprop(bytes.data(), node, property, &length);
    return data == nullptr ? "" : std::string(static_cast<const char*>(data), length);
  }
  std::vector<std::uint8_t> bytes;
};

TEST(DeviceTree, IsAValidBlobOfItsOwnSize) {
  const Blob blob(machine());
  EXPECT_EQ(fdt_check_full(blob.bytes.data(), blob.bytes.size()), 0);
  EXPECT_EQ(fdt_totalsize(blob.bytes.data()), blob.bytes.size());
}

TEST(DeviceTree, DevicesHaveRegInterruptsAndProperties) {
  const Blob blob(machine());
  const char* tpu = "/soc/tinytpu@43c00000";
  EXPECT_THAT(blob.cells(tpu, "reg"), ElementsAre(0, 0x43C00000, 0, 0x100000));
  EXPECT_THAT(blob.cells(tpu, "interrupts"), ElementsAre(1));
  EXPECT_THAT(blob.cells(tpu, "matrix-width"), ElementsAre(14));
  EXPECT_EQ(blob.text(tpu, "compatible"), std::string("jofrfu,tinytpu") + '\0');
  EXPECT_EQ(blob.cells(tpu, "interrupt-parent"), blob.cells("/soc/plic@c000000", "phandle"));
}

TEST(DeviceTree, TellsFrequenciesMemoryAndConsole) {
  const Blob blob(machine());
  EXPECT_THAT(blob.cells("/cpus/cpu@0", "clock-frequency"), ElementsAre(100'000'000));
  EXPECT_THAT(blob.cells("/cpus/cpu@0", "timebase-frequency"), ElementsAre(10'000'000));
  EXPECT_THAT(blob.cells("/cpus", "timebase-frequency"), ElementsAre(10'000'000));
  EXPECT_THAT(blob.cells("/memory@80000000", "reg"), ElementsAre(0, 0x80000000, 0, 0x10000000));
  EXPECT_EQ(blob.text("/chosen", "stdout-path"), std::string("/soc/serial@10000000") + '\0');
  EXPECT_THAT(blob.cells("/soc/clint@2000000", "interrupts-extended"), ElementsAre(1, 3, 1, 7));
  EXPECT_THAT(blob.cells("/soc/plic@c000000", "interrupts-extended"), ElementsAre(1, 11));
  EXPECT_THAT(blob.cells("/soc/plic@c000000", "riscv,ndev"), ElementsAre(31));
}

TEST(DeviceTree, PartsCanBeLeftOut) {
  MachineDescription m = machine();
  m.plic.size = m.clint.size = 0;
  m.console.clear();
  const DeviceTreeNode tree = make_device_tree(m);
  EXPECT_EQ(tree.child("soc")->child("plic@c000000"), nullptr);
  EXPECT_EQ(tree.child("soc")->child("clint@2000000"), nullptr);
  EXPECT_TRUE(Blob(m).cells("/soc/serial@10000000", "interrupts").empty());
  EXPECT_EQ(Blob(m).text("/chosen", "stdout-path"), "");
}

TEST(DeviceTree, GrowsAsNeeded) {
  MachineDescription m = machine();
  for (unsigned i = 0; i < 500; ++i)
    m.devices.push_back({"device", 0x5000'0000 + i, 1, {"a", "b"}, {}, {{"wide", std::uint64_t{1} << 40}}});
  const Blob blob(m);
  EXPECT_EQ(fdt_check_full(blob.bytes.data(), blob.bytes.size()), 0);
  EXPECT_THAT(blob.cells("/soc/device@500001f3", "wide"), ElementsAre(256, 0));
}

}  // namespace
}  // namespace vp
