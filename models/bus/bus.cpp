#include "models/bus/bus.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "models/bus/bus_ports.h"
#include "models/common/access_probe.h"
#include "models/common/overlapping_master.h"
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
  TransportNotes* get() const { return notes_; }

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
      beats_{config.width / 8, config.clock, false},
      hop_(config.latency_cycles * config.clock),
      horizon_(horizon),
      map_(std::move(windows)),
      reservations_(initiators.size()),
      deferred_due_("deferred_due") {
  config_.check();
  for (unsigned i = 0; i < initiators.size(); ++i)
    initiators_.push_back(std::make_unique<InitiatorPort>(*this, initiators[i], i));
  for (unsigned i = 0; i < map_.windows().size(); ++i) targets_.push_back(std::make_unique<TargetPort>(*this, i));
  make_links(initiators);
  sc_core::sc_spawn_options method;
  method.spawn_method();
  method.dont_initialize();
  method.set_sensitivity(&deferred_due_);
  sc_core::sc_spawn([this] { start_deferred(); }, "start_deferred", &method);
}

Bus::~Bus() = default;

Bus::InitiatorPort& Bus::initiator(const std::string& label) const {
  for (const auto& port : initiators_)
    if (port->label == label) return *port;
  throw std::logic_error("the bus has no initiator " + label);
}

Bus::PortBeats Bus::port_beats(BusPortOptions port) const {
  PortBeats beats = beats_;
  if (port.width != 0) beats.bytes = port.width / 8;
  if (port.clock != 0) beats.clock = port.clock;
  beats.own = beats.bytes != beats_.bytes || beats.clock != beats_.clock;
  return beats;
}

void Bus::connect_initiator(const std::string& label, tlm::tlm_initiator_socket<64>& socket, BusPortOptions port) {
  socket.bind(initiator(label));
  initiator(label).beats = port_beats(port);
}

void Bus::connect_initiator(const std::string& label, TlmInitiator& socket, BusPortOptions port) {
  connect_initiator(label, static_cast<tlm::tlm_initiator_socket<64>&>(socket), port);
  socket.set_bus(initiator(label));
}

void Bus::connect_initiator(const std::string& label, OverlappingMaster& master, BusPortOptions port) {
  connect_initiator(label, master.socket, port);
  master.set_bus(initiator(label));
}

void Bus::connect_target(const std::string& label, TlmTarget& socket, BusPortOptions port) {
  connect_target(label, socket, &socket, port, &socket.model());
  TargetPort& place = *targets_[map_.find(label)];
  place.may_wait = false;
  place.direct = &socket;
}

void Bus::connect_target(const std::string& label, TlmTarget& socket, AccessProbe& probe) {
  probe.connect(socket, socket);
  connect_target(label, probe.socket, &probe, {}, &socket.model());
  targets_[map_.find(label)]->may_wait = false;
}

void Bus::connect_target(const std::string& label, tlm::tlm_target_socket<64>& socket, AccessTarget* later,
                         BusPortOptions port, const TargetModel* model) {
  TargetPort& place = *targets_[map_.find(label)];
  place.bind(socket);
  place.model = model;
  place.later = later;
  place.direct = nullptr;
  place.may_wait = true;
  place.beats = port_beats(port);
}

Picoseconds Bus::occupancy(const InitiatorPort& from, unsigned window, unsigned bytes) const {
  const PortBeats& to = targets_[window]->beats;
  Picoseconds time = beats_.all(bytes);
  if (from.beats.own) time = std::max(time, from.beats.all(bytes));
  if (to.own) time = std::max(time, to.all(bytes));
  return time;
}

Picoseconds Bus::streaming_time(const InitiatorPort& from, unsigned window, unsigned bytes) const {
  const PortBeats& to = targets_[window]->beats;
  Picoseconds time = beats_.further(bytes);
  if (from.beats.own) time = std::max(time, from.beats.further(bytes));
  if (to.own) time = std::max(time, to.further(bytes));
  return time;
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

bool Bus::is_special(const tlm::tlm_generic_payload& payload) {
  const auto* notes = payload.get_extension<TransportNotes>();
  return notes != nullptr && notes->kind != AccessKind::plain;
}

Bus::AccessLabel Bus::label_of(const tlm::tlm_generic_payload& payload) {
  return label_of(payload, payload.get_extension<TransportNotes>());
}

Bus::AccessLabel Bus::label_of(const tlm::tlm_generic_payload& payload, const TransportNotes* notes) {
  return {payload.get_address(), payload.get_data_length(), payload.is_write(), notes ? notes->pc : kNoPc};
}

void Bus::transport(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool may_wait) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    if (is_special(payload)) {
      wait_for_reservation(from, payload, delay, may_wait);
      return;
    }
  }
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
    note_bad_access(from, label_of(payload), AccessResult::address_error, arrival);
    return;
  }
  from.last_window = window;
  if (may_wait && must_synchronise(map_.windows()[window], arrival)) {
    ++synchronisations_;
    synchronize(horizon_, arrival);
    delay = sc_core::SC_ZERO_TIME;
  } else if (initiators_.size() > 1 && may_wait && is_special(payload)) {
    wait_for_others(from, arrival);
    delay = to_sc_time(arrival - kernel_time());
  }
  forward(from, window, payload, delay, false);
  if (payload.is_response_error())
    note_bad_access(from, label_of(payload), to_result(payload.get_response_status()), arrival);
  if (next_fidelity_ != fidelity_) change_fidelity();
}

