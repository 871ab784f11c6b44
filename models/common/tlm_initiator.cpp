#include "models/common/tlm_initiator.h"

#include "models/common/tlm_result.h"
#include "models/common/tlm_time.h"

namespace vp {
namespace {

void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
          unsigned size) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Takes an extension off a payload that lives shorter than it; the payload's destructor would delete it.
class AttachedNotes {
 public:
  AttachedNotes(tlm::tlm_generic_payload& payload, TransportNotes& notes) : payload_(payload), notes_(notes) {
    payload_.set_extension(&notes_);
  }
  ~AttachedNotes() { payload_.clear_extension(&notes_); }
  AttachedNotes(const AttachedNotes&) = delete;
  AttachedNotes& operator=(const AttachedNotes&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  TransportNotes& notes_;
};

}  // namespace

/// A transaction object in use for an access.
class TlmInitiator::Use {
 public:
  explicit Use(Transaction& transaction)
      : transaction_(transaction), attached_(transaction.payload, transaction.notes) {
    transaction_.notes.clear();
    transaction_.under_way = true;
  }
  ~Use() { transaction_.under_way = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Transaction& transaction_;
  AttachedNotes attached_;
};

TlmInitiator::TlmInitiator(const char* name) : tlm_initiator_socket(name) {
  check_time_resolution();
  bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

/// The simulation may have ended in the middle of an access; its payload would delete the notes.
TlmInitiator::~TlmInitiator() {
  for (Transaction& one : transactions_) one.payload.clear_extension(&one.notes);
}

TlmInitiator::Transaction& TlmInitiator::free_transaction() {
  for (Transaction& one : transactions_)
    if (!one.under_way) return one;
  return transactions_.emplace_back();
}

AccessResult TlmInitiator::plain(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& now) {
  Access one;
  one.write = write;
  one.address = address;
  one.data = static_cast<std::uint8_t*>(data);
  one.size = size;
  one.time = now;
  const Answer answer = access(one);
  now = answer.completion;
  return answer.result;
}

/// Who keeps a local time and lets it fall behind has made an error in its model; the sentence says which and how to
/// mend it.
void TlmInitiator::check_time(Picoseconds time) const {
  const Picoseconds now = kernel_time();
  if (time >= now) return;
  const std::string sentence = "an access leaves at a local time of " + std::to_string(time) +
                               " ps, but the kernel is at " + std::to_string(now) +
                               " ps already: the initiator's local time is behind the kernel's. An access may wait; "
                               "take the later of the kernel's time and the answer's after each, or use an "
                               "OverlappingMaster for several accesses under way.";
  SC_REPORT_FATAL(name(), sentence.c_str());
}

Answer TlmInitiator::access(const Access& access) {
  check_time(access.time);
  Answer answer;
  if (bus_ == nullptr || !bus_->answer_at_once(access, answer)) transact(access, answer);
  return answer;
}

Answer TlmInitiator::transaction(const Access& access) {
  check_time(access.time);
  Answer answer;
  transact(access, answer);
  return answer;
}

void TlmInitiator::transact(const Access& access, Answer& answer) {
  Transaction& transaction = free_transaction();
  tlm::tlm_generic_payload& payload = transaction.payload;
  const bool write = access.write || access.kind == AccessKind::conditional || access.kind == AccessKind::atomic;
  fill(payload, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, access.address, access.data, access.size);
  sc_core::sc_time delay = to_sc_time(access.time - kernel_time());
  {
    const Use use(transaction);
    transaction.notes.kind = access.kind;
    transaction.notes.operation = access.operation;
    transaction.notes.pc = access.pc;
    (*this)->b_transport(payload, delay);
  }
  answer.completion = kernel_time() + from_sc_time(delay);  // the kernel's time may have moved
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    SC_REPORT_FATAL(name(), "a target returned a transaction without setting its response status");
  if (payload.get_address() != access.address) SC_REPORT_FATAL(name(), "a transaction came back with another address");
  answer.dmi = payload.is_dmi_allowed();
  answer.stored = transaction.notes.stored;
  if (transaction.notes.no_answer.empty()) {
    answer.result = to_result(payload.get_response_status());
  } else {
    answer.result = AccessResult::no_answer;
    answer.why = transaction.notes.no_answer;
  }
}

bool TlmInitiator::reserve(std::uint64_t address, unsigned size, Picoseconds time, bool claim) {
  check_time(time);
  Transaction& transaction = free_transaction();
  tlm::tlm_generic_payload& payload = transaction.payload;
  fill(payload, tlm::TLM_IGNORE_COMMAND, address, nullptr, size);
  sc_core::sc_time delay = to_sc_time(time - kernel_time());
  const Use use(transaction);
  transaction.notes.kind = claim ? AccessKind::conditional : AccessKind::reserve;
  transaction.notes.stored = false;  // a target alone leaves it so
  (*this)->b_transport(payload, delay);
  return transaction.notes.stored;
}

std::optional<DmiRegion> TlmInitiator::request_dmi(std::uint64_t address, bool for_write, DmiUse use) {
  // A payload of its own: the request may be made while an access of another process waits in the bus.
  tlm::tlm_generic_payload payload;
  TransportNotes notes;
  notes.contents_only = use == DmiUse::contents;
  fill(payload, for_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, nullptr, 0);
  const AttachedNotes attached(payload, notes);
  tlm::tlm_dmi dmi;
  if (!(*this)->get_direct_mem_ptr(payload, dmi)) return std::nullopt;
  DmiRegion region;
  region.host = dmi.get_dmi_ptr();
  region.first = dmi.get_start_address();
  region.last = dmi.get_end_address();
  region.readable = dmi.is_read_allowed();
  region.writable = dmi.is_write_allowed();
  region.read_latency = from_sc_time(dmi.get_read_latency());
  region.write_latency = from_sc_time(dmi.get_write_latency());
  region.wide_extra = notes.wide_extra;
  return region;
}

unsigned TlmInitiator::debug_read(std::uint64_t address, void* data, unsigned size) {
  return debug(tlm::TLM_READ_COMMAND, address, static_cast<std::uint8_t*>(data), size);
}

unsigned TlmInitiator::debug_write(std::uint64_t address, const void* data, unsigned size) {
  return debug(tlm::TLM_WRITE_COMMAND, address, static_cast<std::uint8_t*>(const_cast<void*>(data)), size);
}

unsigned TlmInitiator::debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned size) {
  tlm::tlm_generic_payload payload;
  fill(payload, command, address, data, size);
  return (*this)->transport_dbg(payload);
}

tlm::tlm_sync_enum TlmInitiator::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  SC_REPORT_FATAL(name(), "a target answered a blocking access by nb_transport");
  return tlm::TLM_COMPLETED;
}

void TlmInitiator::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  if (invalidated_) invalidated_(first, last);
}

}  // namespace vp
