#include "models/traffic/config.h"

#include "models/common/error.h"

namespace vp {

void TrafficConfig::declare(const ParameterGroup& group) {
  constexpr Picoseconds kHour = 3'600'000'000'000'000;
  group.address("base", base, "first address of its window, which lies inside one memory");
  group.integer("size", size, 1, std::uint64_t{1} << 36, "bytes", "size of its window");
  group.choice("pattern", pattern,
               {{"sequential", TrafficPattern::sequential},
                {"strided", TrafficPattern::strided},
                {"random", TrafficPattern::random}},
               "how its addresses follow each other");
  group.effective([this] { return pattern == TrafficPattern::strided; }, group.full("pattern") + " is not strided")
      .integer("stride", stride, 1, std::uint64_t{1} << 36, "bytes", "from one burst to the next, pattern=strided");
  group.integer("seed", seed, 0, ~std::uint64_t{0}, "1", "start of its random numbers: pattern=random, writes");
  group.integer("burst", burst, 1, 4096, "bytes", "of a transaction");
  group.integer("writes", writes, 0, 100, "%",
                "share of its transactions that write; they leave the bytes as they are");
  group.integer("outstanding", outstanding, 1, 64, "transactions",
                "under way at a time: the next is issued when the oldest of so many is answered");
  group.integer("rate", rate, 0, 1'000'000'000'000, "bytes/s",
                "bytes a second that it offers, 0: as many as the answers allow");
  group.time("begin", begin, 0, kHour, "it issues nothing before");
  group.time("end", end, 0, kHour, "it issues nothing from then on, 0: to the end of the run");
}

void TrafficConfig::check(const std::string& generator) const {
  if (size < burst)
    throw UserError(generator + ": its window of " + std::to_string(size) + " bytes is smaller than a burst of " +
                    std::to_string(burst) + ".");
  if (end != 0 && end <= begin)
    throw UserError(generator + ": it ends at " + format_time(end) + ", not after its begin at " + format_time(begin) +
                    ".");
}

}  // namespace vp
