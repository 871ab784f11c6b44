// The bus in timed mode: links have occupancy, and initiators wait for each other.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "models/bus/bus_ports.h"
#include "models/common/error.h"
#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

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
      links_.push_back(
          std::make_unique<LinkPort>(shared ? "shared" : window.name, *arbiter_, count, config_.outstanding));
      LinkPort* const port = links_.back().get();
      sc_core::sc_spawn_options method;
      method.spawn_method();
      method.dont_initialize();
      method.set_sensitivity(&port->due);
      sc_core::sc_spawn([this, port] { serve(*port); }, ("serve_" + port->label).c_str(), &method);
    }
    link_of_window_.push_back(static_cast<unsigned>(links_.size() - 1));
  }
}

void Bus::transport_timed(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                          sc_core::sc_time& delay, bool may_wait) {
  ++in_flight_;
  ++from.in_flight;
  const auto* const notes = payload.get_extension<TransportNotes>();
  const AccessLabel label = label_of(payload, notes);
  const unsigned times = notes != nullptr && notes->kind == AccessKind::atomic ? 2 : 1;  // a load and a store
  TimedAccess access;
  access.issued = kernel_time() + from_sc_time(delay);
  access.link = link_of_window_[window];
  access.parts.hop = hop_;
  access.arrival = access.issued + hop_;
  take_link(from, access, times * occupancy(from, window, label.size), may_wait);
  if (may_wait && must_synchronise(map_.windows()[window], access.start)) {
    ++synchronisations_;
    synchronize(horizon_, access.start);
  }
  delay = to_sc_time(access.start - kernel_time());
  LinkPort& port = *links_[access.link];
  if (port.in_hand && targets_[window]->may_wait) {
    port.in_hand = false;
    if (!port.link.empty()) port.due.cancel(), port.due.notify(sc_core::SC_ZERO_TIME);  // behind this one
  }
  const bool later = may_wait && answers_later(window, payload);
  if (later) port.in_hand = false;  // nobody comes between before the target has it
  access.parts.beats = forward(from, window, payload, delay, later);
  access.completion = kernel_time() + from_sc_time(delay);
  access.parts.target = access.completion - access.start - access.parts.beats;
  payload.set_dmi_allowed(false);
  const bool carried = payload.is_response_ok() && payload.get_command() != tlm::TLM_IGNORE_COMMAND;
  record(from, access, label, carried);
  if (!targets_[window]->may_wait && !later) port.in_hand = false;
  schedule(port);
  if (payload.is_response_error()) note_bad_access(from, label, to_result(payload.get_response_status()), access.start);
}

/// Nobody else's access can be at a link by this time any more, as far as they have announced what they will do, and
/// since nobody leaves before the kernel's time. may_tie: of two at once the lower number is the first.
bool Bus::comes_first(const InitiatorPort& from, Picoseconds arrival, bool may_tie, Picoseconds now) const {
  for (const auto& port : initiators_) {
    if (port->index == from.index) continue;
    const Picoseconds leaves = port->next_issue == kAsleep ? horizon_.earliest() : port->next_issue;
    if (leaves == kNever) continue;
    const Picoseconds other = std::max(leaves, now) + hop_;
    if (other < arrival || (other == arrival && !(may_tie && from.index < port->index))) return false;
  }
  return true;
}

/// Who comes earlier comes first, without a tie.
Picoseconds Bus::alone_until(const InitiatorPort& from) const {
  const Picoseconds now = kernel_time();
  Picoseconds first = kNever;
  for (const auto& port : initiators_) {
    if (port->index == from.index) continue;
    const Picoseconds leaves = port->next_issue == kAsleep ? horizon_.earliest() : port->next_issue;
    if (leaves != kNever) first = std::min(first, std::max(leaves, now) + hop_);
  }
  return first;
}

Picoseconds Bus::others_at(const InitiatorPort& from, unsigned window) const {
  const Picoseconds now = kernel_time();
  const Link& link = links_[link_of_window_[window]]->link;
  Picoseconds first = link.empty() ? kNever : now;
  for (const auto& port : initiators_) {
    if (port->index == from.index) continue;
    const Picoseconds leaves = port->next_issue >= kAsleep ? horizon_.earliest() : port->next_issue;
    if (leaves != kNever) first = std::min(first, std::max(leaves, now) + hop_);
  }
  return first;
}

/// Its turn is known, so it need not wait in the kernel. First come: as soon as nobody can come before it. Otherwise
/// who comes before its start may still be given the turn.
bool Bus::may_take(const InitiatorPort& from, const LinkPort& port, Picoseconds arrival, Picoseconds now) const {
  const Link& link = port.link;
  if (config_.sync == BusOrder::exact || !link.empty() || port.in_hand) return false;
  const Picoseconds start = link.start_at(arrival);
  if (start == kNever || !link.is_certain(arrival, now)) return false;
  return arbiter_->keeps_arrivals() ? comes_first(from, arrival, true, now) : comes_first(from, start, false, now);
}

