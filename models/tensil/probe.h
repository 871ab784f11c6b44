#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/clock.h"
#include "models/common/finding.h"
#include "models/tensil/dram_port.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// Watches how a program tells its end. The stream's acceptance says nothing of it: the last two instructions of a
/// program copy vector depth - 1 of DRAM0 to depth - 2, and the driver, which made the two different before, waits
/// until they are equal.
class Probe {
 public:
  static constexpr unsigned kStateVersion = 2;

  /// Reads bytes of memory as they are, by address; false where there is none.
  using Peek = std::function<bool(std::uint32_t address, std::uint8_t* bytes, std::size_t count)>;

  explicit Probe(unsigned dram0_depth) : vector_(dram0_depth - 2) {}
  void peek_with(Peek peek) { peek_ = std::move(peek); }

  /// A transfer with DRAM begins.
  void began(const DramMove& move, Picoseconds now);
  /// Any other instruction does.
  void other_began() {
    last_was_probe_ = false;
    program_open_ = true;
  }
  /// The first bytes of a packet of the stream are taken, which was begun then; what came before it ends at `ended`.
  void packet(Picoseconds begun, Picoseconds ended);

  /// A program has begun whose end has not been told.
  bool program_open() const { return program_open_; }

  void add_findings(std::vector<vp::Finding>& all) const;
  void persist(Archive& archive);

 private:
  /// A mistake of the driver: how often, and when first.
  struct Mistake {
    std::uint64_t number = 0;
    Picoseconds time = 0;
    void add(Picoseconds now) {
      if (number++ == 0) time = now;
    }
    void persist(Archive& archive);
  };
  const std::uint64_t vector_;
  Peek peek_;
  bool last_was_probe_ = false;
  bool program_open_ = false;
  bool wrote_since_ = false;  ///< the last program so far has written to DRAM and not ended with the probe
  Picoseconds wrote_at_ = 0;
  Mistake unarmed_;
  Mistake overtaken_;
};

}  // namespace vp::tensil
