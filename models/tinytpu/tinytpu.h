#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "models/common/bounds.h"
#include "models/common/event_timer.h"
#include "models/common/horizon.h"
#include "models/common/statistics.h"
#include "models/common/tlm_target.h"
#include "models/tinytpu/device.h"

namespace vp {

/// tinyTPU as a SystemC module: a memory-mapped target of 32-bit port width with one interrupt, the SYNCHRONIZE pin.
/// One kernel event an edge of the pin, none otherwise.
class TinyTpu : public sc_core::sc_module {
 public:
  TinyTpu(sc_core::sc_module_name name, Horizon& horizon, const tinytpu::TinyTpuConfig& config);

  /// The pin is edge-triggered by its nature: high for one clock a synchronize.
  void bind_synchronize(InterruptLine::Receiver receiver) { device_.synchronize_line().bind(std::move(receiver)); }
  /// Size of the address window in bytes.
  std::uint64_t window() const { return device_.window(); }
  /// Reset of the machine, at the present time; buffers and accumulators keep their contents.
  void reset();
  tinytpu::Figures figures();
  void report(Statistics& statistics);
  /// Its array: what it did beside what it could do.
  void bounds(Bounds& bounds);
  /// The hazard report up to now, one sentence a finding; empty if the option is off.
  std::vector<Finding> hazards(const OriginText& origin);
  tinytpu::TinyTpuDevice& device() { return device_; }
  const RegisterBank& registers() const { return device_.registers(); }
  /// What waits and what the units do now, a line each.
  std::vector<std::string> work();
  void persist(Archive& archive);

 private:
  EventTimer timer_;
  tinytpu::TinyTpuDevice device_;

 public:
  TlmTarget socket;
};

}  // namespace vp
