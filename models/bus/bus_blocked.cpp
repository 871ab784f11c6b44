// Blocking accesses to memories that answer later: the thread of the initiator waits in the bus.
#include <cstring>

#include "models/bus/bus_ports.h"
#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

namespace vp {

/// Beats to one address, and what is no proper access, go to the socket, which knows what to do with them.
bool Bus::answers_later(unsigned window, const tlm::tlm_generic_payload& payload) const {
  const TargetPort& target = *targets_[window];
  return map_.windows()[window].memory && target.later != nullptr && !target.may_wait &&
         payload.get_command() != tlm::TLM_IGNORE_COMMAND && payload.get_data_ptr() != nullptr &&
         payload.get_data_length() != 0 && payload.get_streaming_width() >= payload.get_data_length() &&
         payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE &&
         (payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() != 0);
}

void Bus::send_and_wait(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, TransportNotes& notes,
                        sc_core::sc_time& delay) {
  if (free_blocked_.empty()) free_blocked_.push_back(&blocked_.emplace_back());
  Blocked& blocked = *free_blocked_.back();
  free_blocked_.pop_back();
  Access& access = blocked.access;
  access.write = payload.is_write();
  access.address = payload.get_address() - map_.windows()[window].base;
  access.data = payload.get_data_ptr();
  access.size = payload.get_data_length();
  access.strobes = nullptr;
  access.time = kernel_time() + from_sc_time(delay);
  access.initiator = from.index;
  access.pc = notes.pc;
  if (const std::uint8_t* pattern = payload.get_byte_enable_ptr()) {
    blocked.strobes.resize(access.size);
    for (unsigned i = 0; i < access.size; ++i) blocked.strobes[i] = pattern[i % payload.get_byte_enable_length()];
    access.strobes = blocked.strobes.data();
  }
  blocked.alone_until = others_at(from, window);
  blocked.answered = blocked.waits = false;
  forwarding_ = true;
  targets_[window]->later->begin(blocked);
  forwarding_ = false;
  if (!blocked.answered) {
    blocked.waits = true;
    schedule(*links_[link_of_window_[window]]);  // others may have their turns
    while (!blocked.answered) sc_core::wait(blocked.event);
  }
  const Answer& answer = blocked.given;
  payload.set_response_status(to_response(answer.result));
  if (answer.ok()) notes.streamed = answer.streamed;
  delay = to_sc_time(answer.completion - kernel_time());
  free_blocked_.push_back(&blocked);
}

/// The bytes change at the turn, so that nobody comes between; the read and the write then take their time.
Picoseconds Bus::forward_atomic_later(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                                      TransportNotes& notes, sc_core::sc_time& delay) {
  const unsigned size = payload.get_data_length();
  std::uint8_t* const data = payload.get_data_ptr();
  std::uint64_t operand = 0, memory = 0, result = 0;
  std::memcpy(&operand, data, size);
  const auto move = [&](tlm::tlm_command command, std::uint64_t& bytes) {
    payload.set_command(command);
    payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&bytes));
    debug(payload);
  };
  move(tlm::TLM_READ_COMMAND, memory);
  result = apply(notes.operation, size, memory, operand);
  move(tlm::TLM_WRITE_COMMAND, result);
  reservations_.written(from.index, payload.get_address(), size);
  std::memcpy(data, &memory, size);
  payload.set_data_ptr(nullptr);  // time only
  payload.set_command(tlm::TLM_READ_COMMAND);
  Picoseconds beats = send(from, window, payload, notes, delay, true);
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  if (payload.is_response_ok()) {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    delay += to_sc_time(hop_);
    beats += send(from, window, payload, notes, delay, true);
  }
  payload.set_data_ptr(data);
  return beats;
}

}  // namespace vp
