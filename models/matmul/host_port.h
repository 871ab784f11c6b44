#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>

#include "models/common/event_timer.h"
#include "models/common/horizon.h"
#include "models/common/host_link.h"
#include "models/common/host_wake.h"
#include "models/common/serial_line.h"

namespace vp::matmul {

/// The far end of a serial line that is a program on the user's own machine: 8N1 at the rate of its peer, always ready
/// to receive. Its input comes whenever that program sends, so a run with it cannot be repeated exactly.
class HostPort : public sc_core::sc_module, public SerialLineEnd {
 public:
  /// bit_time: of what it sends. frame_time: from one start bit to the next, at least ten bits.
  HostPort(sc_core::sc_module_name name, std::unique_ptr<HostLink> link, Picoseconds bit_time, Picoseconds frame_time,
           Horizon& horizon, HostWake& wake);

  void connect(SerialLineEnd& other);
  const std::string& address() const { return link_->address(); }

  void receive(const SerialFrame& frame) override;
  void set_clear_to_send(bool ready, Picoseconds when) override;

 private:
  void take_input();
  void send_next();

  const Picoseconds bit_time_, frame_time_;
  SerialLineEnd* other_ = nullptr;
  std::deque<std::uint8_t> pending_;
  Picoseconds free_at_ = 0;  // start of the next frame at the earliest
  EventTimer timer_;
  HostWake::Bell bell_;
  std::unique_ptr<HostLink> link_;  // last: its thread ends before the rest goes
};

}  // namespace vp::matmul
