#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/pending_access.h"
#include "models/common/tlm_initiator.h"

namespace vp {

/// Lets an initiator of another make, which speaks TLM-2.0's approximately-timed protocol, have several transactions
/// under way on our bus: it is bound to `from`, and `socket` is the initiator on the bus.
///
/// BEGIN_REQ is answered by END_REQ at once (TLM_UPDATED), or later on the backward path while `outstanding`
/// transactions are under way. A response goes out by BEGIN_RESP at the time of its completion, one at a time: the next
/// waits for END_RESP, which may also be the answer to BEGIN_RESP (TLM_UPDATED, TLM_COMPLETED). Transactions need a
/// memory manager and are kept (acquire) until they are over. Blocking transport, debug and DMI are passed on.
class AtInitiatorAdapter : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  AtInitiatorAdapter(sc_core::sc_module_name name, unsigned outstanding);

  tlm::tlm_target_socket<64> from{"from"};
  TlmInitiator socket{"socket"};

 private:
  class Transaction : public PendingAccess {
   public:
    explicit Transaction(AtInitiatorAdapter& adapter) : adapter_(adapter) {}
    void answer(const Answer& answer) override { adapter_.answered(*this, answer); }
    tlm::tlm_generic_payload* payload = nullptr;
    std::vector<std::uint8_t> strobes;
    Picoseconds completion = 0;

   private:
    AtInitiatorAdapter& adapter_;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  void request(tlm::tlm_generic_payload& payload, Picoseconds time);
  bool carry(Transaction& transaction) const;
  void answered(Transaction& transaction, const Answer& answer);
  bool full() const { return transactions_.size() - free_.size() >= outstanding_; }
  void finish(Transaction& transaction);
  void wake();
  void act();
  void respond();
  void end_response(Picoseconds time);

  const unsigned outstanding_;
  std::deque<Transaction> transactions_;  // they stay where they are
  std::vector<Transaction*> free_;
  tlm::tlm_generic_payload* held_ = nullptr;        // its END_REQ is still owed
  std::deque<Transaction*> responses_;              // by completion
  tlm::tlm_generic_payload* responding_ = nullptr;  // until END_RESP
  Picoseconds response_free_ = 0;
  sc_core::sc_event due_;
};

}  // namespace vp
