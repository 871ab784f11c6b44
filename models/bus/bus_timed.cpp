// The bus in timed mode: links have occupancy, and initiators wait for each other.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "models/bus/bus_ports.h"
#include "models/common/error.h"
#include "models/common/tlm_time.h"

namespace vp {
namespace {

/// Ranks by initiator number: those named come first, the others follow in their own order.
std::vector<unsigned> ranks_of(const std::string& priority, const std::vector<std::string>& initiators) {
  constexpr unsigned kUnranked = ~0u;
  std::vector<unsigned> ranks(initiators.size(), kUnranked);
  unsigned next = 0;
  std::istringstream names(priority);
  for (std::string name; std::getline(names, name, ',');) {
    const auto at = std::find(initiators.begin(), initiators.end(), name);
    if (at == initiators.end()) {
      std::string known;
      for (const std::string& one : initiators) known += (known.empty() ? "" : ", ") + one;
      throw UserError("bus.priority names '" + name + "', but the initiators on the bus are " + known + ".");
    }
    unsigned& rank = ranks[static_cast<std::size_t>(at - initiators.begin())];
    if (rank != kUnranked) throw UserError("bus.priority names '" + name + "' twice.");
    rank = next++;
  }
  for (unsigned& rank : ranks)
    if (rank == kUnranked) rank = next++;
  return ranks;
}

}  // namespace

void Bus::make_links(const std::vector<std::string>& names) {
  const auto count = static_cast<unsigned>(names.size());
  arbiter_ = make_arbiter(config_.arbitration, ranks_of(config_.priority, names));
  const bool shared = config_.topology == BusTopology::shared;
  for (const BusWindow& window : map_.windows()) {
    if (!shared || links_.empty()) {
      const auto index = static_cast<unsigned>(links_.size());
      links_.push_back(
          std::make_unique<LinkPort>(shared ? "shared" : window.name, *arbiter_, count, config_.outstanding,
                                     [this, index](const Link::Overtaking& what) { overtaken(index, what); }));
    }
    link_of_window_.push_back(static_cast<unsigned>(links_.size() - 1));
  }
  for (const auto& port : initiators_) port->waiting.resize(links_.size(), LinkWaiting(count));
}

void Bus::overtaken(unsigned link, const Link::Overtaking& what) {
  InitiatorPort& port = *initiators_[what.initiator];
  LinkWaiting& waiting = port.waiting[link];
  if (!what.told) {
    waiting.behind[what.newcomer] += what.by;  // its access is still here and waits
    return;
  }
  waiting.overtaken += what.by;
  port.owed += what.by;
}

void Bus::transport_timed(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                          sc_core::sc_time& delay, bool may_wait) {
  ++in_flight_;
  TimedAccess access;
  access.issued = kernel_time() + from_sc_time(delay);
  access.link = link_of_window_[window];
  access.parts.hop = hop_;
  access.parts.overtaken = std::exchange(from.owed, 0);
  from.paying += access.parts.overtaken;
  access.arrival = access.issued + hop_ + access.parts.overtaken;
  const unsigned length = payload.get_data_length();
  take_link(from, access, beats(length) * config_.clock, may_wait);
  if (may_wait && must_synchronise(map_.windows()[window], access.start)) {
    ++synchronisations_;
    synchronize(horizon_, access.start);
  }
  delay = to_sc_time(access.start - kernel_time());
  access.parts.beats = forward(from, window, payload, delay);
  access.completion = kernel_time() + from_sc_time(delay);
  access.parts.target = access.completion - access.start - access.parts.beats;
  payload.set_dmi_allowed(false);
  links_[access.link]->link.complete(access.ticket, access.completion);
  record(from, access, payload);
  if (payload.is_response_error()) note_bad_access(from, payload, access.start);
}

bool Bus::must_order(const Link& link, const LinkRequest& request) const {
  switch (config_.sync) {
    case BusOrder::decoupled:
      return false;
    case BusOrder::shared:
      return link.shared(request);
    case BusOrder::exact:
      break;
  }
  return true;
}

void Bus::take_link(InitiatorPort& from, TimedAccess& access, Picoseconds duration, bool may_wait) {
  Link& link = links_[access.link]->link;
  const bool exact = may_wait && must_order(link, {from.index, access.arrival});
  ordered_ += exact;
  if (exact && access.arrival > kernel_time()) {
    sc_core::wait(to_sc_time(access.arrival - kernel_time()));
    if (fidelity_ != Fidelity::timed) {  // a guest has ended the timed part of the run meanwhile
      access.start = access.arrival;
      return;
    }
  }
  const Link::Grant grant = link.reserve({from.index, access.arrival}, duration, kernel_time(), !exact);
  access.ticket = grant.ticket;
  access.start = grant.start;
  access.parts.held = grant.held;
  LinkWaiting& waiting = from.waiting[access.link];
  waiting.held += grant.held;
  for (std::size_t i = 0; i < waiting.behind.size(); ++i) waiting.behind[i] += link.waited_for()[i];
  if (exact) {
    // Whoever arrives in the same instant, or while this access waits, may still be given the turn.
    if (!arbiter_->keeps_arrivals()) sc_core::wait(sc_core::SC_ZERO_TIME);
    Picoseconds held = 0;
    do {
      while (link.start_of(grant.ticket) > kernel_time())
        sc_core::wait(to_sc_time(link.start_of(grant.ticket) - kernel_time()));
      held = link.hold(grant.ticket);
      access.parts.held += held;
      waiting.held += held;
    } while (held != 0);
    link.fix(grant.ticket);
    access.start = kernel_time();
  }
  access.parts.waiting = access.start - access.arrival - access.parts.held;
}

void Bus::record(InitiatorPort& from, const TimedAccess& access, const tlm::tlm_generic_payload& payload) {
  --in_flight_;
  if (fidelity_ != Fidelity::timed) {  // it waited while a guest ended the timed part of the run
    ++stragglers_;
    return;
  }
  from.time.add(access.issued, access.completion);
  from.parts += access.parts;
  from.paying -= access.parts.overtaken;
  from.latency_sum += access.completion - access.issued;
  if (!payload.is_response_ok() || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const bool write = payload.is_write();
  from.figures.add(write, payload.get_data_length(), access.completion - access.issued);
  links_[access.link]->figures.add(write, payload.get_data_length(), access.completion - access.arrival);
}

void Bus::set_fidelity(Fidelity fidelity) {
  next_fidelity_ = fidelity;
  // From within an access (the guest's marker) it takes effect behind it.
  if (!forwarding_) change_fidelity();
}

void Bus::change_fidelity() {
  fidelity_ = next_fidelity_;
  const Picoseconds now = kernel_time();
  if (fidelity_ == Fidelity::timed) {
    for (const auto& port : links_) port->link.begin(now);
    for (const auto& port : initiators_) {
      port->time.begin(now);
      if (sc_core::sc_is_running()) (*port)->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
    }
  } else {
    for (const auto& port : links_) port->link.end(now);
    for (const auto& port : initiators_) port->time.end(now);
  }
}

void Bus::settle() {
  if (fidelity_ != Fidelity::timed) return;
  const Picoseconds now = kernel_time();
  for (const auto& port : links_) {
    port->link.end(now);
    port->link.begin(now);
  }
}

void Bus::on_link_busy(const std::string& link, Link::Observer observer) {
  for (const auto& port : links_)
    if (port->label == link) {
      port->link.set_observer(std::move(observer));
      return;
    }
  throw std::logic_error("the bus has no link " + link);
}

std::vector<std::string> Bus::links() const {
  std::vector<std::string> names;
  for (const auto& port : links_) names.push_back(port->label);
  return names;
}

}  // namespace vp
