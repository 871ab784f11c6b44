#include "platform/machine/machine_description.h"

#include <algorithm>

#include "models/finisher/finisher_core.h"
#include "models/tinytpu/memory_map.h"

namespace vp {

namespace {

/// Nearest whole hertz of a clock's period.
std::uint32_t frequency(Picoseconds period) {
  constexpr std::uint64_t kPicosecondsASecond = 1'000'000'000'000;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>((kPicosecondsASecond + period / 2) / period, ~std::uint32_t{0}));
}

MachineDescription::Device describe_tpu(const MachineConfig& config) {
  const tinytpu::TinyTpuConfig& tpu = config.tpu;
  return {"tinytpu",
          config.tpu_slot.base,
          tinytpu::MemoryMap(tpu).window(),
          {"jofrfu,tinytpu"},
          {kTpuSynchronize},
          {{"matrix-width", std::uint32_t{tpu.matrix_width}},
           {"weight-buffer-depth", std::uint32_t{tpu.weight_depth}},
           {"unified-buffer-depth", std::uint32_t{tpu.unified_buffer_depth}},
           {"fifo-depth", std::uint32_t{tpu.fifo_depth}},
           {"clock-period-ps", static_cast<std::uint32_t>(tpu.clock_period)}}};
}

/// What a driver must know of the device at the other end of a serial port.
void describe_matmul(const matmul::MatmulConfig& config, MachineDescription::Device& port) {
  port.properties.emplace_back("current-speed", std::uint32_t{config.baud});
  port.properties.emplace_back("matmul,mesh", std::uint32_t{config.mesh});
  port.properties.emplace_back("matmul,tile", std::uint32_t{config.tile});
}

MachineDescription::Device describe_uart(const DeviceSlot& slot, const UartConfig& uart, PlicSource interrupt) {
  return {"serial",     slot.base,   UartCore::kWindow,
          {"ns16550a"}, {interrupt}, {{"clock-frequency", std::uint32_t{uart.clock_frequency}}}};
}

}  // namespace

MachineDescription describe_machine(const MachineConfig& config) {
  MachineDescription machine;
  machine.isa = config.cpu.xlen() == 32 ? "rv32imac" : "rv64imac";
  machine.cpu_frequency = frequency(config.cpu.clock);
  machine.timebase_frequency = frequency(config.clint.timer_clock);
  machine.memories.push_back({config.dram0.base, config.dram0.size});
  if (config.dram1_present) machine.memories.push_back({config.dram1.base, config.dram1.size});
  if (config.clint_slot.present) machine.clint = {config.clint_slot.base, ClintCore::kWindow};
  if (config.plic_slot.present) {
    machine.plic = {config.plic_slot.base, PlicCore::kWindow};
    machine.interrupt_sources = config.plic.sources;
  }
  if (config.finisher_slot.present)
    machine.devices.push_back(
        {"test", config.finisher_slot.base, FinisherCore::kWindow, {"sifive,test1", "sifive,test0"}, {}, {}});
  if (config.uart0_slot.present) {
    machine.devices.push_back(describe_uart(config.uart0_slot, config.uart0, kUart0Interrupt));
    machine.console = machine.devices.back().node_name();
  }
  if (config.uart1_slot.present) {
    machine.devices.push_back(describe_uart(config.uart1_slot, config.uart1, kUart1Interrupt));
    if (config.matmul_present && config.matmul_serial == "uart1")
      describe_matmul(config.matmul, machine.devices.back());
  }
  if (config.tpu_slot.present) machine.devices.push_back(describe_tpu(config));
  machine.boot_arguments = config.boot_arguments;
  return machine;
}

}  // namespace vp
