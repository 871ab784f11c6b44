#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/cdma/config.h"
#include "models/cdma/engine.h"
#include "models/cdma/figures.h"
#include "models/cdma/registers.h"
#include "models/common/interrupt_line.h"
#include "models/common/mistake.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"

namespace vp {
class Archive;
}

namespace vp::cdma {

/// An AXI CDMA in simple mode: registers, the engine behind them, the interrupt. Needs no SystemC; accesses come in
/// local time, the port's and the timer's calls at their own time.
class Core : public TargetModel {
 public:
  static constexpr std::uint64_t kWindow = 0x10000;
  /// A transfer is over, from the write of BTT to Idle.
  using Observer = std::function<void(Picoseconds start, Picoseconds end, bool failed)>;

  /// The timer has to call deliver() when it is due.
  Core(const CdmaConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt);

  Answer access(const Access& access) override {
    origin_ = origin_of(access);
    return TargetModel::access(access);
  }
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return registers_.bank.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return registers_.bank.write(offset, data, size, now);
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return registers_.bank.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return registers_.bank.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return registers_.bank.refusal(offset, size, write);
  }

  /// The timer is due.
  void deliver(Picoseconds due);
  /// Power-on state; what is on the bus is forgotten.
  void reset();
  void on_transfer(Observer observer) { observer_ = std::move(observer); }

  const RegisterBank& registers() const { return registers_.bank; }
  Figures figures() const;
  /// What the engine does, a line each.
  std::vector<std::string> work() const;
  /// What the program has done wrong.
  std::vector<Finding> findings(const OriginText& origin = {}) const;
  /// Empty, or what is wrong with the figures.
  std::string broken_conservation() const;
  void persist(Archive& archive);

 private:
  enum class Outcome { completed, internal_error, slave_error, decode_error, cancelled };
  /// What becomes visible at a time that is known.
  struct End {
    Picoseconds time = 0;
    Outcome outcome = Outcome::completed;
    void persist(Archive& archive);
  };
  struct Mistakes {
    Mistake starts_while_busy;
    Mistake starts_after_error;
    Mistake overlaps;
    bool end_unseen = false;  ///< the last end has raised no interrupt, and nobody has read CDMASR since
  };

  void connect_registers();
  void write_control(Registers::Word value, Picoseconds now);
  void begin_reset(Picoseconds now);
  void start(Registers::Word bytes, Picoseconds now);
  bool possible(const Copy& copy) const;
  void drained(const Answer& answer);
  void end_after(Picoseconds time, unsigned cycles, Outcome outcome);
  void conclude(const End& end);
  void announce(Picoseconds now);
  void drive_interrupt() { interrupt_.set(registers_.interrupt()); }

  const CdmaConfig config_;
  VisibleTimer& timer_;
  InterruptLine& interrupt_;
  Registers registers_;
  Engine engine_;
  std::optional<End> end_;
  Origin origin_;  // of the access in hand
  Picoseconds started_ = 0;
  Origin started_by_;
  Picoseconds ended_ = 0;  // the last transfer
  Picoseconds reset_ = 0;  // when the soft reset under way was asked for
  Figures done_;
  Mistakes mistakes_;
  Observer observer_;
};

}  // namespace vp::cdma
