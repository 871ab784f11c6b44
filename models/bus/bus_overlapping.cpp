// Accesses that are answered later: on their way as calls, with one kernel event a turn.
#include <algorithm>
#include <utility>

#include "models/bus/bus_ports.h"
#include "models/common/tlm_time.h"

namespace vp {

Bus::Flight& Bus::free_flight() {
  if (free_flights_.empty()) free_flights_.push_back(&flights_.emplace_back(*this));
  Flight& flight = *free_flights_.back();
  free_flights_.pop_back();
  return flight;
}

void Bus::begin(InitiatorPort& from, PendingAccess& pending) {
  const Access& access = pending.access;
  const unsigned window = decode(from, access.address, std::max(access.size, 1u));
  if (window == AddressMap::kNone || access.kind != AccessKind::plain || targets_[window]->later == nullptr) {
    Answer answer;
    answer.result = window == AddressMap::kNone ? AccessResult::address_error : AccessResult::command_error;
    answer.completion = access.time + hop_;
    note_bad_access(from, {access.address, access.size, access.write, access.pc}, answer.result, answer.completion);
    pending.answer(answer);
    return;
  }
  from.last_window = window;
  Flight& flight = free_flight();
  flight.from = &from;
  flight.upstream = &pending;
  flight.window = window;
  flight.label = {access.address, access.size, access.write, access.pc};
  flight.access = access;
  flight.access.address -= map_.windows()[window].base;
  flight.access.initiator = from.index;
  flight.access.time = access.time + hop_;
  flight.timed = fidelity_ == Fidelity::timed;
  const bool memory = map_.windows()[window].memory;
  if (!flight.timed) {
    if (memory)
      flight.start();
    else
      defer(flight, flight.access.time);
    return;
  }
  ++in_flight_;
  ++from.in_flight;
  TimedAccess& timing = flight.timing;
  timing = {};
  timing.issued = access.time;
  timing.arrival = flight.access.time;
  timing.link = link_of_window_[window];
  timing.parts.hop = hop_;
  LinkPort& port = *links_[timing.link];
  const LinkRequest request{from.index, timing.arrival};
  const Picoseconds duration = occupancy(from, window, access.size);
  const Picoseconds now = kernel_time();
  if (memory && may_take(from, port, timing.arrival, now)) {
    flight.granted(port.link.take(request, duration, now));
    return;
  }
  ++ordered_;
  port.link.enter(request, duration, flight);
  schedule(port);
}

void Bus::Flight::granted(const LinkGrant& grant) {
  bus_.grant(timing, grant);
  access.time = grant.start;
  if (bus_.map_.windows()[window].memory)
    start();
  else
    bus_.defer(*this, grant.start);
}

void Bus::Flight::start() {
  alone_until = 0;
  if (timed) {
    alone_until = std::min(upstream->alone_until, bus_.others_at(*from, window));
    // Whoever comes has to wait for these beats first. An atomic access at its target has had its turn already.
    const Link& link = bus_.links_[timing.link]->link;
    if (bus_.config_.outstanding == 0 && bus_.blocked_.size() == bus_.free_blocked_.size())
      alone_until = std::max(alone_until, link.start_at(0));
  }
  // Its bytes may be written now or when it is answered.
  if (label.write) bus_.reservations_.written(from->index, label.address, label.size);
  const bool outer = std::exchange(bus_.forwarding_, true);
  bus_.targets_[window]->later->begin(*this);
  bus_.forwarding_ = outer;
  if (!outer && bus_.next_fidelity_ != bus_.fidelity_) bus_.change_fidelity();
}

void Bus::Flight::answer(const Answer& answer) {
  Answer mine;
  mine.result = answer.result;
  mine.completion = answer.completion;
  mine.dmi = answer.dmi && !timed;
  if (!mine.ok()) mine.why = answer.why;
  const Picoseconds started = access.time;
  Picoseconds beats = 0;
  if (mine.ok()) {
    bus_.count(*from, window, label);
    const Picoseconds streaming = bus_.streaming_time(*from, window, label.size);
    beats = streaming > answer.streamed ? streaming - answer.streamed : 0;
    mine.completion += beats;
  } else if (mine.result == AccessResult::no_answer) {
    mine.completion += bus_.config_.timeout;
    bus_.give_up(*from, window, label, mine.completion, mine.why);
  }
  if (timed) {
    timing.completion = mine.completion;
    timing.parts.beats = beats;
    timing.parts.target = mine.completion - started - beats;
    bus_.record(*from, timing, label, mine.ok());
  }
  if (timed && bus_.config_.outstanding != 0) bus_.schedule(*bus_.links_[timing.link]);
  if (!mine.ok()) bus_.note_bad_access(*from, label, mine.result, started);
  PendingAccess& asked = *std::exchange(upstream, nullptr);
  bus_.free_flights_.push_back(this);
  asked.answer(mine);
}

/// A device may change by itself, so an access is there when the kernel is, and behind the visible events of the
/// instant.
void Bus::defer(Flight& flight, Picoseconds time) {
  deferred_.emplace(time, &flight);
  const Picoseconds first = deferred_.begin()->first, now = kernel_time();
  deferred_due_.notify(first > now ? to_sc_time(first - now) : sc_core::SC_ZERO_TIME);
}

void Bus::start_deferred() {
  constexpr unsigned kMaximumDeltas = 10'000;
  const Picoseconds now = kernel_time();
  while (!deferred_.empty() && deferred_.begin()->first <= now) {
    if (horizon_.earliest() <= now) {
      if (++deferred_deltas_ == kMaximumDeltas)
        SC_REPORT_FATAL(name(), "a visible event that is due is never delivered");
      deferred_due_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    deferred_deltas_ = 0;
    Flight& flight = *deferred_.begin()->second;
    deferred_.erase(deferred_.begin());
    flight.access.time = std::max(flight.access.time, now);
    flight.start();
  }
  if (!deferred_.empty()) deferred_due_.notify(to_sc_time(deferred_.begin()->first - now));
}

}  // namespace vp
