#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/tinytpu/packed_weights.h"
#include "models/tinytpu/row_memory.h"

namespace vp::tinytpu {

/// Packed tiles with their users. Whole tiles of the weight buffer are kept and packed once, until a row near them is
/// written: a network's weights are loaded again for each batch.
class TileStore {
 public:
  using Id = std::size_t;

  /// `depth`: rows of the weight buffer.
  TileStore(unsigned width, unsigned depth);

  /// A tile of zeros for one user.
  Id zeros();
  /// A copy of another one, for one user.
  Id copy(Id tile);
  Id add(PackedWeights tile);
  /// The N rows of `weights` from `first` on, which do not wrap, for one more user; it must not be changed.
  Id packed(const RowMemory& weights, unsigned first, bool is_signed);
  void use(Id tile) { ++users_[tile]; }
  void release(Id tile) {
    if (--users_[tile] == 0) free_.push_back(tile);
  }
  PackedWeights& at(Id tile) { return tiles_[tile]; }
  unsigned users(Id tile) const { return users_[tile]; }

  /// A row of the weight buffer was written, or any of them.
  void row_written(unsigned row) { written_[row / kStampRows] = ++writes_; }
  void all_written() { all_written_ = ++writes_; }
  /// Has no tiles any more; whoever used them must forget them.
  void clear();

 private:
  static constexpr unsigned kStampRows = 64;
  static constexpr Id kNone = ~Id{0};
  /// A kept tile of the weight buffer.
  struct Slot {
    Id tile = kNone;
    unsigned first = 0;
    bool is_signed = false;
    std::uint64_t packed_after = 0;  ///< writes
  };

  Id take();
  bool fresh(const Slot& slot, unsigned first, bool is_signed) const;

  const unsigned width_;
  const std::size_t most_;  ///< slots
  std::vector<PackedWeights> tiles_;
  std::vector<unsigned> users_;
  std::vector<Id> free_;
  std::vector<Slot> slots_;             ///< empty until the first is needed
  std::vector<std::uint64_t> written_;  ///< of each kStampRows rows: number of the latest write
  std::uint64_t all_written_ = 0;
  std::uint64_t writes_ = 0;
};

}  // namespace vp::tinytpu
