#pragma once

#include <cstdint>
#include <functional>

#include "models/common/interrupt_line.h"
#include "models/common/parameters.h"
#include "models/common/register_bank.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"
#include "models/irq/figures.h"

namespace vp {

class Archive;

/// Settings `clint.*`.
struct ClintConfig {
  Picoseconds timer_clock = 100'000;

  void declare(ParameterGroup g);
};

/// Core-local interruptor of one hart (`sifive,clint0`): software interrupt by register, timer interrupt while mtime ≥
/// mtimecmp, and that of supervisor mode while mtime ≥ what the hart's stimecmp holds (Sstc). mtime counts periods of
/// the timer clock; it costs nothing while it counts.
class ClintCore : public TargetModel {
 public:
  static constexpr unsigned kStateVersion = 2;
  /// Bytes of address space.
  static constexpr std::uint64_t kWindow = 0x10000;

  /// The timers are set to the next changes of the timer interrupts; their owner then calls timer_due(). present gives
  /// the time of a debugger's access.
  ClintCore(const ClintConfig& config, VisibleTimer& timer, VisibleTimer& supervisor_timer,
            std::function<Picoseconds()> present);

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return bank_.debug_read(offset, data, size, present_());
  }
  std::string describe(std::uint64_t offset) const override { return bank_.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return bank_.refusal(offset, size, write);
  }
  const RegisterBank& registers() const { return bank_; }

  /// The counter at `now`; a hart's `time` CSR reads it.
  std::uint64_t mtime(Picoseconds now) const { return offset_ + now / period_; }
  /// What the hart's stimecmp holds from now on.
  void set_supervisor_compare(std::uint64_t value, Picoseconds now);
  /// A time that was set has come.
  void timer_due(Picoseconds now) { update_timers(now); }
  void reset(Picoseconds now);
  ClintCoreFigures figures() const;
  void persist(Archive& archive);

  InterruptLine software;          ///< MSIP of the hart
  InterruptLine timer;             ///< MTIP of the hart
  InterruptLine supervisor_timer;  ///< of the hart's STIP, where it has Sstc

 private:
  void update_timers(Picoseconds now);
  /// Raises and lowers a line as mtime is at now; wake_up is set to the time of its next change.
  void compare(std::uint64_t value, Picoseconds now, InterruptLine& line, VisibleTimer& wake_up);

  const Picoseconds period_;
  VisibleTimer& wake_up_;
  VisibleTimer& supervisor_wake_up_;
  std::function<Picoseconds()> present_;
  std::uint64_t offset_ = 0;  // mtime at time 0, modulo 2^64
  std::uint64_t supervisor_compare_ = ~std::uint64_t{0};
  std::uint64_t timer_interrupts_ = 0;
  std::uint64_t software_interrupts_ = 0;
  RegisterBank bank_{4};
  Register<std::uint32_t> msip_{bank_, {"MSIP", 0x0000, "software interrupt of hart 0"}};
  Field<std::uint32_t> msip_bit_{msip_, {"MSIP", 0, 1, "level of the interrupt"}};
  Register<std::uint64_t> mtimecmp_{
      bank_, {"MTIMECMP", 0x4000, "the timer interrupt is high while MTIME >= MTIMECMP"}, ~std::uint64_t{0}};
  Register<std::uint64_t> mtime_{bank_, {"MTIME", 0xBFF8, "counts periods of the timer clock"}};
};

}  // namespace vp
