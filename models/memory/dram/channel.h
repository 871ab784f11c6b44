#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/memory/caller.h"
#include "models/memory/dram/address_map.h"
#include "models/memory/dram/backlog.h"
#include "models/memory/dram/channel_statistics.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/gaps.h"
#include "models/memory/dram/reservations.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// A DRAM channel that answers each request at once, for blocking transport with temporal decoupling. It keeps the rows
/// of all banks and reservations of recent activates and column commands; a request takes the first slots that fit,
/// also between earlier reservations, and never moves what was answered. With one request outstanding it gives the
/// cycles of the queued controller exactly (QueuedChannel); with more it is an estimate, because it cannot know what
/// comes next (README).
class Channel {
 public:
  explicit Channel(const ChannelConfig& config);

  struct Times {
    Picoseconds first = 0;     ///< end of the first burst's data
    Picoseconds complete = 0;  ///< end of the last data, or for posted writes their acceptance
  };
  /// Moves `bytes` bytes at `address`, burst by burst. arrival: the caller's local time; beat_spacing: time between the
  /// arrivals of successive bursts of this access (0: all at once). bytes = 0 counts as one byte.
  Times access(Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write,
               Picoseconds beat_spacing = 0, Caller caller = {});

  /// The same for one burst, in cycles: returns the end of its data.
  Cycle burst(Cycle arrival, std::uint64_t address, bool write, Caller caller = {});

  /// Forgets rows and reservations, as after power-on; the statistics stay.
  void reset();

  void persist(Archive& archive);

  const ChannelConfig& config() const { return config_; }
  const ChannelStatistics& statistics() const { return statistics_; }
  ChannelFigures figures() const { return statistics_.figures(config_); }
  /// Is told when each burst was on the data bus (start, end), in the order of calls.
  void on_data(std::function<void(Picoseconds, Picoseconds)> observer) { on_data_ = std::move(observer); }
  /// The parts of the latencies add up to them, every burst found its row somehow, and the data bus moved one burst at
  /// a time. Empty, or what is wrong with the model.
  std::string broken_conservation() const;

 private:
  /// A burst to be placed.
  struct Burst {
    Cycle arrival;
    Location at;
    bool write;
    unsigned caller;
    bool late;           ///< earlier than a burst already answered
    bool backlog;        ///< at its arrival several column commands are still to come, from which a queue would choose
    bool joins = false;  ///< the requests for a row that its bank has since been told to leave (BankRuns)
  };
  struct BankState {
    bool open = false;
    unsigned row = 0;
    Cycle activate_ok = 0;
    Cycle column_ok = 0;
    Cycle precharge_ok = 0;
    Cycle refresh_ok = 0;
    // The row before this one, usable by look-ahead until it was closed.
    unsigned earlier_row = 0;
    Cycle earlier_column_ok = 0;
    Cycle earlier_closed = 0;
    void persist(Archive& archive);
  };
  /// One burst (or a refresh) in the life of a bank, in the order of arrivals: what a caller that comes late has to fit
  /// into.
  struct Visit {
    Cycle at = 0;        ///< arrival; of a refresh: when it was due
    Cycle activate = 0;  ///< when it opened its row, 0 if it found it open
    Cycle column = 0;
    Cycle column_ok = 0;
    Cycle release = 0;  ///< from when the row may be closed; or, if the visit left the bank closed, opened
    unsigned row = 0;
    bool open = false;  ///< left the row open
    bool refresh = false;
    unsigned caller = 0;
    void persist(Archive& archive);
  };
  struct RankState {
    explicit RankState(const Timing& timing) : activates(timing) {}
    ActivateReservations activates;
    Cycle last_precharge = 0;
    Cycle refresh_due = 0;
    Cycle refresh_end = 0;  // of the last refresh
    void persist(Archive& archive);
  };

  /// Commands of a burst that fit, and how its latency comes about.
  struct Plan {
    RowOutcome outcome = RowOutcome::hit;
    Visit visit;
    Cycle earliest = 0;  // column command, but for the bus
    LatencyParts parts;
  };

