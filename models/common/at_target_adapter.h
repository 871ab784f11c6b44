#pragma once

#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/pending_access.h"

namespace vp {

/// Puts a target of another make, which speaks TLM-2.0's approximately-timed protocol only, on our bus: `socket` is the
/// target on the bus (Bus::connect_target with the adapter as the one who answers later), `to` is bound to the target.
///
/// Requests go out one at a time: the next waits for END_REQ, or for BEGIN_RESP, which implies it. The target may
/// answer in each way that the protocol allows: TLM_ACCEPTED and the backward path, TLM_UPDATED, TLM_COMPLETED.
/// BEGIN_RESP is answered by TLM_COMPLETED, so a response takes no time of its own. Several accesses are under way, as
/// many as the target takes; they may be answered in any order. Blocking accesses wait in their thread.
class AtTargetAdapter : public sc_core::sc_module,
                        public AccessTarget,
                        private tlm::tlm_fw_transport_if<>,
                        private tlm::tlm_bw_transport_if<>,
                        private tlm::tlm_mm_interface {
 public:
  explicit AtTargetAdapter(sc_core::sc_module_name name);
  ~AtTargetAdapter() override;

  tlm::tlm_target_socket<64> socket{"socket"};
  tlm::tlm_initiator_socket<64> to{"to"};

  void begin(PendingAccess& pending) override;

 private:
  /// A payload with the access that it carries.
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* manager) : payload(manager) {}
    tlm::tlm_generic_payload payload;
    PendingAccess* pending = nullptr;  // nullptr: answered
  };
  class Blocking;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return to->transport_dbg(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  void free(tlm::tlm_generic_payload* payload) override;

  Transaction& take(PendingAccess& pending);
  void wake();
  void send();
  void request_ended(Picoseconds time);
  void respond(tlm::tlm_generic_payload& payload, Picoseconds time);

  std::deque<Transaction> transactions_;  // they stay where they are
  std::vector<Transaction*> free_;
  std::deque<Transaction*> requests_;               // that have not gone out, by time
  tlm::tlm_generic_payload* requesting_ = nullptr;  // until END_REQ
  Picoseconds request_free_ = 0;
  sc_core::sc_event due_;
};

}  // namespace vp
