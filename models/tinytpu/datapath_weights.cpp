// The datapath's weights: preload registers and active tiles.
#include <algorithm>

#include "models/common/archive.h"
#include "models/tinytpu/datapath.h"

namespace vp::tinytpu {
namespace {

constexpr Edge kOnTheWay = 3;  // edges from reading a row to writing its preload register

}  // namespace

void Datapath::process_weights(Edge end) {
  for (;;) {
    // A tile that begins at a chunk's edge takes the old rows.
    if (tile_.edge <= preload_.edge) {
      if (tile_.edge >= end) break;
      begin_tiles(end);
    } else {
      if (preload_.edge >= end) break;
      begin_chunk();
    }
  }
  watch_.tell(hazards_, end);
}

void Datapath::begin_chunk() {
  const Load& load = preload_.job();
  const auto rows = static_cast<unsigned>(std::min<std::uint64_t>(width_, load.length - preload_.vector));
  const TileStore::Id weights = packed(load, preload_.vector, rows);
  store_.release(preloaded_);
  preloaded_ = weights;
  chunk_ = {preload_.edge, (load.address + preload_.vector) % kWeightRows, rows, load.is_signed};
  ++chunks_;
  if (hazards_.enabled()) watch_.loaded(load.number, rows, preload_.edge);
  preload_.advance(rows);
  if (!latched_.empty() && preload_.at > 0) latched_.clear();
}

/// The preload registers after a chunk of this load, for one more user.
TileStore::Id Datapath::packed(const Load& load, std::uint64_t first, unsigned rows) {
  const std::uint64_t address = (load.address + first) % kWeightRows;
  const unsigned row = weights_.index(address);
  if (rows == width_ && latched_.empty() && row + rows <= weights_.depth() && address + rows <= kWeightRows)
    return store_.packed(weights_, row, load.is_signed);
  const TileStore::Id weights = rows == width_ ? store_.zeros() : store_.copy(preloaded_);
  for (unsigned i = 0; i < rows; ++i) {
    const std::uint8_t* latched = latched_weights(load.number, first + i);
    const std::uint8_t* now = weights_.at(weights_.index((address + i) % kWeightRows));
    store_.at(weights).set_row(i, latched ? latched : now, load.is_signed);
  }
  return weights;
}

/// The row from before all host writes, nullptr if the host wrote none: the first copy is that one.
const std::uint8_t* Datapath::latched_weights(std::uint64_t load, std::uint64_t vector) const {
  for (const LatchedWeights& latched : latched_)
    if (latched.number == load && latched.vector == vector) return latched.bytes.data();
  return nullptr;
}

/// Tiles of one multiply that begin before `end` and take the preload registers as they are.
void Datapath::begin_tiles(Edge end) {
  const Multiply& job = tile_.job();
  const std::uint64_t left = (job.length - tile_.vector + width_ - 1) / width_;
  const std::uint64_t count = std::min(left, (std::min(end - 1, preload_.edge) - tile_.edge) / width_ + 1);
  const std::uint64_t behind = job.first_tile + tile_.vector / width_ + count;
  if (tiles_.empty() || tiles_.back().chunks != chunks_) {
    store_.use(preloaded_);
    tiles_.push_back({behind, preloaded_, chunks_});
  }
  tiles_.back().end = behind;
  for (std::uint64_t i = 0; i < count && hazards_.enabled(); ++i) watch_.taken(job.number, tile_.edge + i * width_);
  tile_.advance(count * width_);
}

/// Weights of a tile. Those of tiles before it are not asked for any more.
TileStore::Id Datapath::weights_of(std::uint64_t tile) {
  while (!tiles_.empty() && tiles_.front().end <= tile) {
    store_.release(tiles_.front().weights);
    tiles_.pop_front();
  }
  return tiles_.empty() ? preloaded_ : tiles_.front().weights;
}

// ---- host writes while rows are read

/// Before the host writes `row`: rows read at edges before, whose chunk has not begun, keep the old bytes.
void Datapath::latch_rows(unsigned row, Edge edge) {
  if (preload_.edge == kNoEdge) return;
  const Load& load = preload_.job();
  const std::uint8_t* bytes = weights_.at(row);
  for (std::uint64_t k = preload_.vector; k < load.length && preload_.edge - preload_.vector + k < edge + kOnTheWay;
       ++k) {
    if (weights_.index((load.address + k) % kWeightRows) == row)
      latched_.push_back({load.number, k, std::vector<std::uint8_t>(bytes, bytes + columns_)});
  }
}

/// After it: rows of the latest chunk that are read from `edge` on get the new bytes.
void Datapath::rewrite_row(unsigned row, Edge edge) {
  if (chunk_.edge + chunk_.rows <= edge + kOnTheWay) return;
  const auto first = static_cast<unsigned>(edge + kOnTheWay > chunk_.edge ? edge + kOnTheWay - chunk_.edge : 0);
  for (unsigned i = first; i < chunk_.rows; ++i)
    if (weights_.index((chunk_.address + i) % kWeightRows) == row)
      store_.at(own_preloaded()).set_row(i, weights_.at(row), chunk_.is_signed);
}

/// Weights that only the preload registers and the tiles have that take the latest chunk.
TileStore::Id Datapath::own_preloaded() {
  const auto has_chunk = [this](const TileRun& run) { return run.chunks == chunks_; };
  const auto tiles = std::count_if(tiles_.begin(), tiles_.end(), has_chunk);
  if (store_.users(preloaded_) == 1 + static_cast<unsigned>(tiles)) return preloaded_;
  const TileStore::Id mine = store_.copy(preloaded_);
  for (TileRun& run : tiles_) {
    if (!has_chunk(run)) continue;
    store_.release(run.weights);
    store_.use(mine);
    run.weights = mine;
  }
  store_.release(preloaded_);
  return preloaded_ = mine;
}

// ---- state

void Datapath::Chunk::persist(Archive& archive) {
  archive("edge", edge)("address", address)("rows", rows)("is_signed", is_signed);
}

void Datapath::TileRun::persist(Archive& archive) { archive("end", end)("weights", weights)("chunks", chunks); }

/// Weights that several have are saved once; what the store keeps besides is packed anew.
void Datapath::persist_tiles(Archive& archive) {
  std::vector<PackedWeights> saved;
  std::vector<TileStore::Id> ids;
  const auto place_of = [&](TileStore::Id id) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found != ids.end()) return static_cast<TileStore::Id>(found - ids.begin());
    ids.push_back(id);
    saved.push_back(store_.at(id));
    return ids.size() - 1;
  };
  std::deque<TileRun> runs;
  if (!archive.loading()) {
    place_of(preloaded_);
    runs = tiles_;
    for (TileRun& run : runs) run.weights = place_of(run.weights);
  }
  archive.copies("weights", saved, PackedWeights(width_))("tiles", runs);
  if (!archive.loading()) return;
  archive.require(!saved.empty(), "weights", "has none of the preload registers");
  for (const TileRun& run : runs)
    archive.require(run.weights < saved.size(), "tiles", "have weights that are not there");
  store_.clear();
  for (PackedWeights& weights : saved) ids.push_back(store_.add(std::move(weights)));
  preloaded_ = ids[0];
  tiles_ = runs;
  std::vector<unsigned> users(ids.size());
  users[0] = 1;
  for (TileRun& run : tiles_) {
    ++users[run.weights];
    run.weights = ids[run.weights];
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (unsigned user = 0; user < users[i]; ++user) store_.use(ids[i]);
    store_.release(ids[i]);
  }
}

}  // namespace vp::tinytpu
