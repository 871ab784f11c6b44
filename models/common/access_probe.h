#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/pending_access.h"

namespace vp {

/// Is told of the accesses to a window, in the order in which the part behind it sees them.
class AccessObserver {
 public:
  virtual ~AccessObserver() = default;
  /// It is at the part: `address` is an offset into the window, `time` absolute.
  virtual void begins(const Access& access) = 0;
  /// It has been answered; what was read stands in its data.
  virtual void ended(const Access& access, AccessResult result) = 0;
};

/// Stands between the bus and a part's socket and tells an observer of every access of a guest or a master; debug
/// accesses pass unseen. It changes neither times nor answers. A machine in which nobody looks has none.
class AccessProbe : public sc_core::sc_module, public AccessTarget, private tlm::tlm_fw_transport_if<> {
 public:
  AccessProbe(sc_core::sc_module_name name, AccessObserver& observer);
  ~AccessProbe() override;

  tlm::tlm_target_socket<64> socket;  ///< for the bus

  /// The part's socket, and the same for accesses with later answers.
  void connect(tlm::tlm_target_socket<64>& part, AccessTarget& later);

  void begin(PendingAccess& pending) override;
  void end_accesses() override { later_->end_accesses(); }

 private:
  class Onward;
  class Watched;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

  Access access_of(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  AccessObserver& observer_;
  std::unique_ptr<Onward> onward_;
  AccessTarget* later_ = nullptr;
  std::vector<std::uint8_t> strobes_;  // of a transaction; a member so that its memory is reused
};

}  // namespace vp
