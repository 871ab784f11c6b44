#include "models/cpu/block_cache.h"

#include <algorithm>
#include <new>
#include <utility>

#include "models/common/large_pages.h"

namespace vp::cpu {

BlockCache::BlockCache(std::size_t front, std::size_t jumps) : front_mask_(front - 1), jumps_size_(jumps) {
  unlinked_.pc = ~std::uint64_t{0};
  unlinked_.suspect();
  unlinked_.taken = unlinked_.next = &unlinked_;
  select(Mode::kMachine);
}

Block* BlockCache::find_late(const Place& place) const {
  const std::vector<Block*>& late = late_[static_cast<std::size_t>(place.mode)];
  if (late.empty()) return nullptr;
  Block* const block = late[place_in_front(place.pc)];
  return place_of(*block) == place ? block : nullptr;
}

Block* BlockCache::find(const Place& place) const {
  if (Block* const late = find_late(place)) return late;
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
  if (!late_[mode].empty()) late_[mode][place_in_front(block->pc)] = block;
  front_used_[mode] = true;
}

void BlockCache::select(Mode mode) {
  std::vector<Block*>& front = fronts_[static_cast<std::size_t>(mode)];
  std::vector<NativeJump>& jumps = jump_tables_[static_cast<std::size_t>(mode)];
  if (front.empty()) {
    front.assign(front_mask_ + 1, &unlinked_);
    jumps.resize(jumps_size_);
    if (mode != Mode::kMachine) late_[static_cast<std::size_t>(mode)] = front;
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

/// Not zeroed: most programs fill little of it.
void BlockCache::add_chunk() {
  const std::size_t size = chunks_.empty() ? kFirstChunk : kLargePage;
  auto* const chunk = static_cast<std::byte*>(std::aligned_alloc(chunks_.empty() ? alignof(Block) : size, size));
  if (!chunk) throw std::bad_alloc();
  chunks_.emplace_back(chunk);
  ask_for_large_pages(chunk, size);
  free_ = chunk;
  end_ = chunk + size;
  size_ += size;
}

/// That of a block that has been dropped, if there is one of this size.
std::byte* BlockCache::take(std::size_t bytes) {
  used_ += bytes;
  const std::size_t number = bytes / alignof(Block);
  if (number < dropped_.size() && dropped_[number]) {
    Block* const block = std::exchange(dropped_[number], dropped_[number]->chained);
    return reinterpret_cast<std::byte*>(block) - before_;
  }
  if (bytes > static_cast<std::size_t>(end_ - free_)) add_chunk();
  return std::exchange(free_, free_ + bytes);
}

void BlockCache::take_back(Block& block) {
  const std::size_t bytes = bytes_of(block.count), number = bytes / alignof(Block);
  if (dropped_.size() <= number) dropped_.resize(number + 1);
  block.chained = std::exchange(dropped_[number], &block);
  block.count = 0;
  used_ -= bytes;
  --blocks_;
}

void BlockCache::cut_dropped() {
  for (Block* first : buckets_)
    for (Block* block = first; block; block = block->chained)
      for (Block** link : {&block->taken, &block->next})
        if ((*link)->dropped()) *link = &unlinked_;
  for (auto* const tables : {&fronts_, &late_})
    for (std::vector<Block*>& table : *tables)
      std::replace_if(
          table.begin(), table.end(), [](const Block* block) { return block->dropped(); }, &unlinked_);
}

Block* BlockCache::allocate(std::size_t instructions, bool with_lines) {
  static_assert(sizeof(CodeLines) % alignof(Block) == 0);
  before_ = with_lines ? sizeof(CodeLines) : 0;
  std::byte* const place = take(bytes_of(instructions));
  if (with_lines) new (place) CodeLines{};
  Block* block = new (place + before_) Block{};
  block->taken = block->next = &unlinked_;
  block->info = reinterpret_cast<InstructionInfo*>(block->ops() + instructions + 1);
  return block;
}

/// In the place of an earlier one.
void BlockCache::insert(Block* block) {
  if (blocks_ == buckets_.size()) grow();
  Block** const link = link_to(place_of(*block));
  if (*link) {
    block->chained = (*link)->chained;
    (*link)->suspect();
  } else {
    ++blocks_;
  }
  *link = block;
  bring_forward(block);
}

void BlockCache::clear() {
  empty_fronts();
  empty_front(Mode::kMachine);
  buckets_.assign(kFewest, nullptr);
  blocks_ = 0;
  for (std::vector<Block*>& late : late_) std::fill(late.begin(), late.end(), &unlinked_);
  dropped_.clear();
  used_ = 0;
  if (chunks_.empty()) return;
  chunks_.resize(1);
  free_ = chunks_[0].get();
  end_ = free_ + kFirstChunk;
  size_ = kFirstChunk;
}

}  // namespace vp::cpu
