#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/common/finding.h"
#include "models/common/origin.h"
#include "models/tinytpu/edge.h"
#include "models/tinytpu/instruction_log.h"
#include "models/tinytpu/sequencer.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// What the hardware does not interlock (spec sections 3.4 and 5).
enum class HazardKind : std::uint8_t {
  buffer_read_before_write,       ///< a multiply read a unified-buffer row before an earlier activate wrote it
  accumulator_read_before_write,  ///< an accumulating multiply read its addend before an earlier vector's sum was
                                  ///< written
  accumulator_overwritten,        ///< a multiply overwrote an accumulator row before an earlier activate read it
  weights_overrun,                ///< a preload row was overwritten before any multiply had taken it
  weights_replaced,               ///< a multiply took rows of a read_weights that comes after it in the program
  host_collision,                 ///< a host access took the unified buffer's ports from a running multiply or activate
  extra_writes,  ///< vectors written beyond the end of an activate because the next one followed closely
  never_ran,     ///< a read_weights stayed in the look-ahead stage for want of a successor
};
inline constexpr unsigned kHazardKinds = 8;

inline constexpr std::uint64_t kNoInstruction = ~std::uint64_t{0};

/// One finding; rows and cycles of a run of like events of the same instructions are joined.
struct Hazard {
  HazardKind kind{};
  std::uint64_t instruction = kNoInstruction;  ///< the one that suffers
  std::uint64_t other = kNoInstruction;        ///< the one that causes it
  unsigned first_row = 0;                      ///< of the memory concerned
  std::uint64_t rows = 0;                      ///< events joined
  Edge first_edge = 0;
  Edge last_edge = 0;
  PushedInstruction pushed{};        ///< `instruction`; the report fills them in
  PushedInstruction other_pushed{};  ///< `other`; of a host access its origin alone
  void persist(Archive& archive);
};

/// Name as in the statistics: "buffer_read_before_write", ...
const char* name_of(HazardKind kind);
/// What happened, in words.
const char* meaning_of(HazardKind kind);
/// One sentence with the instructions, who pushed them, rows and cycles.
std::string describe(const Hazard& hazard, const OriginText& origin = {});

/// The second reading of the events: finds hazards where instructions issue (by arithmetic on their row ranges, without
/// following single rows) and collects those that the datapath sees. Everything is counted, the first kLimit findings
/// of each kind are kept.
class HazardReport {
 public:
  static constexpr std::size_t kLimit = 100;

  /// `enabled`: whether anything is looked at.
  HazardReport(bool enabled, unsigned matrix_width, unsigned unified_buffer_depth)
      : enabled_(enabled), width_(matrix_width), depth_(unified_buffer_depth) {}

  bool enabled() const { return enabled_; }

  /// An instruction is complete in the FIFO.
  void pushed(std::uint64_t number, const Instruction& instruction, const Origin& origin) {
    if (enabled_) log_.add(number, instruction, origin);
  }
  /// An instruction left the coordinator.
  void issued(const Issue& issue);
  /// Extra vectors `first_vector` (and the next, if two) of activate `victim`, caused by activate `cause`.
  void extra_writes(const Issue& victim, const Issue& cause, unsigned first_vector, unsigned vectors);
  /// An event seen by the datapath; joined with the latest finding of its kind if that concerns the same instructions.
  void add(const Hazard& hazard);
  using Counts = std::array<std::uint64_t, kHazardKinds>;
  const Counts& counts() const { return counts_; }
  /// What was added since `before` happened `times` more often, over `edges` more edges.
  void repeat(const Counts& before, std::uint64_t times, Edge edges);
  /// Forgets the instructions in flight (findings stay).
  void reset();

  const std::vector<Hazard>& findings(HazardKind kind) const { return findings_[static_cast<unsigned>(kind)]; }
  /// Events of a kind, also those beyond the kept findings.
  std::uint64_t count(HazardKind kind) const { return counts_[static_cast<unsigned>(kind)]; }
  std::uint64_t total() const;
  /// One sentence a finding, by kind, with the time of its first edge at this period of the clock; where findings were
  /// left out, a sentence says how many events there were.
  std::vector<Finding> told(Picoseconds period, const OriginText& origin = {}) const;
  void persist(Archive& archive);

 private:
  struct Range {  ///< rows of one instruction, one an edge
    std::uint64_t first = 0, length = 0;
    Edge edge = 0;  ///< of the first row
  };
  void check_multiply(const Issue& multiply);
  void check_addends(const Issue& multiply);
  void overlap(HazardKind kind, const Range& reads, std::uint64_t reader, const Range& writes, std::uint64_t writer,
               std::uint64_t modulus, bool same_edge_is_hazard);

  bool enabled_;
  unsigned width_;
  unsigned depth_;
  std::vector<Issue> activates_;  ///< that have rows to read or write still
  Issue last_multiply_;
  bool has_multiply_ = false;
  InstructionLog log_;
  std::array<std::vector<Hazard>, kHazardKinds> findings_;
  Counts counts_{};
};

}  // namespace vp::tinytpu
