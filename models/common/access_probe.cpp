#include "models/common/access_probe.h"

#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

namespace vp {

/// The way to the part; what comes back goes on to the bus.
class AccessProbe::Onward : public tlm::tlm_initiator_socket<64>, private tlm::tlm_bw_transport_if<> {
 public:
  explicit Onward(AccessProbe& probe) : tlm_initiator_socket("onward"), probe_(probe) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return probe_.socket->nb_transport_bw(payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    probe_.socket->invalidate_direct_mem_ptr(first, last);
  }

  AccessProbe& probe_;
};

/// An access whose answer comes later, on its way through the probe; ends itself with the answer.
class AccessProbe::Watched : public PendingAccess {
 public:
  Watched(PendingAccess& asked, AccessObserver& observer) : asked_(asked), observer_(observer) {
    access = asked.access;
    alone_until = asked.alone_until;
  }
  void answer(const Answer& answer) override {
    const std::unique_ptr<Watched> self(this);
    observer_.ended(access, answer.result);
    asked_.answer(answer);
  }

 private:
  PendingAccess& asked_;
  AccessObserver& observer_;
};

AccessProbe::AccessProbe(sc_core::sc_module_name module_name, AccessObserver& observer)
    : sc_module(module_name), socket("socket"), observer_(observer), onward_(std::make_unique<Onward>(*this)) {
  socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

AccessProbe::~AccessProbe() = default;

void AccessProbe::connect(tlm::tlm_target_socket<64>& part, AccessTarget& later) {
  onward_->bind(part);
  later_ = &later;
}

Access AccessProbe::access_of(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  Access access;
  access.write = payload.is_write();
  access.address = payload.get_address();
  access.size = payload.get_data_length();
  access.data = payload.get_data_ptr();
  access.time = kernel_time() + from_sc_time(delay);
  if (const auto* const notes = payload.get_extension<TransportNotes>()) {
    access.initiator = notes->initiator;
    access.pc = notes->pc;
  }
  const std::uint8_t* const pattern = payload.get_byte_enable_ptr();
  const unsigned length = payload.get_byte_enable_length();
  if (pattern == nullptr || length == 0) return access;
  strobes_.resize(access.size);
  for (unsigned i = 0; i < access.size; ++i) strobes_[i] = pattern[i % length];
  access.strobes = strobes_.data();
  return access;
}

void AccessProbe::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    (*onward_)->b_transport(payload, delay);
    return;
  }
  const Access access = access_of(payload, delay);
  observer_.begins(access);
  (*onward_)->b_transport(payload, delay);
  const auto* const notes = payload.get_extension<TransportNotes>();
  const bool never = notes != nullptr && !notes->no_answer.empty();
  observer_.ended(access, never ? AccessResult::no_answer : to_result(payload.get_response_status()));
}

void AccessProbe::begin(PendingAccess& pending) {
  auto* const watched = new Watched(pending, observer_);
  observer_.begins(watched->access);
  later_->begin(*watched);
}

tlm::tlm_sync_enum AccessProbe::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  // As our targets do it: the whole transaction fits into the first call.
  if (phase == tlm::BEGIN_REQ) b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

unsigned AccessProbe::transport_dbg(tlm::tlm_generic_payload& payload) { return (*onward_)->transport_dbg(payload); }

bool AccessProbe::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return (*onward_)->get_direct_mem_ptr(payload, dmi);
}

}  // namespace vp
