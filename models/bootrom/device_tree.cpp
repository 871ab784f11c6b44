#include "models/bootrom/device_tree.h"

#include <libfdt.h>

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

namespace vp {
namespace {

constexpr std::uint32_t kCpuInterruptsHandle = 1;
constexpr std::uint32_t kPlicHandle = 2;
// Numbers of the hart's local interrupts (mcause of the interrupt).
constexpr std::uint32_t kMachineSoftware = 3, kMachineTimer = 7, kMachineExternal = 11;

std::string at(const std::string& name, std::uint64_t base) {
  char text[20];
  std::snprintf(text, sizeof text, "@%" PRIx64, base);
  return name + text;
}

std::vector<std::uint32_t> reg_cells(std::uint64_t base, std::uint64_t size) {
  return {static_cast<std::uint32_t>(base >> 32), static_cast<std::uint32_t>(base),
          static_cast<std::uint32_t>(size >> 32), static_cast<std::uint32_t>(size)};
}

/// A property's bytes: cells are big endian, strings end with a zero.
struct Encoder {
  void cell(std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  }
  void text(const std::string& value) {
    bytes.insert(bytes.end(), value.begin(), value.end());
    bytes.push_back(0);
  }
  void operator()(std::monostate) {}
  void operator()(std::uint32_t value) { cell(value); }
  void operator()(std::uint64_t value) {
    cell(static_cast<std::uint32_t>(value >> 32));
    cell(static_cast<std::uint32_t>(value));
  }
  void operator()(const std::vector<std::uint32_t>& values) {
    for (const std::uint32_t value : values) cell(value);
  }
  void operator()(const std::string& value) { text(value); }
  void operator()(const std::vector<std::string>& values) {
    for (const std::string& value : values) text(value);
  }
  std::vector<std::uint8_t> bytes;
};

int write_node(void* fdt, const DeviceTreeNode& node) {
  int error = fdt_begin_node(fdt, node.name.c_str());
  for (const auto& [name, value] : node.properties) {
    if (error != 0) return error;
    Encoder encoder;
    std::visit(encoder, value);
    error = fdt_property(fdt, name.c_str(), encoder.bytes.data(), static_cast<int>(encoder.bytes.size()));
  }
  for (const DeviceTreeNode& child : node.children) {
    if (error != 0) return error;
    error = write_node(fdt, child);
  }
  return error != 0 ? error : fdt_end_node(fdt);
}

int write_tree(std::vector<std::uint8_t>& buffer, const DeviceTreeNode& root) {
  int error = fdt_create(buffer.data(), static_cast<int>(buffer.size()));
  if (error == 0) error = fdt_finish_reservemap(buffer.data());
  if (error == 0) error = write_node(buffer.data(), root);
  return error != 0 ? error : fdt_finish(buffer.data());
}

DeviceTreeNode make_cpus(const MachineDescription& machine) {
  DeviceTreeNode interrupts("interrupt-controller");
  interrupts.set("#interrupt-cells", 1u)
      .set("interrupt-controller", std::monostate())
      .set("compatible", "riscv,cpu-intc")
      .set("phandle", kCpuInterruptsHandle);
  DeviceTreeNode cpu("cpu@0");
  cpu.set("device_type", "cpu")
      .set("reg", 0u)
      .set("status", "okay")
      .set("compatible", "riscv")
      .set("riscv,isa", machine.isa)
      .set("mmu-type", "riscv,none")
      .set("clock-frequency", machine.cpu_frequency)
      .set("timebase-frequency", machine.timebase_frequency)
      .add(std::move(interrupts));
  DeviceTreeNode cpus("cpus");
  cpus.set("#address-cells", 1u)
      .set("#size-cells", 0u)
      .set("timebase-frequency", machine.timebase_frequency)
      .add(std::move(cpu));
  return cpus;
}

DeviceTreeNode make_clint(const MachineDescription& machine) {
  DeviceTreeNode node(at("clint", machine.clint.base));
  node.set("compatible", std::vector<std::string>{"sifive,clint0", "riscv,clint0"})
      .set("reg", reg_cells(machine.clint.base, machine.clint.size))
      .set("interrupts-extended",
           std::vector<std::uint32_t>{kCpuInterruptsHandle, kMachineSoftware, kCpuInterruptsHandle, kMachineTimer});
  return node;
}

DeviceTreeNode make_plic(const MachineDescription& machine) {
  DeviceTreeNode node(at("plic", machine.plic.base));
  node.set("compatible", std::vector<std::string>{"sifive,plic-1.0.0", "riscv,plic0"})
      .set("reg", reg_cells(machine.plic.base, machine.plic.size))
      .set("interrupts-extended", std::vector<std::uint32_t>{kCpuInterruptsHandle, kMachineExternal})
      .set("interrupt-controller", std::monostate())
      .set("#interrupt-cells", 1u)
      .set("#address-cells", 0u)
      .set("riscv,ndev", machine.interrupt_sources)
      .set("phandle", kPlicHandle);
  return node;
}

DeviceTreeNode make_device(const MachineDescription::Device& device, bool has_plic) {
  DeviceTreeNode node(device.node_name());
  node.set("compatible", device.compatible).set("reg", reg_cells(device.base, device.size));
  if (!device.interrupts.empty() && has_plic) {
    node.set("interrupt-parent", kPlicHandle);
    node.set("interrupts", device.interrupts);
  }
  for (const auto& [name, value] : device.properties) node.set(name, value);
  return node;
}

}  // namespace

DeviceTreeNode& DeviceTreeNode::set(const std::string& property, DeviceTreeValue value) {
  properties.emplace_back(property, std::move(value));
  return *this;
}

DeviceTreeNode& DeviceTreeNode::add(DeviceTreeNode child_node) {
  children.push_back(std::move(child_node));
  return *this;
}

const DeviceTreeNode* DeviceTreeNode::child(const std::string& child_name) const {
  for (const DeviceTreeNode& node : children)
    if (node.name == child_name) return &node;
  return nullptr;
}

std::string MachineDescription::Device::node_name() const { return at(name, base); }

std::vector<std::uint8_t> flatten(const DeviceTreeNode& root) {
  std::vector<std::uint8_t> buffer(4096);
  int error = write_tree(buffer, root);
  while (error == -FDT_ERR_NOSPACE) {
    buffer.assign(2 * buffer.size(), 0);
    error = write_tree(buffer, root);
  }
  if (error != 0) throw std::logic_error(std::string("device tree: ") + fdt_strerror(error));
  buffer.resize(fdt_totalsize(buffer.data()));
  return buffer;
}

DeviceTreeNode make_device_tree(const MachineDescription& machine) {
  DeviceTreeNode root;
  root.set("#address-cells", 2u).set("#size-cells", 2u).set("compatible", "tinytpu-vp").set("model", "tinytpu-vp");

  DeviceTreeNode chosen("chosen");
  if (!machine.console.empty()) chosen.set("stdout-path", "/soc/" + machine.console);
  if (!machine.boot_arguments.empty()) chosen.set("bootargs", machine.boot_arguments);
  root.add(std::move(chosen)).add(make_cpus(machine));

  for (const MachineDescription::Range& memory : machine.memories) {
    DeviceTreeNode node(at("memory", memory.base));
    node.set("device_type", "memory").set("reg", reg_cells(memory.base, memory.size));
    root.add(std::move(node));
  }

  DeviceTreeNode soc("soc");
  soc.set("#address-cells", 2u).set("#size-cells", 2u).set("compatible", "simple-bus").set("ranges", std::monostate());
  const bool has_plic = machine.plic.size != 0;
  if (machine.clint.size != 0) soc.add(make_clint(machine));
  if (has_plic) soc.add(make_plic(machine));
  for (const MachineDescription::Device& device : machine.devices) soc.add(make_device(device, has_plic));
  root.add(std::move(soc));
  return root;
}

}  // namespace vp
