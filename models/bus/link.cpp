#include "models/bus/link.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace vp {
namespace {

/// Who runs ahead for long may leave so much history behind it; nobody waits for that long.
constexpr std::size_t kMostHistory = 4096;

}  // namespace

Link::Link(const Arbiter& arbiter, unsigned initiators, unsigned outstanding)
    : arbiter_(arbiter),
      outstanding_(outstanding),
      queues_(initiators),
      waiting_(initiators, LinkWaiting(initiators)) {}

LinkGrant Link::take(const LinkRequest& request, Picoseconds duration, Picoseconds settled) {
  const bool behind = request.arrival < ahead_;
  const LinkGrant taken = grant(request, start_at(behind ? ahead_ : request.arrival), duration, settled);
  ahead_ = std::max(ahead_, request.arrival);
  return taken;
}

void Link::enter(const LinkRequest& request, Picoseconds duration, LinkTurn& turn) {
  std::deque<Waiter>& queue = queues_[request.initiator];
  auto place = queue.end();
  while (place != queue.begin() && request.arrival < std::prev(place)->request.arrival) --place;
  queue.insert(place, {request, duration, &turn});
  ++queued_;
}

const LinkRequest* Link::first() const {
  const LinkRequest* first = nullptr;
  if (queued_ == 0) return first;
  for (const auto& queue : queues_)
    if (!queue.empty() && (first == nullptr || queue.front().request.arrival < first->arrival))
      first = &queue.front().request;
  return first;
}

Picoseconds Link::next_turn() const { return queued_ == 0 ? kNever : start_at(first_arrival()); }

/// The initiator to be served at `time`, of those that have arrived.
unsigned Link::next_in_line(Picoseconds time) const {
  unsigned best = Arbiter::kNobody;
  for (unsigned i = 0; i < queues_.size(); ++i) {
    if (queues_[i].empty() || queues_[i].front().request.arrival > time) continue;
    // The initiators come in the order of their numbers, so a later one must be before the best, not beside it.
    if (best == Arbiter::kNobody ||
        arbiter_.goes_first(queues_[i].front().request, queues_[best].front().request, last_served_))
      best = i;
  }
  return best;
}

void Link::serve(Picoseconds settled) {
  const Picoseconds start = next_turn();
  std::deque<Waiter>& queue = queues_[next_in_line(start)];
  const Waiter waiter = queue.front();
  queue.pop_front();
  --queued_;
  waiter.turn->granted(grant(waiter.request, start, waiter.duration, settled));
}

void Link::release(Picoseconds now) {
  for (auto& queue : queues_) {
    const std::deque<Waiter> waiters = std::exchange(queue, {});
    queued_ -= waiters.size();
    for (const Waiter& waiter : waiters) waiter.turn->granted({std::max(waiter.request.arrival, now), 0, 0, 0});
  }
}

LinkGrant Link::grant(const LinkRequest& request, Picoseconds start, Picoseconds duration, Picoseconds settled) {
  if (start < free_) throw std::logic_error("bus: two accesses hold a link at once");
  LinkGrant grant;
  grant.start = start;
  grant.ticket = next_ticket_++;
  if (request.arrival < ahead_) grant.late = ahead_ - request.arrival;
  const Picoseconds arrival = request.arrival + grant.late;
  account(request, arrival, grant);
  const Picoseconds waited_from = std::max(free_, std::min(arrival, start));
  times_.waiting += start - waited_from;
  times_.idle += waited_from - free_;
  times_.busy += duration;
  times_.reserved += duration;
  free_ = start + duration;
  last_served_ = request.initiator;
  const Picoseconds oldest = std::min(settled, first_arrival());
  while (!history_.empty() && (history_.front().end <= oldest || history_.size() == kMostHistory)) history_.pop_front();
  if (!history_.empty() && history_.back().initiator == request.initiator && history_.back().end == start)
    history_.back().end = free_;
  else
    history_.push_back({request.initiator, start, free_});
  last_start_ = start;
  if (outstanding_ != 0) under_way_.push_back({grant.ticket, kNever});
  if (observer_) observer_(request.initiator, start, free_);
  return grant;
}

/// What the time from the arrival to the start was waited for: beats of others (and its own), else the limit.
void Link::account(const LinkRequest& request, Picoseconds arrival, LinkGrant& grant) {
  LinkWaiting& waiting = waiting_[request.initiator];
  Picoseconds left = grant.start - arrival;
  for (std::size_t i = history_.size(); left != 0 && i != 0 && history_[i - 1].end > arrival; --i) {
    const Beats& beats = history_[i - 1];
    const Picoseconds part = beats.end - std::max(beats.start, arrival);
    waiting.behind[beats.initiator] += part;
    left -= part;
  }
  grant.held = left;
  waiting.held += left;
  waiting.overtaken += grant.late;
  if (grant.late == 0) return;
  ++late_.number;
  late_.worst = std::max(late_.worst, grant.late);
  late_.sum += grant.late;
}

/// The first time from `start` on at which fewer accesses are under way than are allowed; kNever: not known yet.
Picoseconds Link::accepted_at(Picoseconds start) const {
  completions_.clear();
  for (const UnderWay& one : under_way_)
    if (one.completion > start) completions_.push_back(one.completion);
  if (completions_.size() < outstanding_) return start;
  const auto free = completions_.end() - outstanding_;
  std::nth_element(completions_.begin(), free, completions_.end());
  return *free;
}

bool Link::is_limit_certain(Picoseconds arrival, Picoseconds now) const {
  const Picoseconds ready = std::max(arrival, free_), start = accepted_at(ready);
  if (start <= std::max(ready, now)) return true;
  return std::none_of(under_way_.begin(), under_way_.end(),
                      [](const UnderWay& one) { return one.completion == kNever; });
}

void Link::complete(std::uint64_t ticket, Picoseconds completion) {
  if (outstanding_ == 0) return;
  // Turns start in order, so what is over before the last start counts no more.
  for (UnderWay& one : under_way_)
    if (one.ticket == ticket) one.completion = completion;
  under_way_.erase(std::remove_if(under_way_.begin(), under_way_.end(),
                                  [this](const UnderWay& one) { return one.completion <= last_start_; }),
                   under_way_.end());
}

void Link::begin(Picoseconds now) {
  free_ = std::max(free_, now);
  began_ = free_;
  counting_ = true;
}

void Link::end(Picoseconds now) {
  if (now > free_) {
    times_.idle += now - free_;
    free_ = now;
  }
  times_.total += free_ - began_;
  counting_ = false;
}

Link::Times Link::times(Picoseconds now) const {
  Times times = times_;
  if (!counting_) return times;
  if (now > free_) times.idle += now - free_;
  times.total += std::max(now, free_) - began_;
  return times;
}

}  // namespace vp
