#include "models/bus/bus.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "models/bus/bus_ports.h"
#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"
#include "models/common/transport_notes.h"

namespace vp {
namespace {

constexpr std::size_t kListedBadAccesses = 32;

/// Sets a payload's address for the way to the target and puts it back.
class TranslatedAddress {
 public:
  TranslatedAddress(tlm::tlm_generic_payload& payload, std::uint64_t base)
      : payload_(payload), address_(payload.get_address()) {
    payload_.set_address(address_ - base);
  }
  ~TranslatedAddress() { payload_.set_address(address_); }
  TranslatedAddress(const TranslatedAddress&) = delete;
  TranslatedAddress& operator=(const TranslatedAddress&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  std::uint64_t address_;
};

/// The notes on a transaction; lends it some if its initiator attached none.
class Notes {
 public:
  explicit Notes(tlm::tlm_generic_payload& payload)
      : payload_(payload), notes_(payload.get_extension<TransportNotes>()) {
    if (notes_ != nullptr) return;
    notes_ = &own_;
    payload_.set_extension(&own_);
  }
  ~Notes() {
    if (notes_ == &own_) payload_.clear_extension(&own_);
  }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  TransportNotes* operator->() { return notes_; }

 private:
  tlm::tlm_generic_payload& payload_;
  TransportNotes* notes_;
  TransportNotes own_;
};

/// "1 byte", "16 bytes", "0x1000 bytes": small distances are for counting, large ones for address arithmetic.
std::string distance(std::uint64_t bytes) {
  constexpr std::uint64_t kSmall = 4096;
  std::ostringstream text;
  if (bytes >= kSmall) text << "0x" << std::hex;
  text << bytes << (bytes == 1 ? " byte" : " bytes");
  return text.str();
}

}  // namespace

Bus::Bus(sc_core::sc_module_name module_name, const BusConfig& config, const Horizon& horizon,
         std::vector<std::string> initiators, std::vector<BusWindow> windows)
    : sc_module(module_name),
      config_(config),
      width_bytes_(config.width / 8),
      hop_(config.latency_cycles * config.clock),
      horizon_(horizon),
      map_(std::move(windows)) {
  for (unsigned i = 0; i < initiators.size(); ++i)
    initiators_.push_back(std::make_unique<InitiatorPort>(*this, initiators[i], i));
  for (unsigned i = 0; i < map_.windows().size(); ++i) targets_.push_back(std::make_unique<TargetPort>(*this, i));
  make_links(initiators);
}

Bus::~Bus() = default;

Bus::InitiatorPort& Bus::initiator(const std::string& label) const {
  for (const auto& port : initiators_)
    if (port->label == label) return *port;
  throw std::logic_error("the bus has no initiator " + label);
}

void Bus::connect_initiator(const std::string& label, tlm::tlm_initiator_socket<64>& socket) {
  socket.bind(initiator(label));
}

void Bus::connect_target(const std::string& label, TlmTarget& socket) {
  TargetPort& port = *targets_[map_.find(label)];
  port.bind(socket);
  port.model = &socket.model();
}

unsigned Bus::decode(InitiatorPort& from, std::uint64_t address, std::uint64_t size) const {
  // Most accesses go where the one before went.
  if (from.last_window != AddressMap::kNone) {
    const BusWindow& window = map_.windows()[from.last_window];
    const std::uint64_t offset = address - window.base;
    if (offset < window.size && size <= window.size - offset) return from.last_window;
  }
  return map_.find(address, size);
}

bool Bus::must_synchronise(const BusWindow& window, Picoseconds arrival) const {
  return window.exact || (!window.memory && arrival >= horizon_.earliest());
}

void Bus::transport(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool may_wait) {
  const unsigned reach = std::min(payload.get_data_length(), payload.get_streaming_width());
  const unsigned window = decode(from, payload.get_address(), std::max(reach, 1u));
  if (fidelity_ == Fidelity::timed && window != AddressMap::kNone) {
    from.last_window = window;
    transport_timed(from, window, payload, delay, may_wait);
    if (next_fidelity_ != fidelity_) change_fidelity();
    return;
  }
  delay += to_sc_time(hop_);
  const Picoseconds arrival = kernel_time() + from_sc_time(delay);
  if (window == AddressMap::kNone) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    note_bad_access(from, payload, arrival);
    return;
  }
  from.last_window = window;
  if (may_wait && must_synchronise(map_.windows()[window], arrival)) {
    ++synchronisations_;
    synchronize(horizon_, arrival);
    delay = sc_core::SC_ZERO_TIME;
  }
  forward(from, window, payload, delay);
  if (payload.is_response_error()) note_bad_access(from, payload, arrival);
  if (next_fidelity_ != fidelity_) change_fidelity();
}

Picoseconds Bus::forward(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                         sc_core::sc_time& delay) {
  Notes notes(payload);
  notes->initiator = from.index;
  {
    const TranslatedAddress translated(payload, map_.windows()[window].base);
    forwarding_ = true;
    (*targets_[window])->b_transport(payload, delay);
    forwarding_ = false;
  }
  if (!notes->no_answer.empty()) {
    give_up(from, window, payload, delay, notes->no_answer);
    return 0;
  }
  if (!payload.is_response_ok() || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const unsigned length = payload.get_data_length();
  from.traffic[window].add(payload.is_write(), length);
  targets_[window]->delivered.add(payload.is_write(), length);
  // The target's beats and the bus's overlap; the slower of the two counts.
  const Picoseconds streaming = length > width_bytes_ ? streaming_time(length) : 0;
  if (streaming <= notes->streamed) return 0;
  delay += to_sc_time(streaming - notes->streamed);
  return streaming - notes->streamed;
}

void Bus::give_up(InitiatorPort& from, unsigned window, const tlm::tlm_generic_payload& payload,
                  sc_core::sc_time& delay, const std::string& reason) {
  delay += to_sc_time(config_.timeout);
  if (!on_hang_) return;
  BusHang hang;
  hang.initiator = from.label;
  hang.target = map_.windows()[window].name;
  hang.address = payload.get_address();
  hang.write = payload.is_write();
  hang.time = kernel_time() + from_sc_time(delay);
  hang.reason = reason;
  on_hang_(hang);
}

void Bus::note_bad_access(const InitiatorPort& from, const tlm::tlm_generic_payload& payload, Picoseconds time) {
  ++bad_access_count_;
  BadAccess& access = last_bad_access_;
  access.initiator = from.label;
  access.address = payload.get_address();
  access.size = payload.get_data_length();
  access.write = payload.is_write();
  access.time = time;
  access.result = to_result(payload.get_response_status());
  if (bad_accesses_.size() == kListedBadAccesses) return;
  bad_accesses_.push_back(access);
  bad_accesses_.back().nearest = describe(access.address);
}

std::string Bus::describe(std::uint64_t address) const {
  const unsigned index = map_.nearest(address);
  if (index == AddressMap::kNone) return "";
  const BusWindow& window = map_.windows()[index];
  if (address < window.base) return distance(window.base - address) + " before " + window.text();
  if (address > window.last()) return distance(address - window.last() - 1) + " after the end of " + window.text();
  const TargetModel* model = targets_[index]->model;
  const std::string reg = model == nullptr ? "" : model->describe(address - window.base);
  return reg.empty() ? window.name : window.name + ", " + reg;
}

unsigned Bus::debug(tlm::tlm_generic_payload& payload) {
  const unsigned index = map_.find(payload.get_address(), 1);
  if (index == AddressMap::kNone) return 0;
  const BusWindow& window = map_.windows()[index];
  const unsigned length = payload.get_data_length();
  const std::uint64_t room = window.last() - payload.get_address();
  if (length > room + 1) payload.set_data_length(static_cast<unsigned>(room + 1));
  unsigned done = 0;
  {
    const TranslatedAddress translated(payload, window.base);
    done = (*targets_[index])->transport_dbg(payload);
  }
  payload.set_data_length(length);
  return done;
}

bool Bus::direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const unsigned index = map_.find(payload.get_address(), 1);
  if (index == AddressMap::kNone) {
    dmi.init();
    dmi.set_start_address(payload.get_address());
    dmi.set_end_address(payload.get_address());
    return false;
  }
  const BusWindow& window = map_.windows()[index];
  Notes notes(payload);
  bool granted = false;
  if (fidelity_ == Fidelity::functional || notes->contents_only) {
    const TranslatedAddress translated(payload, window.base);
    granted = (*targets_[index])->get_direct_mem_ptr(payload, dmi);
  }
  // The target may be larger than its window.
  dmi.set_end_address(std::min<std::uint64_t>(dmi.get_end_address(), window.size - 1) + window.base);
  dmi.set_start_address(dmi.get_start_address() + window.base);
  if (!granted) return false;
  dmi.set_read_latency(dmi.get_read_latency() + to_sc_time(hop_));
  dmi.set_write_latency(dmi.get_write_latency() + to_sc_time(hop_));
  notes->wide_extra = std::max(notes->wide_extra, streaming_time(8));
  return true;
}

void Bus::invalidate(unsigned index, std::uint64_t first, std::uint64_t last) {
  const BusWindow& window = map_.windows()[index];
  if (first >= window.size) return;
  last = std::min(last, window.size - 1);
  for (const auto& port : initiators_) (*port)->invalidate_direct_mem_ptr(window.base + first, window.base + last);
}

void Bus::set_dmi_traffic_source(const std::string& label, DmiTrafficSource source) {
  initiator(label).dmi_traffic = std::move(source);
}

}  // namespace vp
