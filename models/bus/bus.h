#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/address_map.h"
#include "models/bus/bus_config.h"
#include "models/bus/bus_statistics.h"
#include "models/bus/link.h"
#include "models/bus/reservations.h"
#include "models/common/bounds.h"
#include "models/common/bus_port_options.h"
#include "models/common/fidelity.h"
#include "models/common/horizon.h"
#include "models/common/pending_access.h"
#include "models/common/target_model.h"
#include "models/common/tlm_initiator.h"
#include "models/common/tlm_target.h"

namespace vp {

class Archive;

class AccessProbe;
class OverlappingMaster;
struct TransportNotes;

/// An access that found nobody, or that its target refused.
struct BadAccess {
  std::string initiator;
  std::uint64_t address = 0;
  unsigned size = 0;
  bool write = false;
  Picoseconds time = 0;  ///< absolute, when it reached the target (or would have)
  AccessResult result = AccessResult::ok;
  std::uint64_t pc = kNoPc;  ///< of the load or store behind it, kNoPc if there is none
  std::string nearest;       ///< device and register at or next to the address: "clint, 8 bytes after MSIP"

  void persist(Archive& archive);
};

/// A target that never answers.
struct BusHang {
  std::string initiator;
  std::string target;
  std::uint64_t address = 0;
  bool write = false;
  Picoseconds time = 0;      ///< absolute, when the bus gave up
  std::uint64_t pc = kNoPc;  ///< as above
  std::string reason;        ///< the target's sentence
};

/// The memory-mapped interconnect: decodes addresses, takes time, keeps order in time, counts.
///
/// An access takes latency_cycles × clock to its target and further cycles if it is longer than the bus is wide,
/// overlapped with the target's own beats. An access that would reach a device (not plain memory) at or after the
/// horizon first lets the kernel catch up (`synchronize`). The calling thread may wait here and nowhere else. DMI
/// grants are passed on with addresses translated, the window's limits kept and the hop's latency added, so an access
/// costs the same either way.
///
/// In timed mode each link has occupancy: accesses wait for each other, in the exact order of time, and nobody gets
/// host pointers but for the contents alone (DmiUse). An access waits in the kernel for its turn unless all other
/// initiators have announced that they will come later; so one alone runs ahead.
///
/// Besides blocking accesses (b_transport) initiators may have accesses under way that are answered later (AccessBus):
/// calls, without threads and payloads. LR, SC and AMO are kinds of access; reservations are kept here, where the
/// writes of all are seen.
class Bus : public sc_core::sc_module {
 public:
  /// Windows and initiators by name; each is connected once below. Throws UserError if windows overlap or bus.priority
  /// names somebody else.
  Bus(sc_core::sc_module_name name, const BusConfig& config, const Horizon& horizon,
      std::vector<std::string> initiators, std::vector<BusWindow> windows);
  ~Bus() override;

  /// Of any model: one access under way a thread, nothing known of when it will come.
  void connect_initiator(const std::string& name, tlm::tlm_initiator_socket<64>& socket, BusPortOptions port = {});
  /// The same, and it may post writes (TlmInitiator::bus).
  void connect_initiator(const std::string& name, TlmInitiator& socket, BusPortOptions port = {});
  /// Several under way, no payloads.
  void connect_initiator(const std::string& name, OverlappingMaster& master, BusPortOptions port = {});
  void connect_target(const std::string& name, TlmTarget& socket, BusPortOptions port = {});
  /// The same with a probe in front of it.
  void connect_target(const std::string& name, TlmTarget& socket, AccessProbe& probe);
  /// A model that answers blocking accesses and knows nothing of ours. `later`: takes accesses of overlapping masters;
  /// nullptr: such accesses are refused. `model`: names its registers; may be nullptr.
  void connect_target(const std::string& name, tlm::tlm_target_socket<64>& socket, AccessTarget* later,
                      BusPortOptions port = {}, const TargetModel* model = nullptr);

  const AddressMap& map() const { return map_; }
  /// The device and register at or next to an address, for a report: "clint, MTIMECMP", "near uart0, 3 bytes after it".
  std::string describe(std::uint64_t address) const;
  /// Why its target refused it, as far as that knows (TargetModel::refusal); empty if nobody was there.
  std::string refusal(const BadAccess& access) const;

