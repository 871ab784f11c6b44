#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/cdma/cdma.h"
#include "models/common/archive.h"
#include "models/common/tlm_initiator.h"
#include "models/common/tlm_time.h"

namespace vp {

/// A CDMA that is given one copy after the other, each in the instant of the interrupt of the one before, and what it
/// said of each.
class CopyingCdma : public sc_core::sc_module {
 public:
  struct Copy {
    std::uint64_t destination, source;
    std::uint32_t bytes;
    std::uint32_t key_holes = 0;  ///< bits of CDMACR
  };

  CopyingCdma(sc_core::sc_module_name module_name, Horizon& horizon, const cdma::CdmaConfig& config,
              std::vector<Copy> copies)
      : sc_module(module_name), engine("cdma", horizon, config), copies_(std::move(copies)), next_("next") {
    registers_.bind(engine.socket);
    engine.bind_interrupt([this](bool level) {
      if (level) next_.notify(sc_core::SC_ZERO_TIME);
    });
    SC_HAS_PROCESS(CopyingCdma);
    SC_METHOD(go_on);
    sensitive << next_;
    dont_initialize();
  }

  Cdma engine;
  std::string seen;  ///< CDMASR and time of each end

  /// Starts the first copy when the simulation starts.
  void begin() { begins_ = true; }
  bool done() const {
    return position_ == copies_.size() && (engine.core().registers().find("CDMASR", 0)->value & 2) != 0;
  }
  void persist(Archive& archive) { archive("cdma", engine)("position", position_); }

 private:
  void start_of_simulation() override {
    if (begins_) start();
  }
  enum : unsigned { kControl = 0x00, kStatus = 0x04, kSource = 0x18, kDestination = 0x20, kBytes = 0x28 };

  void write(unsigned offset, std::uint32_t value) {
    Picoseconds now = kernel_time();
    registers_.write(offset, &value, 4, now);
  }
  void go_on() {
    std::uint32_t status = 0;
    Picoseconds now = kernel_time();
    registers_.read(kStatus, &status, 4, now);
    seen += std::to_string(status) + " at " + std::to_string(now) + "\n";
    write(kStatus, status);
    start();
  }
  void start() {
    if (position_ == copies_.size()) return;
    const Copy& copy = copies_[position_++];
    write(kControl, 1u << 12 | 1u << 14 | copy.key_holes);
    write(kSource, static_cast<std::uint32_t>(copy.source));
    write(kDestination, static_cast<std::uint32_t>(copy.destination));
    write(kBytes, copy.bytes);
  }

  TlmInitiator registers_{"registers"};
  const std::vector<Copy> copies_;
  std::size_t position_ = 0;
  bool begins_ = false;
  sc_core::sc_event next_;
};

}  // namespace vp
