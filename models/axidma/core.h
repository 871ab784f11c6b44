#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/axidma/config.h"
#include "models/axidma/figures.h"
#include "models/axidma/mm2s.h"
#include "models/axidma/registers.h"
#include "models/axidma/s2mm.h"
#include "models/common/interrupt_line.h"
#include "models/common/mistake.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"

namespace vp {
class Archive;
}

namespace vp::axidma {

/// An AXI DMA in direct register mode: registers, both channels behind them, two interrupts. Needs no SystemC; accesses
/// come in local time, calls of the port, the timer and the streams at their own time.
class Core : public TargetModel, public MasterPort::Client {
 public:
  static constexpr std::uint64_t kWindow = 0x10000;
  enum class Side : std::uint8_t { mm2s, s2mm };
  /// A transfer is over, from the write of LENGTH to Idle.
  using Observer = std::function<void(Side side, Picoseconds start, Picoseconds end, bool failed)>;

  /// The timer has to call deliver() when it is due. interrupts: mm2s_introut, s2mm_introut.
  Core(const AxiDmaConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine (&interrupts)[2]);

  Answer access(const Access& access) override {
    origin_ = origin_of(access);
    return TargetModel::access(access);
  }
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return bank_.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return bank_.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return bank_.refusal(offset, size, write);
  }

  // MasterPort::Client
  void issued(MasterPort::Tag tag, Picoseconds time) override;
  void completed(MasterPort::Tag tag, const Answer& answer) override;
  std::uint8_t* data_of(MasterPort::Tag tag) override;

  /// The timer is due.
  void deliver(Picoseconds due);
  /// Power-on state; what is on the bus is forgotten.
  void reset();
  void on_transfer(Observer observer) { observer_ = std::move(observer); }

  Mm2sEngine& mm2s() { return mm2s_; }
  S2mmEngine& s2mm() { return s2mm_; }
  const RegisterBank& registers() const { return bank_; }
  Figures figures() const;
  /// What both channels do, a line each.
  std::vector<std::string> work() const;
  /// What the program has done wrong.
  std::vector<Finding> findings(const OriginText& origin = {}) const;
  /// Empty, or what is wrong with the figures.
  std::string broken_conservation() const;
  void persist(Archive& archive);

 private:
  using Word = ChannelRegisters::Word;
  enum class Outcome { completed, internal_error, slave_error, decode_error };
  /// What becomes visible at a time that is known.
  struct End {
    Picoseconds time = 0;
    Outcome outcome = Outcome::completed;
    std::uint64_t bytes = 0;
    void persist(Archive& archive);
  };
  struct Channel {
    Channel(RegisterBank& bank, const ChannelRegisters::Place& place, const AxiDmaConfig& config)
        : registers(bank, place, config.address_width, config.length_width) {}
    ChannelRegisters registers;
    bool busy = false;  ///< a transfer has begun, and Idle has not been set for it
    std::optional<End> end;
    Picoseconds started = 0;
    ChannelFigures done;
    Mistake starts_while_busy, starts_while_halted, unaligned;
    void persist(Archive& archive);
  };

  void connect_registers(Side side);
  void write_control(Side side, Word value, Picoseconds now);
  void begin_reset(Picoseconds now);
  void finish_reset(Picoseconds now);
  void start(Side side, Word bytes, Picoseconds now);
  void end_after(Side side, Picoseconds time, unsigned cycles, Outcome outcome, std::uint64_t bytes);
  void conclude(Side side, const End& end);
  void halt_if_stopped(Channel& channel);
  void announce(Picoseconds now);
  Channel& channel(Side side) { return channels_[static_cast<unsigned>(side)]; }
  void drive_interrupts();

  const AxiDmaConfig config_;
  MasterPort& port_;
  VisibleTimer& timer_;
  InterruptLine (&interrupts_)[2];
  RegisterBank bank_{4};
  Channel channels_[2];
  Mm2sEngine mm2s_;
  S2mmEngine s2mm_;
  std::optional<Picoseconds> reset_end_;  ///< of a soft reset under way, at the earliest
  Origin origin_;                         ///< of the access in hand
  Observer observer_;
};

}  // namespace vp::axidma
