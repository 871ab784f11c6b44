#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/bounds.h"
#include "models/common/fidelity.h"
#include "models/common/host_memory.h"
#include "models/common/tlm_target.h"
#include "models/memory/figures.h"
#include "models/memory/memory_config.h"
#include "models/memory/memory_timing.h"

namespace vp {

class Archive;

/// Random-access memory: contents on the host, time from a MemoryTiming: in functional mode a fixed one, in timed mode
/// the DRAM channel of its configuration. Grants DMI for reads and writes while its timing is fixed; the grant carries
/// the same latency as an access.
class Memory : public sc_core::sc_module, private TargetModel {
 public:
  /// Timing of its own making, in both modes.
  Memory(sc_core::sc_module_name name, const MemoryConfig& config, std::unique_ptr<MemoryTiming> timing);
  /// Timing from the configuration; `cycle` is the period of the bus clock, bus_bytes what the bus moves in it.
  Memory(sc_core::sc_module_name name, const MemoryConfig& config, Picoseconds cycle, unsigned bus_bytes = 8);

  /// At first functional.
  void set_fidelity(Fidelity fidelity);
  /// Reset of the machine: timing state only, a memory keeps its contents.
  void reset();
  /// All bytes zero.
  void clear() { contents_.clear(); }
  /// To be called when the timing's fixed() has changed: host pointers handed out before are revoked.
  void timing_changed() { socket.invalidate_dmi(0, contents_.size() - 1); }
  /// The bytes, for loaders and reports.
  std::uint8_t* data() { return contents_.data(); }
  std::uint64_t size() const { return contents_.size(); }
  /// The timing of the present mode.
  MemoryTiming& timing() { return *timing_; }
  MemoryFigures figures() const { return {socket.figures(), bytes_[0], bytes_[1]}; }
  void report(Statistics& statistics) const;
  void persist(Archive& archive);
  /// What it can move: while the machine is timed, what its DRAM channel can.
  void bounds(Bounds& bounds) const;
  /// The channel of timed mode tells when data moved on its bus; see MemoryTiming::on_data.
  void on_data(MemoryTiming::DataObserver observer) {
    if (timed_) timed_->on_data(std::move(observer));
  }
  /// Bytes read and written by transactions, both modes.
  std::uint64_t bytes(bool write) const { return bytes_[write]; }
  /// Empty, or what is wrong with the model's figures.
  std::string broken_conservation() const { return timed_ ? timed_->broken_conservation() : ""; }

 private:
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override;
  unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) override;
  std::optional<DmiRegion> dmi(std::uint64_t offset) override;
  bool grants_dmi() const override { return timing_->fixed().has_value(); }
  AccessResult simple(bool write, std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now);
  Answer access(const Access& access) override;
  void begin(PendingAccess& pending) override;
  void end_accesses() override;
  void move_bytes(const Access& access);
  void answer_later();
  void answer_all_over();
  /// Sets the kernel event of the next answers, anew or to an earlier time.
  void look_again();
  void look_by(Picoseconds time);

  std::unique_ptr<MemoryTiming> functional_;
  std::unique_ptr<MemoryTiming> timed_;  // nothing: the same
  MemoryTiming* timing_;
  unsigned data_pins_ = 0;  ///< of its DRAM channel
  std::uint64_t bytes_[2] = {};
  HostMemory contents_;

 public:
  TlmTarget socket;

 private:
  sc_core::sc_event due_;  // answers of accesses under way
  Picoseconds due_at_ = kNever;
  bool answering_ = false;
  std::vector<MemoryTiming::Later> over_;
};

}  // namespace vp
