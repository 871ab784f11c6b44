#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/cdma/core.h"
#include "tests/cdma/fake_port.h"
#include "tests/support/register_access.h"

namespace vp {

// Registers and bits, as the product guide writes them.
enum CdmaOffset : unsigned {
  CDMACR = 0x00,
  CDMASR = 0x04,
  SA = 0x18,
  SA_MSB = 0x1C,
  DA = 0x20,
  DA_MSB = 0x24,
  BTT = 0x28
};
enum CdmaBit : unsigned {
  kReset = 1u << 2,
  kKeyHoleRead = 1u << 4,
  kKeyHoleWrite = 1u << 5,
  kIdle = 1u << 1,
  kDmaIntErr = 1u << 4,
  kDmaSlvErr = 1u << 5,
  kDmaDecErr = 1u << 6,
  kIoc = 1u << 12,
  kErr = 1u << 14,
};

/// A CDMA with a memory, without SystemC: time goes from event to event.
class CdmaBench {
 public:
  explicit CdmaBench(const cdma::CdmaConfig& config = {}, std::size_t memory_bytes = 1 << 16,
                     Picoseconds latency = 60'000)
      : port(memory_bytes, {config.clock, config.word_bytes(), latency, config.outstanding}),
        core(config, port, timer, line),
        registers(core) {
    line.bind([this](bool level) { edges.emplace_back(now(), level); });
    std::iota(port.memory.begin(), port.memory.end(), std::uint8_t{1});
  }

  Picoseconds now() const { return port.now(); }
  std::uint32_t read(unsigned offset) {
    registers.now = now();
    return static_cast<std::uint32_t>(registers.read(offset, 4));
  }
  void write(unsigned offset, std::uint32_t value) {
    registers.now = now();
    registers.write(offset, value, 4);
  }
  void start(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    write(SA, static_cast<std::uint32_t>(source));
    write(SA_MSB, static_cast<std::uint32_t>(source >> 32));
    write(DA, static_cast<std::uint32_t>(destination));
    write(DA_MSB, static_cast<std::uint32_t>(destination >> 32));
    write(BTT, bytes);
  }
  /// The next event of port or timer; false when there is none.
  bool step() {
    const Picoseconds next = std::min(port.next_event(), timer.when);
    if (next == kNever) return false;
    if (port.next_event() == next) {
      port.step();
    } else {
      port.advance_to(next);
      timer.when = kNever;
      core.deliver(next);
    }
    return true;
  }
  void run() {
    while (step()) {
    }
  }
  void run_to(Picoseconds time) {
    while (std::min(port.next_event(), timer.when) <= time) step();
    port.advance_to(time);
  }
  std::uint32_t copy(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    start(destination, source, bytes);
    run();
    return read(CDMASR);
  }

  FakePort port;
  RecordingTimer timer;
  InterruptLine line;
  cdma::Core core;
  RegisterAccess registers;
  std::vector<std::pair<Picoseconds, bool>> edges;
};

}  // namespace vp
