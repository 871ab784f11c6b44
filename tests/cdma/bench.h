#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/cdma/core.h"
#include "tests/support/port_bench.h"

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
class CdmaBench : public PortBench<cdma::Core, cdma::CdmaConfig> {
 public:
  explicit CdmaBench(const cdma::CdmaConfig& config = {}, std::size_t memory_bytes = 1 << 16,
                     Picoseconds latency = 60'000)
      : PortBench(config, memory_bytes, {config.clock, config.word_bytes(), latency, config.outstanding}) {
    lines.bind([this](bool level) { edges.emplace_back(now(), level); });
    std::iota(port.memory.begin(), port.memory.end(), std::uint8_t{1});
  }

  void start(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    write(SA, static_cast<std::uint32_t>(source));
    write(SA_MSB, static_cast<std::uint32_t>(source >> 32));
    write(DA, static_cast<std::uint32_t>(destination));
    write(DA_MSB, static_cast<std::uint32_t>(destination >> 32));
    write(BTT, bytes);
  }
  std::uint32_t copy(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    start(destination, source, bytes);
    run();
    return read(CDMASR);
  }

  std::vector<std::pair<Picoseconds, bool>> edges;
};

}  // namespace vp
