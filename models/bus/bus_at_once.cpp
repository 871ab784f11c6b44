// Blocking accesses as calls, from the initiator's socket to the target's: no payload, no SystemC time, nobody waits.
#include <algorithm>

#include "models/bus/bus.h"
#include "models/bus/bus_ports.h"
#include "models/common/tlm_result.h"

namespace vp {
namespace {

/// The base protocol lets a transaction be odder than a call can say.
bool is_ordinary(const Access& access) {
  return access.kind == AccessKind::plain && access.data != nullptr && access.strobes == nullptr && access.size != 0;
}

/// Up to so many bytes come in one beat, of which nothing streams.
constexpr unsigned kOneBeat = 4;

}  // namespace

Bus::Route Bus::make_route(const InitiatorPort& from, unsigned window) const {
  const TargetPort& to = *targets_[window];
  Route route;
  route.window = window;
  route.place = &map_.windows()[window];
  route.target = to.direct;
  route.link = links_[link_of_window_[window]].get();
  route.one_beat = std::min({beats_.bytes, from.beats.bytes, to.beats.bytes});
  route.beat = occupancy(from, window, 1);
  return route;
}

const Bus::Route* Bus::find_route(InitiatorPort& from, std::uint64_t address, unsigned size) {
  const unsigned window = map_.find(address, size);
  if (window == AddressMap::kNone) return nullptr;
  Route& route = from.routes[window];
  if (route.window == AddressMap::kNone) route = make_route(from, window);
  from.last_window = window;
  return from.route = &route;
}

/// The access is at its target at `arrival`. Returns the time that the bus's beats took beyond the target's.
[[gnu::always_inline]] inline Picoseconds Bus::call_target(InitiatorPort& from, const Route& route,
                                                           const Access& access, Picoseconds arrival, Answer& answer) {
  if (access.write) reservations_.written(from.index, access.address, access.size);
  Access there = access;
  there.address -= route.place->base;
  there.time = arrival;
  there.initiator = from.index;
  forwarding_ = true;
  answer = route.target->access(there);
  forwarding_ = false;
  if (!answer.ok()) {
    if (answer.result != AccessResult::no_answer) return 0;
    answer.completion += config_.timeout;
    give_up(from, route.window, {access.address, access.size, access.write, access.pc}, answer.completion, answer.why);
    return 0;
  }
  count(from, route.window, {access.address, access.size, access.write, kNoPc});
  if (access.size <= route.one_beat && access.size <= kOneBeat) return 0;
  // The target's beats and the bus's overlap; the slower of the two counts.
  const Picoseconds streaming = streaming_time(from, route.window, access.size);
  const Picoseconds streamed = access.size <= kOneBeat ? 0 : answer.streamed;
  const Picoseconds beats = std::max(streaming, streamed) - streamed;
  answer.completion += beats;
  return beats;
}

/// The same steps as transport(), forward() and send() take with a payload.
bool Bus::answer_at_once(InitiatorPort& from, const Access& access, Answer& answer) {
  if (!is_ordinary(access)) return false;
  const Route* route = from.route;  // most accesses go where the one before went
  if (route == nullptr || !route->holds(access.address, access.size))
    route = find_route(from, access.address, access.size);
  if (route == nullptr || route->target == nullptr) return false;
  if (fidelity_ == Fidelity::timed) return answer_timed(from, *route, access, answer);
  const Picoseconds arrival = access.time + hop_;
  if (must_synchronise(*route->place, arrival)) return false;
  call_target(from, *route, access, arrival, answer);
  if (!answer.ok()) note_bad_answer(from, access, answer, arrival);
  if (next_fidelity_ != fidelity_) change_fidelity();
  return true;
}

/// The same steps as transport_timed() takes with a payload, if its turn is known and it has nobody to wait for.
/// Memories may answer later; with a limit of outstanding accesses the turn may depend on completions to come.
bool Bus::answer_timed(InitiatorPort& from, const Route& route, const Access& access, Answer& answer) {
  TimedAccess timed;
  timed.issued = access.time;
  timed.arrival = access.time + hop_;
  LinkPort& port = *route.link;
  const Picoseconds now = kernel_time();
  if (route.place->memory || config_.outstanding != 0 || !may_take(from, port, timed.arrival, now)) return false;
  if (must_synchronise(*route.place, port.link.start_ahead(timed.arrival))) return false;

  ++in_flight_;
  ++from.in_flight;
  timed.link = link_of_window_[route.window];
  timed.parts.hop = hop_;
  const Picoseconds duration = access.size <= route.one_beat ? route.beat : occupancy(from, route.window, access.size);
  grant(timed, port.link.take({from.index, timed.arrival}, duration, now));
  timed.parts.beats = call_target(from, route, access, timed.start, answer);
  timed.completion = answer.completion;
  timed.parts.target = timed.completion - timed.start - timed.parts.beats;
  answer.dmi = false;
  record(from, timed, {access.address, access.size, access.write, access.pc}, answer.ok());
  schedule(port);
  if (!answer.ok()) note_bad_answer(from, access, answer, timed.start);
  if (next_fidelity_ != fidelity_) change_fidelity();
  return true;
}

void Bus::note_bad_answer(const InitiatorPort& from, const Access& access, const Answer& answer, Picoseconds arrival) {
  note_bad_access(from, {access.address, access.size, access.write, access.pc}, to_result(to_response(answer.result)),
                  arrival);
}

}  // namespace vp
