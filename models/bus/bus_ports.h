#pragma once

// Inside of the bus: where initiators and targets are plugged in.

#include <string>
#include <utility>
#include <vector>

#include "models/bus/bus.h"

namespace vp {

/// Where an initiator is plugged in.
class Bus::InitiatorPort : public tlm::tlm_target_socket<64>, private tlm::tlm_fw_transport_if<> {
 public:
  InitiatorPort(Bus& bus, std::string initiator_name, unsigned initiator_index)
      : tlm_target_socket(("from_" + initiator_name).c_str()),
        label(std::move(initiator_name)),
        index(initiator_index),
        traffic(bus.map_.windows().size()),
        bus_(bus) {
    bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

  const std::string label;
  const unsigned index;
  std::vector<BusTraffic> traffic;  // by window
  DmiTrafficSource dmi_traffic;
  unsigned last_window = AddressMap::kNone;

  // Timed mode only.
  PortFigures figures;
  AccessParts parts;
  TimeUse time;
  std::vector<LinkWaiting> waiting;  // by link
  Picoseconds owed = 0;              // it was told too early a time; see Link
  Picoseconds paying = 0;            // of what it owed, with accesses whose parts have not been added yet
  Picoseconds latency_sum = 0;       // of all accesses, to compare with the sum of their parts

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
    return bus_.direct_memory(payload, dmi);
  }

  Bus& bus_;
};

/// Where a target is plugged in.
class Bus::TargetPort : public tlm::tlm_initiator_socket<64>, private tlm::tlm_bw_transport_if<> {
 public:
  TargetPort(Bus& bus, unsigned window)
      : tlm_initiator_socket(("to_" + bus.map_.windows()[window].name).c_str()), bus_(bus), window_(window) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }
  const TargetModel* model = nullptr;
  BusTraffic delivered;

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

/// A link with its name and figures.
struct Bus::LinkPort {
  LinkPort(std::string link_name, const Arbiter& arbiter, unsigned initiators, unsigned outstanding,
           Link::Overtaken overtaken)
      : label(std::move(link_name)), link(arbiter, initiators, outstanding, std::move(overtaken)) {}

  const std::string label;
  Link link;
  PortFigures figures;
};

}  // namespace vp
