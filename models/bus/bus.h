#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/address_map.h"
#include "models/bus/bus_config.h"
#include "models/bus/bus_statistics.h"
#include "models/bus/link.h"
#include "models/common/bounds.h"
#include "models/common/fidelity.h"
#include "models/common/horizon.h"
#include "models/common/target_model.h"
#include "models/common/tlm_initiator.h"
#include "models/common/tlm_target.h"

namespace vp {

/// An access that found nobody, or that its target refused.
struct BadAccess {
  std::string initiator;
  std::uint64_t address = 0;
  unsigned size = 0;
  bool write = false;
  Picoseconds time = 0;  ///< absolute, when it reached the target (or would have)
  AccessResult result = AccessResult::ok;
  std::string nearest;  ///< device and register at or next to the address: "clint, 8 bytes after MSIP"
};

/// A target that never answers.
struct BusHang {
  std::string initiator;
  std::string target;
  std::uint64_t address = 0;
  bool write = false;
  Picoseconds time = 0;  ///< absolute, when the bus gave up
  std::string reason;    ///< the target's sentence
};

/// The memory-mapped interconnect: decodes addresses, takes time, keeps order in time, counts.
///
/// An access takes latency_cycles × clock to its target and further cycles if it is longer than the bus is wide,
/// overlapped with the target's own beats. An access that would reach a device (not plain memory) at or after the
/// horizon first lets the kernel catch up (`synchronize`); so does, in timed mode, one to a link that several
/// initiators use (BusOrder). The calling thread may wait here and nowhere else. DMI grants are passed on with
/// addresses translated, the window's limits kept and the hop's latency added, so an access costs the same either way.
///
/// In timed mode each link has occupancy: accesses wait for each other, and nobody gets host pointers but for the
/// contents alone (DmiUse).
class Bus : public sc_core::sc_module {
 public:
  /// Windows and initiators by name; each is connected once below. Throws UserError if windows overlap or bus.priority
  /// names somebody else.
  Bus(sc_core::sc_module_name name, const BusConfig& config, const Horizon& horizon,
      std::vector<std::string> initiators, std::vector<BusWindow> windows);
  ~Bus() override;

  void connect_initiator(const std::string& name, tlm::tlm_initiator_socket<64>& socket);
  void connect_target(const std::string& name, TlmTarget& socket);

  const AddressMap& map() const { return map_; }
  /// The device and register at or next to an address, for a report: "clint, MTIMECMP", "near uart0, 3 bytes after it".
  std::string describe(std::uint64_t address) const;

  /// Lets an initiator hand in the accesses it makes through host pointers.
  void set_dmi_traffic_source(const std::string& initiator, DmiTrafficSource source);
  /// Traffic so far, host pointers included.
  BusTraffic traffic(const std::string& initiator, const std::string& target) const;
  /// The first bad accesses (as many as are worth reading) and how many there were in all.
  const std::vector<BadAccess>& bad_accesses() const { return bad_accesses_; }
  std::uint64_t bad_access_count() const { return bad_access_count_; }
  /// The latest one (its `nearest` is left empty), or nullptr.
  const BadAccess* last_bad_access() const { return bad_access_count_ ? &last_bad_access_ : nullptr; }
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
  /// No access will come before what is known now: the end of a run.
  void settle();
  /// Bytes and transactions that reached a target, without those through host pointers.
  BusTraffic delivered(const std::string& target) const;
  /// Bytes in = bytes out, busy + waiting + idle = total, all waiting is for somebody. Empty, or a sentence that says
  /// what is wrong with the model.
  std::string broken_conservation() const;

  /// Reset of the machine: the bus itself has no state but figures, which stay.
  void reset() {}
  void report(Statistics& statistics) const;
  /// What it carried, for whom and to whom, beside what it could.
  void bounds(Bounds& bounds) const;

 private:
  class InitiatorPort;
  class TargetPort;
  struct LinkPort;
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

  void make_links(const std::vector<std::string>& names);
  void overtaken(unsigned link, const Link::Overtaking& what);
  void transport_timed(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                       bool may_wait);
  bool must_order(const Link& link, const LinkRequest& request) const;
  void take_link(InitiatorPort& from, TimedAccess& access, Picoseconds duration, bool may_wait);
  void record(InitiatorPort& from, const TimedAccess& access, const tlm::tlm_generic_payload& payload);
  void change_fidelity();
  bool ever_timed() const;
  void transport(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool may_wait);
  bool must_synchronise(const BusWindow& window, Picoseconds arrival) const;
  /// Returns the time that the bus's beats took beyond the target's.
  Picoseconds forward(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate(unsigned window, std::uint64_t first, std::uint64_t last);
  unsigned decode(InitiatorPort& from, std::uint64_t address, std::uint64_t size) const;
  unsigned beats(unsigned bytes) const { return bytes > width_bytes_ ? (bytes + width_bytes_ - 1) / width_bytes_ : 1; }
  Picoseconds streaming_time(unsigned bytes) const { return (beats(bytes) - 1) * config_.clock; }
  void give_up(InitiatorPort& from, unsigned window, const tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
               const std::string& reason);
  void note_bad_access(const InitiatorPort& from, const tlm::tlm_generic_payload& payload, Picoseconds time);
  InitiatorPort& initiator(const std::string& name) const;
  std::vector<std::vector<BusTraffic>> all_traffic() const;

  const BusConfig config_;
  const unsigned width_bytes_;
  const Picoseconds hop_;
  const Horizon& horizon_;
  const AddressMap map_;
  std::vector<std::unique_ptr<InitiatorPort>> initiators_;
  std::vector<std::unique_ptr<TargetPort>> targets_;  // one a window of the map
  std::unique_ptr<Arbiter> arbiter_;
  std::vector<std::unique_ptr<LinkPort>> links_;
  std::vector<unsigned> link_of_window_;
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
  std::function<void(const BusHang&)> on_hang_;
};

}  // namespace vp