  /// Lets an initiator hand in the accesses it makes through host pointers.
  void set_dmi_traffic_source(const std::string& initiator, DmiTrafficSource source);
  /// Traffic so far, host pointers included.
  BusTraffic traffic(const std::string& initiator, const std::string& target) const;
  /// The first bad accesses (as many as are worth reading) and how many there were in all.
  const std::vector<BadAccess>& bad_accesses() const { return bad_accesses_; }
  std::uint64_t bad_access_count() const { return bad_access_count_; }
  /// The latest one (its `nearest` is left empty), or nullptr.
  const BadAccess* last_bad_access() const { return bad_access_count_ ? &last_bad_access_ : nullptr; }
  /// Called with every bad access. The access is not answered yet.
  void on_bad_access(std::function<void(const BadAccess&)> callback) { on_bad_access_ = std::move(callback); }
  /// Called when a target never answers, after the access got an error response `bus.timeout` later. The platform ends
  /// the run.
  void on_hang(std::function<void(const BusHang&)> callback) { on_hang_ = std::move(callback); }

  /// At first functional. From within an access it takes effect at the end of that access.
  void set_fidelity(Fidelity fidelity);
  Fidelity fidelity() const { return fidelity_; }
  /// Names of the links: those of the targets, or "shared".
  std::vector<std::string> links() const;
  /// Is told when the link moved beats, in the order of time and some time later (timed mode); settle() tells the rest.
  void on_link_busy(const std::string& link, Link::Observer observer);
  /// Accounts for all that has been begun up to now: the end of a run.
  void settle();
  /// Bytes and transactions that reached a target, without those through host pointers.
  BusTraffic delivered(const std::string& target) const;
  /// Bytes in = bytes out, busy + waiting + idle = total, all waiting is for somebody. Empty, or a sentence that says
  /// what is wrong with the model.
  std::string broken_conservation() const;

  /// No access is under way, so its state can be saved.
  bool quiet() const;
  void persist(Archive& archive);

  /// Reset of the machine: reservations of LR end; figures stay.
  void reset() { reservations_.clear(); }
  BusFigures figures() const;
  void report(Statistics& statistics) const;
  /// What it carried, for whom and to whom, beside what it could.
  void bounds(Bounds& bounds) const;

 private:
  class InitiatorPort;
  class TargetPort;
  class Flight;
  class Waiter;
  class Blocked;
  struct LinkPort;
  struct Route;
  /// What the beats of a port cost.
  struct PortBeats {
    unsigned bytes = 8;
    Picoseconds clock = 0;
    bool own = false;  ///< other than the bus's
    Picoseconds all(unsigned size) const { return (size > bytes ? (size + bytes - 1) / bytes : 1) * clock; }
    Picoseconds further(unsigned size) const { return all(size) - clock; }
  };
  /// An access in timed mode; absolute times.
  struct TimedAccess {
    Picoseconds issued = 0;   ///< left its initiator
    Picoseconds arrival = 0;  ///< was at the link
    Picoseconds start = 0;    ///< had its turn and reached the target
    Picoseconds completion = 0;
    AccessParts parts;
    unsigned link = 0;
    std::uint64_t ticket = 0;
  };
  /// What figures and reports need of an access.
  struct AccessLabel {
    std::uint64_t address = 0;
    unsigned size = 0;
    bool write = false;
    std::uint64_t pc = kNoPc;
  };

  // bus_timed.cpp
  void make_links(const std::vector<std::string>& names);
  void transport_timed(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                       bool may_wait);
  bool may_take(const InitiatorPort& from, const LinkPort& port, Picoseconds arrival, Picoseconds now) const;
  bool comes_first(const InitiatorPort& from, Picoseconds arrival, bool may_tie, Picoseconds now) const;
  Picoseconds alone_until(const InitiatorPort& from) const;
  /// From when accesses of others may be at the target of an access that has its turn.
  Picoseconds others_at(const InitiatorPort& from, unsigned window) const;
  void take_link(InitiatorPort& from, TimedAccess& access, Picoseconds duration, bool may_wait);
  void grant(TimedAccess& access, const LinkGrant& grant) const;
  bool is_decided(const LinkPort& port) const;
  void serve(LinkPort& port);
  void schedule(LinkPort& port);
  void serve_all();
  void record(InitiatorPort& from, const TimedAccess& access, const AccessLabel& label, bool carried);
  void change_fidelity();

  // bus_overlapping.cpp
  void begin(InitiatorPort& from, PendingAccess& pending);
  Flight& free_flight();
  void defer(Flight& flight, Picoseconds time);
  void start_deferred();

  // bus_at_once.cpp
  bool answer_at_once(InitiatorPort& from, const Access& access, Answer& answer);
  bool answer_timed(InitiatorPort& from, const Route& route, const Access& access, Answer& answer);
  Picoseconds call_target(InitiatorPort& from, const Route& route, const Access& access, Picoseconds arrival,
                          Answer& answer);
  const Route* find_route(InitiatorPort& from, std::uint64_t address, unsigned size);
  Route make_route(const InitiatorPort& from, unsigned window) const;
  void note_bad_answer(const InitiatorPort& from, const Access& access, const Answer& answer, Picoseconds arrival);

