#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"
#include "models/memory/dram/reservations.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// Which cycles of a resource are taken. Work takes free cycles wherever they are, in pieces: what a queue may reorder
/// it may also push together, so work needs no gap of its length, only as many free cycles.
class Lane {
 public:
  /// Keeps the last `cycles` cycles (a multiple of 64) up to the latest one taken; those before count as taken.
  explicit Lane(std::size_t cycles) : words_(cycles / 64) {}

  /// The start, at or after `from`, from which work of `amount` cycles ends with the amount-th free cycle.
  Cycle fit(Cycle from, unsigned amount) const;
  /// First free cycle at or after `from`.
  Cycle first_free(Cycle from) const { return fit(from, 1); }
  /// Takes the first `amount` free cycles at or after `from`.
  void take(Cycle from, unsigned amount);
  /// Takes exactly these cycles, free or not.
  void block(Cycle from, unsigned amount);
  void clear();
  void persist(Archive& archive);

 private:
  struct Word {
    Cycle index = 0;  // of 64 cycles
    std::uint64_t taken = 0;
    void persist(Archive& archive);
  };
  std::uint64_t free(Cycle index) const {
    const Word& word = words_[index % words_.size()];
    return word.index == index ? ~word.taken : ~std::uint64_t{0};
  }
  Word& word(Cycle index);
  /// Index of the oldest word kept.
  Cycle oldest() const { return latest_ < words_.size() ? 0 : latest_ + 1 - words_.size(); }

  std::vector<Word> words_;  // a ring
  Cycle latest_ = 0;         // index of the latest word taken from
};

/// What a first-ready queue would make of the bursts that wait for the data bus, for a channel that answers each burst
/// before it knows the next. The queue serves bursts of other bank groups in between (so each group has a lane of its
/// own, beside the bus), and reads and writes in batches (phases). A burst that such a queue would have pulled forward
/// cannot delay those answered before; it gets the cycles at the tail by which it would have delayed them: each answer
/// differs from the queue's, their mean and the throughput do not.
class Backlog {
 public:
  Backlog(const ChannelConfig& config, const Gaps& gaps);

  /// A column command that waits.
  struct Waiting {
    Cycle ready;    ///< when its row is open
    Cycle visible;  ///< when a queue would see it: its row is open and its bank's queue has room
    unsigned group;
    bool write;
  };
  /// Where a burst stands in the plan: in which phase, and by how much that had been put off by then.
  struct Place {
    std::uint64_t phase = 0;  // 0: none
    Cycle put_off = 0;
    void persist(Archive& archive);
  };
  /// There is a backlog at `now`, the arrival of the next burst: drops phases that are over. A new backlog begins with
  /// the column commands reserved for later.
  void advance(Cycle now, const ColumnReservations& reserved);
  /// Cycle of the column command.
  Cycle find_column(const Waiting& burst) const;
  /// Notes a column command at a cycle that find_column() or the reservations gave.
  Place add_column(const Waiting& burst, Cycle command);
  /// By how much the phase has been put off since, because earlier ones grew: what waits for the burst there to be
  /// served waits longer than its answer says.
  Cycle put_off_since(const Place& place) const {
    return place.phase + put_off_.size() > newest_phase_ ? put_off_[place.phase % put_off_.size()] - place.put_off : 0;
  }
  /// Notes a column command of a late caller, which changes no phase.
  void add_late_column(Cycle command, unsigned group, bool write) {
    if (!phases_.empty()) take(command, group, write, bus_share_);
  }
  /// There is no backlog.
  void end() { phases_.clear(); }

  /// Activates likewise: each takes a quarter of tFAW from its rank.
  Cycle find_activate(Cycle earliest, unsigned rank) const {
    return (activate_lanes_[rank].fit(4 * earliest, activate_share_) + 3) / 4;
  }
  void add_activate(Cycle command, unsigned rank) { activate_lanes_[rank].take(4 * command, activate_share_); }

  void clear();
  void persist(Archive& archive);

