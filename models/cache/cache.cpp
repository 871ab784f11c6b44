#include "models/cache/cache.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp {

Cache::Cache(const CacheConfig& config)
    : config_(config),
      set_mask_(config.sets() - 1),
      lines_(config.sets() * config.ways, kNoLine),
      dirty_(lines_.size(), 0),
      random_(static_cast<std::minstd_rand::result_type>(config.seed)) {}

/// The way that holds a line, or the number of ways.
unsigned Cache::find(std::size_t set, std::uint64_t line) const {
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(set * config_.ways);
  return static_cast<unsigned>(std::find(first, first + config_.ways, line) - first);
}

bool Cache::holds(std::uint64_t address) const { return find(set_of(address), line_of(address)) < config_.ways; }

void Cache::to_front(std::size_t set, unsigned way) {
  const auto first = static_cast<std::ptrdiff_t>(set * config_.ways);
  const auto last = first + way + 1;
  std::rotate(lines_.begin() + first, lines_.begin() + last - 1, lines_.begin() + last);
  std::rotate(dirty_.begin() + first, dirty_.begin() + last - 1, dirty_.begin() + last);
}

/// An empty way if there is one (they are at the end), else by policy.
unsigned Cache::victim_way(std::size_t set) {
  const unsigned empty = find(set, kNoLine);
  if (empty < config_.ways) return empty;
  if (config_.replacement == Replacement::kLru) return config_.ways - 1;
  return static_cast<unsigned>(random_() % config_.ways);
}

/// Puts a line in the place of another, in front; returns the other if it has to be written back.
std::uint64_t Cache::replace(std::size_t set, std::uint64_t line) {
  const unsigned way = victim_way(set);
  const std::size_t place = set * config_.ways + way;
  const std::uint64_t victim = dirty_[place] ? lines_[place] : kNoLine;
  evictions_ += lines_[place] != kNoLine;
  write_backs_ += victim != kNoLine;
  ++fills_;
  lines_[place] = line;
  dirty_[place] = 0;
  to_front(set, way);
  return victim;
}

Cache::Outcome Cache::access(std::uint64_t address, bool write) {
  const std::size_t set = set_of(address);
  const std::uint64_t line = line_of(address);
  const unsigned way = find(set, line);
  Outcome outcome;
  outcome.hit = way < config_.ways;
  if (outcome.hit) {
    to_front(set, way);
    ++(write ? write_hits_ : read_hits_);
  } else {
    ++(write ? write_misses_ : read_misses_);
    outcome.fill = !write || config_.write_allocate;
    if (outcome.fill) outcome.victim = replace(set, line);
  }
  if (!write) return outcome;
  const bool held = outcome.hit || outcome.fill;
  if (held && config_.write_policy == WritePolicy::kBack)
    dirty_[set * config_.ways] = 1;
  else
    outcome.write_memory = true;
  return outcome;
}

void Cache::invalidate() {
  std::fill(lines_.begin(), lines_.end(), kNoLine);
  std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{0});
}

void Cache::persist(Archive& archive) {
  archive.same("line", config_.line).same("ways", config_.ways).fixed("lines", lines_).fixed("dirty", dirty_);
  archive("random", random_);
  archive("read_hits", read_hits_)("read_misses", read_misses_)("write_hits", write_hits_);
  archive("write_misses", write_misses_)("evictions", evictions_)("write_backs", write_backs_)("fills", fills_);
}

}  // namespace vp
