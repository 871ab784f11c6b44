#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "models/bus/arbiter.h"
#include "models/common/clock.h"
#include "models/common/ring.h"

namespace vp {

class Archive;

/// What an initiator has waited for at a link.
struct LinkWaiting {
  explicit LinkWaiting(std::size_t initiators) : behind(initiators) {}
  std::vector<Picoseconds> behind;  ///< by the initiator that held the link
  Picoseconds held = 0;             ///< outstanding limit
  Picoseconds overtaken = 0;        ///< it came later than one that had run ahead of the kernel
  void persist(Archive& archive);
};

/// How an access got its turn on a link.
struct LinkGrant {
  Picoseconds start = 0;
  Picoseconds held = 0;  ///< waited because of the outstanding limit
  Picoseconds late = 0;  ///< it arrived so much earlier than an access that had run ahead of it; see Link
  std::uint64_t ticket = 0;
};

/// An access that waits for its turn.
class LinkTurn {
 public:
  virtual ~LinkTurn() = default;
  /// In the order of the turns; `start` is now, except when the link is emptied.
  virtual void granted(const LinkGrant& grant) = 0;
};

/// A link of the bus: carries the beats of one access at a time.
///
/// Accesses in *exact order* enter and are served one by one, at the kernel's time, as the arbiter says: among equals
/// the earlier arrival, then the lower number of the initiator. Accesses of one initiator keep their order of arrival.
/// Who knows that nobody else can come before it *takes* its turn at once, ahead of the kernel. One who arrives earlier
/// all the same, having announced nothing, is answered as if it arrived with the one that ran ahead; the shift is
/// counted.
class Link {
 public:
  /// Beats of an initiator from `start` to `end`, in the order of time.
  using Observer = std::function<void(unsigned initiator, Picoseconds start, Picoseconds end)>;

  /// outstanding: so many accesses may have been accepted and not completed; 0: any number.
  Link(const Arbiter& arbiter, unsigned initiators, unsigned outstanding);

  /// Nobody waits for a turn.
  bool empty() const { return queued_ == 0; }
  /// The one who arrived first, of equals with the lowest number, of those who wait; nullptr: nobody.
  const LinkRequest* first() const;
  /// When that was; kNever: nobody.
  Picoseconds first_arrival() const {
    const LinkRequest* const request = first();
    return request == nullptr ? kNever : request->arrival;
  }
  /// When an access that arrives then could start, behind those that have had their turns; kNever: not known yet.
  Picoseconds start_at(Picoseconds arrival) const {
    const Picoseconds ready = arrival < free_ ? free_ : arrival;
    return outstanding_ == 0 ? ready : accepted_at(ready);
  }
  /// When take() would give an access its turn, without a limit of outstanding ones.
  Picoseconds start_ahead(Picoseconds arrival) const { return std::max({arrival, ahead_, free_}); }
  /// That is certain at the kernel's time `now`: with a limit of outstanding accesses one whose completion is not known
  /// yet may complete from now on, and let this one start earlier.
  bool is_certain(Picoseconds arrival, Picoseconds now) const {
    return outstanding_ == 0 || is_limit_certain(arrival, now);
  }
  /// Takes the turn at start_at(), for `duration` (at least 1). settled: no request will arrive earlier.
  LinkGrant take(const LinkRequest& request, Picoseconds duration, Picoseconds settled);
  /// Waits for a turn; `turn` is called by serve() or empty().
  void enter(const LinkRequest& request, Picoseconds duration, LinkTurn& turn);
  /// When the next one of those who wait can be served; kNever: nobody waits, or it depends on a completion to come.
  Picoseconds next_turn() const;
  /// Serves the one whose turn it is at next_turn(), which has come.
  void serve(Picoseconds settled);
  /// Ends everybody's waiting without a turn: timed mode ends. Accesses start when they arrive, or now.
  void release(Picoseconds now);
  /// The access has been completed; for the outstanding limit.
  void complete(std::uint64_t ticket, Picoseconds completion);

  /// Begins and ends a stretch of time that counts in times().
  void begin(Picoseconds now);
  void end(Picoseconds now);

  /// What the link did. busy + waiting + idle = total, and busy is the sum of all durations; anything else is an error
  /// of ours.
  struct Times {
    Picoseconds busy = 0;     ///< moved beats
    Picoseconds waiting = 0;  ///< stood still while the outstanding limit held an access
    Picoseconds idle = 0;
    Picoseconds total = 0;
    Picoseconds reserved = 0;  ///< sum of the durations
    void persist(Archive& archive);
    bool conserved() const { return busy + waiting + idle == total && busy == reserved; }
  };
  /// Up to `now`, or to the end of the last turn if that is later.
  Times times(Picoseconds now) const;
  const LinkWaiting& waiting(unsigned initiator) const { return waiting_[initiator]; }
  /// Accesses that arrived earlier than one that had run ahead, and by how much at worst and in all.
  struct LateArrivals {
    std::uint64_t number = 0;
    Picoseconds worst = 0;
    Picoseconds sum = 0;
    void persist(Archive& archive);
  };
  const LateArrivals& late_arrivals() const { return late_; }

  /// Nobody waits.
  void persist(Archive& archive);

  void set_observer(Observer observer) { observer_ = std::move(observer); }

 private:
  struct Waiter {
    LinkRequest request;
    Picoseconds duration = 0;
    LinkTurn* turn = nullptr;
  };
  struct Beats {
    unsigned initiator;
    Picoseconds start, end;
    void persist(Archive& archive);
  };
  struct UnderWay {
    std::uint64_t ticket;
    Picoseconds completion;  // kNever: not known yet
    void persist(Archive& archive);
  };

  LinkGrant grant(const LinkRequest& request, Picoseconds start, Picoseconds duration, Picoseconds settled);
  void account(const LinkRequest& request, Picoseconds arrival, LinkGrant& grant);
  unsigned next_in_line(Picoseconds time) const;
  Picoseconds accepted_at(Picoseconds start) const;
  bool is_limit_certain(Picoseconds arrival, Picoseconds now) const;

  const Arbiter& arbiter_;
  const unsigned outstanding_;
  std::vector<std::deque<Waiter>> queues_;  // by initiator, by arrival
  std::size_t queued_ = 0;
  Ring<Beats> history_;  // as far back as somebody may still have waited for it
  std::vector<LinkWaiting> waiting_;
  std::vector<UnderWay> under_way_;  // with a limit only
  mutable std::vector<Picoseconds> completions_;
  std::uint64_t next_ticket_ = 1;
  unsigned last_served_ = Arbiter::kNobody;
  Picoseconds free_ = 0;  // from when on no beats move
  Picoseconds last_start_ = 0;
  Picoseconds ahead_ = 0;  // arrival of the last one that took its turn ahead of the kernel
  LateArrivals late_;
  Picoseconds began_ = 0;
  bool counting_ = false;
  Times times_;
  Observer observer_;
};

}  // namespace vp
