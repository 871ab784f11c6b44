#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/horizon.h"
#include "models/common/serial_line.h"
#include "models/matmul/host_link.h"

namespace vp::matmul {

/// The far end of a serial line that is a program on the user's own machine: 8N1 at the rate of its peer, always ready
/// to receive. Its input comes whenever that program sends, so a run with it cannot be repeated exactly.
class HostPort : public sc_core::sc_module, public SerialLineEnd {
 public:
  /// bit_time: of what it sends. frame_time: from one start bit to the next, at least ten bits.
  HostPort(sc_core::sc_module_name name, std::unique_ptr<HostLink> link, Picoseconds bit_time, Picoseconds frame_time,
           Horizon& horizon);
  ~HostPort() override;

  void connect(SerialLineEnd& other);
  const std::string& address() const { return link_->address(); }
  /// When the simulation has nothing left to do: waits in host time until input has come (true) or for `limit` (false).
  /// Then sc_start() takes it.
  bool wait_for_input(std::chrono::milliseconds limit) { return link_->wait_for_input(limit); }

  void receive(const SerialFrame& frame) override;
  void set_clear_to_send(bool ready, Picoseconds when) override;

 private:
  class Doorbell;

  void take_input();
  void send_next();

  const Picoseconds bit_time_, frame_time_;
  SerialLineEnd* other_ = nullptr;
  std::deque<std::uint8_t> pending_;
  Picoseconds free_at_ = 0;  // start of the next frame at the earliest
  EventTimer timer_;
  std::unique_ptr<Doorbell> doorbell_;
  std::unique_ptr<HostLink> link_;  // last: its thread ends before the rest goes
};

}  // namespace vp::matmul
