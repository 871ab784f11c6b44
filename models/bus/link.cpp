#include "models/bus/link.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace vp {
namespace {

/// A caller may run ahead by so many accesses; beyond that the oldest reservations are taken as settled.
constexpr std::size_t kMostReservations = 65'536;

/// See shared().
constexpr Picoseconds kAloneAfter = 100'000'000;

}  // namespace

Link::Link(const Arbiter& arbiter, unsigned initiators, unsigned outstanding, Overtaken overtaken)
    : arbiter_(arbiter),
      outstanding_(outstanding),
      overtaken_(std::move(overtaken)),
      waited_for_(initiators),
      last_arrival_(initiators),
      reported_(initiators) {}

bool Link::shared(const LinkRequest& request) const {
  for (unsigned other = 0; other < last_arrival_.size(); ++other)
    if (other != request.initiator && request.arrival < last_arrival_[other] + kAloneAfter) return true;
  return false;
}

Link::Grant Link::insert(Iterator place, const LinkRequest& request, Picoseconds start, Picoseconds duration,
                         bool told) {
  const Picoseconds latest = place == reservations_.begin() ? 0 : std::prev(place)->latest_completion;
  reservations_.insert(place, {request, start, start + duration, 0, latest, next_ticket_, told, false});
  times_.reserved += duration;
  return {start, 0, next_ticket_++};
}

Link::Grant Link::reserve(const LinkRequest& request, Picoseconds duration, Picoseconds settled, bool told) {
  retire_before(settled);
  std::fill(waited_for_.begin(), waited_for_.end(), 0);
  Picoseconds& last_arrival = last_arrival_[request.initiator];
  last_arrival = std::max(last_arrival, request.arrival);
  const Picoseconds ready = std::max(request.arrival, retired_end_);
  waited_for_[request.initiator] = ready - request.arrival;
  if (outstanding_ == 0 && (reservations_.empty() || reservations_.back().end <= ready))
    return insert(reservations_.end(), request, ready, duration, told);

  Picoseconds held = 0, start = ready;
  Iterator place = find_place(request, duration, start);
  for (Picoseconds accepted = accepted_at(start); accepted > start; accepted = accepted_at(start)) {
    held += accepted - start;
    start = accepted;
    place = find_place(request, duration, start);
  }
  const auto index = static_cast<std::size_t>(place - reservations_.begin());
  Grant grant = insert(place, request, start, duration, told);
  grant.held = held;
  push_back_from(index + 1, start + duration, request.initiator);
  return grant;
}

/// The place of a request among the reservations, not before `start`; moves `start` to when its turn comes.
Link::Iterator Link::find_place(const LinkRequest& request, Picoseconds duration, Picoseconds& start) {
  auto at = std::partition_point(reservations_.begin(), reservations_.end(),
                                 [&](const Reservation& one) { return one.end <= start; });
  unsigned served = at == reservations_.begin() ? last_served_ : std::prev(at)->request.initiator;
  for (; at != reservations_.end(); ++at) {
    if (start + duration <= at->start) break;
    const bool under_way = at->start < start || at->fixed;
    // Before the other has arrived there is nobody to give way to.
    if (!under_way && (start < at->request.arrival || arbiter_.goes_first(request, at->request, served))) break;
    waited_for_[at->request.initiator] += at->end - start;
    start = at->end;
    served = at->request.initiator;
  }
  return at;
}

/// Moves reservations back that begin before the end of the one in front of them.
void Link::push_back_from(std::size_t index, Picoseconds from, unsigned newcomer) {
  std::fill(reported_.begin(), reported_.end(), false);
  for (; index < reservations_.size() && reservations_[index].start < from; ++index) {
    Reservation& one = reservations_[index];
    const Picoseconds by = from - one.start;
    one.start += by;
    one.end += by;
    from = one.end;
    if (one.told && reported_[one.request.initiator]) continue;  // not by more than the first
    reported_[one.request.initiator] = one.told;
    overtaken_({one.request.initiator, newcomer, by, one.told});
  }
}

