#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/bounds.h"

namespace vp {

/// What happened in the regions of a run that its program has named. At most one is open at a time; one that is entered
/// several times has the sum.
class RegionAccount {
 public:
  struct Region {
    std::string name;
    std::uint64_t entries = 0;
    Picoseconds first_entered = 0;
    Bounds use;  ///< of its own times only
  };
  /// One stay in a region, for a picture.
  struct Visit {
    std::size_t region;  ///< index into regions()
    Picoseconds begin;
    Picoseconds end;
  };
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostVisits = 5000;

  /// A region begins, which ends the one before it. `now`: of the run up to here. false: there are too many already,
  /// and none has begun.
  bool enter(const std::string& name, const Bounds& now);
  /// None is open from here on; also at the end of the run.
  void leave(const Bounds& now);
  /// In the order of their first entry.
  const std::vector<Region>& regions() const { return regions_; }

  /// The first kMostVisits, in the order of time.
  const std::vector<Visit>& visits() const { return visits_; }

  /// Whether a region may have this name: 1 to 64 of A-Z a-z 0-9 _ . with no empty word between dots.
  static bool is_name(const std::string& name);

 private:
  std::vector<Region> regions_;
  std::vector<Visit> visits_;
  std::optional<std::size_t> open_;
  Bounds entered_;
};

/// What happened between two moments of a run, and the sum of two such.
Bounds between(const Bounds& earlier, const Bounds& later);
Bounds sum(const Bounds& one, const Bounds& other);

}  // namespace vp
