#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/arrival_figures.h"
#include "models/common/target_model.h"
#include "models/common/transport_notes.h"

namespace vp {

class Archive;

/// The target socket of every memory-mapped device. It enforces the rules of the TLM-2.0 base protocol once, so that
/// the device behind it (a `TargetModel`) sees plain reads and writes with local time:
///
/// * response status comes in as TLM_INCOMPLETE_RESPONSE (anything else is an error of ours) and always goes out set;
/// * TLM_IGNORE_COMMAND does nothing and is OK; a length or streaming width of zero is a burst error, a byte-enable
/// pattern of
///   length zero a byte-enable error, an access that leaves the window an address error;
/// * byte enables of any pattern (repeated over the data), streaming widths smaller than the data (beats to one
/// address);
/// * accesses are cut at the declared port width, lower address first, each part following the one before in time;
/// * the DMI hint is set on successful accesses while the model grants DMI;
/// * an access whose answer may come later (AccessTarget) follows the same rules;
/// * debug accesses take no time and cannot fail halfway without saying so (the number of bytes);
/// * nb_transport answers in its first call (early completion), so initiators of any coding style can be bound.
///
/// A member of the device's module: `TlmTarget socket{"socket", *this, {.size, .port_bytes}}`.
class TlmTarget : public tlm::tlm_target_socket<64>, public AccessTarget, private tlm::tlm_fw_transport_if<> {
 public:
  struct Options {
    std::uint64_t size = 0;  ///< of the window in bytes; accesses outside are address errors
    unsigned port_bytes =
        0;  ///< width of the device's port, a power of two; 0: takes any length in one access (memories)
  };

  TlmTarget(const char* name, TargetModel& model, Options options);

  const TargetModel& model() const { return model_; }
  const Options& options() const { return options_; }

  /// Tells all initiators that host pointers into offsets first..last (inclusive) are no longer valid.
  void invalidate_dmi(std::uint64_t first, std::uint64_t last);

  /// Accesses that arrived earlier than one before them, because their initiators run on local times of their own; and
  /// the most by which one was late, in picoseconds.
  std::uint64_t late_arrivals() const { return late_arrivals_; }
  Picoseconds latest_arrival() const { return latest_by_; }
  void persist(Archive& archive);
  ArrivalFigures figures() const { return {late_arrivals_, latest_by_}; }
  /// An access of kind `plain` as a call instead of a transaction.
  Answer access(const Access& access);
  void begin(PendingAccess& pending) override;
  void end_accesses() override { model_.end_accesses(); }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  void count_arrival(Picoseconds arrival);
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) const;
  Answer transfer(const tlm::tlm_generic_payload& payload, const TransportNotes* notes, Picoseconds now);
  bool inside(const Access& access) const;
  static Answer outside(const Access& access);
  /// It goes through the port as it is.
  bool one_part(const Access& access) const {
    const unsigned port = options_.port_bytes;
    return port == 0 || access.size <= port - static_cast<unsigned>(access.address & (port - 1));
  }
  Answer cut(const Access& access);
  Answer part(const Access& access);
  Answer strobed_part(Access access);

  TargetModel& model_;
  const Options options_;
  Picoseconds last_arrival_ = 0;
  std::uint64_t late_arrivals_ = 0;
  Picoseconds latest_by_ = 0;
  std::vector<std::uint8_t> enables_;  // pattern spread over one access; a member so that its memory is reused
};

}  // namespace vp
