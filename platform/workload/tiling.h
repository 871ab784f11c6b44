#pragma once

#include <cstdint>
#include <vector>

#include "models/tinytpu/config.h"
#include "platform/workload/layer.h"

namespace vp::workload {

/// What goes through the array between two synchronizes: `groups` of `vectors` vectors each, and one of `last` vectors
/// (0: none), against `blocks` column blocks of N outputs and `tiles` row tiles of N inputs.
struct Step {
  std::uint64_t groups = 0;
  std::uint64_t vectors = 0;  ///< of each of the groups; at most N
  std::uint64_t last = 0;     ///< vectors of one more group, fewer than `vectors`
  std::uint64_t blocks = 0;
  std::uint64_t tiles = 0;
  bool begins = true;  ///< its first tiles overwrite the accumulators; else they add to what an earlier step left
  bool ends = true;    ///< sums are complete: activates bring them into the unified buffer

  std::uint64_t all_vectors() const { return groups * vectors + last; }
  friend bool operator==(const Step& a, const Step& b) {
    return a.groups == b.groups && a.vectors == b.vectors && a.last == b.last && a.blocks == b.blocks &&
           a.tiles == b.tiles && a.begins == b.begins && a.ends == b.ends;
  }
};

/// A step, and how often the layer takes one of this shape.
struct CountedStep {
  Step step;
  std::uint64_t count = 0;
};

/// How a product is cut so that its pieces fit the buffers, and what has to be moved for it. All rows are of N bytes.
///
/// Vectors are cut into groups of N, outputs into column blocks of N, inputs into row tiles of N. The last group is
/// filled up with rows that nobody writes: tiles of full groups stream through the array with one instruction. Only
/// where they cannot (N < 7) or a group would not fit the unified buffer are there groups of fewer vectors. A step
/// takes some of each; behind its synchronize the host reads results and loads what the next step needs. Nothing
/// overlaps: a host's access to the unified buffer corrupts a running program.
struct Tiling {
  std::uint64_t tiles = 0;           ///< K in row tiles
  std::uint64_t blocks = 0;          ///< N in column blocks
  std::uint64_t group = 0;           ///< vectors of a full group
  std::uint64_t mapped_vectors = 0;  ///< that go through the array: the last group may be filled up
  std::uint64_t step_tiles = 0;      ///< of each, in a full step
  std::uint64_t step_blocks = 0;
  std::uint64_t step_groups = 0;
  std::uint64_t weight_loads = 0;      ///< times that all weights are written
  std::uint64_t activation_loads = 0;  ///< times that all activations are written
  std::vector<CountedStep> steps;      ///< each shape once

  std::uint64_t step_count() const;
  std::uint64_t weight_rows(unsigned matrix_width) const { return weight_loads * tiles * blocks * matrix_width; }
  std::uint64_t activation_rows(const Product& product) const { return activation_loads * tiles * product.vectors; }
  std::uint64_t result_rows(const Product& product) const { return blocks * product.vectors; }
  /// Multiply-accumulates that the array does, padding included.
  std::uint64_t mapped_macs(unsigned matrix_width) const {
    return mapped_vectors * tiles * blocks * matrix_width * matrix_width;
  }
};

/// The cut that moves the fewest bytes: weights or activations stay in their buffer while the other side passes by, and
/// sums of inputs that do not fit at once stay in the accumulators. Throws UserError for buffers that hold no tile.
Tiling tile(const Product& product, const tinytpu::TinyTpuConfig& config);

}  // namespace vp::workload
