#pragma once

#include <cstdint>
#include <vector>

#include "models/tinytpu/edge.h"
#include "models/tinytpu/hazards.h"

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// The hazard report's view of the preload registers: weights that are overwritten before a multiply has taken them,
/// and weights that a multiply takes from a read_weights behind it.
///
/// It is told of whole tiles, when their first row is written or taken, and tells of their rows at their edges.
class PreloadWatch {
 public:
  explicit PreloadWatch(unsigned width) : width_(width) {}

  /// Rows 0 to `rows` - 1 are written by a read_weights, row i at `edge` + i.
  void loaded(std::uint64_t load, unsigned rows, Edge edge);
  /// All rows are taken by a multiply, row i at `edge` + i.
  void taken(std::uint64_t multiply, Edge edge);
  /// Adds what was found at edges before `end`.
  void tell(HazardReport& report, Edge end);
  /// Everything that was found has been told.
  bool all_told() const { return found_.empty(); }

  /// Moves what is to be told by a number of edges.
  void shift(Edge edges);
  void reset();
  void persist(Archive& archive);

 private:
  /// Neighbouring rows that one read_weights wrote.
  struct Rows {
    unsigned end = 0;  ///< row behind the last; the first is the end of those before
    std::uint64_t load = 0;
    bool fresh = true;  ///< no multiply behind it has taken them
    void persist(Archive& archive);
  };
  struct Found {
    HazardKind kind{};
    std::uint64_t instruction = 0, other = 0;
    unsigned row = 0, rows = 0;
    Edge edge = 0;  ///< of the first row
    void persist(Archive& archive);
  };

  const unsigned width_;
  std::vector<Rows> rows_;  ///< from row 0 on; those behind were never written
  std::vector<Found> found_;
};

}  // namespace vp::tinytpu
