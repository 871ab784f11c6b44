#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/tinytpu/hazards.h"
#include "models/tinytpu/row_map.h"
#include "models/tinytpu/sequencer.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// Finds accesses of two instructions to one row that come in the wrong order, and those that come in the right order
/// though nothing makes them: where instructions issue, by arithmetic on their row ranges, without following single
/// rows.
///
/// What orders: a synchronize, everything before it before everything behind it. The rules by which the coordinator
/// issues: in the order of the program, one an edge; a unit takes an instruction of length L only L + 4 edges after the
/// one before it; an activate waits likewise for the multiply before it; a read_weights with the opcodes 0x08 to 0x0F
/// waits until its successor is right behind it (README, Timing). From these follows the least distance of two
/// issues, however the host feeds, and with it what cannot happen. Rows of an activate that a multiply reads are
/// ordered by a synchronize only: the hardware does not look at them.
class UnitOrder {
 public:
  UnitOrder(HazardReport& report, unsigned matrix_width, unsigned unified_buffer_depth)
      : report_(report), width_(matrix_width), depth_(unified_buffer_depth), written_(unified_buffer_depth) {}

  /// An instruction left the coordinator.
  void issued(const Issue& issue);
  /// Forgets the instructions in flight.
  void reset();
  void persist(Archive& archive);

 private:
  /// In edges; may be negative, as of an instruction to one before it.
  using Distance = std::int64_t;
  static constexpr Distance kUnknown = -(Distance{1} << 60);

  /// An instruction, and how many edges after it the latest ones issued at least, whatever the feed.
  struct Tracked {
    Issue issue;
    Distance to_last = 0;
    std::array<Distance, kUnits> to_unit{kUnknown, kUnknown, kUnknown};  ///< the latest of each unit
    void persist(Archive& archive);
  };
  struct Range {  ///< rows of one instruction, one an edge
    std::uint64_t first = 0, length = 0;
    Edge edge = 0;  ///< of the first row
  };

  void advance(const Issue& issue);
  void advance(Tracked& from, const Issue& issue) const;
  void check_activates(const Issue& multiply);
  void check_activate(const Tracked& activate, const Issue& multiply);
  void check_unordered_reads(const Issue& multiply);
  void check_addends(const Issue& multiply);
  void check_addends_of(const Tracked& before, const Issue& multiply);
  void check_followed(const Issue& activate);
  void check_streaming(const Issue& multiply, Distance latest);
  void check_replaced(const Issue& load);
  Distance latest_behind_its_weights(const Issue& multiply) const;
  template <typename Use>
  void overlap(const Range& reads, const Range& writes, std::uint64_t modulus, Distance low, Distance high,
               Use use) const;
  std::uint64_t tiles(const Issue& multiply) const { return (multiply.instruction.length + width_ - 1) / width_; }

  HazardReport& report_;
  const unsigned width_;
  const unsigned depth_;
  std::uint64_t ordered_below_ = 0;  ///< instructions in front of the latest synchronize
  std::array<Distance, kUnits> lengths_{};
  std::vector<Tracked> activates_;     ///< that could still be overtaken
  std::optional<Tracked> multiply_;    ///< the latest since a synchronize
  std::optional<Issue> load_;          ///< the latest
  std::uint64_t taken_ = 0;            ///< rows of it for which multiplies have come, in whole tiles
  RowMap written_;                     ///< unified-buffer rows of activates; position: edge of the write
  std::uint64_t latest_activate_ = 0;  ///< its number + 1
};

}  // namespace vp::tinytpu