  /// Keeps the callers' times for foresee().
  void note_caller(Cycle arrival, Caller caller);
  /// Whether another caller, who has not come as far as `arrival` yet, will have opened another row in the bank by
  /// then, if it goes on as it did a quantum ago. Its row is returned.
  std::optional<unsigned> foresee(const Location& at, unsigned caller) const;
  Cycle serve(Cycle arrival, std::uint64_t address, bool write, unsigned caller);
  /// These return the cycle of the column command.
  Cycle place(const Burst& burst);
  /// Places a burst among later visits of its bank that are answered or planned already; kNoCycle if a refresh keeps it
  /// behind all of them.
  Cycle place_between(const Burst& burst);
  Plan plan_after(const Visit& before, const Burst& burst) const;
  /// By how much a burst would have been delayed, had `visit` been known when it was answered.
  Cycle delay_caused(const Visit& visit, const Visit& next) const;
  /// Tries to reserve the commands of a burst before the next refresh of its rank, from `ready` on. Returns the cycle
  /// of the column command, or kNoCycle if the refresh comes first; what was done before it (closing or opening the
  /// row) stays done.
  Cycle reserve(const Burst& burst, Cycle ready, Visit& visit, LatencyParts& parts);
  /// Commands of a burst whose bank is ready at `earliest`: among the reservations, or in the backlog.
  Cycle find_column(const Burst& burst, Cycle earliest) const;
  void add_column(const Burst& burst, Cycle earliest, Cycle command);
  Cycle find_activate(const Burst& burst, Cycle earliest) const;
  void add_activate(const Burst& burst, Cycle command);
  Backlog::Waiting in_queue(const Burst& burst, Cycle earliest) const;
  /// The column command alone, in the open row; or kNoCycle as above.
  Cycle reserve_column(const Burst& burst, Cycle earliest, LatencyParts& parts);
  /// Look-ahead: before the open row, a hit in the row before it if it fits there, or in a run of hits that a queue
  /// would still serve. kNoCycle if there is none.
  Cycle reserve_in_earlier_row(const Burst& burst, LatencyParts& parts);
  Cycle join_run(Burst burst, LatencyParts& parts);
  bool looks_ahead() const { return controller_.scheduling != SchedulingPolicy::in_order; }
  /// In-order: not before the column commands of earlier arrivals.
  Cycle in_turn(Cycle arrival, Cycle earliest) const {
    return controller_.scheduling == SchedulingPolicy::in_order ? std::max(earliest, columns_.latest(arrival))
                                                                : earliest;
  }
  void count(RowOutcome outcome, LatencyParts parts, bool write);
  /// First cycle at or after `earliest` that keeps tPPD to the last precharge of the rank.
  Cycle apart_from_last_precharge(const RankState& rank, Cycle earliest) const;
  void close_row(unsigned bank, RankState& rank, Cycle now);
  void refresh(unsigned rank);
  /// Does the refreshes that were due while nobody looked.
  void catch_up(unsigned rank, Cycle now);
  Cycle acknowledge_posted(Cycle arrival, Cycle data_end);

  const ChannelConfig config_;
  const Timing& timing_;
  const Controller& controller_;
  const Gaps gaps_;
  const AddressMap map_;
  const Clock clock_;
  const Cycle refresh_period_;
  std::vector<BankState> banks_;
  std::vector<RecentSchedule<Visit>> visits_;  // by bank
  std::vector<BankRuns> runs_;                 // by bank
  std::vector<RankState> ranks_;
  ColumnReservations columns_;
  Backlog backlog_;
  std::vector<Cycle> posted_;  // ends of the last posted writes, a ring as long as the transaction queue
  std::size_t next_posted_ = 0;
  Cycle latest_arrival_ = 0;
  std::vector<Cycle> callers_;  // by id: latest arrival
  Cycle local_ = 0;             // time of the present caller
  Cycle settled_ = 0;           // kernel time
  Cycle ahead_ = 0;             // furthest arrival beyond it since it last moved
  Cycle latency_sum_ = 0;       // of all bursts, to compare with the sum of its parts
  Cycle quantum_ = 0;           // the same before it last moved: how far callers run ahead
  ChannelStatistics statistics_;
  std::function<void(Picoseconds, Picoseconds)> on_data_;
};

}  // namespace vp::dram
