#include "platform/machine/machine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sstream>
#include <utility>

#include "models/common/error.h"
#include "models/common/main_stack.h"
#include "models/common/tlm_time.h"
#include "models/common/wording.h"
#include "platform/cli/exit_code.h"
#include "platform/machine/machine_description.h"
#include "platform/machine/trap_text.h"

namespace vp {

std::vector<LoadableRange> loadable_ranges(const MachineConfig& config) {
  std::vector<LoadableRange> ranges = {{"dram0", config.dram0.base, config.dram0.size}};
  if (config.dram1_present) ranges.push_back({"dram1", config.dram1.base, config.dram1.size});
  return ranges;
}

Machine::Machine(const MachineConfig& config) : config_(config), stop_signal_("stop_signal", [this] { stop_soon(); }) {
  config_.validate();
  sc_core::sc_spawn_options method;
  method.spawn_method();
  method.dont_initialize();
  method.set_sensitivity(&patience_over_);
  sc_core::sc_spawn([this] { abandon_access(); }, "abandon_access", &method);
  make_devices();
  make_initiators();
  std::vector<BusWindow> windows;
  for (const Device& device : devices_) windows.push_back(device.window);
  std::vector<std::string> initiators;
  for (const Initiator& initiator : initiators_) initiators.push_back(initiator.name);
  bus_ = std::make_unique<Bus>("bus", config_.bus, horizon_, std::move(initiators), std::move(windows));
  wire();
  set_fidelity(config_.fidelity);
}

Machine::~Machine() = default;

void Machine::make_initiators() {
  cpu::CpuConfig cpu = config_.cpu;
  cpu.reset_pc = config_.bootrom_slot.base;
  cpu_ = std::make_unique<cpu::Cpu>("cpu", cpu, horizon_);
  cpu_->join(liveness_);
  initiators_.push_back({"cpu", &cpu_->socket, nullptr});
  for (std::size_t i = 0; i < config_.traffic.size(); ++i) {
    if (!config_.traffic[i].present) continue;
    const std::string name = traffic_name(i);
    traffic_.push_back(std::make_unique<TrafficGenerator>(name.c_str(), config_.traffic[i], config_.bus.clock));
    traffic_.back()->fill_only(liveness_);
    initiators_.push_back({name, nullptr, &traffic_.back()->master});
  }
}

void Machine::make_memory(const char* name, const MemoryConfig& config, std::unique_ptr<Memory>& memory) {
  memory = std::make_unique<Memory>(name, config, config_.bus.clock, config_.bus.width / 8);
  Memory* one = memory.get();
  devices_.push_back({{name, config.base, config.size, true},
                      &one->socket,
                      [one] { one->reset(); },
                      [one](Statistics& statistics) { one->report(statistics); }});
}

template <typename DeviceType>
void Machine::add_device(const char* name, const DeviceSlot& slot, std::uint64_t size, DeviceType& device) {
  devices_.push_back({{name, slot.base, size, false},
                      &device.socket,
                      [&device] { device.reset(); },
                      [&device](Statistics& statistics) { device.report(statistics); }});
}

void Machine::make_devices() {
  make_memory("dram0", config_.dram0, dram0_);
  if (config_.dram1_present) make_memory("dram1", config_.dram1, dram1_);
  make_system_devices();
  if (config_.uart0_slot.present) make_uart("uart0", config_.uart0, config_.uart0_slot, kUart0Interrupt, uart0_);
  if (config_.uart1_slot.present) make_uart("uart1", config_.uart1, config_.uart1_slot, kUart1Interrupt, uart1_);
  if (config_.tpu_slot.present) make_tpu();
  if (config_.matmul_present) make_matmul();
}

/// What every machine has besides memory: boot ROM, finisher, interrupt controllers. The first two have no figures of
/// their own.
void Machine::make_system_devices() {
  boot_rom_ = std::make_unique<BootRom>("bootrom");
  devices_.push_back({{"bootrom", config_.bootrom_slot.base, BootRom::kWindow, true}, &boot_rom_->socket, [] {}, {}});
  if (config_.finisher_slot.present) {
    finisher_ = std::make_unique<Finisher>("finisher");
    devices_.push_back(
        {{"finisher", config_.finisher_slot.base, FinisherCore::kWindow, false, true}, &finisher_->socket, [] {}, {}});
  }
  if (config_.clint_slot.present) {
    clint_ = std::make_unique<Clint>("clint", config_.clint, horizon_);
    add_device("clint", config_.clint_slot, ClintCore::kWindow, *clint_);
  }
  if (config_.plic_slot.present) {
    plic_ = std::make_unique<Plic>("plic", config_.plic);
    add_device("plic", config_.plic_slot, PlicCore::kWindow, *plic_);
  }
}

void Machine::make_uart(const char* name, const UartConfig& config, const DeviceSlot& slot, unsigned interrupt,
                        std::unique_ptr<Uart>& uart) {
  uart = std::make_unique<Uart>(name, config, horizon_);
  add_device(name, slot, UartCore::kWindow, *uart);
  if (plic_) uart->bind_interrupt(plic_->input(interrupt));
}

void Machine::make_tpu() {
  tpu_ = std::make_unique<TinyTpu>("tpu", horizon_, config_.tpu);
  add_device("tpu", config_.tpu_slot, tpu_->window(), *tpu_);
  if (plic_) tpu_->bind_synchronize(plic_->input(kTpuSynchronize));
}

/// The MatMul device is not on the bus: a UART's serial line leads to it, or a port of the host.
void Machine::make_matmul() {
  using matmul::SerialTarget;
  const SerialTarget target = matmul::parse_serial_target(config_.matmul_serial);
  matmul_ = std::make_unique<matmul::Matmul>("matmul", config_.matmul, horizon_);
  switch (target.kind) {
    case SerialTarget::Kind::none:
      break;
    case SerialTarget::Kind::uart1:
      if (!uart1_) break;
      if (uart1_->console())
        throw UserError(
            "uart1 has a console (uart1.input, uart1.output) and the MatMul device at its other end: set "
            "matmul.serial");
      uart1_->connect_line(matmul_->line());
      matmul_->connect(uart1_->line_end());
      matmul_->line().set_clear_to_send(false, 0);  // RTS of a UART is low until software raises it
      break;
    case SerialTarget::Kind::pty:
    case SerialTarget::Kind::tcp: {
      const matmul::CoreConfig core = config_.matmul.core_config();
      const Clock clock(config_.matmul.clock_period);
      matmul_port_ = std::make_unique<matmul::HostPort>(
          "matmul_port",
          target.kind == SerialTarget::Kind::pty ? matmul::open_pseudo_terminal() : matmul::open_tcp_port(target.port),
          clock.time_of(core.symbol_clocks), clock.time_of(core.frame_clocks()), horizon_);
      matmul_->connect(*matmul_port_);
      matmul_port_->connect(matmul_->line());
      break;
    }
  }
}

void Machine::wire() {
  for (const Initiator& initiator : initiators_) {
    if (initiator.socket)
      bus_->connect_initiator(initiator.name, *initiator.socket);
    else
      bus_->connect_initiator(initiator.name, *initiator.master);
  }
  for (const Device& device : devices_) bus_->connect_target(device.window.name, *device.socket);
  bus_->set_dmi_traffic_source("cpu", [this] {
    std::vector<DmiTraffic> traffic;
    for (const cpu::DirectTraffic& one : cpu_->direct_traffic())
      traffic.push_back({one.first, {one.reads, one.writes, one.read_bytes, one.written_bytes}});
    return traffic;
  });
  bus_->on_hang([this](const BusHang& hang) {
    end(EndCause::bus_hang, kExitGuestError,
        "the bus gave up: the " + std::string(hang.write ? "write to" : "read of") + " " + hexadecimal(hang.address) +
            " was never answered; " + hang.reason);
  });
  if (finisher_) {
    finisher_->on_finish([this](const FinishRequest& request) { finish(request); });
    finisher_->on_fidelity([this](Fidelity fidelity) {
      ++fidelity_changes_;
      set_fidelity(fidelity);
    });
  }
  cpu_->on_halt([this](cpu::Halt why) { halted(why); });
  if (clint_) {
    clint_->bind_software_interrupt([this](bool level) { cpu_->set_msip(level); });
    clint_->bind_timer_interrupt([this](bool level) { cpu_->set_mtip(level); });
    cpu_->set_time_source([this](Picoseconds now) { return clint_->mtime(now); });
  }
  if (plic_) plic_->bind_output(0, [this](bool level) { cpu_->set_meip(level); });
}

void Machine::set_fidelity(Fidelity fidelity) {
  time_in_[static_cast<unsigned>(fidelity_)] += time() - fidelity_since_;
  fidelity_since_ = time();
  fidelity_ = fidelity;
  cpu_->set_fidelity(fidelity);
  bus_->set_fidelity(fidelity);
  for (Memory* memory : {dram0_.get(), dram1_.get()})
    if (memory) memory->set_fidelity(fidelity);
  if (finisher_) finisher_->set_fidelity(fidelity);
}

void Machine::on_data(const DataObserver& observer) {
  for (const std::string& link : bus_->links())
    bus_->on_link_busy(link, [observer, unit = "bus." + link](unsigned, Picoseconds start, Picoseconds end) {
      observer(unit, start, end);
    });
  for (Memory* memory : {dram0_.get(), dram1_.get()})
    if (memory)
      memory->on_data([observer, unit = std::string(memory->basename())](Picoseconds start, Picoseconds end) {
        observer(unit, start, end);
      });
  for (const auto& generator : traffic_)
    generator->on_transaction([observer, unit = std::string(generator->basename())](
                                  Picoseconds start, Picoseconds end) { observer(unit, start, end); });
}

void Machine::load(ElfProgram program) {
  program_ = std::move(program);
  copy_program();
  boot_rom_->install(config_.cpu.xlen(), config_.bootrom_slot.base, program_.entry,
                     flatten(make_device_tree(describe_machine(config_))));
}

void Machine::finish(const FinishRequest& request) {
  switch (request.kind) {
    case FinishRequest::Kind::reset:
      reset();
      break;
    case FinishRequest::Kind::pass:
      end(EndCause::guest_exit, kExitSuccess, "the guest ended the run with success");
      break;
    case FinishRequest::Kind::fail:
      // The host's exit codes have eight bits; what does not fit must not look like success.
      end(EndCause::guest_exit,
          request.code > 255 && request.code % 256 == 0 ? kExitCheckFailed : static_cast<int>(request.code % 256),
          "the guest ended the run with code " + std::to_string(request.code));
      break;
  }
}

void Machine::copy_program() {
  for (const ElfProgram::Segment& segment : program_.segments)
    for (const auto& [memory, config] :
         {std::pair(dram0_.get(), &config_.dram0), std::pair(dram1_.get(), &config_.dram1)}) {
      if (!memory || segment.address < config->base || segment.address - config->base >= config->size) continue;
      std::uint8_t* to = memory->data() + (segment.address - config->base);
      std::copy(segment.bytes.begin(), segment.bytes.end(), to);
      std::memset(to + segment.bytes.size(), 0, segment.memory_size - segment.bytes.size());
    }
}

MachineEnd Machine::run() {
  do sc_core::sc_start();
  while (!ended_ && wait_for_host_input());
  restore_main_stack();
  if (!ended_) {
    std::string where = "the CPU waits for an interrupt at " + place(cpu_->core().pc()) + ", but nothing can raise one";
    end(EndCause::asleep, kExitGuestError, std::move(where));
  }
  bus_->settle();
  if (const std::string wrong = broken_conservation(); !wrong.empty()) SC_REPORT_FATAL("machine", wrong.c_str());
  const std::lock_guard lock(end_mutex_);
  end_.time = time();
  return end_;
}

/// What a run's figures must obey, whatever the guest did.
std::string Machine::broken_conservation() const {
  if (const std::string wrong = bus_->broken_conservation(); !wrong.empty()) return "bus: " + wrong;
  for (const Memory* memory : {dram0_.get(), dram1_.get()}) {
    if (!memory) continue;
    const std::string name = memory->basename();
    if (const std::string wrong = memory->broken_conservation(); !wrong.empty()) return name + ": " + wrong;
    const BusTraffic delivered = bus_->delivered(name);
    if (memory->bytes(false) != delivered.read_bytes || memory->bytes(true) != delivered.write_bytes)
      return name + ": its bytes are not those that the bus delivered";
  }
  for (const auto& generator : traffic_) {
    BusTraffic carried;
    for (const Device& device : devices_) carried += bus_->traffic(generator->basename(), device.window.name);
    if (generator->bytes(false) != carried.read_bytes || generator->bytes(true) != carried.write_bytes)
      return std::string(generator->basename()) + ": its bytes are not those that the bus carried";
  }
  return "";
}

/// The simulation has nothing left to do. Input of a console or of a device's port may still wake it: waits for that in
/// host time. Returns true if the simulation is to go on.
bool Machine::wait_for_host_input() {
  constexpr std::chrono::milliseconds kPatience{20};
  HostConsole* console = nullptr;
  for (Uart* uart : {uart0_.get(), uart1_.get()})
    if (uart && uart->console() && uart->console()->may_receive_more()) console = uart->console();
  if (!console && !matmul_port_) return false;
  if (console) console->flush();
  if (matmul_port_)
    matmul_port_->wait_for_input(kPatience);
  else
    console->wait_for_input(kPatience);
  return true;  // also for a stop request, which is seen inside the simulation
}

void Machine::limit_time(Picoseconds time, std::string sentence) {
  cpu_->set_time_limit(time);
  time_limit_sentence_ = std::move(sentence);
  patience_over_.notify(to_sc_time(time + std::min(config_.bus.timeout, kNever - time)));
}

void Machine::limit_instructions(std::uint64_t retired) { cpu_->set_instruction_limit(retired); }

void Machine::end(EndCause cause, int exit_code, std::string sentence) {
  {
    const std::lock_guard lock(end_mutex_);
    if (ended_) return;
    ended_ = true;
    end_ = {cause, exit_code, std::move(sentence), 0};
  }
  cpu_->request_stop();
}

void Machine::request_stop(EndCause cause, int exit_code, std::string sentence) {
  end(cause, exit_code, std::move(sentence));
  stop_signal_.request();
}

void Machine::stop_soon() {
  cpu_->wake();
  patience_over_.notify(to_sc_time(config_.bus.timeout));
}

/// The CPU should have halted by now. It cannot while others keep its access from a link.
void Machine::abandon_access() {
  if (cpu_->in_access()) halted(cpu::Halt::kTimeLimit);
}

void Machine::halted(cpu::Halt why) {
  switch (why) {
    case cpu::Halt::kRequested:
      break;  // whoever asked for it has said why
    case cpu::Halt::kUnhandledTrap: {
      end(EndCause::unhandled_trap, kExitGuestError,
          "a trap that nobody handles: " + describe_unhandled_trap(cpu_->core(), program_.symbols, *bus_));
      break;
    }
    case cpu::Halt::kInstructionLimit:
      end(EndCause::instruction_limit, kExitLimit,
          "the limit of " + counted(cpu_->core().retired(), "instruction") + " was reached at " +
              place(cpu_->core().pc()));
      break;
    case cpu::Halt::kTimeLimit:
      end(EndCause::time_limit, kExitLimit, time_limit_sentence_ + " at " + place(cpu_->core().pc()));
      break;
  }
  sc_core::sc_stop();
}

void Machine::reset() {
  bus_->reset();
  for (const Device& device : devices_) device.reset();
  if (matmul_) matmul_->reset();
  copy_program();
  cpu_->core().invalidate_code();
  cpu_->reset();
}

std::vector<std::string> Machine::hazards() const {
  std::vector<std::string> findings;
  if (tpu_) findings = tpu_->hazards();
  if (!matmul_) return findings;
  for (const matmul::ErrataEvent& event : matmul_->errata().events()) findings.push_back("MatMul: " + to_text(event));
  if (matmul_->hung_thread() >= 0)
    findings.push_back("MatMul: thread " + std::to_string(matmul_->hung_thread()) + " hangs in its LOAD");
  return findings;
}

std::string Machine::matmul_address() const { return matmul_port_ ? matmul_port_->address() : ""; }

void Machine::flush_consoles() {
  for (Uart* uart : {uart0_.get(), uart1_.get()})
    if (uart && uart->console()) uart->console()->flush();
}

Picoseconds Machine::time() const { return kernel_time(); }

std::string Machine::place(std::uint64_t pc) const { return describe_place(pc, program_.symbols); }

/// Part of the group of the run: which figures below come from which mode.
void Machine::report_fidelity(Statistics& statistics) const {
  Picoseconds in[2] = {time_in_[0], time_in_[1]};
  in[static_cast<unsigned>(fidelity_)] += time() - fidelity_since_;
  std::string modes;
  for (const Fidelity fidelity : {Fidelity::functional, Fidelity::timed})
    if (in[static_cast<unsigned>(fidelity)] != 0)
      modes += (modes.empty() ? "" : " and ") + std::string(name_of(fidelity));
  statistics.add("fidelity", modes.empty() ? name_of(fidelity_) : modes, "the modes that produced these figures");
  statistics.add("functional_time", in[0], "ps", "simulated time in functional mode");
  statistics.add("timed_time", in[1], "ps", "simulated time in timed mode");
  statistics.add("fidelity_changes", fidelity_changes_, "1", "changes of the mode by the guest");
}

void Machine::report(Statistics& statistics) const {
  report_fidelity(statistics.group("run", "the run as a whole"));
  cpu_->report(statistics.group("cpu", "host CPU"));
  bus_->report(statistics.group("bus", "interconnect"));
  for (const Device& device : devices_)
    if (device.report) device.report(statistics.group(device.window.name));
  for (const auto& generator : traffic_)
    generator->report(statistics.group(generator->basename(), "generator of traffic"));
  if (matmul_) matmul_->report(statistics.group("matmul", "MatMul device"));
}

}  // namespace vp
