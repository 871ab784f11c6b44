#include "platform/machine/machine_description.h"

#include "models/finisher/finisher_core.h"
#include "models/tinytpu/memory_map.h"

namespace vp {

namespace {

DeviceTree::Device describe_tpu(const MachineConfig& config) {
  const tinytpu::TinyTpuConfig& tpu = config.tpu;
  return {"tinytpu",
          config.tpu_slot.base,
          tinytpu::MemoryMap(tpu).window(),
          {"jofrfu,tinytpu"},
          {{"", kTpuSynchronize}},
          {{"matrix-width", std::uint32_t{tpu.matrix_width}},
           {"weight-buffer-depth", std::uint32_t{tpu.weight_depth}},
           {"unified-buffer-depth", std::uint32_t{tpu.unified_buffer_depth}},
           {"fifo-depth", std::uint32_t{tpu.fifo_depth}},
           {"clock-period-ps", static_cast<std::uint32_t>(tpu.clock_period)}}};
}

/// What a driver must know of the device at the other end of a serial port.
void describe_matmul(const matmul::MatmulConfig& config, DeviceTree::Device& port) {
  port.properties.emplace_back("current-speed", std::uint32_t{config.baud});
  port.properties.emplace_back("matmul,mesh", std::uint32_t{config.mesh});
  port.properties.emplace_back("matmul,tile", std::uint32_t{config.tile});
}

DeviceTree::Device describe_uart(const DeviceSlot& slot, const UartConfig& uart, PlicSource interrupt) {
  return {"serial",     slot.base,         UartCore::kWindow,
          {"ns16550a"}, {{"", interrupt}}, {{"clock-frequency", std::uint32_t{uart.clock_frequency}}}};
}

}  // namespace

DeviceTreeNode describe_machine(const MachineConfig& config) {
  Outline outline;
  if (config.plic_slot.present) outline.controllers.push_back({"plic", config.plic.sources, "sources"});
  DeviceTree tree(outline);
  tree.set_processor(config.cpu.xlen() == 32 ? "rv32imac" : "rv64imac", frequency_of(config.cpu.clock));
  tree.set_timebase(frequency_of(config.clint.timer_clock));
  tree.add_memory(config.dram0.base, config.dram0.size);
  if (config.dram1_present) tree.add_memory(config.dram1.base, config.dram1.size);
  if (config.clint_slot.present)
    tree.add_controller({"clint",
                         config.clint_slot.base,
                         ClintCore::kWindow,
                         {"sifive,clint0", "riscv,clint0"},
                         {},
                         {{"interrupts-extended",
                           std::vector<std::uint32_t>{DeviceTree::kHartInterrupts, DeviceTree::kMachineSoftware,
                                                      DeviceTree::kHartInterrupts, DeviceTree::kMachineTimer}}}});
  if (config.plic_slot.present)
    tree.add_controller({"plic",
                         config.plic_slot.base,
                         PlicCore::kWindow,
                         {"sifive,plic-1.0.0", "riscv,plic0"},
                         {},
                         {{"interrupts-extended",
                           std::vector<std::uint32_t>{DeviceTree::kHartInterrupts, DeviceTree::kMachineExternal}},
                          {"interrupt-controller", std::monostate()},
                          {"#interrupt-cells", 1u},
                          {"#address-cells", 0u},
                          {"riscv,ndev", std::uint32_t{config.plic.sources}},
                          {"phandle", tree.handle_of("plic")}}});
  if (config.finisher_slot.present)
    tree.add_device(
        "finisher",
        {"test", config.finisher_slot.base, FinisherCore::kWindow, {"sifive,test1", "sifive,test0"}, {}, {}});
  if (config.uart0_slot.present) {
    tree.add_device("uart0", describe_uart(config.uart0_slot, config.uart0, kUart0Interrupt));
    tree.offer_console("uart0");
  }
  if (config.uart1_slot.present) {
    DeviceTree::Device uart1 = describe_uart(config.uart1_slot, config.uart1, kUart1Interrupt);
    if (config.matmul_present && config.matmul_serial == "uart1") describe_matmul(config.matmul, uart1);
    tree.add_device("uart1", std::move(uart1));
  }
  if (config.tpu_slot.present) tree.add_device("tpu", describe_tpu(config));
  tree.set_boot_arguments(config.boot_arguments);
  return tree.root();
}

}  // namespace vp
