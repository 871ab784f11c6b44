#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/interrupt_line.h"
#include "models/common/mistake.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"
#include "models/drra/device_config.h"
#include "models/drra/figures.h"
#include "models/drra/look_ahead.h"
#include "models/drra/memory_window.h"
#include "models/drra/registers.h"
#include "models/drra/row_dma.h"

namespace vp {
class Archive;
}

namespace vp::drra {

/// A fabric as software sees it: registers, instruction memories, its memories, a DMA of rows, an interrupt. Needs no
/// SystemC; accesses come in local time, the port's and the timer's calls at their own time.
///
/// Edge n of the clock ends cycle n of the fabric. What is written takes effect at the edge at or before its time, a
/// start at the one at or after it.
class Device : public TargetModel, private RowDma::Rows {
 public:
  /// Something began and ended: a run, or a transfer of the DMA.
  using Observer = std::function<void(Picoseconds start, Picoseconds end, bool failed)>;

  /// The timer has to call deliver() when it is due.
  Device(const DeviceConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt);

  Answer access(const Access& access) override;
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  /// As of the present of the fabric: the latest time that an access or the timer has asked for.
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override;
  std::string describe(std::uint64_t offset) const override { return registers_.bank.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return registers_.bank.refusal(offset, size, write);
  }

  /// The timer is due.
  void deliver(Picoseconds due);
  /// Brings the fabric up to `now`, for a report.
  void catch_up(Picoseconds now);
  /// Power-on state; what is on the bus is forgotten.
  void reset(Picoseconds now);
  /// A run begins, by the store of this origin.
  void on_start(std::function<void(Picoseconds now, const Origin& origin)> callback) {
    on_start_ = std::move(callback);
  }
  void on_run(Observer observer) { run_observer_ = std::move(observer); }
  void on_transfer(Observer observer) { transfer_observer_ = std::move(observer); }

  const RegisterBank& registers() const { return registers_.bank; }
  const Core& fabric() const { return fabric_.present(); }
  /// For an observer; before the simulation starts.
  Core& watch_fabric() { return fabric_.watch(); }
  Figures figures() const;
  /// What programs have done wrong, the first of each kind; and where cells stand that still run.
  std::vector<vp::Finding> findings(const OriginText& origin = {}) const;
  /// Empty, or what is wrong with the figures.
  std::string broken_conservation() const;
  void persist(Archive& archive);

 private:
  /// Words of an instruction memory; they reach the fabric with the next start.
  using CellCode = std::array<std::uint32_t, kInstructionWords>;

  void connect_registers();
  void write_control(Registers::Word value, Picoseconds now);
  void clear(Picoseconds now);
  Registers::Word cell_word(unsigned cell) const;
  std::uint64_t run_cycles(Picoseconds now) const;

  void start(Picoseconds now);
  void load_programs();
  void conclude_run();
  void start_transfer(Registers::Word value, Picoseconds now);
  bool possible(const RowTransfer& transfer) const;
  void drained(const Answer& answer);
  void conclude_transfer();
  void pass(Picoseconds now);
  void announce(Picoseconds now);
  void look_again(Picoseconds now);
  void drive_interrupt() { interrupt_.set(registers_.interrupt()); }

  // RowDma::Rows
  Row row(bool is_io, unsigned number, Picoseconds now) override;
  void set_row(bool is_io, unsigned number, const Row& row, Picoseconds now) override;
  // Memories of the window.
  std::uint8_t memory_byte(const WindowWord& place, std::uint64_t offset) const;
  void set_memory_byte(const WindowWord& place, std::uint64_t offset, std::uint8_t value);
  AccessResult write_memory(std::uint64_t offset, const std::uint8_t* data, unsigned size);

  const DeviceConfig config_;
  const Clock clock_;
  VisibleTimer& timer_;
  InterruptLine& interrupt_;
  Registers registers_;
  LookAhead fabric_;
  RowDma dma_;
  std::vector<CellCode> code_;

  Cycle started_ = 0;       // edge of the last start
  Cycle run_cycles_ = 0;    // of the last run that has ended
  Cycle look_at_ = kNever;  // end of the run under way, or when to look for it again
  Picoseconds transfer_started_ = 0;
  std::optional<Picoseconds> transfer_end_;  // known
  AccessResult transfer_result_ = AccessResult::ok;
  Origin origin_;  // of the access in hand
  Figures done_;
  Mistake starts_while_running_, transfers_while_busy_, impossible_transfers_;
  Observer run_observer_, transfer_observer_;
  std::function<void(Picoseconds, const Origin&)> on_start_;
};

}  // namespace vp::drra
