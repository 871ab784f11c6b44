#include "models/common/device_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libfdt.h>

#include <cstring>
#include <stdexcept>

namespace vp {
namespace {

using testing::ElementsAre;

/// A machine with one interrupt controller, unless it is left out.
struct Machine {
  explicit Machine(bool with_controllers = true) : tree(outline) {
    if (with_controllers) add_controllers();
    tree.set_processor({"rv64i", {"i", "m", "a", "c", "zicsr"}, "riscv,sv39", 100'000'000});
    tree.set_timebase(10'000'000);
    tree.add_memory(0x8000'0000, 0x1000'0000);
    tree.add_device("uart0",
                    {"serial", 0x1000'0000, 0x100, {"ns16550a"}, {{"", 10}}, {{"clock-frequency", 3'686'400u}}});
    tree.add_device("tpu", {"tinytpu", 0x43C0'0000, 0x10'0000, {"jofrfu,tinytpu"}, {{"", 1}}, {{"matrix-width", 14u}}});
  }
  void add_controllers() {
    outline.controllers.push_back({"plic", 31, "sources"});
    tree.add_controller({"plic", 0xC00'0000, 0x400'0000, {"riscv,plic0"}, {}, {{"phandle", tree.handle_of("plic")}}});
  }

  Outline outline;
  DeviceTree tree;
};

struct Blob {
  explicit Blob(const DeviceTree& tree) : bytes(flatten(tree.root())) {}
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

TEST(DeviceTree, is_a_valid_blob_of_its_own_size) {
  const Blob blob(Machine().tree);
  EXPECT_EQ(fdt_check_full(blob.bytes.data(), blob.bytes.size()), 0);
  EXPECT_EQ(fdt_totalsize(blob.bytes.data()), blob.bytes.size());
}

TEST(DeviceTree, devices_have_reg_interrupts_and_properties) {
  const Blob blob(Machine().tree);
  const char* tpu = "/soc/tinytpu@43c00000";
  EXPECT_THAT(blob.cells(tpu, "reg"), ElementsAre(0, 0x43C00000, 0, 0x100000));
  EXPECT_THAT(blob.cells(tpu, "interrupts"), ElementsAre(1));
  EXPECT_THAT(blob.cells(tpu, "matrix-width"), ElementsAre(14));
  EXPECT_EQ(blob.text(tpu, "compatible"), std::string("jofrfu,tinytpu") + '\0');
  EXPECT_EQ(blob.cells(tpu, "interrupt-parent"), blob.cells("/soc/plic@c000000", "phandle"));
}

TEST(DeviceTree, tells_frequencies_memory_and_the_first_console) {
  Machine machine;
  machine.tree.offer_console("uart0");
  machine.tree.offer_console("tpu");
  const Blob blob(machine.tree);
  EXPECT_THAT(blob.cells("/cpus/cpu@0", "clock-frequency"), ElementsAre(100'000'000));
  EXPECT_THAT(blob.cells("/cpus/cpu@0", "timebase-frequency"), ElementsAre(10'000'000));
  EXPECT_THAT(blob.cells("/cpus", "timebase-frequency"), ElementsAre(10'000'000));
  EXPECT_THAT(blob.cells("/memory@80000000", "reg"), ElementsAre(0, 0x80000000, 0, 0x10000000));
  EXPECT_EQ(blob.text("/chosen", "stdout-path"), std::string("/soc/serial@10000000") + '\0');
}

TEST(DeviceTree, tells_the_instruction_set_as_old_and_new_kernels_ask) {
  const Blob blob(Machine().tree);
  EXPECT_EQ(blob.text("/cpus/cpu@0", "riscv,isa"), std::string("rv64imac") + '\0');
  EXPECT_EQ(blob.text("/cpus/cpu@0", "riscv,isa-base"), std::string("rv64i") + '\0');
  EXPECT_EQ(blob.text("/cpus/cpu@0", "riscv,isa-extensions"), std::string("i\0m\0a\0c\0zicsr\0", 14));
  EXPECT_EQ(blob.text("/cpus/cpu@0", "mmu-type"), std::string("riscv,sv39") + '\0');
}

TEST(DeviceTree, commands_refer_to_the_register_of_a_device) {
  Machine machine;
  machine.tree.set_commands("uart0", {{"poweroff", "syscon-poweroff", 4, 0x5555}});
  const Blob blob(machine.tree);
  EXPECT_EQ(blob.text("/poweroff", "compatible"), std::string("syscon-poweroff") + '\0');
  EXPECT_THAT(blob.cells("/poweroff", "offset"), ElementsAre(4));
  EXPECT_THAT(blob.cells("/poweroff", "value"), ElementsAre(0x5555));
  EXPECT_EQ(blob.cells("/poweroff", "regmap"), blob.cells("/soc/serial@10000000", "phandle"));
  EXPECT_NE(blob.cells("/poweroff", "regmap"), blob.cells("/soc/plic@c000000", "phandle"));
}

TEST(DeviceTree, a_device_without_controller_has_no_interrupts) {
  const Blob blob(Machine(false).tree);
  EXPECT_TRUE(blob.cells("/soc/serial@10000000", "interrupts").empty());
  EXPECT_TRUE(blob.cells("/soc/serial@10000000", "interrupt-parent").empty());
  EXPECT_EQ(blob.text("/chosen", "stdout-path"), "");
}

TEST(DeviceTree, lines_to_two_controllers_name_each) {
  Machine machine;
  machine.outline.controllers.push_back({"plic1", 31, "sources"});
  machine.tree.add_device("dma", {"dma", 0x5000'0000, 0x100, {"dma"}, {{"plic1", 7}, {"", 8}}, {}});
  EXPECT_THAT(Blob(machine.tree).cells("/soc/dma@50000000", "interrupts-extended"), ElementsAre(3, 7, 2, 8));
}

TEST(DeviceTree, another_part_can_add_properties_to_a_device) {
  Machine machine;
  machine.tree.add_properties("uart0", {{"current-speed", 115'200u}});
  EXPECT_THAT(Blob(machine.tree).cells("/soc/serial@10000000", "current-speed"), ElementsAre(115'200));
}

TEST(DeviceTree, grows_as_needed) {
  Machine machine;
  for (unsigned i = 0; i < 500; ++i)
    machine.tree.add_device("x", {"device", 0x5000'0000 + i, 1, {"a", "b"}, {}, {{"wide", std::uint64_t{1} << 40}}});
  const Blob blob(machine.tree);
  EXPECT_EQ(fdt_check_full(blob.bytes.data(), blob.bytes.size()), 0);
  EXPECT_THAT(blob.cells("/soc/device@500001f3", "wide"), ElementsAre(256, 0));
}

}  // namespace
}  // namespace vp
