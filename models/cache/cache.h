#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "models/cache/config.h"

namespace vp {

class Archive;

/// Which lines one cache holds: tags and dirty bits, no data. Its owner keeps the data in memory and makes the
/// transfers that access() asks for, so a cache changes times and never values.
///
/// A set keeps its lines in order of use, the one used last in front. An access to that line changes nothing but
/// figures (a read, or a write to it while it is dirty), so an owner may do such accesses without calling: it looks at
/// `front()`, and adds them up with count_hits() later.
class Cache {
 public:
  /// A line address that no line has.
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

  /// What an access needs. The owner does it in this order: wait for room to write the victim back, fill, write.
  struct Outcome {
    bool hit = false;
    bool fill = false;               ///< the line is brought in from memory
    bool write_memory = false;       ///< the stored bytes go to memory as well
    std::uint64_t victim = kNoLine;  ///< dirty line that had to leave: written back to memory
  };

  /// The configuration must have passed check().
  explicit Cache(const CacheConfig& config);

  /// One access inside one line.
  Outcome access(std::uint64_t address, bool write);
  /// The owner did `count` accesses to front lines by itself.
  void count_hits(bool write, std::uint64_t count) { (write ? write_hits_ : read_hits_) += count; }
  /// Every line is forgotten; dirty ones are not written back.
  void invalidate();

  std::uint64_t line_of(std::uint64_t address) const { return address & ~static_cast<std::uint64_t>(config_.line - 1); }
  /// The line used last in the set of an address, or kNoLine; the place stays where it is as long as the cache lives.
  const std::uint64_t* front(std::uint64_t address) const { return &lines_[set_of(address) * config_.ways]; }
  /// Whether the front line of the set of an address is dirty.
  bool front_dirty(std::uint64_t address) const { return dirty_[set_of(address) * config_.ways] != 0; }
  bool holds(std::uint64_t address) const;

  const CacheConfig& config() const { return config_; }
  std::uint64_t read_hits() const { return read_hits_; }
  std::uint64_t read_misses() const { return read_misses_; }
  std::uint64_t write_hits() const { return write_hits_; }
  std::uint64_t write_misses() const { return write_misses_; }
  std::uint64_t evictions() const { return evictions_; }
  std::uint64_t write_backs() const { return write_backs_; }
  std::uint64_t fills() const { return fills_; }
  void persist(Archive& archive);

 private:
  std::size_t set_of(std::uint64_t address) const { return address / config_.line & set_mask_; }
  unsigned find(std::size_t set, std::uint64_t line) const;
  void to_front(std::size_t set, unsigned way);
  unsigned victim_way(std::size_t set);
  std::uint64_t replace(std::size_t set, std::uint64_t line);

  const CacheConfig config_;
  const std::size_t set_mask_;
  std::vector<std::uint64_t> lines_;  // sets × ways, address of each line; the most recently used of a set first
  std::vector<std::uint8_t> dirty_;
  std::minstd_rand random_;
  std::uint64_t read_hits_ = 0;
  std::uint64_t read_misses_ = 0;
  std::uint64_t write_hits_ = 0;
  std::uint64_t write_misses_ = 0;
  std::uint64_t evictions_ = 0;
  std::uint64_t write_backs_ = 0;
  std::uint64_t fills_ = 0;
};

}  // namespace vp
