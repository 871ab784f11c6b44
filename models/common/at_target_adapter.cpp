#include "models/common/at_target_adapter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"

namespace vp {

/// A blocking access, whose thread waits for the answer.
class AtTargetAdapter::Blocking : public PendingAccess {
 public:
  void answer(const Answer& given) override {
    result = given.result;
    completion = given.completion;
    answered = true;
    event.notify();
  }
  AccessResult result = AccessResult::ok;
  Picoseconds completion = 0;
  bool answered = false;
  sc_core::sc_event event;
};

AtTargetAdapter::AtTargetAdapter(sc_core::sc_module_name module_name) : sc_module(module_name), due_("due") {
  socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  to.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  SC_HAS_PROCESS(AtTargetAdapter);
  SC_METHOD(send);
  sensitive << due_;
  dont_initialize();
}

AtTargetAdapter::~AtTargetAdapter() = default;

AtTargetAdapter::Transaction& AtTargetAdapter::take(PendingAccess& pending) {
  if (free_.empty()) free_.push_back(&transactions_.emplace_back(static_cast<tlm::tlm_mm_interface*>(this)));
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.pending = &pending;
  const Access& access = pending.access;
  tlm::tlm_generic_payload& payload = transaction.payload;
  payload.acquire();
  payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(access.address);
  payload.set_data_ptr(access.data);
  payload.set_data_length(access.size);
  payload.set_streaming_width(access.size);
  payload.set_byte_enable_ptr(const_cast<std::uint8_t*>(access.strobes));  // a target does not change them
  payload.set_byte_enable_length(access.strobes == nullptr ? 0 : access.size);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return transaction;
}

/// Nobody holds a payload any more.
void AtTargetAdapter::free(tlm::tlm_generic_payload* payload) {
  for (Transaction& one : transactions_)
    if (&one.payload == payload) free_.push_back(&one);
}

void AtTargetAdapter::begin(PendingAccess& pending) {
  if (pending.access.data == nullptr) {  // time only: a target of another make cannot be asked for that
    Answer answer;
    answer.result = AccessResult::command_error;
    answer.completion = pending.access.time;
    pending.answer(answer);
    return;
  }
  Transaction& transaction = take(pending);
  auto place = requests_.end();
  while (place != requests_.begin() && (*std::prev(place))->pending->access.time > pending.access.time) --place;
  requests_.insert(place, &transaction);
  wake();
}

void AtTargetAdapter::wake() {
  if (requesting_ != nullptr || requests_.empty()) return;
  const Picoseconds now = kernel_time();
  const Picoseconds due = std::max(requests_.front()->pending->access.time, request_free_);
  due_.cancel();
  due_.notify(due > now ? to_sc_time(due - now) : sc_core::SC_ZERO_TIME);
}

/// The next request goes out.
void AtTargetAdapter::send() {
  const Picoseconds now = kernel_time();
  if (requesting_ != nullptr || requests_.empty() ||
      std::max(requests_.front()->pending->access.time, request_free_) > now) {
    wake();
    return;
  }
  Transaction& transaction = *requests_.front();
  requests_.pop_front();
  requesting_ = &transaction.payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = to->nb_transport_fw(transaction.payload, phase, delay);
  const Picoseconds then = now + from_sc_time(delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) {
    if (status == tlm::TLM_UPDATED) {  // the response still has to be ended
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time at = delay;
      to->nb_transport_fw(transaction.payload, end, at);
    }
    respond(transaction.payload, then);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    request_ended(then);
  }
}

void AtTargetAdapter::request_ended(Picoseconds time) {
  requesting_ = nullptr;
  request_free_ = std::max(request_free_, time);
  wake();
}

void AtTargetAdapter::respond(tlm::tlm_generic_payload& payload, Picoseconds time) {
  const auto one = std::find_if(transactions_.begin(), transactions_.end(),
                                [&](const Transaction& other) { return &other.payload == &payload; });
  if (one == transactions_.end() || one->pending == nullptr)
    SC_REPORT_FATAL(name(), "a target answered a transaction that is not under way");
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    SC_REPORT_FATAL(name(), "a target answered a transaction without setting its response status");
  if (requesting_ == &payload) request_ended(time);
  Answer answer;
  answer.result = to_result(payload.get_response_status());
  answer.completion = time;
  PendingAccess& asked = *std::exchange(one->pending, nullptr);
  payload.release();
  asked.answer(answer);
}

tlm::tlm_sync_enum AtTargetAdapter::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const Picoseconds time = kernel_time() + from_sc_time(delay);
  if (phase == tlm::END_REQ) {
    if (requesting_ != &payload) SC_REPORT_FATAL(name(), "a target ended a request that is not under way");
    request_ended(time);
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) SC_REPORT_FATAL(name(), "a target sent a phase that is not its own");
  respond(payload, time);
  return tlm::TLM_COMPLETED;
}

void AtTargetAdapter::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned size = payload.get_data_length();
  if ((!payload.is_read() && !payload.is_write()) || size == 0 || payload.get_streaming_width() < size ||
      (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() < size)) {
    payload.set_response_status(payload.get_command() == tlm::TLM_IGNORE_COMMAND ? tlm::TLM_OK_RESPONSE
                                                                                 : tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  Blocking blocking;
  blocking.access.write = payload.is_write();
  blocking.access.address = payload.get_address();
  blocking.access.data = payload.get_data_ptr();
  blocking.access.size = size;
  blocking.access.strobes = payload.get_byte_enable_ptr();
  blocking.access.time = kernel_time() + from_sc_time(delay);
  begin(blocking);
  while (!blocking.answered) sc_core::wait(blocking.event);
  delay = to_sc_time(blocking.completion - kernel_time());
  payload.set_response_status(to_response(blocking.result));
}

tlm::tlm_sync_enum AtTargetAdapter::nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  SC_REPORT_FATAL(name(), "the bus sends blocking accesses and calls only");
  return tlm::TLM_COMPLETED;
}

bool AtTargetAdapter::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return to->get_direct_mem_ptr(payload, dmi);
}

void AtTargetAdapter::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  socket->invalidate_direct_mem_ptr(first, last);
}

}  // namespace vp
