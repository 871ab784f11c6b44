#include "models/common/tlm_target.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

namespace vp {
TlmTarget::TlmTarget(const char* name, TargetModel& model, Options options)
    : tlm_target_socket(name), model_(model), options_(options) {
  check_time_resolution();
  bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

void TlmTarget::invalidate_dmi(std::uint64_t first, std::uint64_t last) {
  (*this)->invalidate_direct_mem_ptr(first, last);
}

void TlmTarget::count_arrival(Picoseconds arrival) {
  if (arrival >= last_arrival_) {
    last_arrival_ = arrival;
  } else {
    ++late_arrivals_;
    latest_by_ = std::max(latest_by_, last_arrival_ - arrival);
  }
}

tlm::tlm_response_status TlmTarget::check(const tlm::tlm_generic_payload& payload) const {
  const unsigned length = payload.get_data_length();
  const std::uint64_t offset = payload.get_address();
  if (payload.get_command() != tlm::TLM_READ_COMMAND && payload.get_command() != tlm::TLM_WRITE_COMMAND)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (length == 0 || payload.get_streaming_width() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const std::uint64_t reach = std::min(length, payload.get_streaming_width());
  if (offset >= options_.size || reach > options_.size - offset) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void TlmTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    SC_REPORT_FATAL(name(), "an initiator sent a transaction whose response status is not TLM_INCOMPLETE_RESPONSE");
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  const tlm::tlm_response_status checked = check(payload);
  if (checked != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(checked);
    return;
  }
  auto* notes = payload.get_extension<TransportNotes>();
  const Picoseconds start = kernel_time();
  const Picoseconds arrival = start + from_sc_time(delay);
  count_arrival(arrival);
  const Answer answer = transfer(payload, notes, arrival);
  delay = to_sc_time(answer.completion - start);
  payload.set_response_status(to_response(answer.result));
  if (answer.ok() && model_.grants_dmi()) payload.set_dmi_allowed(true);
  if (answer.ok() && payload.get_data_length() <= 4) return;
  if (notes) {
    if (answer.result == AccessResult::no_answer) notes->no_answer = answer.why;
    notes->streamed = answer.streamed;
  }
}

Answer TlmTarget::transfer(const tlm::tlm_generic_payload& payload, const TransportNotes* notes, Picoseconds now) {
  const unsigned length = payload.get_data_length();
  const unsigned width = std::min(length, payload.get_streaming_width());
  Access beat;
  beat.write = payload.is_write();
  beat.address = payload.get_address();
  if (notes) beat.initiator = notes->initiator, beat.pc = notes->pc;
  const std::uint8_t* enabled = nullptr;
  if (const std::uint8_t* pattern = payload.get_byte_enable_ptr()) {
    enables_.resize(length);
    for (unsigned i = 0; i < length; ++i) enables_[i] = pattern[i % payload.get_byte_enable_length()];
    enabled = enables_.data();
  }
  Answer answer;
  // Each beat of a streaming transaction goes to the same address.
  for (unsigned done = 0; done < length && answer.ok(); done += width) {
    beat.data = payload.get_data_ptr() + done;
    beat.strobes = enabled ? enabled + done : nullptr;
    beat.size = std::min(width, length - done);
    beat.time = now;
    answer = cut(beat);
    now = answer.completion;
  }
  return answer;
}

bool TlmTarget::inside(const Access& access) const {
  return access.size != 0 && access.address < options_.size && access.size <= options_.size - access.address;
}

Answer TlmTarget::access(const Access& access) {
  const bool here = inside(access);
  if (here) count_arrival(access.time);
  Answer answer = !here                                           ? outside(access)
                  : access.strobes == nullptr && one_part(access) ? model_.access(access)
                                                                  : cut(access);
  answer.dmi = answer.ok() && model_.grants_dmi();
  return answer;
}

Answer TlmTarget::outside(const Access& access) {
  Answer answer;
  answer.result = AccessResult::address_error;
  answer.completion = access.time;
  return answer;
}

void TlmTarget::begin(PendingAccess& pending) {
  if (options_.port_bytes != 0 || !inside(pending.access)) {
    pending.answer(access(pending.access));
    return;
  }
  count_arrival(pending.access.time);
  model_.begin(pending);
}

/// An access as the port takes it: in parts, each behind the one before.
Answer TlmTarget::cut(const Access& access) {
  if (one_part(access)) return part(access);
  const unsigned port = options_.port_bytes;
  Answer answer;
  answer.completion = access.time;
  Access one = access;
  for (unsigned done = 0; done < access.size && answer.ok(); done += one.size) {
    one.address = access.address + done;
    one.size = std::min(port - static_cast<unsigned>(one.address & (port - 1)), access.size - done);
    one.data = access.data + done;
    if (access.strobes != nullptr) one.strobes = access.strobes + done;
    one.time = answer.completion;
    answer = part(one);
  }
  answer.moved = true;  // perhaps by a part before the last
  return answer;
}

Answer TlmTarget::part(const Access& access) {
  return access.strobes == nullptr ? model_.access(access) : strobed_part(access);
}

Answer TlmTarget::strobed_part(Access access) {
  const auto count =
      access.size - static_cast<unsigned>(std::count(access.strobes, access.strobes + access.size, std::uint8_t{0}));
  if (count == access.size) access.strobes = nullptr;
  if (count == 0) {
    Answer nothing;
    nothing.completion = access.time;
    return nothing;
  }
  return model_.access(access);
}

tlm::tlm_sync_enum TlmTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  // Our answers need no waiting, so the whole transaction fits into the first call.
  if (phase == tlm::BEGIN_REQ) b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

unsigned TlmTarget::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  if (offset >= options_.size || payload.get_data_ptr() == nullptr) return 0;
  const auto size = static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), options_.size - offset));
  if (payload.is_read()) return model_.debug_read(offset, payload.get_data_ptr(), size);
  if (payload.is_write()) return model_.debug_write(offset, payload.get_data_ptr(), size);
  return 0;
}

bool TlmTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.allow_none();
  auto* notes = payload.get_extension<TransportNotes>();
  const bool allowed = model_.grants_dmi() || (notes && notes->contents_only);
  const std::optional<DmiRegion> region =
      allowed && payload.get_address() < options_.size ? model_.dmi(payload.get_address()) : std::nullopt;
  const bool granted = region && (payload.is_write() ? region->writable : region->readable);
  if (!granted) {
    dmi.set_start_address(payload.get_address());  // a refusal holds for this address only
    dmi.set_end_address(payload.get_address());
    return false;
  }
  dmi.set_dmi_ptr(region->host);
  dmi.set_start_address(region->first);
  dmi.set_end_address(region->last);
  dmi.set_read_latency(to_sc_time(region->read_latency));
  dmi.set_write_latency(to_sc_time(region->write_latency));
  dmi.set_granted_access(region->readable && region->writable ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                         : region->readable                   ? tlm::tlm_dmi::DMI_ACCESS_READ
                                                              : tlm::tlm_dmi::DMI_ACCESS_WRITE);
  if (notes) notes->wide_extra = region->wide_extra;
  return true;
}

void TlmTarget::persist(Archive& archive) {
  archive("last_arrival", last_arrival_)("late_arrivals", late_arrivals_)("latest_by", latest_by_);
}

}  // namespace vp
