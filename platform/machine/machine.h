#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/bootrom/boot_rom.h"
#include "models/bus/bus.h"
#include "models/common/fidelity.h"
#include "models/common/horizon.h"
#include "models/common/statistics.h"
#include "models/cpu/cpu.h"
#include "models/finisher/finisher.h"
#include "models/irq/clint.h"
#include "models/irq/plic.h"
#include "models/matmul/host_port.h"
#include "models/matmul/matmul.h"
#include "models/memory/memory.h"
#include "models/tinytpu/tinytpu.h"
#include "models/traffic/traffic_generator.h"
#include "models/uart/uart.h"
#include "platform/loader/elf_file.h"
#include "platform/machine/machine_config.h"
#include "platform/machine/machine_end.h"
#include "platform/machine/stop_signal.h"

namespace vp {

/// The memories of a configuration, as the loader sees them.
std::vector<LoadableRange> loadable_ranges(const MachineConfig& config);

/// The whole system: devices, bus and CPU wired as the architecture's memory map says. One a process, since SystemC
/// elaborates once.
class Machine {
 public:
  /// Throws UserError: windows that overlap, impossible DRAM, memory that the host does not have.
  explicit Machine(const MachineConfig& config);
  ~Machine();

  /// Copies a program, which must fit (fit_segments), into memory; a reset of the machine copies it again.
  void load(ElfProgram program);
  /// Runs until the guest, a limit or a stop request ends it.
  MachineEnd run();
  /// The CPU starts no instruction at or after `time`; `sentence` is how the run then has ended. An access of the CPU
  /// that is still not answered bus.timeout later is abandoned, here and after a stop request.
  void limit_time(Picoseconds time, std::string sentence);
  void limit_instructions(std::uint64_t retired);
  /// Ends the run soon. From any thread.
  void request_stop(EndCause cause, int exit_code, std::string sentence);

  cpu::Cpu& cpu() { return *cpu_; }
  const cpu::Cpu& cpu() const { return *cpu_; }
  /// The tinyTPU, or nullptr if the machine has none.
  TinyTpu* tpu() { return tpu_.get(); }
  const Bus& bus() const { return *bus_; }
  const ElfProgram& program() const { return program_; }
  /// Tells when links ("bus.dram0") and DRAM channels ("dram0") moved data, in timed mode, and when traffic generators
  /// ("traffic0") had a transaction under way; links in the order of time.
  using DataObserver = std::function<void(const std::string& unit, Picoseconds start, Picoseconds end)>;
  void on_data(const DataObserver& observer);
  /// Simulated time reached.
  Picoseconds time() const;
  /// "0x80000012 (main+0x12)"
  std::string place(std::uint64_t pc) const;

  /// Adds the figures of all parts, one group each.
  void report(Statistics& statistics) const;
  /// Findings of the tinyTPU's hazard report and defects of the MatMul device that struck, one sentence each.
  std::vector<std::string> hazards() const;
  /// Where a program on this host reaches the MatMul device; empty if its line leads elsewhere.
  std::string matmul_address() const;
  /// Writes out what the consoles hold back. Throws UserError if any of it could not be written.
  void flush_consoles();

 private:
  /// What the machine knows of every device on the bus.
  struct Device {
    BusWindow window;
    TlmTarget* socket;
    std::function<void()> reset;
    std::function<void(Statistics&)> report;
  };
  /// What it knows of every initiator.
  struct Initiator {
    std::string name;
    TlmInitiator* socket;  ///< one of these two
    OverlappingMaster* master;
  };

  void make_initiators();
  void make_devices();
  void make_memory(const char* name, const MemoryConfig& config, std::unique_ptr<Memory>& memory);
  template <typename DeviceType>
  void add_device(const char* name, const DeviceSlot& slot, std::uint64_t size, DeviceType& device);
  void make_system_devices();
  void make_uart(const char* name, const UartConfig& config, const DeviceSlot& slot, unsigned interrupt,
                 std::unique_ptr<Uart>& uart);
  void make_tpu();
  void make_matmul();
  void wire();
  void set_fidelity(Fidelity fidelity);
  void report_fidelity(Statistics& statistics) const;
  std::string broken_conservation() const;
  void copy_program();
  void finish(const FinishRequest& request);
  void reset();
  bool wait_for_host_input();
  void end(EndCause cause, int exit_code, std::string sentence);
  void halted(cpu::Halt why);
  void stop_soon();
  void abandon_access();

  const MachineConfig config_;
  Fidelity fidelity_ = Fidelity::functional;
  Picoseconds fidelity_since_ = 0;
  Picoseconds time_in_[2] = {};  // by fidelity, up to fidelity_since_
  std::uint64_t fidelity_changes_ = 0;
  Horizon horizon_;
  Liveness liveness_{horizon_};
  ElfProgram program_;
  std::vector<Device> devices_;
  std::vector<Initiator> initiators_;
  std::unique_ptr<Memory> dram0_;
  std::unique_ptr<Memory> dram1_;
  std::unique_ptr<BootRom> boot_rom_;
  std::unique_ptr<Finisher> finisher_;
  std::unique_ptr<Clint> clint_;
  std::unique_ptr<Plic> plic_;
  std::unique_ptr<Uart> uart0_;
  std::unique_ptr<Uart> uart1_;
  std::unique_ptr<TinyTpu> tpu_;
  std::unique_ptr<matmul::Matmul> matmul_;
  std::unique_ptr<matmul::HostPort> matmul_port_;
  std::unique_ptr<cpu::Cpu> cpu_;
  std::vector<std::unique_ptr<TrafficGenerator>> traffic_;
  std::unique_ptr<Bus> bus_;
  std::string time_limit_sentence_;
  sc_core::sc_event patience_over_{"patience_over"};

  StopSignal stop_signal_;
  std::mutex end_mutex_;  // another thread may end the run
  bool ended_ = false;
  MachineEnd end_;
};

}  // namespace vp
