// Blocking accesses of functional mode as calls, from the initiator's socket to the target's: no payload, no SystemC
// time.
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

/// The same steps as transport(), forward() and send() take with a payload.
bool Bus::answer_at_once(InitiatorPort& from, const Access& access, Answer& answer) {
  if (fidelity_ != Fidelity::functional || !is_ordinary(access)) return false;
  const unsigned window = decode(from, access.address, access.size);
  if (window == AddressMap::kNone) return false;
  const BusWindow& place = map_.windows()[window];
  TlmTarget* const target = targets_[window]->direct;
  const Picoseconds arrival = access.time + hop_;
  if (target == nullptr || must_synchronise(place, arrival)) return false;

  from.last_window = window;
  if (access.write) reservations_.written(from.index, access.address, access.size);
  Access there = access;
  there.address -= place.base;
  there.time = arrival;
  there.initiator = from.index;
  forwarding_ = true;
  answer = target->access(there);
  forwarding_ = false;
  if (answer.ok()) {
    count(from, window, {access.address, access.size, access.write, kNoPc});
    // The target's beats and the bus's overlap; the slower of the two counts.
    const Picoseconds streaming = streaming_time(from, window, access.size);
    const Picoseconds streamed = access.size <= kOneBeat ? 0 : answer.streamed;
    answer.completion += std::max(streaming, streamed) - streamed;
  } else {
    settle_failure(from, window, access, arrival, answer);
  }
  if (next_fidelity_ != fidelity_) change_fidelity();
  return true;
}

void Bus::settle_failure(InitiatorPort& from, unsigned window, const Access& access, Picoseconds arrival,
                         Answer& answer) {
  const AccessLabel label{access.address, access.size, access.write, access.pc};
  if (answer.result == AccessResult::no_answer) {
    answer.completion += config_.timeout;
    give_up(from, window, label, answer.completion, answer.why);
  }
  note_bad_access(from, label, to_result(to_response(answer.result)), arrival);
}

}  // namespace vp
