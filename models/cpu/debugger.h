#pragma once

#include <functional>
#include <string>
#include <utility>

#include "models/common/tlm_initiator.h"
#include "models/cpu/core.h"
#include "models/cpu/debug.h"

namespace vp::cpu {

/// The debugger's view of a Cpu: registers of its hart, memory by its socket, and the monitor that is told of stops.
class Debugger final : public DebugTarget {
 public:
  /// left_wfi: the debugger has moved pc, so a hart that sleeps is to go on.
  Debugger(Core& core, TlmInitiator& socket, std::function<void()> left_wfi)
      : core_(core), socket_(socket), left_wfi_(std::move(left_wfi)) {}

  void install(DebugMonitor& monitor) override { monitor_ = &monitor; }
  void engage(bool engaged) override;
  bool engaged() const override { return engaged_; }
  void stop_at_start() override { at_start_ = true; }
  void request_stop() override { core_.request_debug_stop(); }
  bool show_fault(std::string diagnosis, std::function<void()> otherwise) override;
  void show_fault_now(std::string diagnosis) override;

  unsigned xlen() const override { return core_.xlen(); }
  std::uint64_t pc() const override { return core_.pc(); }
  void set_pc(std::uint64_t pc) override;
  std::uint64_t x(unsigned i) const override { return core_.x(i); }
  void set_x(unsigned i, std::uint64_t value) override;
  bool floating() const override { return core_.floating(); }
  std::uint64_t f(unsigned i) const override { return core_.f(i); }
  void set_f(unsigned i, std::uint64_t value) override;
  Mode mode() const override { return core_.mode(); }
  void set_mode(Mode mode) override;
  std::vector<NamedCsr> csrs() const override;
  bool csr(unsigned number, std::uint64_t& value) const override { return core_.csr(number, value); }
  bool set_csr(unsigned number, std::uint64_t value) override;
  std::optional<std::uint64_t> translate(std::uint64_t address) const override { return core_.translate(address); }
  std::size_t read_memory(std::uint64_t address, void* data, std::size_t size) override;
  std::size_t write_memory(std::uint64_t address, const void* data, std::size_t size) override;
  void insert_breakpoint(std::uint64_t address) override;
  bool remove_breakpoint(std::uint64_t address) override;
  bool insert_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) override;
  bool remove_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) override;
  Picoseconds time() const override { return core_.time(); }
  std::uint64_t retired() const override { return core_.retired(); }

  // For the Cpu, which calls these where it stands still.
  bool takes_start() { return std::exchange(at_start_, false); }
  /// Shows the stop to the monitor. Nobody to show it to: Resume::run.
  Resume stopped(DebugStop stop);
  /// Whether the debugger changed a register or memory at the last stop.
  bool changed() const { return changed_; }

 private:
  void update();
  template <typename Move>
  std::size_t by_pages(std::uint64_t address, std::size_t size, Move move) const;

  Core& core_;
  TlmInitiator& socket_;
  std::function<void()> left_wfi_;
  DebugMonitor* monitor_ = nullptr;
  bool engaged_ = false;
  bool at_start_ = false;
  bool changed_ = false;
  DebugPoints points_;
  std::string diagnosis_;  ///< of a fault that has not been shown
  std::function<void()> otherwise_;
};

}  // namespace vp::cpu