void Bus::take_link(InitiatorPort& from, TimedAccess& access, Picoseconds duration, bool may_wait) {
  LinkPort& port = *links_[access.link];
  const LinkRequest request{from.index, access.arrival};
  const Picoseconds now = kernel_time();
  // A non-blocking call is answered at once, whoever waits.
  const bool at_once = !may_wait && port.link.start_at(access.arrival) != kNever;
  if (at_once || may_take(from, port, access.arrival, now)) {
    grant(access, port.link.take(request, duration, now));
    return;
  }
  ++ordered_;
  if (free_waiters_.empty()) free_waiters_.push_back(&waiters_.emplace_back());
  Waiter& waiter = *free_waiters_.back();
  free_waiters_.pop_back();
  waiter.has_turn = false;
  waiter.port = &port;
  // Who announces what it will do has one access under way: it will do nothing before this one is at the link.
  if (from.next_issue != 0) from.next_issue = std::max(from.next_issue, access.arrival);
  port.link.enter(request, duration, waiter);
  schedule(port);
  while (!waiter.has_turn) sc_core::wait(waiter.event);
  grant(access, waiter.grant);
  free_waiters_.push_back(&waiter);
}

void Bus::grant(TimedAccess& access, const LinkGrant& grant) const {
  access.ticket = grant.ticket;
  access.start = grant.start;
  access.parts.held = grant.held;
  access.parts.overtaken = grant.late;
  access.parts.waiting = grant.start - access.arrival - grant.held - grant.late;
}

/// The next of those who wait can be served now: its turn has come, or (first come) nobody can come before it.
bool Bus::is_decided(const LinkPort& port) const {
  if (port.in_hand) return false;
  const Link& link = port.link;
  const Picoseconds now = kernel_time();
  if (!arbiter_->keeps_arrivals()) return link.next_turn() <= now;
  const LinkRequest* const first = link.first();
  if (first == nullptr || link.next_turn() == kNever || !link.is_certain(first->arrival, now)) return false;
  if (config_.sync == BusOrder::exact) return link.next_turn() <= now;
  return first->arrival < now + hop_ || (hop_ == 0 && first->arrival == now) ||
         comes_first(*initiators_[first->initiator], first->arrival, true, now);
}

/// Serves whoever can be, and wakes serve() for the next.
void Bus::schedule(LinkPort& port) {
  if (port.serving || port.in_hand || port.link.empty()) return;  // looked at afresh behind that
  if (hop_ != 0) {
    port.serving = true;
    while (is_decided(port)) port.link.serve(kernel_time());
    port.serving = false;
  }
  Picoseconds turn = port.link.next_turn();
  const bool by_arrival = arbiter_->keeps_arrivals() && config_.sync != BusOrder::exact;
  const Picoseconds now = kernel_time(), first = port.link.first_arrival();
  if (by_arrival && turn != kNever && port.link.is_certain(first, now)) turn = first;
  if (turn == port.due_at) return;
  port.due_at = turn;
  port.due.cancel();
  if (turn == kNever) return;
  port.due.notify(turn > now ? to_sc_time(turn - now) : sc_core::SC_ZERO_TIME);
}

/// A turn has come.
void Bus::serve(LinkPort& port) {
  port.due_at = kNever;
  if (hop_ == 0 && !port.settled) {  // whoever is called in this instant may be at the link in it
    port.settled = true;
    port.due.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  port.settled = false;
  port.serving = true;
  while (is_decided(port)) port.link.serve(kernel_time());
  port.serving = false;
  schedule(port);
}

void Bus::record(InitiatorPort& from, const TimedAccess& access, const AccessLabel& label, bool carried) {
  --in_flight_;
  --from.in_flight;
  LinkPort& port = *links_[access.link];
  port.link.complete(access.ticket, access.completion);
  if (fidelity_ != Fidelity::timed) {  // it waited while a guest ended the timed part of the run
    ++stragglers_;
    return;
  }
  from.time.add(access.issued, access.completion, from.in_flight != 0);
  from.parts += access.parts;
  from.latency_sum += access.completion - access.issued;
  if (!carried) return;
  from.figures.add(label.write, label.size, access.completion - access.issued);
  port.figures.add(label.write, label.size, access.completion - access.arrival);
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
    for (const auto& port : links_) {
      port->link.release(now);
      port->link.end(now);
      schedule(*port);
    }
    for (const auto& port : initiators_) port->time.end(now);
  }
}

/// Accesses that wait get their turns now: whether one has had it before it is there depends on how far others have run
/// ahead, and the figures must not. Not past a thread that waits, which would have to go on.
void Bus::serve_all() {
  const Picoseconds now = kernel_time();
  for (const auto& port : links_) {
    const auto waits_here = [&port](const Waiter& waiter) { return waiter.port == port.get() && !waiter.has_turn; };
    if (std::any_of(waiters_.begin(), waiters_.end(), waits_here)) continue;
    port->serving = true;
    while (port->link.next_turn() != kNever && port->link.is_certain(port->link.first_arrival(), now))
      port->link.serve(now);
    port->serving = false;
  }
}

void Bus::settle() {
  if (fidelity_ != Fidelity::timed) return;
  std::uint64_t before = 0;
  do {
    before = in_flight_;
    serve_all();
    for (const auto& target : targets_)
      if (target->later != nullptr) target->later->end_accesses();
  } while (in_flight_ != before);
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
