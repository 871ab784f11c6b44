#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/common/clock.h"
#include "models/common/outline.h"

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

/// Nearest whole hertz of a clock's period, as a cell.
std::uint32_t frequency_of(Picoseconds period);

/// The device tree of a machine while its parts describe themselves: cpus, memory, soc with its devices, chosen.
class DeviceTree {
 public:
  /// Numbers by which nodes refer to the hart's own interrupts (mcause of the interrupt).
  static constexpr std::uint32_t kMachineSoftware = 3, kMachineTimer = 7, kSupervisorExternal = 9,
                                 kMachineExternal = 11;

  /// A memory-mapped device under /soc; its node is "name@base". Properties: compatible, reg, interrupts, then its own.
  struct Device {
    std::string name;  ///< generic, as the specification recommends: "serial"
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::vector<std::string> compatible;
    std::vector<InterruptWire> interrupts;  ///< those that lead nowhere are left out
    std::vector<std::pair<std::string, DeviceTreeValue>> properties;

    std::string node_name() const;
  };

  struct Processor {
    std::string base;                     ///< "rv64i"
    std::vector<std::string> extensions;  ///< "i", "m", "zicsr", in the order of the instruction set manual
    std::string mmu;                      ///< "riscv,sv39"
    std::uint32_t frequency = 0;          ///< Hz

    /// As the older property `riscv,isa` has it: the base with the extensions of one letter.
    std::string isa() const;
  };

  /// A command to the machine that an operating system gives by a write to a register of a device ("syscon").
  struct Command {
    std::string name;  ///< of the node: "poweroff"
    std::string compatible;
    std::uint32_t offset = 0, value = 0;
  };

  /// machine: what the interrupts of devices refer to.
  explicit DeviceTree(const Outline& machine) : machine_(machine) {}
  const Outline& machine() const { return machine_; }

  void set_processor(Processor processor) { processor_ = std::move(processor); }
  /// Of the real-time counter; the first one counts.
  void set_timebase(std::uint32_t frequency) {
    if (timebase_ == 0) timebase_ = frequency;
  }
  void add_memory(std::uint64_t base, std::uint64_t size);
  void add_device(const std::string& part, Device device) { devices_.push_back({part, std::move(device)}); }
  /// What stands before all devices: a core-local or platform-level interrupt controller.
  void add_controller(Device device) { controllers_.push_back(std::move(device)); }
  /// Properties that another part adds to a device: what is at the other end of its line.
  void add_properties(const std::string& part, std::vector<std::pair<std::string, DeviceTreeValue>> properties);
  /// The first part that offers itself is stdout-path.
  void offer_console(const std::string& part);
  /// Commands of a device, which gets a phandle for them; one device of a machine has some.
  void set_commands(const std::string& part, std::vector<Command> commands);
  void set_boot_arguments(const std::string& text) { boot_arguments_ = text; }

  /// phandle of the hart's own interrupt controller, and of an interrupt controller among the parts (0: it has none).
  static constexpr std::uint32_t kHartInterrupts = 1;
  std::uint32_t handle_of(const std::string& controller) const;

  DeviceTreeNode root() const;

 private:
  struct PartDevice {
    std::string part;
    Device device;
  };
  DeviceTreeNode cpus() const;
  DeviceTreeNode node(const Device& device) const;
  void set_interrupts(const Device& device, DeviceTreeNode& node) const;

  const Outline& machine_;
  /// phandle of the device with commands, behind those of the interrupt controllers.
  std::uint32_t commands_handle() const {
    return static_cast<std::uint32_t>(kHartInterrupts + 1 + machine_.controllers.size());
  }
  Processor processor_;
  std::uint32_t timebase_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> memories_;  // base, size
  std::vector<Device> controllers_;
  std::vector<PartDevice> devices_;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, DeviceTreeValue>>>> additions_;  // by part
  std::string console_;
  std::string commands_part_;
  std::vector<Command> commands_;
  std::string boot_arguments_;
};

}  // namespace vp