/// Lets the kernel catch up if another may write before `time`, which counts for LR, SC and AMO.
void Bus::wait_for_others(const InitiatorPort& from, Picoseconds time) const {
  const Picoseconds now = kernel_time();
  if (time <= now || comes_first(from, time, false, now)) return;
  sc_core::wait(to_sc_time(time - now));
  sc_core::wait(sc_core::SC_ZERO_TIME);  // behind the writes of this instant
}

/// LR and SC of who moves the bytes by host pointer: no time, but in order with the writes of others.
void Bus::wait_for_reservation(InitiatorPort& from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                               bool may_wait) {
  const Picoseconds time = kernel_time() + from_sc_time(delay);
  if (may_wait) wait_for_others(from, time);
  delay = to_sc_time(time - kernel_time());
  auto* notes = payload.get_extension<TransportNotes>();
  const unsigned size = std::max(payload.get_data_length(), 1u);
  notes->stored = true;
  if (notes->kind == AccessKind::conditional)
    notes->stored = reservations_.claim(from.index, payload.get_address(), size);
  else
    reserve(from, payload.get_address(), size);
  if (notes->stored && notes->kind == AccessKind::conditional)
    reservations_.written(from.index, payload.get_address(), size);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Who has a host pointer may have written any number of times.
std::uint64_t Bus::writes_of_others(const InitiatorPort& from) {
  const auto unseen = [&](const auto& other) { return other->index != from.index && other->writes_directly; };
  if (std::any_of(initiators_.begin(), initiators_.end(), unseen)) ++unseen_writes_;
  return reservations_.writes_of_others(from.index) + unseen_writes_;
}

/// Others may write by host pointer, where the bus does not see it: they lose that until the reservation has ended, or
/// have to tell of each write (AccessBus::written).
void Bus::reserve(InitiatorPort& from, std::uint64_t address, unsigned size) {
  reservations_.reserve(from.index, address, size);
  for (const auto& other : initiators_) {
    if (other->index == from.index || !other->writes_directly) continue;
    other->writes_directly = false;
    (*other)->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
  }
}

/// Sends an access of any kind to its target, which it has reached. Returns the time that the bus's beats took beyond
/// the target's.
Picoseconds Bus::forward(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                         sc_core::sc_time& delay, bool later) {
  Notes notes(payload);
  notes->initiator = from.index;
  const AccessKind kind = std::exchange(notes->kind, AccessKind::plain);  // the target sees reads and writes
  const std::uint64_t address = payload.get_address();
  const unsigned size = payload.get_data_length();
  switch (kind) {
    case AccessKind::plain:
      break;
    case AccessKind::reserve: {
      if (later) reserve(from, address, size);  // the bytes are read at once
      const Picoseconds beats = send(from, window, payload, *notes.get(), delay, later);
      if (payload.is_response_ok() && !later) reserve(from, address, size);
      return beats;
    }
    case AccessKind::conditional:
      notes->stored = reservations_.claim(from.index, address, size);
      if (notes->stored) break;
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return 0;
    case AccessKind::atomic:
      return forward_atomic(from, window, payload, *notes.get(), delay, later);
  }
  return send(from, window, payload, *notes.get(), delay, later);
}

/// Reads, computes and writes; nothing comes between, since the link and this thread are held. It takes what a load and
/// a store take.
Picoseconds Bus::forward_atomic(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload,
                                TransportNotes& notes, sc_core::sc_time& delay, bool later) {
  const AtomicOperation operation = notes.operation;
  const unsigned size = payload.get_data_length();
  std::uint64_t operand = 0, memory = 0;
  if (size > sizeof operand) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return 0;
  }
  std::memcpy(&operand, payload.get_data_ptr(), size);
  if (later) return forward_atomic_later(from, window, payload, notes, delay);
  payload.set_command(tlm::TLM_READ_COMMAND);
  Picoseconds beats = send(from, window, payload, notes, delay, false);
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  if (!payload.is_response_ok()) return beats;
  std::memcpy(&memory, payload.get_data_ptr(), size);
  std::uint64_t result = apply(operation, size, memory, operand);
  std::uint8_t* const data = payload.get_data_ptr();
  payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&result));
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  delay += to_sc_time(hop_);
  beats += send(from, window, payload, notes, delay, false);
  payload.set_data_ptr(data);
  return beats;
}

