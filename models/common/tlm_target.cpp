#include "models/common/tlm_target.h"

#include <algorithm>

#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

namespace vp {
namespace {

tlm::tlm_response_status to_response(AccessResult result) {
  switch (result) {
    case AccessResult::ok:
      return tlm::TLM_OK_RESPONSE;
    case AccessResult::address_error:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case AccessResult::command_error:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case AccessResult::error:
    case AccessResult::no_answer:
      break;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

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
  initiator_ = notes ? notes->initiator : 0;
  const Picoseconds start = kernel_time();
  Picoseconds now = start + from_sc_time(delay);
  count_arrival(now);
  const AccessResult result = transfer(payload, now);
  delay = to_sc_time(now - start);
  payload.set_response_status(to_response(result));
  if (result == AccessResult::ok && model_.grants_dmi()) payload.set_dmi_allowed(true);
  if (result == AccessResult::ok && payload.get_data_length() <= 4) return;
  if (notes) {
    if (result == AccessResult::no_answer) notes->no_answer = model_.why_no_answer();
    notes->streamed = model_.streamed();
  }
}

AccessResult TlmTarget::transfer(const tlm::tlm_generic_payload& payload, Picoseconds& now) {
  const bool write = payload.is_write();
  const std::uint64_t offset = payload.get_address();
  const unsigned length = payload.get_data_length();
  const unsigned width = std::min(length, payload.get_streaming_width());
  std::uint8_t* data = payload.get_data_ptr();
  const std::uint8_t* enabled = nullptr;
  if (const std::uint8_t* pattern = payload.get_byte_enable_ptr()) {
    enables_.resize(length);
    for (unsigned i = 0; i < length; ++i) enables_[i] = pattern[i % payload.get_byte_enable_length()];
    enabled = enables_.data();
  }
  // Each beat of a streaming transaction goes to the same address.
  for (unsigned done = 0; done < length; done += width) {
    const AccessResult result =
        beat(write, offset, data + done, enabled ? enabled + done : nullptr, std::min(width, length - done), now);
    if (result != AccessResult::ok) return result;
  }
  return AccessResult::ok;
}

AccessResult TlmTarget::beat(bool write, std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled,
                             unsigned size, Picoseconds& now) {
  const unsigned port = options_.port_bytes;
  if (port == 0) return part(write, offset, data, enabled, size, now);
  for (unsigned done = 0; done < size;) {
    const std::uint64_t place = offset + done;
    const unsigned room = port - static_cast<unsigned>(place & (port - 1));
    const unsigned count = std::min(room, size - done);
    const AccessResult result = part(write, place, data + done, enabled ? enabled + done : nullptr, count, now);
    if (result != AccessResult::ok) return result;
    done += count;
  }
  return AccessResult::ok;
}

AccessResult TlmTarget::part(bool write, std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled,
                             unsigned size, Picoseconds& now) {
  if (enabled != nullptr) {
    const auto count = size - static_cast<unsigned>(std::count(enabled, enabled + size, std::uint8_t{0}));
    if (count == 0) return AccessResult::ok;
    if (count != size)
      return write ? model_.write_masked(offset, data, enabled, size, now)
                   : model_.read_masked(offset, data, enabled, size, now);
  }
  return write ? model_.write(offset, data, size, now) : model_.read(offset, data, size, now);
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

}  // namespace vp
