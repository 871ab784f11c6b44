#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/master_port.h"

namespace vp {

/// Where the bytes of a DMA engine's bursts lie while they are under way. A block's number is the tag of its burst; it
/// stays where it is while others come and go. A Block has `bool free` and persist(), and is copied from an empty one.
template <typename Block>
class BurstBlocks {
 public:
  using Tag = MasterPort::Tag;

  explicit BurstBlocks(Block empty) : empty_(std::move(empty)) {}

  Block& operator[](Tag tag) { return *blocks_[tag]; }
  /// One that is free, taken from here on.
  Tag take() {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->free; });
    const auto tag = static_cast<Tag>(found - blocks_.begin());
    if (found == blocks_.end()) add();
    blocks_[tag]->free = false;
    return tag;
  }
  /// That of a burst of a saved port. Throws UserError if the saved state has none; `owner`: "a DMA engine".
  Block& saved(Tag tag, const std::string& owner) {
    if (tag >= blocks_.size()) throw UserError("the saved state has a burst of " + owner + " without its bytes.");
    return *blocks_[tag];
  }

  /// All are given up by a reset, yet stay in place: the port may still move bytes of what is on the bus.
  void abandon() {
    std::move(blocks_.begin(), blocks_.end(), std::back_inserter(abandoned_));
    blocks_.clear();
  }
  /// A new transfer begins: if the port has nothing under way, what was given up can go.
  void forget_abandoned(const MasterPort& port) {
    if (port.under_way(false) == 0 && port.under_way(true) == 0) abandoned_.clear();
  }

  /// Members of the owner's state; at most `most` blocks.
  void list(Archive& archive, std::uint64_t most) {
    std::uint64_t blocks = blocks_.size();
    archive.below("number_of_blocks", blocks, most + 1);
    if (archive.loading()) {
      abandoned_.clear();
      blocks_.clear();
      while (blocks_.size() < blocks) add();
    }
    for (const auto& block : blocks_) archive("block", *block);
  }

 private:
  void add() { blocks_.push_back(std::make_unique<Block>(empty_)); }

  const Block empty_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Block>> abandoned_;
};

}  // namespace vp
