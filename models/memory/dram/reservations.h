#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// The most recent entries of a schedule, sorted by time. Adding at the end is cheap; adding in between moves the later
/// ones.
template <typename Entry>
class RecentSchedule {
 public:
  explicit RecentSchedule(std::size_t capacity_power_of_two)
      : ring_(capacity_power_of_two), mask_(capacity_power_of_two - 1) {}

  std::size_t begin() const { return end_ > ring_.size() ? end_ - ring_.size() : 0; }
  std::size_t end() const { return end_; }
  bool empty() const { return end_ == 0; }
  const Entry& operator[](std::size_t index) const { return ring_[index & mask_]; }
  const Entry& back() const { return ring_[(end_ - 1) & mask_]; }

  void clear() { end_ = 0; }
  void append(const Entry& entry) { ring_[end_++ & mask_] = entry; }
  /// Adds before entry `index`; the oldest entry falls out if there is no room (or the new one, if it would be the
  /// oldest).
  void insert(std::size_t index, const Entry& entry) {
    if (index == begin() && end_ >= ring_.size()) return;
    for (std::size_t i = end_++; i > index; --i) ring_[i & mask_] = ring_[(i - 1) & mask_];
    ring_[index & mask_] = entry;
  }
  /// Index of the first entry later than `time`.
  std::size_t after(Cycle time) const {
    std::size_t index = end_;
    while (index > begin() && (*this)[index - 1].at > time) --index;
    return index;
  }
  void persist(Archive& archive);

 private:
  std::vector<Entry> ring_;
  std::size_t mask_;
  std::size_t end_ = 0;
};

/// Reserved column commands of the channel: what keeps the data bus and its turnarounds apart. A command takes the
/// first slot that keeps its distance to its neighbours on both sides, so a caller that comes late can still use an
/// earlier gap.
class ColumnReservations {
 public:
  ColumnReservations(const ChannelConfig& config, const Gaps& gaps);

  /// First cycle at or after `earliest` in which the command would fit.
  Cycle find(Cycle earliest, unsigned group, bool write) const {
    return schedule_.empty() || earliest >= schedule_.back().at ? std::max(earliest, next_ok_[write][group])
                                                                : find_between(earliest, group, write);
  }
  /// Reserves a cycle that find() gave. arrival: of the request.
  void add(Cycle at, unsigned group, bool write, Cycle arrival);
  /// Latest reservation of a request that arrived at or before `arrival`; 0 if there is none.
  Cycle latest(Cycle arrival) const;
  /// Whether two or more commands are later than `time`.
  bool several_after(Cycle time) const {
    return schedule_.end() - schedule_.begin() >= 2 && schedule_[schedule_.end() - 2].at > time;
  }
  /// Commands later than `time`, in order.
  template <typename Visitor>
  void visit_after(Cycle time, Visitor visitor) const {
    for (std::size_t i = schedule_.after(time); i < schedule_.end(); ++i)
      visitor(schedule_[i].at, schedule_[i].group, schedule_[i].write);
  }
  void clear();
  void persist(Archive& archive);

 private:
  struct Entry {
    Cycle at;
    Cycle arrival;
    unsigned group;
    bool write;
    void persist(Archive& archive);
  };

  unsigned gap(unsigned first_group, bool first_write, unsigned second_group, bool second_write) const {
    const unsigned relation = first_group == second_group ? 0 : first_group / groups_ == second_group / groups_ ? 1 : 2;
    return gaps_.column[first_write][second_write][relation];
  }
  Cycle find_between(Cycle earliest, unsigned group, bool write) const;

  const Gaps& gaps_;
  const unsigned groups_;  // of a rank
  RecentSchedule<Entry> schedule_;
  std::vector<Cycle> next_ok_[2];  // read, write: by group, earliest command behind all reservations
};

/// Reserved activates of one rank: tRRD and tFAW, again on both sides.
class ActivateReservations {
 public:
  explicit ActivateReservations(const Timing& timing);

  /// As ColumnReservations.
  Cycle find(Cycle earliest, unsigned group) const;
  void add(Cycle at, unsigned group) { schedule_.insert(schedule_.after(at), {at, group}); }
  void clear() { schedule_.clear(); }
  void persist(Archive& archive);

 private:
  struct Entry {
    Cycle at;
    unsigned group;
    void persist(Archive& archive);
  };

  unsigned gap(unsigned first_group, unsigned second_group) const {
    return first_group == second_group ? timing_.rrd_l : timing_.rrd_s;
  }
  /// First cycle at or after `at` that the reservations before index `position` allow.
  Cycle behind(std::size_t position, Cycle at, unsigned group) const;
  /// Whether an activate at `at`, placed before index `position`, leaves the later ones in peace.
  bool fits_before(std::size_t position, Cycle at, unsigned group) const;

  Timing timing_;
  RecentSchedule<Entry> schedule_;
};

}  // namespace vp::dram
