#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vp {

/// Nothing (a flag), one cell, two cells, several cells, a string, or a list of strings.
using DeviceTreeValue = std::variant<std::monostate, std::uint32_t, std::uint64_t, std::vector<std::uint32_t>,
                                     std::string, std::vector<std::string>>;

/// A node of a device tree.
struct DeviceTreeNode {
  explicit DeviceTreeNode(std::string node_name = "") : name(std::move(node_name)) {}

  DeviceTreeNode& set(const std::string& property, DeviceTreeValue value);
  DeviceTreeNode& add(DeviceTreeNode child);
  /// The child of that name, or nullptr.
  const DeviceTreeNode* child(const std::string& child_name) const;

  std::string name;
  std::vector<std::pair<std::string, DeviceTreeValue>> properties;
  std::vector<DeviceTreeNode> children;
};

/// The flattened form (FDT version 17) of a whole tree. std::logic_error if libfdt refuses it.
std::vector<std::uint8_t> flatten(const DeviceTreeNode& root);

/// What the machine tells about itself; the platform fills it.
struct MachineDescription {
  /// A memory-mapped device under /soc; its node is "name@base".
  struct Device {
    std::string name;  ///< generic, as the specification recommends: "serial"
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::vector<std::string> compatible;
    std::vector<std::uint32_t> interrupts;  ///< PLIC numbers
    std::vector<std::pair<std::string, DeviceTreeValue>> properties;

    std::string node_name() const;
  };
  struct Range {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
  };

  std::string isa = "rv64imac";          ///< riscv,isa
  std::uint32_t cpu_frequency = 0;       ///< Hz
  std::uint32_t timebase_frequency = 0;  ///< Hz
  std::vector<Range> memories;
  Range clint;                          ///< size 0: none
  Range plic;                           ///< size 0: none
  std::uint32_t interrupt_sources = 0;  ///< riscv,ndev
  std::vector<Device> devices;
  std::string console;  ///< node_name() of the device for stdout-path; empty: none
  std::string boot_arguments;
};

/// The tree: cpus, memory, soc with its devices, chosen.
DeviceTreeNode make_device_tree(const MachineDescription& machine);

}  // namespace vp
