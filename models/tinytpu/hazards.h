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

/// What the hardware does not interlock (README, Hazard report), and what a program hardly means.
enum class HazardKind : std::uint8_t {
  buffer_read_before_write,       ///< a multiply read a unified-buffer row before an earlier activate wrote it
  accumulator_read_before_write,  ///< an accumulating multiply read its addend before an earlier vector's sum was
                                  ///< written
  accumulator_overwritten,        ///< a multiply overwrote an accumulator row before an earlier activate read it
  weights_overrun,                ///< a preload row was overwritten before any multiply had taken it
  weights_replaced,               ///< a multiply took rows of a read_weights that comes after it in the program
  host_collision,                 ///< a host access took the unified buffer's ports from a running multiply or activate
  host_read_too_early,            ///< the host read a unified-buffer row that a pushed activate had not written yet
  host_write_too_early,    ///< the host wrote a unified-buffer row that a pushed instruction had still to read or write
  host_weights_too_early,  ///< the host wrote a weight-buffer row that a pushed read_weights had still to read
  extra_writes,            ///< vectors written beyond the end of an activate because the next one followed closely
  address_wrapped,         ///< rows beyond the end of a memory: their numbers wrap
  longer_than_buffer,      ///< an instruction of more rows than the memory has
  no_effect,               ///< an instruction that does nothing, or not what it names
  lanes_uneven,            ///< at the end, words of an instruction wait in the FIFO for the others
  never_ran,               ///< a read_weights stayed in the look-ahead stage for want of a successor
};
inline constexpr unsigned kHazardKinds = 15;

enum class Memory : std::uint8_t { unified_buffer, weight_buffer, accumulators };

inline constexpr std::uint64_t kNoInstruction = ~std::uint64_t{0};

/// One finding; rows and cycles of a run of like events of the same instructions are joined.
struct Hazard {
  static constexpr unsigned kStateVersion = 2;

  HazardKind kind{};
  std::uint64_t instruction = kNoInstruction;  ///< the one that suffers
  std::uint64_t other = kNoInstruction;        ///< the one that causes it
  unsigned first_row = 0;                      ///< of the memory concerned
  std::uint64_t rows = 0;                      ///< events joined
  Edge first_edge = 0;
  Edge last_edge = 0;
  unsigned last_row = 0;  ///< of a host's accesses
  Memory memory{};        ///< that an address or a length goes beyond
  unsigned depth = 0;     ///< its rows
  /// It went right, but nothing that the hardware does for a program made it so: only when things happened.
  bool by_timing = false;
  bool unseen = false;               ///< of a host access: a synchronize lies between, but the host had not looked
  Edge margin = kNoEdge;             ///< cycles to spare, if known
  bool any_feed = false;             ///< no host can feed in a way that breaks it
  std::array<unsigned, 3> lanes{};   ///< words that wait in them
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

/// The findings of a run. Everything is counted, the first kLimit findings of each kind are kept, likewise of those
/// that only timing made right.
class HazardReport {
 public:
  static constexpr std::size_t kLimit = 100;

  /// `enabled`: whether anything is looked at.
  HazardReport(bool enabled, unsigned fifo_depth) : enabled_(enabled), log_(fifo_depth) {}

  bool enabled() const { return enabled_; }

  /// What was pushed, for the names of instructions.
  InstructionLog& log() { return log_; }
  const InstructionLog& log() const { return log_; }
  /// Joined with the latest finding of its kind if that concerns the same instructions.
  void add(const Hazard& hazard);
  /// Rows of two instructions, one an edge from `row` and `edge` on: what the datapath sees.
  void add_rows(HazardKind kind, std::uint64_t instruction, std::uint64_t other, unsigned row, unsigned rows,
                Edge edge);
  using Counts = std::array<std::uint64_t, kHazardKinds>;
  const Counts& counts() const { return counts_; }
  /// What was added since `before` happened `times` more often, over `edges` more edges.
  void repeat(const Counts& before, std::uint64_t times, Edge edges);

  const std::vector<Hazard>& findings(HazardKind kind) const { return findings_[static_cast<unsigned>(kind)]; }
  /// Events of a kind, also those beyond the kept findings.
  std::uint64_t count(HazardKind kind) const { return counts_[static_cast<unsigned>(kind)]; }
  std::uint64_t total() const;
  /// What went right by timing only, whatever it would have been; no part of the counts above.
  const std::vector<Hazard>& by_timing() const { return by_timing_; }
  std::uint64_t by_timing_count() const { return by_timing_count_; }
  /// One sentence a finding, by kind, with the time of its first edge at this period of the clock; where findings were
  /// left out, a sentence says how many events there were.
  std::vector<Finding> told(Picoseconds period, const OriginText& origin = {}) const;
  void persist(Archive& archive);

 private:
  void add_to(std::vector<Hazard>& list, const Hazard& hazard);

  bool enabled_;
  InstructionLog log_;
  std::array<std::vector<Hazard>, kHazardKinds> findings_;
  Counts counts_{};
  std::vector<Hazard> by_timing_;
  std::uint64_t by_timing_count_ = 0;
};

}  // namespace vp::tinytpu
