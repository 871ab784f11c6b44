#pragma once

// Inside of the bus: where initiators and targets are plugged in.

#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/tlm_time.h"

namespace vp {

/// What plain accesses of an initiator to a window have in common; made with the first of them.
struct Bus::Route {
  unsigned window = AddressMap::kNone;
  const BusWindow* place = nullptr;
  TlmTarget* target = nullptr;  ///< that answers by a call; nullptr: only transactions can be sent
  LinkPort* link = nullptr;
  unsigned one_beat = 0;  ///< accesses of up to so many bytes are a single beat at each port on the way
  Picoseconds beat = 0;   ///< that takes so long

  bool holds(std::uint64_t address, unsigned size) const {
    const std::uint64_t offset = address - place->base;
    return offset < place->size && size <= place->size - offset;
  }
};

/// Where an initiator is plugged in.
class Bus::InitiatorPort : public tlm::tlm_target_socket<64>, public AccessBus, private tlm::tlm_fw_transport_if<> {
 public:
  InitiatorPort(Bus& bus, std::string initiator_name, unsigned initiator_index)
      : tlm_target_socket(("from_" + initiator_name).c_str()),
        label(std::move(initiator_name)),
        index(initiator_index),
        traffic(bus.map_.windows().size()),
        beats(bus.beats_),
        routes(bus.map_.windows().size()),
        bus_(bus) {
    bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

  const std::string label;
  const unsigned index;
  std::vector<BusTraffic> traffic;  // by window
  DmiTrafficSource dmi_traffic;
  unsigned last_window = AddressMap::kNone;
  PortBeats beats;
  std::vector<Route> routes;     // by window
  const Route* route = nullptr;  // of the access before
  Picoseconds next_issue = 0;    // it will begin no access earlier (AccessBus::announce)
  bool writes_directly = false;  // has a host pointer to write by, perhaps for the contents only

  // Timed mode only.
  PortFigures figures;
  AccessParts parts;
  TimeUse time;
  unsigned in_flight = 0;       // accesses not answered yet
  Picoseconds latency_sum = 0;  // of all accesses, to compare with the sum of their parts

  void persist(Archive& archive);

  // AccessBus
  bool answer_at_once(const Access& access, Answer& answer) override {
    return bus_.answer_at_once(*this, access, answer);
  }
  void begin(PendingAccess& pending) override { bus_.begin(*this, pending); }
  void announce(Picoseconds next) override { next_issue = next; }
  void written(std::uint64_t address, unsigned size) override { bus_.reservations_.written(index, address, size); }
  bool watched(std::uint64_t address, unsigned size) const override {
    return bus_.reservations_.others(index, address, address + size - 1);
  }
  Picoseconds alone_until() const override { return bus_.alone_until(*this); }
  std::uint64_t writes_of_others() const override { return bus_.writes_of_others(*this); }
  bool has_occupancy() const override { return bus_.fidelity_ == Fidelity::timed; }
  unsigned bytes_per_cycle() const override { return beats.bytes; }
  Picoseconds cycle() const override { return beats.clock; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    bus_.transport(*this, payload, delay, true);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    // Early completion, as our targets do. A non-blocking call must not wait, so it does not synchronise.
    if (phase == tlm::BEGIN_REQ) bus_.transport(*this, payload, delay, false);
    return tlm::TLM_COMPLETED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return bus_.debug(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    return bus_.direct_memory(*this, payload, dmi);
  }

  Bus& bus_;
};

/// Where a target is plugged in.
class Bus::TargetPort : public tlm::tlm_initiator_socket<64>, private tlm::tlm_bw_transport_if<> {
 public:
  TargetPort(Bus& bus, unsigned window)
      : tlm_initiator_socket(("to_" + bus.map_.windows()[window].name).c_str()),
        beats(bus.beats_),
        bus_(bus),
        window_(window) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }
  const TargetModel* model = nullptr;
  bool may_wait = false;          // of another make: it may keep a thread
  AccessTarget* later = nullptr;  // takes accesses that are answered later
  TlmTarget* direct = nullptr;    // one of ours with nothing before it: plain accesses may be calls
  PortBeats beats;
  BusTraffic delivered;

  void persist(Archive& archive);

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    SC_REPORT_FATAL(name(), "a target answered a completed access once more");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    bus_.invalidate(window_, first, last);
  }

  Bus& bus_;
  unsigned window_;
};

/// An access has succeeded.
inline void Bus::count(InitiatorPort& from, unsigned window, const AccessLabel& label) {
  from.traffic[window].add(label.write, label.size);
  targets_[window]->delivered.add(label.write, label.size);
  if (label.write) reservations_.written(from.index, label.address, label.size);
}

/// A link with its name and figures, and the kernel event of its next turn.
struct Bus::LinkPort {
  LinkPort(std::string link_name, const Arbiter& arbiter, unsigned initiators, unsigned outstanding)
      : label(std::move(link_name)), link(arbiter, initiators, outstanding), due(("turn_of_" + label).c_str()) {}

  const std::string label;
  Link link;
  PortFigures figures;
  sc_core::sc_event due;
  Picoseconds due_at = kNever;
  bool serving = false;
  bool in_hand = false;  // a thread has its turn and has not sent its access on: no other may pass it
  bool settled = false;  // without a hop: arrivals of this instant have had a delta cycle

  void persist(Archive& archive);
};

/// A blocking access that waits for its turn; its thread waits for the event.
class Bus::Waiter : public LinkTurn {
 public:
  void granted(const LinkGrant& what) override {
    port->in_hand = true;
    grant = what;
    has_turn = true;
    notify_now(event);
  }
  LinkPort* port = nullptr;
  LinkGrant grant;
  bool has_turn = false;
  sc_core::sc_event event;
};

/// A blocking access at its target, whose answer may come later; its thread waits for the event.
class Bus::Blocked : public PendingAccess {
 public:
  void answer(const Answer& what) override {
    given = what;
    answered = true;
    if (waits) notify_now(event);
  }
  Answer given;
  bool answered = false;
  bool waits = false;
  std::vector<std::uint8_t> strobes;
  sc_core::sc_event event;
};

/// An access that is answered later, on its way through the bus.
class Bus::Flight : public PendingAccess, public LinkTurn {
 public:
  explicit Flight(Bus& bus) : bus_(bus) {}

  /// Its turn has come (timed mode).
  void granted(const LinkGrant& grant) override;
  /// It is at its target at access.time, and off it goes.
  void start();
  void answer(const Answer& answer) override;

  InitiatorPort* from = nullptr;
  PendingAccess* upstream = nullptr;
  unsigned window = 0;
  bool timed = false;
  TimedAccess timing;
  AccessLabel label;

 private:
  void finish(Answer answer);

  Bus& bus_;
};

}  // namespace vp
