#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/memory/dram/channel_statistics.h"
#include "models/memory/dram/config.h"
#include "models/memory/dram/queued_channel.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// How the bursts of a long access reach the channel: so many bytes a cycle of the bus. A bus wider than a burst brings
/// several in one cycle. Nothing said: all at once.
struct BusBeats {
  Picoseconds cycle = 0;
  unsigned bytes = 1;
};

/// A DRAM channel and its controller as a memory sees them: whole accesses, absolute times in picoseconds. Every access
/// is served by the queues of one QueuedChannel, in either of two ways:
/// * one access under way, answered at once: access(). In closed form where the channel is idle.
/// * several under way, answered later: push(), and advance_to() by the time that next_event() says.
/// Accesses come in the order of time; one that comes earlier than the channel has been simulated is counted (order
/// violation) and served as if it came then.
class DramController {
 public:
  using Token = std::uint64_t;

  struct Times {
    Picoseconds first = 0;     ///< end of the first burst's data
    Picoseconds complete = 0;  ///< end of the last data, or for posted writes their acceptance
  };
  /// An access that was pushed is over.
  struct Answered {
    Token token = 0;
    Times times;
  };
  /// What has become of an access that was pushed.
  struct Pushed {
    bool over = false;
    Times times;                ///< if it is over
    Picoseconds look = kNever;  ///< else: by when advance_to() is to be called for its sake
  };

  explicit DramController(const ChannelConfig& config, BusBeats beats = {});

  /// Moves `bytes` bytes (0 counts as 1) at `address`, burst by burst. The channel is simulated up to the answer:
  /// accesses under way are served with it, and answered by the next advance_to().
  Times access(Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write);

  /// The same, but the answer comes later. Its bursts enter one a cycle as far as the transaction queue has room, those
  /// of later accesses behind them. Nobody else's access comes before `alone_until`: if that is enough to know its end,
  /// it is over at once.
  Pushed push(Token token, Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write,
              Picoseconds alone_until = 0);
  /// Whether a burst pushed now would enter the transaction queue without waiting for others.
  bool room() const { return input_.empty() && channel_.can_accept(); }
  /// No access is under way, and none has an answer that was not fetched.
  bool idle() const { return under_way_ == 0 && answered_.empty(); }
  /// By when advance_to() is to be called: no access completes before. kNever: nothing is under way.
  Picoseconds next_event() const;
  /// Simulates up to `now`: nothing is pushed with an earlier arrival from now on. What completes is to be
  /// taken by take_answered(); it does not before `now`, if next_event() was heeded.
  void advance_to(Picoseconds now) { run(clock_.edge_at_or_after(now)); }
  /// Nothing is pushed with an earlier arrival than `until`, unless it follows from an access that completes: simulates
  /// up to the earlier of both, but no further than what is under way needs.
  void settle(Picoseconds until);
  /// Swaps the accesses whose completion has become known into `answered`, which is emptied.
  void take_answered(std::vector<Answered>& answered) {
    answered.clear();
    answered.swap(answered_);
  }

  /// Forgets rows and requests, as after power-on at `now`; the statistics stay. The accesses under way are over now.
  void reset(Picoseconds now);
  /// While no access is under way; posted writes may be on their way to their data.
  void persist(Archive& archive);

  const ChannelConfig& config() const { return config_; }
  ChannelStatistics statistics() const;
  ChannelFigures figures() const;
  /// Is told when each burst was on the data bus (start, end), in the order of the column commands.
  void on_data(std::function<void(Picoseconds, Picoseconds)> observer) { on_data_ = std::move(observer); }
  /// The parts of the latencies add up to them, and the devices did what they can (PhysicalLimits). Empty, or what is
  /// wrong with the model.
  std::string broken_conservation() const;

