#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tinytpu/core.h"
#include "models/tinytpu/memory_map.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// The AXI4-Lite slave in front of the core: one state machine for both directions, 32-bit words.
///
/// A call is one transaction of a master that presents address and data together at edge `start` (or later, if the port
/// is busy) and takes responses at once. The answer says when the handshakes happen; kNoEdge: never, the port is
/// blocked until a reset. Effects on the core happen inside the call, which advances the core as far as the transaction
/// needs.
class AxiPort {
 public:
  struct WriteTimes {
    Edge address = kNoEdge;   ///< AW handshake
    Edge data = kNoEdge;      ///< W handshake
    Edge response = kNoEdge;  ///< B handshake
  };
  struct ReadAnswer {
    Edge address = kNoEdge;   ///< AR handshake
    Edge response = kNoEdge;  ///< R handshake
    std::uint32_t data = 0;
  };

  explicit AxiPort(Core& core);

  const MemoryMap& map() const { return map_; }

  /// `offset`: in the window. `strobes`: bit i for byte i, as they stand one cycle after the W handshake (that is when
  /// the hardware looks). `origin`: who writes, for findings.
  WriteTimes write(std::uint64_t offset, std::uint32_t data, unsigned strobes, Edge start, const Origin& origin = {});
  /// `ready_delay`: cycles for which RREADY stays low; the access begins after them.
  ReadAnswer read(std::uint64_t offset, Edge start, Edge ready_delay = 0, const Origin& origin = {});

  /// First edge at which a transaction can begin; kNoEdge while blocked.
  Edge free_from() const { return blocked_ ? kNoEdge : free_from_; }
  bool blocked() const { return blocked_; }
  /// One sentence that names the full lane and the fill of each.
  std::string why_blocked() const;

  /// Reset of port and core: first reset edge, edges that it lasts.
  void reset(Edge edge, Edge cycles = 1);

  /// Transactions by region, back-pressure.
  PortFigures figures() const;
  void persist(Archive& archive);

 private:
  Edge write_instruction(unsigned word, std::uint32_t data, Edge earliest, const Origin& origin);
  void write_row(const Place& place, std::uint32_t data, unsigned strobes, Edge edge, const Origin& origin);

  Core& core_;
  MemoryMap map_;
  Edge free_from_ = 0;
  bool blocked_ = false;
  std::vector<std::uint8_t> row_, data_, enable_;  // of one access, to reuse their memory
  struct Counts {
    std::uint64_t reads = 0, writes = 0;
    void persist(Archive& archive);
  };
  Counts counts_[3];
  std::uint64_t back_pressure_ = 0;  ///< cycles that writes waited for the FIFO
};

}  // namespace vp::tinytpu
