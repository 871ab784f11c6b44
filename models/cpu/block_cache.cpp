#include "models/cpu/block_cache.h"

#include <new>

namespace vp::cpu {

BlockCache::BlockCache() {
  unlinked_.key = ~std::uint64_t{0};
  unlinked_.worst = kNever / 2;
  unlinked_.taken = unlinked_.next = &unlinked_;
  front_.fill(&unlinked_);
}

Block* BlockCache::find_behind(std::uint64_t key) {
  const auto found = blocks_.find(key);
  if (found == blocks_.end()) return nullptr;
  front_[slot(key)] = found->second;
  return found->second;
}

Block* BlockCache::allocate(std::size_t ops, std::size_t infos) {
  std::size_t bytes = sizeof(Block) + ops * sizeof(Op) + infos * sizeof(InstructionInfo);
  bytes = (bytes + alignof(Block) - 1) / alignof(Block) * alignof(Block);
  if (used_ + bytes > kChunk) {
    chunks_.push_back(std::make_unique<std::byte[]>(kChunk));
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
  blocks_[block->key] = block;
  front_[slot(block->key)] = block;
}

void BlockCache::clear() {
  front_.fill(&unlinked_);
  blocks_.clear();
  if (chunks_.size() > 1) chunks_.resize(1);
  used_ = chunks_.empty() ? kChunk : 0;
}

}  // namespace vp::cpu
