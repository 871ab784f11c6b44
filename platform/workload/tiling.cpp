#include "platform/workload/tiling.h"

#include <algorithm>
#include <optional>

#include "models/common/ceil_div.h"
#include "models/common/error.h"
#include "platform/workload/stream.h"

namespace vp::workload {
namespace {

/// What the host's round trip at the end of a step is worth in bytes moved, for the choice between cuts only.
constexpr std::uint64_t kStepInBytes = 256;

/// The buffers, in pieces of a product.
struct Room {
  std::uint64_t width;         ///< N
  std::uint64_t weight_tiles;  ///< tiles of N rows in the weight buffer
  std::uint64_t buffer_rows;   ///< of the unified buffer
};

/// A cut that is possible, with what it moves.
struct Candidate {
  Tiling tiling;
  std::uint64_t cost = 0;
};

class Search {
 public:
  Search(const Product& product, const Room& room)
      : product_(product),
        room_(room),
        fill_up_(room.width >= kStreamingWidth && room.buffer_rows >= 2 * room.width),
        group_(fill_up_ ? room.width : std::min({room.width, product.vectors, room.buffer_rows / 2})),
        groups_(ceil_div(product.vectors, group_)),
        tiles_(ceil_div(product.inputs, room.width)),
        blocks_(ceil_div(product.outputs, room.width)),
        pairs_(tinytpu::kAccumulatorRows / group_) {}

  Tiling best() {
    whole_inputs();
    if (!best_) split_inputs();
    best_->tiling.steps = steps(best_->tiling);
    return best_->tiling;
  }

 private:
  /// All inputs of a column block and of a group are in the buffers at once.
  void whole_inputs() {
    const std::uint64_t most = std::min(blocks_, room_.weight_tiles / tiles_);
    for (std::uint64_t blocks = most; blocks >= 1; blocks = next_below(blocks, blocks_)) {
      const std::uint64_t groups = std::min(groups_, room_.buffer_rows / (group_ * (tiles_ + blocks)));
      if (groups >= 1) consider(groups, blocks, tiles_, true, true);
    }
  }

  /// Sums of the inputs so far stay in the accumulators, which hold `pairs_` groups × blocks.
  void split_inputs() {
    for (std::uint64_t blocks = 1; blocks <= std::min(blocks_, pairs_); ++blocks)
      for (std::uint64_t groups = 1; groups <= std::min(groups_, pairs_ / blocks); ++groups) split_into(groups, blocks);
  }

  void split_into(std::uint64_t groups, std::uint64_t blocks) {
    const bool weights_fit = tiles_ * blocks <= room_.weight_tiles;
    const bool activations_fit = group_ * groups * (tiles_ + blocks) <= room_.buffer_rows;
    std::uint64_t tiles = tiles_;
    if (!weights_fit) tiles = std::min(tiles, room_.weight_tiles / blocks);
    if (!activations_fit) {
      const std::uint64_t rows = room_.buffer_rows / (group_ * groups);
      tiles = std::min(tiles, rows > blocks ? rows - blocks : 0);
    }
    if (tiles >= 1) consider(groups, blocks, tiles, weights_fit, activations_fit);
  }

  /// The next smaller number of blocks a step that leads to fewer blocks in the last one: others only waste room.
  static std::uint64_t next_below(std::uint64_t blocks, std::uint64_t all) {
    const std::uint64_t parts = ceil_div(all, blocks) + 1;
    return std::min(blocks - 1, ceil_div(all, parts));
  }

  /// Both orders: column blocks outside, so that weights stay, or groups outside, so that activations do. What is
  /// outside is loaded once if it fits as a whole, what is inside each time, unless there is only one piece of it.
  void consider(std::uint64_t groups, std::uint64_t blocks, std::uint64_t tiles, bool weights_fit,
                bool activations_fit) {
    const std::uint64_t group_parts = ceil_div(groups_, groups), block_parts = ceil_div(blocks_, blocks);
    const bool one_group_part = group_parts == 1, one_block_part = block_parts == 1;
    keep(groups, blocks, tiles, weights_fit || one_group_part ? 1 : group_parts,
         one_group_part && activations_fit ? 1 : block_parts);
    keep(groups, blocks, tiles, one_block_part && weights_fit ? 1 : group_parts,
         activations_fit || one_block_part ? 1 : block_parts);
  }

