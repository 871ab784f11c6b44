#include <algorithm>

#include "models/bus/bus_ports.h"
#include "models/common/archive.h"

namespace vp {

void BadAccess::persist(Archive& archive) {
  archive("initiator", initiator)("address", address)("size", size)("write", write)("time", time);
  archive("result", result, AccessResult::no_answer)("pc", pc)("nearest", nearest);
}

void Bus::InitiatorPort::persist(Archive& archive) {
  archive.fixed("traffic", traffic)("next_issue", next_issue)("figures", figures)("parts", parts)("time", time);
  archive("latency_sum", latency_sum);
}

void Bus::TargetPort::persist(Archive& archive) { archive("delivered", delivered); }

void Bus::LinkPort::persist(Archive& archive) { archive("link", link)("figures", figures); }

bool Bus::quiet() const {
  const auto nobody_waits = [](const std::unique_ptr<LinkPort>& port) { return port->link.empty() && !port->in_hand; };
  return in_flight_ == 0 && deferred_.empty() && flights_.size() == free_flights_.size() &&
         waiters_.size() == free_waiters_.size() && std::all_of(links_.begin(), links_.end(), nobody_waits);
}

void Bus::persist(Archive& archive) {
  for (const auto& port : initiators_) archive(port->label.c_str(), *port);
  for (std::size_t i = 0; i < targets_.size(); ++i) archive(map_.windows()[i].name.c_str(), *targets_[i]);
  for (const auto& port : links_) archive(port->label.c_str(), *port);
  archive("reservations", reservations_)("fidelity", fidelity_, Fidelity::timed);
  archive("next_fidelity", next_fidelity_, Fidelity::timed)("stragglers", stragglers_);
  archive("bad_accesses", bad_accesses_)("last_bad_access", last_bad_access_);
  archive("bad_access_count", bad_access_count_)("synchronisations", synchronisations_)("ordered", ordered_);
}

}  // namespace vp
