#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm>

#include "models/common/pending_access.h"
#include "models/common/target_model.h"
#include "models/common/transport_notes.h"

namespace vp {

/// The initiator socket of CPU, DMA engines and tests: plain calls in local time, transaction objects reused. Several
/// threads may have an access under way each.
///
/// Time: `now` is absolute local time, not earlier than the kernel's. Calls come from an SC_THREAD, because an access
/// may wait:
/// **the bus is the one place where an access that would reach a device at or after the horizon synchronises first**
/// (it alone knows the hop latency). It waits until the access's arrival time and until all visible events due by then
/// have been delivered, so the kernel's time may have moved when a call returns; `now` is correct in any case. The
/// initiator needs to do nothing about it but ask the horizon again after each access, and look at its interrupt
/// inputs. Plain memory waits only in timed mode, where another master may come first (`bus.sync`).
class TlmInitiator : public tlm::tlm_initiator_socket<64>, private tlm::tlm_bw_transport_if<> {
 public:
  explicit TlmInitiator(const char* name);
  ~TlmInitiator() override;

  /// One access of any kind (strobes and accesses without data excepted); access.time as `now` above.
  Answer access(const Access& access);
  /// The same as a transaction, for who has asked the bus for an answer at once (AccessBus) and got none.
  Answer transaction(const Access& access);
  /// Transfers `size` bytes, at least 1; moves `now` to the completion.
  AccessResult read(std::uint64_t address, void* data, unsigned size, Picoseconds& now) {
    return plain(false, address, data, size, now);
  }
  AccessResult write(std::uint64_t address, const void* data, unsigned size, Picoseconds& now) {
    // An access has one pointer for both directions; targets do not write through it for a write.
    return plain(true, address, const_cast<void*>(data), size, now);
  }
  /// Reserves bytes for a conditional write at this local time (`claim` false), or asks whether they are still reserved
  /// and ends that: for who moves the bytes themselves by host pointer. Takes no time, but may wait for the kernel to
  /// come to `time`. Without a bus in front of the target nothing can be reserved.
  bool reserve(std::uint64_t address, unsigned size, Picoseconds time, bool claim);

  /// The bus behind the socket where it takes accesses that are answered later; nullptr: it does not.
  AccessBus* bus() const { return bus_; }
  void set_bus(AccessBus& bus) { bus_ = &bus; }

  /// The region around `address` that may be accessed by host pointer for the given direction (it may allow the other,
  /// too), or nothing. Valid until the invalidation callback names an address of it.
  std::optional<DmiRegion> request_dmi(std::uint64_t address, bool for_write, DmiUse use = DmiUse::accesses);
  /// callback(first, last): host pointers into this address range (inclusive) must not be used any more.
  void on_dmi_invalidated(std::function<void(std::uint64_t first, std::uint64_t last)> callback) {
    invalidated_ = std::move(callback);
  }

  /// Debugger accesses: no time, no side effects. Return the number of bytes transferred.
  unsigned debug_read(std::uint64_t address, void* data, unsigned size);
  unsigned debug_write(std::uint64_t address, const void* data, unsigned size);

 private:
  struct Transaction {
    TransportNotes notes;
    tlm::tlm_generic_payload payload;
    bool under_way = false;
  };
  class Use;

  void check_time(Picoseconds time) const;
  void transact(const Access& access, Answer& answer);
  AccessResult plain(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& now);
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned size);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

  Transaction& free_transaction();

  std::deque<Transaction> transactions_;  // deque: they stay where they are
  AccessBus* bus_ = nullptr;
  std::function<void(std::uint64_t, std::uint64_t)> invalidated_;
};

}  // namespace vp
