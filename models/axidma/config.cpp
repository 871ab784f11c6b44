#include "models/axidma/config.h"

#include <algorithm>

#include "models/common/error.h"

namespace vp::axidma {
namespace {

constexpr std::uint64_t kPage = 4096;  // no AXI burst crosses a multiple of it

bool power_of_two(unsigned value) { return (value & (value - 1)) == 0; }

}  // namespace

std::uint64_t AxiDmaConfig::burst_bytes() const { return std::min<std::uint64_t>(max_burst * word_bytes(), kPage); }

void AxiDmaConfig::declare(const ParameterGroup& group) {
  group.text("mm2s", mm2s, "part that its stream from memory leads to, such as tensil0; empty: none");
  group.text("s2mm", s2mm, "part whose packets it writes to memory; empty: none");
  group.clock("clock", clock, "clock of its memory ports and streams, period or frequency");
  group.integer("data_width", data_width, 32, 1024, "bits", "width of memory ports and streams, a power of two");
  group.integer("max_burst", max_burst, 2, 256, "beats",
                "longest burst, a power of two; bursts end at multiples of it");
  group.integer("length_width", length_width, 8, 26, "bits", "width of the registers of bytes to transfer");
  group.integer("address_width", address_width, 32, 64, "bits", "width of source and destination address");
  group.integer("outstanding", outstanding, 1, 64, "bursts", "of MM2S that are under way or wait in its buffer");
}

void AxiDmaConfig::check(const std::string& part) const {
  if (!power_of_two(data_width))
    throw UserError(part + ": data_width " + std::to_string(data_width) + " is not a power of two.");
  if (!power_of_two(max_burst))
    throw UserError(part + ": max_burst " + std::to_string(max_burst) + " is not a power of two.");
}

}  // namespace vp::axidma
