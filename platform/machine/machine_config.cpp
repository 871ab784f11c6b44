#include "platform/machine/machine_config.h"

#include <utility>

#include "models/bus/address_map.h"
#include "models/common/error.h"

namespace vp {

std::string traffic_name(std::size_t index) { return "traffic" + std::to_string(index); }

void DeviceSlot::declare(const ParameterGroup& group) {
  group.boolean("present", present, "whether the machine has this device");
  group.address("base", base, "first address of its window");
}

MachineConfig::MachineConfig() {
  dram1.base = 0xC000'0000;
  plic.edge_sources = {kTpuSynchronize};
  uart1.input.clear();  // a line to a device, not a console
  uart1.output.clear();
  traffic[0].base = 0xC800'0000;  // where programs seldom are
  traffic[1].base = 0xCC00'0000;
}

void MachineConfig::declare(ParameterTable& table) {
  const ParameterGroup root(table);
  root.choice(
      "fidelity", fidelity, {{"functional", Fidelity::functional}, {"timed", Fidelity::timed}},
      "fixed latencies and full speed, or caches, occupied links and the state of the DRAM; a guest may switch");
  cpu.declare(root.group("cpu"));
  bus.declare(root.group("bus"));
  dram0.declare(root.group("dram0"));
  root.group("dram1").boolean("present", dram1_present, "whether the machine has this memory");
  dram1.declare(root.group("dram1"));
  root.group("bootrom").address("base", bootrom_slot.base, "first address of its window");
  root.group("bootrom").text("boot_arguments", boot_arguments, "bootargs of the device tree");
  finisher_slot.declare(root.group("finisher"));
  clint_slot.declare(root.group("clint"));
  clint.declare(root.group("clint"));
  plic_slot.declare(root.group("plic"));
  plic.declare(root.group("plic"));
  uart0_slot.declare(root.group("uart0"));
  uart0.declare(root.group("uart0"));
  uart1_slot.declare(root.group("uart1"));
  uart1.declare(root.group("uart1"));
  tpu_slot.declare(root.group("tpu"));
  tpu.declare(root.group("tpu"));
  root.group("matmul").boolean("present", matmul_present, "whether the machine has this device");
  root.group("matmul").text(
      "serial", matmul_serial,
      "where its serial line leads: uart1, pty (a pseudo-terminal of this host), tcp:PORT or none");
  matmul.declare(root.group("matmul"));
  for (std::size_t i = 0; i < traffic.size(); ++i) traffic[i].declare(root.group(traffic_name(i)));
}

void MachineConfig::validate() const {
  if (cpu.icache.present) cpu.icache.check("cpu.icache");
  if (cpu.dcache.present) cpu.dcache.check("cpu.dcache");
  dram0.resolve_channel();
  if (dram1_present) dram1.resolve_channel();
  for (std::size_t i = 0; i < traffic.size(); ++i)
    if (traffic[i].present) validate_traffic(traffic_name(i), traffic[i]);
}

void MachineConfig::validate_traffic(const std::string& generator, const TrafficConfig& generator_config) const {
  generator_config.check(generator);
  const std::uint64_t base = generator_config.base, size = generator_config.size;
  std::string memories;
  for (const auto& [name, memory] : {std::pair("dram0", &dram0), std::pair("dram1", &dram1)}) {
    if (memory == &dram1 && !dram1_present) continue;
    if (base >= memory->base && size <= memory->size && base - memory->base <= memory->size - size) return;
    const BusWindow window{name, memory->base, memory->size};
    memories += (memories.empty() ? "" : ", ") + window.text();
  }
  throw UserError(generator + ": its window of " + std::to_string(size) + " bytes at " + hexadecimal(base) +
                  " must lie inside one memory: " + memories + ".");
}

}  // namespace vp
