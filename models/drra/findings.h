#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/drra/address_stream.h"

namespace vp::drra {

/// What a program did that the hardware leaves undefined or that gives zeros where data were meant.
enum class FindingKind : unsigned {
  stream_busy,       ///< REFI for a port with addresses left: the new stream is dropped
  tile_busy,         ///< SRAM or IO while a stream of its direction is under way there: the new one is dropped
  wrong_hops,        ///< SRAM whose hops differ from those of the ROUTE: zeros
  no_route,          ///< SRAM without ROUTE, or with one that leaves the fabric: zeros
  tile_conflict,     ///< a read and a write of different rows of a memory with a single port
  jump_at_loop_end,  ///< a jump taken where a body is repeated: the address is the OR of both
  unrouted_input,    ///< a stream reads an input without a route: 0
  bad_shift,         ///< a shift by a negative amount
  io_row,            ///< IO beyond the buffer
};
constexpr unsigned kFindingKinds = 9;

/// The name of a kind, for statistics, and what it means in one sentence.
const char* name_of(FindingKind kind);
const char* meaning_of(FindingKind kind);

/// One finding. Where and when, and the instruction behind it.
struct Finding {
  FindingKind kind = FindingKind::stream_busy;
  Cycle cycle = 0;
  unsigned row = 0, column = 0;
  unsigned pc = 0;
  std::string instruction;  ///< as assembly
  Cycle started = 0;        ///< the cycle in which its run was started
  void persist(Archive& archive);
};
/// Its cycle counts from the start of its run.
std::string describe(const Finding& finding);

/// Counts findings and keeps the first of each kind.
class FindingLog {
 public:
  static constexpr std::size_t kKept = 64;  ///< of each kind

  /// Counts one. Returns whether its details are wanted: then keep() follows.
  bool count(FindingKind kind) { return ++counts_[static_cast<unsigned>(kind)] <= kKept; }
  void keep(Finding finding) { kept_.push_back(std::move(finding)); }
  std::uint64_t count_of(FindingKind kind) const { return counts_[static_cast<unsigned>(kind)]; }
  std::uint64_t total() const;
  /// In order of time, and within a cycle of the cells.
  const std::vector<Finding>& kept() const { return kept_; }
  void persist(Archive& archive);

 private:
  std::array<std::uint64_t, kFindingKinds> counts_{};
  std::vector<Finding> kept_;
};

}  // namespace vp::drra
