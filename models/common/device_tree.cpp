#include "models/common/device_tree.h"

#include <libfdt.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>

namespace vp {
namespace {

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

std::uint32_t frequency_of(Picoseconds period) {
  constexpr std::uint64_t kPicosecondsASecond = 1'000'000'000'000;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>((kPicosecondsASecond + period / 2) / period, ~std::uint32_t{0}));
}

std::string DeviceTree::Device::node_name() const { return at(name, base); }

std::string DeviceTree::Processor::isa() const {
  std::string text = base;
  for (const std::string& extension : extensions)
    if (extension.size() == 1 && extension != "i") text += extension;
  return text;
}

void DeviceTree::set_commands(const std::string& part, std::vector<Command> commands) {
  if (!commands_part_.empty()) return;
  commands_part_ = part;
  commands_ = std::move(commands);
  add_properties(part, {{"phandle", commands_handle()}});
}

void DeviceTree::add_memory(std::uint64_t base, std::uint64_t size) { memories_.emplace_back(base, size); }

void DeviceTree::add_properties(const std::string& part,
                                std::vector<std::pair<std::string, DeviceTreeValue>> properties) {
  additions_.emplace_back(part, std::move(properties));
}

void DeviceTree::offer_console(const std::string& part) {
  if (console_.empty()) console_ = part;
}

std::uint32_t DeviceTree::handle_of(const std::string& controller) const {
  for (std::size_t i = 0; i < machine_.controllers.size(); ++i)
    if (machine_.controllers[i].part == controller) return static_cast<std::uint32_t>(kHartInterrupts + 1 + i);
  return 0;
}

DeviceTreeNode DeviceTree::cpus() const {
  DeviceTreeNode interrupts("interrupt-controller");
  interrupts.set("#interrupt-cells", 1u)
      .set("interrupt-controller", std::monostate())
      .set("compatible", "riscv,cpu-intc")
      .set("phandle", kHartInterrupts);
  DeviceTreeNode cpu("cpu@0");
  cpu.set("device_type", "cpu")
      .set("reg", 0u)
      .set("status", "okay")
      .set("compatible", "riscv")
      .set("riscv,isa", processor_.isa())
      .set("riscv,isa-base", processor_.base)
      .set("riscv,isa-extensions", processor_.extensions)
      .set("mmu-type", processor_.mmu)
      .set("clock-frequency", processor_.frequency)
      .set("timebase-frequency", timebase_)
      .add(std::move(interrupts));
  DeviceTreeNode node("cpus");
  node.set("#address-cells", 1u).set("#size-cells", 0u).set("timebase-frequency", timebase_).add(std::move(cpu));
  return node;
}

/// Numbers at one controller, or pairs of controller and number where there are several.
void DeviceTree::set_interrupts(const Device& device, DeviceTreeNode& node) const {
  std::vector<std::uint32_t> handles, numbers, pairs;
  for (const InterruptWire& wire : device.interrupts) {
    const Outline::Controller* const controller = wire.connected() ? machine_.controller_of(wire) : nullptr;
    if (!controller) continue;
    handles.push_back(handle_of(controller->part));
    numbers.push_back(wire.number);
    pairs.insert(pairs.end(), {handles.back(), wire.number});
  }
  if (handles.empty()) return;
  if (std::any_of(handles.begin(), handles.end(), [&](std::uint32_t one) { return one != handles[0]; })) {
    node.set("interrupts-extended", pairs);
    return;
  }
  node.set("interrupt-parent", handles[0]).set("interrupts", numbers);
}

DeviceTreeNode DeviceTree::node(const Device& device) const {
  DeviceTreeNode made(device.node_name());
  made.set("compatible", device.compatible).set("reg", reg_cells(device.base, device.size));
  set_interrupts(device, made);
  for (const auto& [name, value] : device.properties) made.set(name, value);
  return made;
}

DeviceTreeNode DeviceTree::root() const {
  DeviceTreeNode chosen("chosen"), soc("soc");
  soc.set("#address-cells", 2u).set("#size-cells", 2u).set("compatible", "simple-bus").set("ranges", std::monostate());
  for (const Device& controller : controllers_) soc.add(node(controller));
  for (const PartDevice& one : devices_) {
    DeviceTreeNode made = node(one.device);
    for (const auto& [part, properties] : additions_)
      if (part == one.part)
        for (const auto& [name, value] : properties) made.set(name, value);
    if (one.part == console_) chosen.set("stdout-path", "/soc/" + made.name);
    soc.add(std::move(made));
  }
  if (!boot_arguments_.empty()) chosen.set("bootargs", boot_arguments_);

  DeviceTreeNode root;
  root.set("#address-cells", 2u).set("#size-cells", 2u).set("compatible", "tinytpu-vp").set("model", "tinytpu-vp");
  root.add(std::move(chosen)).add(cpus());
  for (const auto& [base, size] : memories_) {
    DeviceTreeNode memory(at("memory", base));
    memory.set("device_type", "memory").set("reg", reg_cells(base, size));
    root.add(std::move(memory));
  }
  root.add(std::move(soc));
  for (const Command& command : commands_) {
    DeviceTreeNode made(command.name);
    made.set("compatible", command.compatible)
        .set("regmap", commands_handle())
        .set("offset", command.offset)
        .set("value", command.value);
    root.add(std::move(made));
  }
  return root;
}

}  // namespace vp