 private:
  /// A batch of reads or of writes, with a turnaround before and after it.
  struct Phase {
    std::uint64_t number;
    bool write;
    Cycle start;     // first command
    Cycle end;       // earliest next command
    unsigned group;  // of the last command
    void persist(Archive& archive);
  };
  void begin_phase(bool write, Cycle start, Cycle end, unsigned group);
  void take(Cycle command, unsigned group, bool write, unsigned bus_share);
  /// Index of the phase that serves the burst, or the number of phases if it needs a new one.
  std::size_t phase_of(const Waiting& burst) const;
  /// Cycles of the bus that the burst takes in the phase: more if it follows one of another rank.
  unsigned bus_share(const Waiting& burst, std::size_t phase) const;
  /// Cycles that a change of direction costs a burst behind the last phase.
  unsigned turnaround(const Waiting& burst) const;
  unsigned gap(unsigned first_group, bool first_write, unsigned second_group, bool second_write) const {
    const unsigned relation = first_group == second_group ? 0 : first_group / groups_ == second_group / groups_ ? 1 : 2;
    return gaps_.column[first_write][second_write][relation];
  }

  const Gaps& gaps_;
  const unsigned groups_;          // of a rank
  const unsigned bus_share_;       // cycles of the bus that a burst takes behind one of its rank
  const unsigned group_share_;     // cycles of its bank group
  const unsigned activate_share_;  // quarters of a cycle
  Lane bus_lanes_[2];              // for reads, for writes; each is also taken by the other's phases
  Lane data_lane_;                 // for both: bursts alone, whatever the phases make of the bus
  std::vector<Lane> group_lanes_;
  std::vector<Lane> activate_lanes_;  // by rank, in quarters of a cycle
  std::vector<Phase> phases_;         // the first is under way; empty while there is no backlog
  std::uint64_t newest_phase_ = 0;
  std::vector<Cycle> put_off_;  // by number of the phase, a ring
};

/// The requests that a first-ready queue of one bank still holds, in runs: those it serves in one go from an open row.
class BankRuns {
 public:
  explicit BankRuns(unsigned queue_length) : columns_(queue_length), runs_(queue_length) {}

  /// When the queue has room for one more: when the request a queue's length ago left it.
  Cycle room() const { return columns_[next_column_]; }
  void open(unsigned row) {
    newest_ = before(newest_, runs_.size() - 1);
    runs_[newest_] = {row, 0, 0};
    before_open_row_ = last_;
  }
  void close(Cycle at) { runs_[newest_].closed = at; }
  /// Notes where the plan has the last burst of the bank.
  void plan(const Backlog::Place& place) { last_ = place; }
  /// Where the plan has the last burst of the row before the open one.
  const Backlog::Place& before_open_row() const { return before_open_row_; }
  /// A column command in the open row.
  void add(Cycle column) {
    add_column(column);
    ++runs_[newest_].count;
  }

  /// Whether a request for `row` that is ready now would still be served with an earlier run: the row is not closed
  /// before, and the queue reaches back to it.
  bool can_join(unsigned row, Cycle ready) const {
    return runs_[before(newest_, 1)].closed >= ready && find(row, ready) < runs_.size();
  }
  /// Adds a request at `column` to the run it can join, which keeps the rows after it waiting for `delay` more.
  void join(unsigned row, Cycle ready, Cycle column, unsigned delay);
  void clear();
  void persist(Archive& archive);

 private:
  struct Run {
    unsigned row = 0;
    unsigned count = 0;  // requests
    Cycle closed = 0;
    void persist(Archive& archive);
  };
  std::size_t before(std::size_t index, std::size_t steps) const {
    return index >= steps ? index - steps : index + runs_.size() - steps;
  }
  /// How many runs before the newest one; the number of runs if there is none to join.
  std::size_t find(unsigned row, Cycle ready) const;
  void add_column(Cycle column) {
    columns_[next_column_] = column;
    if (++next_column_ == columns_.size()) next_column_ = 0;
  }

  std::vector<Cycle> columns_;  // of the last requests, a ring
  std::size_t next_column_ = 0;
  std::vector<Run> runs_;  // a ring
  std::size_t newest_ = 0;
  Backlog::Place last_, before_open_row_;
};

}  // namespace vp::dram
