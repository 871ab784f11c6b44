#include "models/cpu/block_cache.h"

#include <algorithm>
#include <new>
#include <utility>

namespace vp::cpu {

BlockCache::BlockCache(std::size_t front, std::size_t jumps) : front_mask_(front - 1), jumps_size_(jumps) {
  unlinked_.pc = ~std::uint64_t{0};
  unlinked_.suspect();
  unlinked_.taken = unlinked_.next = &unlinked_;
  select(Mode::kMachine);
}

Block* BlockCache::find(const Place& place) const {
  Block* block = buckets_[bucket(place)];
  while (block && !(place_of(*block) == place)) block = block->chained;
  return block;
}

/// What leads to the block of that place, or is the end of its bucket.
Block** BlockCache::link_to(const Place& place) {
  Block** link = &buckets_[bucket(place)];
  while (*link && !(place_of(**link) == place)) link = &(*link)->chained;
  return link;
}

void BlockCache::grow() {
  std::vector<Block*> before(4 * buckets_.size());
  before.swap(buckets_);
  for (Block* block : before)
    while (block) {
      Block*& first = buckets_[bucket(place_of(*block))];
      Block* const rest = std::exchange(block->chained, first);
      first = std::exchange(block, rest);
    }
}

void BlockCache::bring_forward(Block* block) {
  const auto mode = static_cast<std::size_t>(block->mode);
  fronts_[mode][place_in_front(block->pc)] = block;
  front_used_[mode] = true;
}

void BlockCache::select(Mode mode) {
  std::vector<Block*>& front = fronts_[static_cast<std::size_t>(mode)];
  std::vector<NativeJump>& jumps = jump_tables_[static_cast<std::size_t>(mode)];
  if (front.empty()) {
    front.assign(front_mask_ + 1, &unlinked_);
    jumps.resize(jumps_size_);
  }
  front_ = front.data();
  jumps_ = jumps.data();
}

void BlockCache::empty_fronts() {
  for (const Mode mode : {Mode::kUser, Mode::kSupervisor}) empty_front(mode);
}

void BlockCache::empty_front(Mode mode) {
  const auto number = static_cast<std::size_t>(mode);
  if (front_used_[number]) {
    std::fill(fronts_[number].begin(), fronts_[number].end(), &unlinked_);
    std::fill(jump_tables_[number].begin(), jump_tables_[number].end(), NativeJump{});
  }
  front_used_[number] = false;
}

Block* BlockCache::allocate(std::size_t ops, std::size_t infos) {
  std::size_t bytes = sizeof(Block) + ops * sizeof(Op) + infos * sizeof(InstructionInfo);
  bytes = (bytes + alignof(Block) - 1) / alignof(Block) * alignof(Block);
  if (used_ + bytes > kChunk) {
    chunks_.emplace_back(new std::byte[kChunk]);  // not zeroed: most programs fill little of it
    used_ = 0;
  }
  std::byte* place = chunks_.back().get() + used_;
  used_ += bytes;
  Block* block = new (place) Block{};
  block->taken = block->next = &unlinked_;
  block->info = reinterpret_cast<InstructionInfo*>(block->ops() + ops);
  return block;
}

/// In the place of an earlier one.
void BlockCache::insert(Block* block) {
  if (blocks_ == buckets_.size()) grow();
  Block** const link = link_to(place_of(*block));
  if (*link)
    block->chained = (*link)->chained;
  else
    ++blocks_;
  *link = block;
  bring_forward(block);
}

void BlockCache::clear() {
  empty_fronts();
  empty_front(Mode::kMachine);
  buckets_.assign(kFewest, nullptr);
  blocks_ = 0;
  if (chunks_.size() > 1) chunks_.resize(1);
  used_ = chunks_.empty() ? kChunk : 0;
}

}  // namespace vp::cpu
