#include "models/matmul/serial_device.h"

#include <algorithm>

namespace vp::matmul {
namespace {

constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};
constexpr unsigned kDataBits = 8;

/// Data bit `bit` (0 is the first on the UART's line); bits that a shorter character lacks read as 1, as the line would
/// be.
bool data_bit(const SerialFrame& frame, unsigned bit) { return bit >= frame.count || (frame.symbols >> bit & 1) != 0; }

}  // namespace

SerialDevice::SerialDevice(const MatmulConfig& config, VisibleTimer& timer)
    : clock_(config.clock_period), timer_(timer), core_(config.core_config()) {}

void SerialDevice::connect(SerialLineEnd& other) {
  other_ = &other;
  other.set_clear_to_send(true, 0);
}

void SerialDevice::receive(const SerialFrame& frame) {
  const std::uint64_t first = std::max<std::uint64_t>(clock_.edge_at_or_after(frame.start), 1);
  const std::uint64_t earliest = core_.line_open_from();
  const std::uint64_t delay = first < earliest ? earliest - first : 0;
  late_arrivals_ += delay > 0;
  const auto edge = [&](unsigned half_symbols) {
    return clock_.edge_at_or_after(frame.start + half_symbols * frame.bit_time / 2) + delay;
  };
  core_.note_origin(first + delay, frame.origin);
  core_.set_line(false, first + delay);
  for (unsigned bit = 0; bit < kDataBits; ++bit)
    core_.set_line(data_bit(frame, kDataBits - 1 - bit), edge(2 + 2 * bit));
  core_.set_line(false, edge(2 + 2 * kDataBits));
  core_.set_line(true, edge(3 + 2 * kDataBits));
  safe_from_ = std::max(safe_from_, clock_.edge_at_or_after(frame.end()));
  if (rts_ && other_ != nullptr) {
    rts_ = false;
    other_->set_clear_to_send(false, frame.start);
  }
  plan();
}

void SerialDevice::set_clear_to_send(bool ready, Picoseconds when) {
  cts_changes_.push_back({std::max<std::uint64_t>(clock_.edge_at_or_after(when), 1), ready});
  plan();
}

// Does edges up to `until` with CTS as it is at each. Stops before an edge that takes a byte out of the FIFO unless
// such edges are to be done too; returns whether it did.
bool SerialDevice::run(std::uint64_t until, bool through_frames) {
  for (;;) {
    const bool change = !cts_changes_.empty() && cts_changes_.front().edge <= until;
    const std::uint64_t target = change ? cts_changes_.front().edge - 1 : until;
    if (through_frames) {
      core_.advance_to(target);
    } else if (core_.cycle() <= target && core_.advance_until_frame(target)) {
      if (core_.cycle() < target || !change) return true;
    }
    if (!change) return false;
    core_.set_cts(cts_changes_.front().level);
    cts_changes_.pop_front();
  }
}

void SerialDevice::plan() {
  const bool frame_due = run(look_ahead_limit(), false);
  std::uint64_t next = kNoEdge;
  if (frame_due) {
    next = core_.cycle() + 1;
  } else if (!core_.write_path().waits_for_cts(core_.cycle(), core_.cts())) {
    next = core_.next_event();
  }
  if (!cts_changes_.empty()) next = std::min(next, cts_changes_.front().edge);
  if (!rts_) next = std::min(next, core_.receiver_free_at());
  timer_.set(next == kNoEdge ? kNever : clock_.time_of(next));
}

void SerialDevice::fire(Picoseconds due) {
  const std::uint64_t now = clock_.edge_at_or_before(due);
  run(now, true);
  safe_from_ = std::max(safe_from_, now);
  deliver_frames();
  raise_rts(due);
  plan();
}

void SerialDevice::deliver_frames() {
  for (const SentFrame& frame : core_.take_frames()) {
    if (other_ == nullptr) continue;
    SerialFrame line;
    line.start = clock_.time_of(frame.start_cycle);
    line.bit_time = clock_.time_of(core_.config().symbol_clocks);
    line.symbols = static_cast<std::uint16_t>(0x100u | frame.byte);
    line.count = kDataBits + 1;
    other_->receive(line);
  }
}

void SerialDevice::raise_rts(Picoseconds now) {
  if (rts_ || other_ == nullptr || clock_.time_of(core_.receiver_free_at()) > now) return;
  rts_ = true;
  other_->set_clear_to_send(true, now);
}

void SerialDevice::catch_up(Picoseconds now) {
  run(clock_.edge_at_or_before(now), true);
  deliver_frames();
}

void SerialDevice::reset(Picoseconds now) {
  while (!cts_changes_.empty()) {  // the core has no past to apply them in
    core_.set_cts(cts_changes_.front().level);
    cts_changes_.pop_front();
  }
  core_.reset(clock_.edge_at_or_before(now));
  safe_from_ = core_.cycle();
  raise_rts(now);
  plan();
}

}  // namespace vp::matmul
