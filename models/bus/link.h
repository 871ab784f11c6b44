#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/bus/arbiter.h"
#include "models/common/clock.h"

namespace vp {

/// A link of the bus: carries the beats of one access at a time. Callers run on local times of their own and are
/// answered at once, so the link keeps reservations of the time to come.
///
/// The reservations are always the schedule that the arbiter would have made of all accesses known so far: a request
/// may come before one that has been answered, which then moves. Its initiator was told an earlier time; it pays the
/// difference on its next access (`overtaken`). In exact order (BusOrder) the initiator still waits when it is moved,
/// and pays nothing.
class Link {
 public:
  /// A reservation has been moved back. Of those of one initiator that had been told, only the first one is reported:
  /// the initiator shifts all its further accesses by what it pays for that.
  struct Overtaking {
    unsigned initiator = 0;  ///< whose it is
    unsigned newcomer = 0;   ///< who goes first now
    Picoseconds by = 0;
    bool told = true;  ///< its initiator has gone on with the earlier time
  };
  using Overtaken = std::function<void(const Overtaking&)>;
  /// Beats of an initiator from `start` to `end`, in the order of time.
  using Observer = std::function<void(unsigned initiator, Picoseconds start, Picoseconds end)>;

  /// outstanding: so many accesses may have been accepted and not completed; 0: any number.
  Link(const Arbiter& arbiter, unsigned initiators, unsigned outstanding, Overtaken overtaken);

  /// Another initiator has used the link within the last 100 us before the request arrives, or may have before begin().
  /// Exact order costs little against the traffic of two, so it outlasts the pauses between a device's transfers.
  bool shared(const LinkRequest& request) const;

  /// How an access got its turn.
  struct Grant {
    Picoseconds start = 0;
    Picoseconds held = 0;  ///< waited because of the outstanding limit; further waiting is in waited_for()
    std::uint64_t ticket = 0;
  };
  /// Reserves `duration` (at least 1) from the request's arrival on. settled: no request will arrive earlier. told: the
  /// initiator goes on with the answer; else it waits for its turn (start_of) and calls fix() when that has come.
  Grant reserve(const LinkRequest& request, Picoseconds duration, Picoseconds settled, bool told = true);
  /// What the last reserve() waited for: time by the initiator that held the link.
  const std::vector<Picoseconds>& waited_for() const { return waited_for_; }
  /// The access has been completed; for the outstanding limit.
  void complete(std::uint64_t ticket, Picoseconds completion);

  /// Exact order: the turn of the access has come. If too many are under way then, moves it back, with those it pushes,
  /// and returns by how much; 0: it may be sent on.
  Picoseconds hold(std::uint64_t ticket);
  /// Exact order: the access has been sent on and can no longer be moved.
  void fix(std::uint64_t ticket);
  /// Exact order: when the access starts as things are now; 0 if the link has been emptied meanwhile.
  Picoseconds start_of(std::uint64_t ticket) const;

  /// Begins and ends a stretch of time that counts in times(). The link is empty before begin().
  void begin(Picoseconds now);
  void end(Picoseconds now);

  /// What the link did. busy + waiting + idle = total, and busy is the sum of all durations reserved; anything else is
  /// an error of ours.
  struct Times {
    Picoseconds busy = 0;     ///< moved beats
    Picoseconds waiting = 0;  ///< stood still while the outstanding limit held an access
    Picoseconds idle = 0;
    Picoseconds total = 0;
    Picoseconds reserved = 0;  ///< sum of the durations
    bool conserved() const { return busy + waiting + idle == total && busy == reserved; }
  };
  /// Up to `now`, or to the end of the last reservation if that is later.
  Times times(Picoseconds now) const;

  void set_observer(Observer observer) { observer_ = std::move(observer); }

 private:
  struct Reservation {
    LinkRequest request;
    Picoseconds start = 0;
    Picoseconds end = 0;
    Picoseconds completion = 0;
    Picoseconds latest_completion = 0;  ///< at least that of each reservation up to here
    std::uint64_t ticket = 0;
    bool told = true;
    bool fixed = false;
  };
  using Iterator = std::deque<Reservation>::iterator;

  Reservation* find(std::uint64_t ticket);
  Grant insert(Iterator place, const LinkRequest& request, Picoseconds start, Picoseconds duration, bool told);
  Iterator find_place(const LinkRequest& request, Picoseconds duration, Picoseconds& start);
  void push_back_from(std::size_t index, Picoseconds from, unsigned newcomer);
  Picoseconds accepted_at(Picoseconds start) const;
  void retire_before(Picoseconds settled);
  void retire(const Reservation& reservation);

  const Arbiter& arbiter_;
  const unsigned outstanding_;
  const Overtaken overtaken_;
  std::deque<Reservation> reservations_;   // by start; they do not overlap
  std::vector<Picoseconds> waited_for_;    // by initiator
  std::vector<Picoseconds> last_arrival_;  // by initiator
  std::vector<bool> reported_;             // by initiator, in push_back_from()
  mutable std::vector<Picoseconds> in_flight_;
  std::uint64_t next_ticket_ = 1;
  unsigned last_served_ = Arbiter::kNobody;  // of what has been retired
  Picoseconds retired_end_ = 0;
  Picoseconds began_ = 0;
  bool counting_ = false;
  Times times_;
  Observer observer_;
};

}  // namespace vp
