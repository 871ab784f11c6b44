#include "models/cdma/config.h"

#include <algorithm>

#include "models/common/error.h"

namespace vp::cdma {
namespace {

constexpr std::uint64_t kPage = 4096;  // no AXI burst crosses a multiple of it

bool power_of_two(unsigned value) { return (value & (value - 1)) == 0; }

}  // namespace

std::uint64_t CdmaConfig::burst_bytes() const { return std::min<std::uint64_t>(max_burst * word_bytes(), kPage); }

void CdmaConfig::declare(const ParameterGroup& group) {
  group.clock("clock", clock, "clock of its memory port, period or frequency");
  group.integer("data_width", data_width, 32, 1024, "bits", "width of its memory port, a power of two");
  group.integer("max_burst", max_burst, 2, 256, "beats",
                "longest burst, a power of two; bursts end at multiples of it");
  group.integer("btt_width", btt_width, 8, 26, "bits", "width of the register of bytes to transfer");
  group.integer("address_width", address_width, 32, 64, "bits", "width of source and destination address");
  group.boolean("include_dre", include_dre,
                "whether it realigns data: source and destination may lie at different places of a port word");
  group.integer("outstanding", outstanding, 1, 64, "bursts", "under way at a time on each of its two channels");
}

void CdmaConfig::check(const std::string& part) const {
  if (!power_of_two(data_width))
    throw UserError(part + ": data_width " + std::to_string(data_width) + " is not a power of two.");
  if (!power_of_two(max_burst))
    throw UserError(part + ": max_burst " + std::to_string(max_burst) + " is not a power of two.");
}

}  // namespace vp::cdma
