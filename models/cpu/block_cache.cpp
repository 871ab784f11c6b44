#include "models/cpu/block_cache.h"

#include <new>

namespace vp::cpu {

BlockCache::BlockCache() {
  unlinked_.pc = ~std::uint64_t{0};
  unlinked_.suspect();
  unlinked_.taken = unlinked_.next = &unlinked_;
  select(Mode::kMachine);
}

Block* BlockCache::find(const Place& place) const {
  const auto found = blocks_.find(place);
  return found == blocks_.end() ? nullptr : found->second;
}

void BlockCache::bring_forward(Block* block) {
  Front& front = front_of(block->mode);
  front.blocks[slot(block->pc)] = block;
  front.used = true;
}

void BlockCache::select(Mode mode) { front_ = front_of(mode).blocks.data(); }

/// The table of a mode that no program enters is never touched.
BlockCache::Front& BlockCache::front_of(Mode mode) {
  Front& front = fronts_[static_cast<std::size_t>(mode)];
  if (!front.ready) front.blocks.fill(&unlinked_);
  front.ready = true;
  return front;
}

void BlockCache::empty(Front& front) {
  if (front.used) front.blocks.fill(&unlinked_);
  front.used = false;
}

void BlockCache::empty_fronts() {
  for (const Mode mode : {Mode::kUser, Mode::kSupervisor}) empty(fronts_[static_cast<std::size_t>(mode)]);
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

void BlockCache::insert(Block* block) {
  blocks_[place_of(*block)] = block;
  bring_forward(block);
}

void BlockCache::clear() {
  for (Front& front : fronts_) empty(front);
  blocks_.clear();
  if (chunks_.size() > 1) chunks_.resize(1);
  used_ = chunks_.empty() ? kChunk : 0;
}

}  // namespace vp::cpu
