#include "models/cache/config.h"

#include "models/common/error.h"

namespace vp {

void CacheConfig::declare_common(const ParameterGroup& group) {
  group.boolean("present", present, "Whether there is such a cache (it works in timed runs only)");
  const ParameterGroup cache = group.effective([this] { return present; }, group.full("present") + " is false");
  cache.integer("size", size, 64, std::uint64_t{1} << 20, "bytes", "Size of the cache");
  cache.choice("line", line, {{"32", 32u}, {"64", 64u}, {"128", 128u}, {"256", 256u}}, "Bytes in a line");
  cache.integer("ways", ways, 1, 64, "1", "Lines in a set");
  cache.choice("replacement", replacement, {{"lru", Replacement::kLru}, {"random", Replacement::kRandom}},
               "Which line of a full set makes room");
  cache.effective([this] { return replacement == Replacement::kRandom; }, group.full("replacement") + " is not random")
      .integer("seed", seed, 1, 0xffff'ffff, "1", "Start of the random numbers for replacement=random");
}

void CacheConfig::declare_data(const ParameterGroup& group) {
  declare_common(group);
  const ParameterGroup cache = group.effective([this] { return present; }, group.full("present") + " is false");
  cache.choice("write_policy", write_policy, {{"back", WritePolicy::kBack}, {"through", WritePolicy::kThrough}},
               "Whether stores wait in the cache until their line is evicted, or go to memory as well");
  cache.boolean("write_allocate", write_allocate, "Whether a store that misses brings its line in");
  cache.boolean("write_buffer", write_buffer, "Whether the CPU goes on while a line or a store is written to memory");
  cache.integer("hit_cycles", hit_cycles, 0, 1000, "cycles", "Time that a hit adds to the load or store");
}

void CacheConfig::check(const std::string& cache) const {
  const std::uint64_t way = std::uint64_t{line} * ways;
  const std::uint64_t count = size / way;
  if (count != 0 && size % way == 0 && (count & (count - 1)) == 0) return;
  throw UserError(cache + ": " + std::to_string(size) + " bytes in lines of " + std::to_string(line) + " and " +
                  std::to_string(ways) + " ways do not make a power of two of sets.");
}

}  // namespace vp
