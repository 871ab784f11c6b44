#include "models/cache/cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "models/common/error.h"

namespace vp {
namespace {

CacheConfig small() {
  CacheConfig config;
  config.size = 2 * 2 * 64;  // two sets, two ways
  config.ways = 2;
  return config;
}

/// A cache as one would describe it: each set a map from line to the time of its last use.
class Reference {
 public:
  explicit Reference(const CacheConfig& config) : config_(config), sets_(config.sets()) {}

  Cache::Outcome access(std::uint64_t address, bool write) {
    const std::uint64_t line = address / config_.line * config_.line;
    std::map<std::uint64_t, Line>& set = sets_[address / config_.line % config_.sets()];
    Cache::Outcome outcome;
    ++now_;
    outcome.hit = set.count(line) != 0;
    const bool bring_in = !outcome.hit && (!write || config_.write_allocate);
    if (bring_in) {
      outcome.fill = true;
      if (set.size() == config_.ways) {
        const auto oldest = std::min_element(
            set.begin(), set.end(), [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
        if (oldest->second.dirty) outcome.victim = oldest->first;
        set.erase(oldest);
      }
      set[line] = {};
    }
    const bool held = set.count(line) != 0;
    if (held) set[line].used = now_;
    if (write && held && config_.write_policy == WritePolicy::kBack)
      set[line].dirty = true;
    else if (write)
      outcome.write_memory = true;
    return outcome;
  }

 private:
  struct Line {
    std::uint64_t used = 0;
    bool dirty = false;
  };
  const CacheConfig config_;
  std::vector<std::map<std::uint64_t, Line>> sets_;
  std::uint64_t now_ = 0;
};

TEST(Cache, AgreesWithTheReferenceOnRandomTraces) {
  std::mt19937_64 random(20261120);
  for (int round = 0; round < 200; ++round) {
    CacheConfig config;
    config.line = 32u << random() % 4;
    config.ways = 1 + static_cast<unsigned>(random() % 8);
    config.size = std::uint64_t{config.line} * config.ways << random() % 6;
    config.write_policy = random() % 2 ? WritePolicy::kBack : WritePolicy::kThrough;
    config.write_allocate = random() % 4 != 0;
    config.check("cache");
    Cache cache(config);
    Reference reference(config);
    const std::uint64_t reach = config.size * (1 + random() % 4);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t address = 0x8000'0000 + random() % reach;
      const bool write = random() % 3 == 0;
      const Cache::Outcome expected = reference.access(address, write), got = cache.access(address, write);
      ASSERT_EQ(got.hit, expected.hit) << "round " << round << ", access " << i;
      ASSERT_EQ(got.fill, expected.fill) << "round " << round << ", access " << i;
      ASSERT_EQ(got.write_memory, expected.write_memory) << "round " << round << ", access " << i;
      ASSERT_EQ(got.victim, expected.victim) << "round " << round << ", access " << i;
    }
  }
}

TEST(Cache, AccessToTheFrontLineChangesNoState) {
  std::mt19937_64 random(7);
  CacheConfig config;
  config.size = 4096;
  Cache all(config), without(config);
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t address = random() % 8192;
    const bool write = random() % 2;
    const bool skip = *without.front(address) == without.line_of(address) && (!write || without.front_dirty(address));
    const Cache::Outcome outcome = all.access(address, write);
    if (skip) {
      EXPECT_TRUE(outcome.hit);
      without.count_hits(write, 1);
    } else {
      const Cache::Outcome same = without.access(address, write);
      ASSERT_EQ(same.hit, outcome.hit);
      ASSERT_EQ(same.victim, outcome.victim);
    }
  }
  EXPECT_EQ(without.read_hits(), all.read_hits());
  EXPECT_EQ(without.write_hits(), all.write_hits());
  EXPECT_EQ(without.write_backs(), all.write_backs());
}

TEST(Cache, WritesADirtyLineBackWhenItLeaves) {
  Cache cache(small());
  cache.access(0, true);
  cache.access(128, false);
  EXPECT_EQ(cache.access(256, false).victim, 0u);
  EXPECT_EQ(cache.access(384, false).victim, Cache::kNoLine) << "line 128 was only read";
  EXPECT_EQ(cache.write_backs(), 1u);
  EXPECT_EQ(cache.evictions(), 2u);
}

TEST(Cache, RandomReplacementRepeatsWithItsSeedAndUsesAllWays) {
  CacheConfig config = small();
  config.size = 64 * 8;
  config.ways = 8;
  config.replacement = Replacement::kRandom;
  Cache first(config), again(config);
  config.seed = 99;
  Cache other(config);
  unsigned differences = 0;
  std::set<std::size_t> survivors;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const std::uint64_t address = i * 7 % 16 * 64;
    const bool hit = first.access(address, false).hit;
    ASSERT_EQ(again.access(address, false).hit, hit);
    differences += other.access(address, false).hit != hit;
    std::size_t held = 0;
    for (std::uint64_t line = 0; line < 8; ++line) held = held * 2 + first.holds(line * 64);
    survivors.insert(held);
  }
  EXPECT_GT(differences, 0u);
  EXPECT_GT(survivors.size(), 30u);
}

TEST(Cache, InvalidatedCacheIsEmptyAndOwesNothing) {
  Cache cache(small());
  cache.access(0, true);
  cache.invalidate();
  EXPECT_FALSE(cache.holds(0));
  for (std::uint64_t line = 0; line < 8; ++line) EXPECT_EQ(cache.access(line * 64, false).victim, Cache::kNoLine);
}

TEST(Cache, HitsAndMissesAddUpToTheAccesses) {
  std::mt19937_64 random(3);
  Cache cache(small());
  std::uint64_t reads = 0, writes = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool write = random() % 2;
    ++(write ? writes : reads);
    cache.access(random() % 1024, write);
  }
  EXPECT_EQ(cache.read_hits() + cache.read_misses(), reads);
  EXPECT_EQ(cache.write_hits() + cache.write_misses(), writes);
  EXPECT_EQ(cache.fills(), cache.read_misses() + cache.write_misses());
  EXPECT_EQ(cache.evictions(), cache.fills() - 4) << "four lines are there at the end";
}

TEST(Cache, RefusesSizesThatMakeNoPowerOfTwoOfSets) {
  CacheConfig config;
  for (const std::uint64_t size : {std::uint64_t{64}, std::uint64_t{100}, std::uint64_t{3 * 4 * 64}}) {
    config.size = size;
    EXPECT_THROW(config.check("cpu.dcache"), UserError) << size;
  }
  config.size = 48 * 1024;
  config.ways = 3;
  EXPECT_NO_THROW(config.check("cpu.dcache"));
}

}  // namespace
}  // namespace vp
