#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/bus/bus_config.h"
#include "models/common/fidelity.h"
#include "models/common/parameters.h"
#include "models/cpu/config.h"
#include "models/irq/clint_core.h"
#include "models/irq/plic_core.h"
#include "models/matmul/config.h"
#include "models/memory/memory_config.h"
#include "models/tinytpu/config.h"
#include "models/traffic/config.h"
#include "models/uart/uart_core.h"

namespace vp {

/// Whether a device is in the machine, and where.
struct DeviceSlot {
  bool present = true;
  std::uint64_t base = 0;  ///< first address of its window

  void declare(const ParameterGroup& group);
};

/// Interrupt numbers at the PLIC; fixed by the architecture's memory map.
enum PlicSource : unsigned {
  kTpuSynchronize = 1,
  kDmaToStream = 3,
  kDmaFromStream = 4,
  kFabricDone = 5,
  kUart0Interrupt = 10,
  kUart1Interrupt = 11,
};

/// Name of a generator of MachineConfig::traffic: "traffic0".
std::string traffic_name(std::size_t index);

/// Everything the machine is built from, with the defaults of the architecture's memory map.
struct MachineConfig {
  Fidelity fidelity = Fidelity::functional;  ///< at the start; the guest may change it (models/finisher)
  cpu::CpuConfig cpu;
  BusConfig bus;
  MemoryConfig dram0;
  MemoryConfig dram1;
  bool dram1_present = true;
  std::string boot_arguments;  ///< for the device tree
  DeviceSlot bootrom_slot{true, 0x1000};
  DeviceSlot finisher_slot{true, 0x0010'0000};
  ClintConfig clint;
  DeviceSlot clint_slot{true, 0x0200'0000};
  PlicConfig plic;
  DeviceSlot plic_slot{true, 0x0C00'0000};
  UartConfig uart0;
  DeviceSlot uart0_slot{true, 0x1000'0000};
  UartConfig uart1;
  DeviceSlot uart1_slot{true, 0x1000'1000};
  tinytpu::TinyTpuConfig tpu;
  DeviceSlot tpu_slot{true, 0x43C0'0000};
  matmul::MatmulConfig matmul;
  bool matmul_present = true;
  std::string matmul_serial = "uart1";  ///< where its line leads: see matmul::parse_serial_target()
  std::array<TrafficConfig, 2> traffic;

  MachineConfig();
  /// Declares all parameters; they are bound to this object.
  void declare(ParameterTable& table);
  /// Throws UserError for what no single parameter shows to be wrong: caches, DRAM timing, windows of traffic.
  void validate() const;

 private:
  void validate_traffic(const std::string& generator, const TrafficConfig& generator_config) const;
};

/// A machine's configuration together with its parameters by name. Neither copied nor moved, since the table refers to
/// the configuration.
struct MachineSettings {
  MachineConfig config;
  ParameterTable table;

  MachineSettings() { config.declare(table); }
  MachineSettings(const MachineSettings&) = delete;
  MachineSettings& operator=(const MachineSettings&) = delete;
};

}  // namespace vp