/// The first time from `start` on at which fewer accesses are under way than are allowed.
Picoseconds Link::accepted_at(Picoseconds start) const {
  if (outstanding_ == 0) return start;
  in_flight_.clear();
  auto at = std::partition_point(reservations_.begin(), reservations_.end(),
                                 [&](const Reservation& one) { return one.start <= start; });
  while (at != reservations_.begin() && (--at)->latest_completion > start)
    if (at->completion > start) in_flight_.push_back(at->completion);
  if (in_flight_.size() < outstanding_) return start;
  const auto free = in_flight_.end() - outstanding_;
  std::nth_element(in_flight_.begin(), free, in_flight_.end());
  return *free;
}

Link::Reservation* Link::find(std::uint64_t ticket) {
  for (auto at = reservations_.rbegin(); at != reservations_.rend(); ++at)
    if (at->ticket == ticket) return &*at;
  return nullptr;
}

void Link::complete(std::uint64_t ticket, Picoseconds completion) {
  if (outstanding_ == 0) return;
  const auto last = std::find_if(reservations_.rbegin(), reservations_.rend(),
                                 [ticket](const Reservation& one) { return one.ticket == ticket; });
  if (last == reservations_.rend()) return;
  last->completion = completion;
  for (auto at = std::prev(last.base()); at != reservations_.end(); ++at)
    at->latest_completion = std::max(at->latest_completion, completion);
}

Picoseconds Link::hold(std::uint64_t ticket) {
  if (outstanding_ == 0) return 0;
  const auto one = std::find_if(reservations_.begin(), reservations_.end(),
                                [ticket](const Reservation& other) { return other.ticket == ticket; });
  if (one == reservations_.end()) return 0;
  const Picoseconds held = accepted_at(one->start) - one->start;
  one->start += held;
  one->end += held;
  push_back_from(static_cast<std::size_t>(one - reservations_.begin()) + 1, one->end, one->request.initiator);
  return held;
}

void Link::fix(std::uint64_t ticket) {
  if (Reservation* one = find(ticket)) one->fixed = true;
}

Picoseconds Link::start_of(std::uint64_t ticket) const {
  for (auto at = reservations_.rbegin(); at != reservations_.rend(); ++at)
    if (at->ticket == ticket) return at->start;
  return 0;
}

void Link::retire_before(Picoseconds settled) {
  while (!reservations_.empty()) {
    const Reservation& first = reservations_.front();
    if (std::max(first.end, first.completion) > settled && reservations_.size() < kMostReservations) return;
    retire(first);
    reservations_.pop_front();
  }
}

void Link::retire(const Reservation& one) {
  if (one.start < retired_end_) throw std::logic_error("bus: two accesses hold a link at once");
  const Picoseconds waited_from = std::max(retired_end_, std::min(one.request.arrival, one.start));
  times_.waiting += one.start - waited_from;
  times_.idle += waited_from - retired_end_;
  times_.busy += one.end - one.start;
  retired_end_ = one.end;
  last_served_ = one.request.initiator;
  if (observer_) observer_(one.request.initiator, one.start, one.end);
}

void Link::begin(Picoseconds now) {
  retired_end_ = std::max(retired_end_, now);
  began_ = retired_end_;
  std::fill(last_arrival_.begin(), last_arrival_.end(), began_);
  counting_ = true;
}

void Link::end(Picoseconds now) {
  for (const Reservation& one : reservations_) retire(one);
  reservations_.clear();
  if (now > retired_end_) {
    times_.idle += now - retired_end_;
    retired_end_ = now;
  }
  times_.total += retired_end_ - began_;
  counting_ = false;
}

Link::Times Link::times(Picoseconds now) const {
  if (!counting_) return times_;
  Link rest = *this;
  rest.observer_ = nullptr;
  rest.end(now);
  return rest.times_;
}

}  // namespace vp
