#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/cpu/block_cache.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

/// Which pages of memory hold decoded code, and which of them the hart has stored into since: what fence.i has to look
/// at. A page that holds code and has not been written is not to be written by host pointer, so that the first store
/// is seen. Addresses are physical.
class CodePages {
 public:
  /// The block's code has just been compared with memory. True: stores into this page are to be seen from now on.
  bool add(std::uint64_t page, Block* block);
  /// Bytes of the page that holds the address are stored, or may be from now on without a further call.
  void written(std::uint64_t address) {
    if (filter_[bucket(address)] != 0) note(address & ~(kPageSize - 1));
  }
  /// fence.i: the blocks of the pages that have been written are to be compared again. False: there are none.
  bool suspect_written();
  /// All blocks are.
  void suspect_all();
  /// Some blocks are no more: Block::dropped().
  void forget_dropped();
  /// There are no blocks any more.
  void clear();

 private:
  struct Page {
    std::vector<Block*> blocks;  ///< that are not suspect
    bool written = false;
  };
  static constexpr std::size_t kBuckets = 4096;
  static std::size_t bucket(std::uint64_t address) { return address / kPageSize % kBuckets; }
  void note(std::uint64_t page);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_address_ = 0;                ///< of the page that was added to last
  Page* last_ = nullptr;                          ///< or nullptr
  std::array<std::uint32_t, kBuckets> filter_{};  ///< pages in each bucket
  std::vector<std::uint64_t> written_;
};

}  // namespace vp::cpu