  // bus_blocked.cpp
  /// A blocking access to a memory, whose answer may depend on accesses of others that come later.
  bool answers_later(unsigned window, const tlm::tlm_generic_payload& payload) const;
  /// The thread waits for the answer.
  void send_and_wait(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, TransportNotes& notes,
                     sc_core::sc_time& delay);
  Picoseconds forward_atomic_later(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                                   TransportNotes& notes, sc_core::sc_time& delay);

  // bus.cpp
  static bool is_special(const tlm::tlm_generic_payload& payload);
  static AccessLabel label_of(const tlm::tlm_generic_payload& payload);
  static AccessLabel label_of(const tlm::tlm_generic_payload& payload, const TransportNotes* notes);
  void wait_for_others(const InitiatorPort& from, Picoseconds time) const;
  void wait_for_reservation(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                            bool may_wait);
  void reserve(InitiatorPort& from, std::uint64_t address, unsigned size);
  std::uint64_t writes_of_others(const InitiatorPort& from);
  Picoseconds forward_atomic(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                             TransportNotes& notes, sc_core::sc_time& delay, bool later);
  Picoseconds send(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, TransportNotes& notes,
                   sc_core::sc_time& delay, bool later);
  Picoseconds sent(InitiatorPort& from, unsigned window, const tlm::tlm_generic_payload& payload,
                   const TransportNotes& notes, sc_core::sc_time& delay);
  void count(InitiatorPort& from, unsigned window, const AccessLabel& label);
  bool ever_timed() const;
  TimedInitiatorFigures timed_figures(const InitiatorPort& port) const;
  double peak() const;
  void transport(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool may_wait);
  bool must_synchronise(const BusWindow& window, Picoseconds arrival) const {
    return window.exact || (!window.memory && arrival >= horizon_.earliest());
  }
  /// Returns the time that the bus's beats took beyond the target's. later: see answers_later().
  Picoseconds forward(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                      bool later);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool direct_memory(InitiatorPort& from, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate(unsigned window, std::uint64_t first, std::uint64_t last);
  unsigned decode(InitiatorPort& from, std::uint64_t address, std::uint64_t size) const;
  /// For how long the beats of an access keep its way busy; the slowest of master port, link and target port counts.
  Picoseconds occupancy(const InitiatorPort& from, unsigned window, unsigned bytes) const;
  /// The part of it after the first beat.
  Picoseconds streaming_time(const InitiatorPort& from, unsigned window, unsigned bytes) const;
  PortBeats port_beats(BusPortOptions port) const;
  void give_up(InitiatorPort& from, unsigned window, const AccessLabel& label, Picoseconds time,
               const std::string& reason);
  void note_bad_access(const InitiatorPort& from, const AccessLabel& label, AccessResult result, Picoseconds time);
  InitiatorPort& initiator(const std::string& name) const;
  std::vector<std::vector<BusTraffic>> all_traffic() const;

  const BusConfig config_;
  const PortBeats beats_;
  const Picoseconds hop_;
  const Horizon& horizon_;
  const AddressMap map_;
  std::vector<std::unique_ptr<InitiatorPort>> initiators_;
  std::vector<std::unique_ptr<TargetPort>> targets_;  // one a window of the map
  std::unique_ptr<Arbiter> arbiter_;
  std::vector<std::unique_ptr<LinkPort>> links_;
  std::vector<unsigned> link_of_window_;
  Reservations reservations_;
  std::uint64_t unseen_writes_ = 0;  ///< times somebody asked while others might write without the bus
  std::deque<Waiter> waiters_;       // free ones and those in use; they stay where they are
  std::vector<Waiter*> free_waiters_;
  std::deque<Blocked> blocked_;  // the same
  std::vector<Blocked*> free_blocked_;
  std::deque<Flight> flights_;
  std::vector<Flight*> free_flights_;
  std::multimap<Picoseconds, Flight*> deferred_;  // to devices, by the time at which they are there
  sc_core::sc_event deferred_due_;
  unsigned deferred_deltas_ = 0;
  Fidelity fidelity_ = Fidelity::functional;
  Fidelity next_fidelity_ = Fidelity::functional;
  bool forwarding_ = false;
  std::uint64_t in_flight_ = 0;   // timed accesses not answered yet
  std::uint64_t stragglers_ = 0;  // timed accesses answered after timed mode had ended
  std::vector<BadAccess> bad_accesses_;
  BadAccess last_bad_access_;
  std::uint64_t bad_access_count_ = 0;
  std::uint64_t synchronisations_ = 0;
  std::uint64_t ordered_ = 0;  // accesses in exact order
  std::function<void(const BadAccess&)> on_bad_access_;
  std::function<void(const BusHang&)> on_hang_;
};

}  // namespace vp
