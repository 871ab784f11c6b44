#pragma once

#include <tlm_utils/peq_with_get.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/tlm_time.h"

namespace vp {

/// An initiator as others write them: approximately timed, a transaction every `gap` without waiting for answers,
/// phases checked. It ends responses at once (TLM_COMPLETED), in its answer (TLM_UPDATED), or some time later
/// (END_RESP).
class AtInitiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>, private tlm::tlm_mm_interface {
 public:
  enum class Ends { completed, updated, later };

  AtInitiator(sc_core::sc_module_name module_name, Ends ends, unsigned count, std::uint64_t address, bool write,
              Picoseconds gap)
      : sc_module(module_name), ends_(ends), count_(count), address_(address), write_(write), gap_(gap) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    SC_HAS_PROCESS(AtInitiator);
    SC_THREAD(run);
    SC_METHOD(end_response);
    sensitive << ending_;
    dont_initialize();
  }
  ~AtInitiator() override = default;

  tlm::tlm_initiator_socket<64> socket{"socket"};
  std::vector<Picoseconds> completions;
  std::vector<tlm::tlm_response_status> statuses;
  std::size_t most_under_way = 0;
  unsigned freed = 0;

  std::uint8_t* data(unsigned i) { return transactions_[i]->bytes; }

 private:
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* manager) : payload(manager) {}
    tlm::tlm_generic_payload payload;
    std::uint8_t bytes[64] = {};
  };

  void run() {
    for (unsigned i = 0; i < count_; ++i) {
      auto& one = *transactions_.emplace_back(std::make_unique<Transaction>(static_cast<tlm::tlm_mm_interface*>(this)));
      std::memset(one.bytes, write_ ? static_cast<int>(i + 1) : 0, sizeof one.bytes);
      one.payload.acquire();
      one.payload.set_command(write_ ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      one.payload.set_address(address_ + 64 * i);
      one.payload.set_data_ptr(one.bytes);
      one.payload.set_data_length(64);
      one.payload.set_streaming_width(64);
      one.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      ++under_way_;
      most_under_way = std::max(most_under_way, under_way_);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      requesting_ = true;
      const auto status = socket->nb_transport_fw(one.payload, phase, delay);
      if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) requesting_ = false;
      while (requesting_) wait(request_ended_);
      wait(delay + to_sc_time(gap_));
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      request_ended_.notify();
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP || ending_now_ != nullptr) SC_REPORT_FATAL(name(), "two responses at once");
    completions.push_back(kernel_time() + from_sc_time(delay));
    statuses.push_back(payload.get_response_status());
    --under_way_;
    if (ends_ == Ends::later) {
      ending_now_ = &payload;
      ending_.notify(20, sc_core::SC_NS);
      return tlm::TLM_ACCEPTED;
    }
    payload.release();
    if (ends_ == Ends::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void end_response() {
    tlm::tlm_generic_payload& payload = *std::exchange(ending_now_, nullptr);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload*) override { ++freed; }

  const Ends ends_;
  const unsigned count_;
  const std::uint64_t address_;
  const bool write_;
  const Picoseconds gap_;
  std::vector<std::unique_ptr<Transaction>> transactions_;
  std::size_t under_way_ = 0;
  bool requesting_ = false;
  tlm::tlm_generic_payload* ending_now_ = nullptr;
  sc_core::sc_event request_ended_, ending_;
};

/// A target as others write them: bytes, a latency, approximately timed only. It answers in one of the ways that the
/// protocol allows.
class AtTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  enum class Answers {
    completed,      ///< TLM_COMPLETED with a delay
    response,       ///< TLM_UPDATED to BEGIN_RESP with a delay
    request_ended,  ///< TLM_UPDATED to END_REQ, BEGIN_RESP later
    accepted,       ///< TLM_ACCEPTED, END_REQ and BEGIN_RESP later
    skips_end,      ///< TLM_ACCEPTED, BEGIN_RESP later
  };

  AtTarget(sc_core::sc_module_name module_name, Answers answers, Picoseconds latency)
      : sc_module(module_name), answers_(answers), latency_(latency) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    SC_HAS_PROCESS(AtTarget);
    SC_METHOD(end_request);
    sensitive << requests_.get_event();
    dont_initialize();
    SC_METHOD(respond);
    sensitive << responses_.get_event();
    dont_initialize();
  }

  tlm::tlm_target_socket<64> socket{"socket"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x1000);
  std::vector<Picoseconds> arrivals;
  unsigned under_way = 0, most_under_way = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    if (phase != tlm::BEGIN_REQ || requesting_ != nullptr) SC_REPORT_FATAL(name(), "two requests at once");
    arrivals.push_back(kernel_time() + from_sc_time(delay));
    std::uint8_t* const place = bytes.data() + payload.get_address();
    if (payload.is_write())
      std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
    else
      std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const sc_core::sc_time latency = to_sc_time(latency_);
    if (answers_ == Answers::completed || answers_ == Answers::response) {
      delay += latency;
      if (answers_ == Answers::completed) return tlm::TLM_COMPLETED;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    most_under_way = std::max(most_under_way, ++under_way);
    payload.acquire();
    responses_.notify(payload, delay + latency);
    if (answers_ == Answers::request_ended) {
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    requesting_ = &payload;
    if (answers_ == Answers::accepted) requests_.notify(payload, delay + sc_core::sc_time(10, sc_core::SC_NS));
    return tlm::TLM_ACCEPTED;
  }
  void end_request() {
    while (tlm::tlm_generic_payload* const payload = requests_.get_next_transaction()) {
      requesting_ = nullptr;
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      socket->nb_transport_bw(*payload, phase, delay);
    }
  }
  void respond() {
    while (tlm::tlm_generic_payload* const payload = responses_.get_next_transaction()) {
      if (requesting_ == payload) requesting_ = nullptr;
      --under_way;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      const auto status = socket->nb_transport_bw(*payload, phase, delay);
      if (status == tlm::TLM_ACCEPTED) SC_REPORT_FATAL(name(), "the response is not ended");
      payload->release();
    }
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {
    SC_REPORT_FATAL(name(), "this target is approximately timed");
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  const Answers answers_;
  const Picoseconds latency_;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"}, responses_{"responses"};
};

}  // namespace vp