  void keep(std::uint64_t groups, std::uint64_t blocks, std::uint64_t tiles, std::uint64_t weight_loads,
            std::uint64_t activation_loads) {
    Candidate one;
    Tiling& tiling = one.tiling;
    tiling.tiles = tiles_;
    tiling.blocks = blocks_;
    tiling.group = group_;
    tiling.mapped_vectors = fill_up_ ? groups_ * group_ : product_.vectors;
    tiling.step_tiles = tiles;
    tiling.step_blocks = blocks;
    tiling.step_groups = groups;
    tiling.weight_loads = weight_loads;
    tiling.activation_loads = activation_loads;
    const std::uint64_t count = ceil_div(groups_, groups) * ceil_div(blocks_, blocks) * ceil_div(tiles_, tiles);
    const std::uint64_t rows =
        tiling.weight_rows(static_cast<unsigned>(room_.width)) + tiling.activation_rows(product_);
    one.cost = rows * room_.width + kStepInBytes * count;
    if (!best_ || one.cost < best_->cost) best_ = one;
  }

  /// The shapes of all steps: full ones and those at the ends.
  std::vector<CountedStep> steps(const Tiling& tiling) const {
    const auto parts = [](std::uint64_t all, std::uint64_t step) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes;  // size, count
      if (all / step != 0) sizes.emplace_back(step, all / step);
      if (all % step != 0) sizes.emplace_back(all % step, 1);
      return sizes;
    };
    std::vector<CountedStep> list;
    for (const CountedStep& groups : group_parts(tiling))
      for (const auto& [blocks, block_count] : parts(tiling.blocks, tiling.step_blocks))
        for (CountedStep one : tile_parts(tiling)) {
          one.step.groups = groups.step.groups;
          one.step.vectors = groups.step.vectors;
          one.step.last = groups.step.last;
          one.step.blocks = blocks;
          one.count *= groups.count * block_count;
          list.push_back(one);
        }
    return list;
  }

  std::vector<CountedStep> group_parts(const Tiling& tiling) const {
    std::vector<CountedStep> list;
    const auto add = [&](std::uint64_t groups, std::uint64_t last, std::uint64_t count) {
      if (count == 0 || groups + last == 0) return;
      CountedStep part;
      part.step.groups = groups;
      part.step.vectors = group_;
      part.step.last = last;
      part.count = count;
      list.push_back(part);
    };
    const std::uint64_t last = fill_up_ ? 0 : product_.vectors % group_;
    const std::uint64_t in_last_part = groups_ - (ceil_div(groups_, tiling.step_groups) - 1) * tiling.step_groups;
    add(tiling.step_groups, 0, ceil_div(groups_, tiling.step_groups) - 1);
    add(last == 0 ? in_last_part : in_last_part - 1, last, 1);
    return list;
  }

  static std::vector<CountedStep> tile_parts(const Tiling& tiling) {
    std::vector<CountedStep> list;
    const std::uint64_t parts = ceil_div(tiling.tiles, tiling.step_tiles);
    const auto add = [&](std::uint64_t tiles, bool begins, bool ends, std::uint64_t count) {
      if (count == 0) return;
      CountedStep part;
      part.step.tiles = tiles;
      part.step.begins = begins;
      part.step.ends = ends;
      part.count = count;
      list.push_back(part);
    };
    const std::uint64_t last = tiling.tiles - (parts - 1) * tiling.step_tiles;
    if (parts == 1) {
      add(last, true, true, 1);
      return list;
    }
    add(tiling.step_tiles, true, false, 1);
    add(tiling.step_tiles, false, false, parts - 2);
    add(last, false, true, 1);
    return list;
  }

  const Product product_;
  const Room room_;
  const bool fill_up_;
  const std::uint64_t group_;
  const std::uint64_t groups_;
  const std::uint64_t tiles_;
  const std::uint64_t blocks_;
  const std::uint64_t pairs_;
  std::optional<Candidate> best_;
};

}  // namespace

std::uint64_t Tiling::step_count() const {
  std::uint64_t count = 0;
  for (const CountedStep& one : steps) count += one.count;
  return count;
}

Tiling tile(const Product& product, const tinytpu::TinyTpuConfig& config) {
  const std::uint64_t width = config.matrix_width;
  if (config.weight_depth < width)
    throw UserError("the weight buffer is too small for a tile: it has " + std::to_string(config.weight_depth) +
                    " rows, " + std::to_string(width) + " are needed (weight_depth)");
  if (config.unified_buffer_depth < 2)
    throw UserError(
        "the unified buffer is too small for a vector and its result: it has 1 row, 2 are needed "
        "(unified_buffer_depth)");
  return Search(product, {width, config.weight_depth / width, config.unified_buffer_depth}).best();
}

}  // namespace vp::workload
