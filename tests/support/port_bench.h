#pragma once

#include <algorithm>
#include <cstdint>

#include "tests/support/fake_port.h"
#include "tests/support/register_access.h"

namespace vp {

/// The core of a device with registers, behind a port with a memory, without SystemC: time goes from event to event of
/// port and timer. Interrupts: an InterruptLine, or an array of them.
template <typename Core, typename Config, typename Interrupts = InterruptLine>
class PortBench {
 public:
  PortBench(const Config& config, std::size_t memory_bytes, const FakePort::Settings& settings)
      : port(memory_bytes, settings), core(config, port, timer, lines), registers(core) {}

  Picoseconds now() const { return port.now(); }
  std::uint32_t read(std::uint64_t offset) {
    registers.now = now();
    return static_cast<std::uint32_t>(registers.read(offset, 4));
  }
  void write(std::uint64_t offset, std::uint32_t value) {
    registers.now = now();
    registers.write(offset, value, 4);
  }

  Picoseconds next_event() const { return std::min(port.next_event(), timer.when); }
  /// The next event of port or timer; false when there is none.
  bool step() {
    const Picoseconds next = next_event();
    if (next == kNever) return false;
    if (port.next_event() == next) {
      port.step();
    } else {
      port.advance_to(next);
      timer.when = kNever;
      ++deliveries;
      core.deliver(next);
    }
    return true;
  }
  void run(unsigned steps = ~0u) {
    for (unsigned i = 0; i < steps && step(); ++i) {
    }
  }
  void run_to(Picoseconds time) {
    while (next_event() <= time) step();
    port.advance_to(time);
  }

  FakePort port;
  RecordingTimer timer;
  Interrupts lines;
  Core core;
  RegisterAccess registers;
  unsigned deliveries = 0;  ///< of the timer
};

}  // namespace vp
