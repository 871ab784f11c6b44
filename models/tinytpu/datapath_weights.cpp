// The datapath's weights: preload registers and active tiles.
#include <algorithm>

#include "models/tinytpu/datapath.h"

namespace vp::tinytpu {

void Datapath::process_weights(Edge end) {
  while (preload_.edge < end) {
    copy_tiles(preload_.edge);  // what is copied at the same edge takes the old row
    preload_rows(end);
  }
  copy_tiles(end - 1);
}

/// Writes preload registers before `end`: rows of one load up to the last one of the array, and no further than where
/// the next tile begins. Here as in each tile the row goes up by one an edge. So a tile that takes one of these rows
/// before it is written takes all of them before, and one that takes it after takes all of them after.
void Datapath::preload_rows(Edge end) {
  const Load& load = preload_.job();
  const std::uint64_t address = (load.address + preload_.vector) % kWeightRows;
  const unsigned first = static_cast<unsigned>(preload_.vector % width_);
  const unsigned count =
      static_cast<unsigned>(std::min({std::min(end, tile_.edge) - preload_.edge, load.length - preload_.vector,
                                      Edge{width_} - first, kWeightRows - address}));
  disturb_open_tiles();
  for (std::size_t i = first_open_tile_; i < tiles_.size() && tiles_[i].edge + first <= preload_.edge; ++i)
    copy_rows(tiles_[i], static_cast<unsigned>(std::min<Edge>(width_, preload_.edge + count - tiles_[i].edge)));
  set_preloaded(load, first, count);
  for (unsigned row = first; row < first + count; ++row) {
    if (hazards_.enabled() && preload_fresh_[row])
      hazards_.add_row(HazardKind::weights_overrun, preload_owner_[row], load.number, row, preload_.edge + row - first);
    preload_owner_[row] = load.number;
    preload_fresh_[row] = 1;
  }
  ++preload_version_;
  preload_.advance(count);
  if (!latched_.empty() && preload_.at > 0) latched_.clear();
}

/// Registers of rows first to first + count - 1 take the next rows of the load; address bits do not wrap in between.
void Datapath::set_preloaded(const Load& load, unsigned first, unsigned count) {
  unsigned source = weights_.index((load.address + preload_.vector) % kWeightRows);
  const auto bytes = [&](unsigned i) {
    const std::uint8_t* latched = latched_weights(load.number, preload_.vector + i);
    const std::uint8_t* now = weights_.at(source);
    if (++source == weights_.depth()) source = 0;
    return latched ? latched : now;
  };
  for (unsigned i = 0; i < count;) {
    if ((first + i) % kQuadRows == 0 && i + kQuadRows <= count) {
      preloaded_.set_four_rows(first + i, {bytes(i), bytes(i + 1), bytes(i + 2), bytes(i + 3)}, load.is_signed);
      i += kQuadRows;
    } else {
      preloaded_.set_row(first + i, bytes(i), load.is_signed);
      ++i;
    }
  }
}

/// Tiles under way that share a matrix would see the new rows in it.
void Datapath::disturb_open_tiles() {
  for (std::size_t i = first_open_tile_; i < tiles_.size(); ++i) {
    if (tiles_[i].shared) own_matrix(tiles_[i]);
    tiles_[i].disturbed = true;
  }
}

/// The row from before all host writes, nullptr if the host wrote none: the first copy is that one.
const std::uint8_t* Datapath::latched_weights(std::uint64_t load, std::uint64_t vector) const {
  for (const LatchedWeights& latched : latched_)
    if (latched.number == load && latched.vector == vector) return latched.bytes.data();
  return nullptr;
}

/// Brings all tiles to the state after edge `last`, with the preload registers as they are.
void Datapath::copy_tiles(Edge last) {
  while (tile_.edge <= last) {
    copy_open_tiles(tile_.edge - 1);  // so that the new one can share a finished one's matrix
    begin_tile();
  }
  copy_open_tiles(last);
}

void Datapath::copy_open_tiles(Edge last) {
  for (std::size_t i = first_open_tile_; i < tiles_.size(); ++i)
    copy_rows(tiles_[i], static_cast<unsigned>(std::min<Edge>(width_, last + 1 - tiles_[i].edge)));
  while (first_open_tile_ < tiles_.size() && tiles_[first_open_tile_].rows_copied == width_) ++first_open_tile_;
}

void Datapath::begin_tile() {
  Tile tile{tile_.edge, kNoMatrix, tile_.job().number};
  if (kept_matrix_ != kNoMatrix && kept_version_ == preload_version_) {
    tile.matrix = kept_matrix_;
    tile.shared = true;
    ++matrix_users_[tile.matrix];
  } else {
    tile.matrix = take_matrix();
  }
  tiles_.push_back(tile);
  tile_.advance(width_);
}

/// Copies rows up to before `end`.
void Datapath::copy_rows(Tile& tile, unsigned end) {
  if (tile.rows_copied >= end) return;
  if (!tile.shared) matrices_[tile.matrix].copy_rows(preloaded_, tile.rows_copied, end);
  if (hazards_.enabled()) watch_copies(tile, end);
  tile.rows_copied = end;
  if (end == width_ && !tile.shared && !tile.disturbed) {
    if (kept_matrix_ != kNoMatrix) release_matrix(kept_matrix_);
    kept_matrix_ = tile.matrix;
    kept_version_ = preload_version_;
    ++matrix_users_[tile.matrix];
  }
}

/// The hazard report's view of copy_rows().
void Datapath::watch_copies(const Tile& tile, unsigned end) {
  for (unsigned row = tile.rows_copied; row < end; ++row) {
    const std::uint64_t owner = preload_owner_[row];
    if (owner == kNoInstruction) continue;
    if (owner < tile.multiply) {
      preload_fresh_[row] = 0;  // a multiply behind it has its weights; one before it only steals them
    } else {
      hazards_.add_row(HazardKind::weights_replaced, tile.multiply, owner, row, tile.edge + row);
    }
  }
}

/// Gives a tile that shares a matrix a copy of its own.
void Datapath::own_matrix(Tile& tile) {
  const std::size_t matrix = take_matrix();
  matrices_[matrix] = matrices_[tile.matrix];
  release_matrix(tile.matrix);
  tile.matrix = matrix;
  tile.shared = false;
}

std::size_t Datapath::take_matrix() {
  if (free_matrices_.empty()) {
    matrices_.emplace_back(width_);
    matrix_users_.push_back(0);
    free_matrices_.push_back(matrices_.size() - 1);
  }
  const std::size_t matrix = free_matrices_.back();
  free_matrices_.pop_back();
  matrix_users_[matrix] = 1;
  return matrix;
}

void Datapath::release_matrix(std::size_t matrix) {
  if (--matrix_users_[matrix] == 0) free_matrices_.push_back(matrix);
}

}  // namespace vp::tinytpu