Picoseconds Bus::send(InitiatorPort& from, unsigned window, tlm::tlm_generic_payload& payload, TransportNotes& notes,
                      sc_core::sc_time& delay, bool later) {
  // A target of another make may wait with the bytes written already, or not yet.
  if (payload.is_write()) reservations_.written(from.index, payload.get_address(), payload.get_data_length());
  if (later) {
    send_and_wait(from, window, payload, notes, delay);
  } else {
    const TranslatedAddress translated(payload, map_.windows()[window].base);
    forwarding_ = true;
    (*targets_[window])->b_transport(payload, delay);
    forwarding_ = false;
  }
  return sent(from, window, payload, notes, delay);
}

/// The target has answered.
Picoseconds Bus::sent(InitiatorPort& from, unsigned window, const tlm::tlm_generic_payload& payload,
                      const TransportNotes& notes, sc_core::sc_time& delay) {
  if (!notes.no_answer.empty()) {
    delay += to_sc_time(config_.timeout);
    give_up(from, window, label_of(payload), kernel_time() + from_sc_time(delay), notes.no_answer);
    return 0;
  }
  if (!payload.is_response_ok() || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const unsigned length = payload.get_data_length();
  count(from, window, {payload.get_address(), length, payload.is_write(), kNoPc});
  // The target's beats and the bus's overlap; the slower of the two counts.
  const Picoseconds streaming = streaming_time(from, window, length);
  if (streaming <= notes.streamed) return 0;
  delay += to_sc_time(streaming - notes.streamed);
  return streaming - notes.streamed;
}

void Bus::give_up(InitiatorPort& from, unsigned window, const AccessLabel& label, Picoseconds time,
                  const std::string& reason) {
  if (!on_hang_) return;
  BusHang hang;
  hang.initiator = from.label;
  hang.target = map_.windows()[window].name;
  hang.address = label.address;
  hang.write = label.write;
  hang.time = time;
  hang.pc = label.pc;
  hang.reason = reason;
  on_hang_(hang);
}

void Bus::note_bad_access(const InitiatorPort& from, const AccessLabel& label, AccessResult result, Picoseconds time) {
  ++bad_access_count_;
  BadAccess& access = last_bad_access_;
  access.initiator = from.label;
  access.address = label.address;
  access.size = label.size;
  access.write = label.write;
  access.time = time;
  access.result = result;
  access.pc = label.pc;
  if (bad_accesses_.size() < kListedBadAccesses) {
    bad_accesses_.push_back(access);
    bad_accesses_.back().nearest = describe(access.address);
  }
  if (on_bad_access_) on_bad_access_(access);
}

std::string Bus::refusal(const BadAccess& access) const {
  const unsigned index = map_.find(access.address, 1);
  if (index == AddressMap::kNone || targets_[index]->model == nullptr) return "";
  return targets_[index]->model->refusal(access.address - map_.windows()[index].base, access.size, access.write);
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
  if (payload.is_write() && done > 0) reservations_.written(Reservations::kNobody, payload.get_address(), done);
  return done;
}

bool Bus::direct_memory(InitiatorPort& from, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
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
  const bool hides_writes =
      payload.is_write() && !notes->contents_only && reservations_.others(from.index, window.base, window.last());
  if ((fidelity_ == Fidelity::functional || notes->contents_only) && !hides_writes) {
    const TranslatedAddress translated(payload, window.base);
    granted = (*targets_[index])->get_direct_mem_ptr(payload, dmi);
  }
  // The target may be larger than its window.
  dmi.set_end_address(std::min<std::uint64_t>(dmi.get_end_address(), window.size - 1) + window.base);
  dmi.set_start_address(dmi.get_start_address() + window.base);
  if (!granted) return false;
  dmi.set_read_latency(dmi.get_read_latency() + to_sc_time(hop_));
  dmi.set_write_latency(dmi.get_write_latency() + to_sc_time(hop_));
  notes->wide_extra = std::max(notes->wide_extra, streaming_time(from, index, 8));
  from.writes_directly |= dmi.is_write_allowed();
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
