#include "models/common/at_initiator_adapter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"

namespace vp {

AtInitiatorAdapter::AtInitiatorAdapter(sc_core::sc_module_name module_name, unsigned outstanding)
    : sc_module(module_name), outstanding_(outstanding), due_("due") {
  from.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  socket.on_dmi_invalidated(
      [this](std::uint64_t first, std::uint64_t last) { from->invalidate_direct_mem_ptr(first, last); });
  SC_HAS_PROCESS(AtInitiatorAdapter);
  SC_METHOD(act);
  sensitive << due_;
  dont_initialize();
}

tlm::tlm_sync_enum AtInitiatorAdapter::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  const Picoseconds time = kernel_time() + from_sc_time(delay);
  if (phase == tlm::END_RESP) {
    if (responding_ != &payload) SC_REPORT_FATAL(name(), "an initiator ended a response that it was not given");
    end_response(time);
    wake();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) SC_REPORT_FATAL(name(), "an initiator sent a phase that is not its own");
  if (held_ != nullptr) SC_REPORT_FATAL(name(), "an initiator began a request before the one before it had ended");
  if (!payload.has_mm()) SC_REPORT_FATAL(name(), "a transaction of several phases needs a memory manager");
  payload.acquire();
  if (full()) {
    held_ = &payload;
    return tlm::TLM_ACCEPTED;
  }
  request(payload, time);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// What an access can carry: a read or write of one beat width, with or without byte enables.
bool AtInitiatorAdapter::carry(Transaction& transaction) const {
  const tlm::tlm_generic_payload& payload = *transaction.payload;
  const unsigned size = payload.get_data_length();
  if ((!payload.is_read() && !payload.is_write()) || size == 0 || payload.get_streaming_width() < size) return false;
  Access& access = transaction.access;
  access = {};
  access.write = payload.is_write();
  access.address = payload.get_address();
  access.data = payload.get_data_ptr();
  access.size = size;
  if (const std::uint8_t* const pattern = payload.get_byte_enable_ptr()) {
    if (payload.get_byte_enable_length() == 0) return false;
    transaction.strobes.resize(size);
    for (unsigned i = 0; i < size; ++i) transaction.strobes[i] = pattern[i % payload.get_byte_enable_length()];
    access.strobes = transaction.strobes.data();
  }
  return true;
}

void AtInitiatorAdapter::request(tlm::tlm_generic_payload& payload, Picoseconds time) {
  if (free_.empty()) free_.push_back(&transactions_.emplace_back(*this));
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.payload = &payload;
  if (!carry(transaction)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    transaction.completion = time;
    finish(transaction);
    return;
  }
  transaction.access.time = time;
  socket.bus()->begin(transaction);
}

void AtInitiatorAdapter::answered(Transaction& transaction, const Answer& answer) {
  transaction.payload->set_response_status(to_response(answer.result));
  transaction.completion = answer.completion;
  finish(transaction);
}

void AtInitiatorAdapter::finish(Transaction& transaction) {
  auto place = responses_.end();
  while (place != responses_.begin() && (*std::prev(place))->completion > transaction.completion) --place;
  responses_.insert(place, &transaction);
  wake();
}

/// Calls act() when there is something to send.
void AtInitiatorAdapter::wake() {
  const Picoseconds now = kernel_time();
  Picoseconds due = kNever;
  if (held_ != nullptr && !full()) due = now;
  if (responding_ == nullptr && !responses_.empty())
    due = std::min(due, std::max(responses_.front()->completion, response_free_));
  due_.cancel();
  if (due != kNever) due_.notify(due > now ? to_sc_time(due - now) : sc_core::SC_ZERO_TIME);
}

void AtInitiatorAdapter::act() {
  if (held_ != nullptr && !full()) {
    tlm::tlm_generic_payload& payload = *std::exchange(held_, nullptr);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    from->nb_transport_bw(payload, phase, delay);
    request(payload, kernel_time());
  }
  const Picoseconds now = kernel_time();
  if (responding_ == nullptr && !responses_.empty() && std::max(responses_.front()->completion, response_free_) <= now)
    respond();
  wake();
}

void AtInitiatorAdapter::respond() {
  responding_ = responses_.front()->payload;
  free_.push_back(responses_.front());
  responses_.pop_front();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = from->nb_transport_bw(*responding_, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    end_response(kernel_time() + from_sc_time(delay));
}

void AtInitiatorAdapter::end_response(Picoseconds time) {
  std::exchange(responding_, nullptr)->release();
  response_free_ = time;
}

void AtInitiatorAdapter::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  socket->b_transport(payload, delay);
}

unsigned AtInitiatorAdapter::transport_dbg(tlm::tlm_generic_payload& payload) { return socket->transport_dbg(payload); }

bool AtInitiatorAdapter::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return socket->get_direct_mem_ptr(payload, dmi);
}

}  // namespace vp
