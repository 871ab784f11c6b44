#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/interrupt_line.h"
#include "models/common/register_bank.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"
#include "models/tinytpu/axi_port.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/core.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// The memory-mapped device without SystemC: turns accesses in absolute time into transactions of the AXI port, and
/// pulses of the SYNCHRONIZE pin into levels of its interrupt line.
///
/// An access begins at the first clock edge at or after its arrival and ends at the edge of its response. Accesses are
/// 32-bit words; smaller ones drive their bytes in place and zeros elsewhere, with strobes. Every offset in the window
/// answers.
class TinyTpuDevice : public TargetModel {
 public:
  /// `timer`: calls deliver() when it is due. Throws UserError for a device that does not fit 32-bit addresses.
  TinyTpuDevice(const TinyTpuConfig& config, VisibleTimer& timer);

  /// Throws UserError if a device of this size does not fit 32-bit addresses.
  static void check(const TinyTpuConfig& config);
  static constexpr unsigned kPortBytes = 4;
  std::uint64_t window() const { return port_.map().window(); }
  Core& core() { return core_; }
  AxiPort& port() { return port_; }
  const Clock& clock() const { return clock_; }

  /// Rises with the edge at which SYNCHRONIZE is sampled high and falls one clock later; stays high over adjacent
  /// pulses.
  InterruptLine& synchronize_line() { return line_; }
  /// The timer's event is due.
  void deliver();

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult read_masked(std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled, unsigned size,
                           Picoseconds& now) override;
  AccessResult write_masked(std::uint64_t offset, const std::uint8_t* data, const std::uint8_t* enabled, unsigned size,
                            Picoseconds& now) override;
  /// Debugger's view: both buffers (the weights, too) and the runtime counter.
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override;
  /// Both buffers; instruction words are not written.
  unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) override;
  /// The same, with who pushes an instruction, and after `no_answer` which lane is full.
  Answer access(const Access& access) override;
  std::string describe(std::uint64_t offset) const override;
  /// The window's places by name, for listings; accesses do not go through it.
  const RegisterBank& registers() const { return bank_; }

  /// One-cycle reset at the first edge at or after `now`; the line goes low.
  void reset(Picoseconds now);

  /// What waits and what the units do at `now`, a line each.
  std::vector<std::string> work(Picoseconds now);
  /// Figures up to `now`: the core is brought up to it.
  DeviceFigures figures(Picoseconds now);
  /// The hazard report up to `now`, one sentence a finding; the last one says if rows were given up (Core::heed).
  std::vector<Finding> hazards(Picoseconds now, const OriginText& origin = {});
  void persist(Archive& archive);

 private:
  AccessResult write_word(std::uint64_t offset, std::uint32_t data, unsigned strobes, Picoseconds& now);
  AccessResult read_word(std::uint64_t offset, std::uint32_t& data, Picoseconds& now);
  void schedule();
  RegisterBase::Place word(unsigned number, const char* name, const char* help) const;

  TinyTpuConfig config_;
  Clock clock_;
  Core core_;
  AxiPort port_;
  VisibleTimer& timer_;
  InterruptLine line_;
  RegisterBank bank_{kPortBytes};
  using Word = Register<std::uint32_t>;
  Word runtime_counter_, instruction_lower_, instruction_middle_, instruction_upper_;
  Origin origin_;   ///< of the access in hand
  Edge pulse_ = 0;  ///< the last one delivered
  std::uint64_t pulses_ = 0;
};

}  // namespace vp::tinytpu
