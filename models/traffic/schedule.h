#pragma once

#include <cstdint>
#include <vector>

#include "models/traffic/config.h"

namespace vp {

class Archive;

/// When a generator issues its transactions. Transaction k goes out as soon as all of these have come:
/// * its time in the offered stream, begin + k × burst / rate (none without a rate),
/// * the answer to transaction k - outstanding,
/// * the bus cycle after transaction k - 1.
/// What has been held up is made good for as fast as the answers allow.
class TrafficSchedule {
 public:
  /// cycle: period of the bus clock, at least 1 ps.
  TrafficSchedule(const TrafficConfig& config, Picoseconds cycle);

  /// The earliest time for the next transaction.
  Picoseconds next() const;
  /// It is issued at `at`, not before next(). Returns its place among those under way.
  std::size_t issue(Picoseconds at);
  /// The one at that place is answered at this time.
  void answered(std::size_t place, Picoseconds answer) { answers_[place] = answer; }
  void persist(Archive& archive);

 private:
  const Picoseconds cycle_;
  const std::uint64_t rate_;
  const std::uint64_t interval_;   // whole picoseconds between two offered transactions
  const std::uint64_t remainder_;  // and what is left of a picosecond, in parts of 1 / rate
  std::uint64_t carry_ = 0;
  Picoseconds offered_;
  Picoseconds free_ = 0;              // the bus cycle after the last one issued
  std::vector<Picoseconds> answers_;  // to the last `outstanding` transactions, a ring; kNever: not known yet
  std::size_t oldest_ = 0;
};

}  // namespace vp
