#include <gtest/gtest.h>

#include "models/cache/cache.h"
#include "tests/support/saved_state.h"

namespace vp {
namespace {

struct Bench {
  explicit Bench(const CacheConfig& config) : cache(config) {}
  void step(Dice& dice) {
    if (dice.one_in(200)) cache.invalidate();
    if (dice.one_in(10)) cache.count_hits(dice.one_in(2), dice.from_to(1, 5));
    const Cache::Outcome outcome = cache.access(dice.from_to(0, 4095), dice.one_in(3));
    seen << outcome.hit << outcome.fill << outcome.write_memory << outcome.victim << ' ' << cache.read_hits()
         << cache.read_misses() << cache.write_hits() << cache.write_misses() << cache.evictions()
         << cache.write_backs() << cache.fills() << '\n';
  }
  void persist(Archive& archive) { archive("cache", cache); }
  Cache cache;
  std::ostringstream seen;
};

TEST(CacheState, a_loaded_cache_goes_on_as_the_saved_one) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CacheConfig config;
    config.size = 1024;
    config.line = 16u << seed % 3;
    config.ways = 1u << seed % 4;
    config.replacement = seed % 2 == 0 ? Replacement::kLru : Replacement::kRandom;
    config.write_policy = seed % 3 == 0 ? WritePolicy::kThrough : WritePolicy::kBack;
    expect_equal_after_loading([&] { return std::make_unique<Bench>(config); }, seed, 10, 100);
  }
}

}  // namespace
}  // namespace vp
