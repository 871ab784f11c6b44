#include "models/matmul/host_port.h"

#include <algorithm>
#include <utility>

#include "models/common/tlm_time.h"

namespace vp::matmul {

HostPort::HostPort(sc_core::sc_module_name name, std::unique_ptr<HostLink> link, Picoseconds bit_time,
                   Picoseconds frame_time, Horizon& horizon, HostWake& wake)
    : sc_module(name),
      bit_time_(bit_time),
      frame_time_(frame_time),
      timer_("timer", horizon, [this](Picoseconds) { send_next(); }),
      bell_(wake, [this] { take_input(); }),
      link_(std::move(link)) {}

void HostPort::connect(SerialLineEnd& other) {
  other_ = &other;
  other.set_clear_to_send(true, 0);
  link_->start([this] { bell_.ring(); });
}

/// What more there is stays in the link until these bytes are on the line.
void HostPort::take_input() {
  if (!pending_.empty()) return;
  for (std::uint8_t byte : link_->take()) pending_.push_back(byte);
  if (!pending_.empty() && timer_.next() == kNever) timer_.set(std::max(kernel_time(), free_at_));
}

void HostPort::send_next() {
  if (pending_.empty()) return;
  SerialFrame frame;
  frame.start = kernel_time();
  frame.bit_time = bit_time_;
  frame.symbols = static_cast<std::uint16_t>(0x100u | pending_.front());
  frame.count = 9;
  pending_.pop_front();
  free_at_ = frame.start + frame_time_;
  other_->receive(frame);
  if (pending_.empty())
    take_input();
  else
    timer_.set(free_at_);
}

void HostPort::receive(const SerialFrame& frame) { link_->send(static_cast<std::uint8_t>(frame.symbols)); }

// The rate of the line is the only flow control: the device takes a byte whenever one can come.
void HostPort::set_clear_to_send(bool, Picoseconds) {}

}  // namespace vp::matmul
