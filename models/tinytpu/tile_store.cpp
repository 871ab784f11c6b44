#include "models/tinytpu/tile_store.h"

#include <algorithm>

namespace vp::tinytpu {
namespace {

constexpr std::size_t kMostKept = std::size_t{64} << 20;  // bytes

/// One for each tile that the weight buffer holds, within what is kept at most.
std::size_t slots(unsigned width, unsigned depth) {
  return std::clamp<std::size_t>(depth / width, 1, kMostKept / PackedWeights(width).bytes());
}

}  // namespace

TileStore::TileStore(unsigned width, unsigned depth)
    : width_(width), most_(slots(width, depth)), written_(depth / kStampRows + 1) {}

TileStore::Id TileStore::zeros() {
  const Id tile = take();
  tiles_[tile].clear();
  return tile;
}

TileStore::Id TileStore::copy(Id tile) {
  const Id mine = take();
  tiles_[mine] = tiles_[tile];
  return mine;
}

TileStore::Id TileStore::add(PackedWeights tile) {
  const Id mine = take();
  tiles_[mine] = std::move(tile);
  return mine;
}

TileStore::Id TileStore::packed(const RowMemory& weights, unsigned first, bool is_signed) {
  if (slots_.empty()) slots_.resize(most_);
  Slot& slot = slots_[first / width_ % slots_.size()];
  if (!fresh(slot, first, is_signed)) {
    if (slot.tile == kNone || users_[slot.tile] > 1) {
      if (slot.tile != kNone) release(slot.tile);
      slot.tile = take();
    }
    tiles_[slot.tile].set_rows(weights.at(first), weights.stride(), is_signed);
    slot.first = first;
    slot.is_signed = is_signed;
    slot.packed_after = writes_;
  }
  use(slot.tile);
  return slot.tile;
}

bool TileStore::fresh(const Slot& slot, unsigned first, bool is_signed) const {
  if (slot.tile == kNone || slot.first != first || slot.is_signed != is_signed || slot.packed_after < all_written_)
    return false;
  for (unsigned stamp = first / kStampRows; stamp <= (first + width_ - 1) / kStampRows; ++stamp)
    if (slot.packed_after < written_[stamp]) return false;
  return true;
}

TileStore::Id TileStore::take() {
  if (free_.empty()) {
    tiles_.emplace_back(width_);
    users_.push_back(0);
    free_.push_back(tiles_.size() - 1);
  }
  const Id tile = free_.back();
  free_.pop_back();
  users_[tile] = 1;
  return tile;
}

void TileStore::clear() {
  tiles_.clear();
  users_.clear();
  free_.clear();
  slots_.clear();
}

}  // namespace vp::tinytpu