 private:
  /// An access under way.
  struct Job {
    Token token = 0;
    Picoseconds arrival = 0;
    Cycle since = 0;            // first cycle in which it can be seen
    std::uint64_t address = 0;  // of its first burst
    std::uint64_t bytes = 0;
    bool write = false;
    bool at_once = false;  // somebody waits for its answer in access()
    unsigned bursts = 0;   // all
    unsigned entered = 0;
    unsigned served = 0;
    bool answered = false;
    Times times;
    void persist(Archive& archive);
  };
  /// A burst in the queues, on its way to its data.
  struct Burst {
    Cycle arrival = 0;
    unsigned job = 0;
    bool first = false;           // of its access
    bool alone = false;           // nothing else was in the queues when it entered
    std::uint64_t refreshes = 0;  // of the channel when it entered
    void persist(Archive& archive);
  };

  /// The first burst of an access that entered empty queues, and nobody else's burst has come since: what it gets if
  /// that stays so until its column command.
  struct Lone {
    bool valid = false;
    unsigned burst = 0;
    Cycle end = 0;
    LatencyParts parts;
    void persist(Archive& archive);
  };

  Job job_of(Token token, Picoseconds arrival, std::uint64_t address, std::uint64_t bytes, bool write);
  /// Puts it at the input; returns its number.
  unsigned start(const Job& job);
  Cycle arrival_of(const Job& job, unsigned burst) const;
  bool is_idle() const { return under_way_ == 0 && channel_.unfinished() == 0; }
  /// Whether its bursts get in the queues what each would get alone.
  bool is_in_one_row(const Job& job) const;
  /// The column command of the last of its bursts, if they are in one row and nothing else comes.
  std::optional<Cycle> last_column_alone(const Job& job) const;
  /// All of it in closed form while the channel is idle and if nothing else comes before cycle `before` and its last
  /// column command; false: nothing has happened.
  bool serve_alone(Job& job, Cycle before);
  void serve_burst_alone(Job& job, const Alone& got, Cycle since, Cycle entry);
  /// First cycle in which an access of this time can be seen.
  Cycle cycle_of(Picoseconds arrival);
  /// Simulates the cycles before `limit`, and lets in what has come by then.
  void run(Cycle limit) {
    while (run_on(limit)) continue;
  }
  /// The same up to the next burst that enters or ends; false: done.
  bool run_on(Cycle limit);
  /// The next burst enters; nothing comes before `limit` that is not at the input.
  void enter(Cycle cycle, Cycle limit);
  /// In closed form, if the burst (or all of its access) is the only one, and all that come before its column command
  /// are known.
  bool enter_alone(unsigned job, Cycle cycle, Cycle limit);
  /// The burst, or all bursts, of the first access at the input have left it.
  void next_at_input();
  void finish(const Completion& done);
  /// Why a burst from the queues waited. The causes are told apart for the first burst of an access that has the
  /// channel for itself up to its column command, in closed form or not; what others wait is that for the queues.
  LatencyParts parts_of(const Burst& burst, const Completion& done, bool refreshed) const;
  void count(const LatencyParts& parts, RowOutcome found, Cycle arrival, Cycle data_end);
  void end_burst(Job& job, bool first, Cycle data_end);
  /// All of its data have moved.
  void retire(unsigned job);
  void answer(unsigned job);
  /// Counts it.
  Times over(const Job& job);
  bool posted(bool write) const { return write && config_.controller.posted_writes; }

  const ChannelConfig config_;
  const BusBeats beats_;
  const Clock clock_;
  const unsigned offset_bits_;
  QueuedChannel channel_;
  const Cycle shortest_;        // from a column command to the end of its data
  std::deque<unsigned> input_;  // accesses with bursts that have not entered
  Cycle next_arrival_ = 0;      // of the next of these bursts
  Cycle next_entry_ = 0;        // one burst enters a cycle
  std::vector<Job> jobs_;
  std::vector<unsigned> free_jobs_;
  std::vector<Burst> bursts_;
  std::vector<unsigned> free_bursts_;
  Lone lone_;
  std::size_t under_way_ = 0;  // accesses without an answer
  std::vector<Answered> answered_;
  Cycle latency_sum_ = 0;  // of all bursts, to compare with the sum of its parts
  ChannelStatistics statistics_;
  std::function<void(Picoseconds, Picoseconds)> on_data_;
};

}  // namespace vp::dram
