#pragma once

#include <cstdint>
#include <deque>

#include "models/common/clock.h"
#include "models/common/serial_line.h"
#include "models/common/visible_timer.h"
#include "models/matmul/config.h"
#include "models/matmul/core.h"
#include "models/matmul/figures.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// The device at the end of an ordinary serial line, with the line adapter in between.
///
/// The device sends the most significant bit first and closes a byte with a low symbol; a UART sends the least
/// significant bit first and a high stop bit. The adapter turns the bits round and inverts the closing symbol, towards
/// the UART for the whole symbol, towards the device for its first half, which the receiver does not look at; so the
/// line is idle for half a symbol at least and the next start bit is seen where it falls. Start bits and bit times are
/// passed on unchanged in both directions, and RTS/CTS go straight through. (Real hardware could not do the first
/// without a byte's delay.)
///
/// Time: the core runs ahead of the kernel, since a byte from the line has its first effect only nine symbols after its
/// start bit; it stops before anything that is visible outside or depends on CTS. One timer: it is set to the start bit
/// of the next frame to the UART, or the rise of RTS, or, while threads are busy without sending, the end of the
/// look-ahead.
class SerialDevice : public SerialLineEnd {
 public:
  /// timer: calls fire() when it is due; both outlive each other. config: as for MatmulConfig::core_config().
  SerialDevice(const MatmulConfig& config, VisibleTimer& timer);

  /// Connects the other end, which learns that this end is ready to receive.
  void connect(SerialLineEnd& other);

  void receive(const SerialFrame& frame) override;
  void set_clear_to_send(bool ready, Picoseconds when) override;
  /// The timer is due at `due`.
  void fire(Picoseconds due);
  /// Reset of the device at `now`. A frame on the line is forgotten, CTS stays.
  void reset(Picoseconds now);

  /// Brings the device up to `now`, for a report.
  void catch_up(Picoseconds now);
  const Core& core() const { return core_; }
  Core& core() { return core_; }
  /// Frames that came too late for their time and were put to the earliest one still possible.
  std::uint64_t late_arrivals() const { return late_arrivals_; }
  Figures figures() const { return {figures_of(core_), late_arrivals_}; }
  void persist(Archive& archive);

 private:
  struct CtsChange {
    std::uint64_t edge;  // the first that sees it
    bool level;
    void persist(Archive& archive);
  };

  bool run(std::uint64_t until, bool through_frames);
  void deliver_frames();
  void raise_rts(Picoseconds now);
  void plan();
  std::uint64_t look_ahead_limit() const { return safe_from_ + core_.byte_latency() - 1; }

  const Clock clock_;
  VisibleTimer& timer_;
  Core core_;
  SerialLineEnd* other_ = nullptr;
  std::deque<CtsChange> cts_changes_;  // not yet reached by the core
  std::uint64_t safe_from_ = 0;        // no start bit will come before this edge
  bool rts_ = true;                    // as the other end knows it
  std::uint64_t late_arrivals_ = 0;
};

}  // namespace vp::matmul
