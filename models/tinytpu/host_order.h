#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/tinytpu/hazards.h"
#include "models/tinytpu/row_map.h"
#include "models/tinytpu/sequencer.h"

namespace vp {
class Archive;
class HandlerKnowledge;
}  // namespace vp

namespace vp::tinytpu {

/// Finds accesses of the host to rows that an instruction uses that it has pushed before, where no synchronize behind
/// that instruction has been since, or one that the host cannot know of. What the host does before it pushes is ordered
/// by the port.
///
/// What an interrupt handler has learnt the program knows from when the handler has handed it on (HandlerKnowledge).
class HostOrder {
 public:
  static constexpr unsigned kStateVersion = 3;

  HostOrder(HazardReport& report, unsigned matrix_width, unsigned weight_depth, unsigned unified_buffer_depth)
      : report_(report),
        width_(matrix_width),
        loaded_(weight_depth),
        read_(unified_buffer_depth),
        written_(unified_buffer_depth) {}

  /// An instruction was added to the report's log.
  void pushed() {
    if (report_.log().next() - noted_ > InstructionLog::kKept / 2) note();
  }
  void issued(const Issue& issue);
  /// The host is told of synchronizes by an interrupt: from here on it has to look at it.
  void expect_looks() { looks_expected_ = true; }
  /// The code that runs on the host knows of all synchronizes so far: it has taken the interrupt, or has seen it
  /// pending or the counter at rest.
  void looked();
  /// Without it, whatever runs on the host knows what any of it does.
  void use(HandlerKnowledge& knowledge) { knowledge_ = &knowledge; }
  /// An access at `edge`, up to which everything has been issued.
  void buffer_read(unsigned row, Edge edge, const Origin& origin);
  void buffer_written(unsigned row, Edge edge, const Origin& origin);
  void weights_written(unsigned row, Edge edge, const Origin& origin);
  /// Nothing that has been pushed will do anything any more.
  void reset();
  void persist(Archive& archive);

 private:
  /// Instructions in front of it are ordered before what the host does now.
  std::uint64_t known_below();
  /// Likewise, before whatever its program does from now on.
  std::uint64_t told_below();
  bool all_ordered() { return known_below() == report_.log().next(); }
  void note();
  std::optional<Edge> issue_of(std::uint64_t number) const;
  void check(HazardKind kind, const RowMap& rows, unsigned row, Edge edge, Edge first_use, const Origin& origin);

  HazardReport& report_;
  const unsigned width_;
  std::uint64_t ordered_below_ = 0;  ///< instructions in front of the latest synchronize that has been issued
  std::uint64_t seen_below_ = 0;     ///< those in front of the latest synchronize that the host knows of
  bool looks_expected_ = false;
  HandlerKnowledge* knowledge_ = nullptr;
  std::uint64_t learnt_ = 0;        ///< what a handler has learnt last; 0: nothing that seen_below_ does not say
  std::uint64_t learnt_below_ = 0;  ///< the instructions that it then knew of
  std::uint64_t next_issue_ = 0;
  std::array<Issue, kUnits> latest_{};  ///< of each unit
  std::uint64_t noted_ = 0;             ///< instructions that the maps have seen; they look only if the host accesses
  RowMap loaded_, read_, written_;      ///< in the order of the program; position: row of the instruction
};

}  // namespace vp::tinytpu
