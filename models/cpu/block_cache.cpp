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
  return stands_at(*block, place) ? block : nullptr;
}

/// What is not in front of late is in the table, for which the host need not wait until that is known.
Block* BlockCache::find(const Place& place) const {
  const std::uint64_t mixed = hash(place.physical, place.pc, place.mode);
  __builtin_prefetch(&table_[mixed & (table_.size() - 1)]);
  Block* const late = find_late(place);
  return late ? late : block_of(table_[slot_of(place, mixed)]);
}

/// Where the block of that place is in the table, or the empty slot where it would be.
std::size_t BlockCache::slot_of(const Place& place, std::uint64_t mixed) const {
  for (std::size_t slot = mixed & (table_.size() - 1);; slot = (slot + 1) & (table_.size() - 1)) {
    const Tagged tagged = table_[slot];
    if (tagged == 0 || ((tagged & kTag) == tag_of(mixed) && stands_at(*block_of(tagged), place))) return slot;
  }
}

/// No two blocks are at the same place.
void BlockCache::rehash(std::size_t size) {
  std::vector<Tagged> before(size);
  before.swap(table_);
  for (const Tagged tagged : before) {
    if (tagged == 0) continue;
    const Block& block = *block_of(tagged);
    std::size_t slot = hash(block.physical, block.pc, block.mode) & (size - 1);
    while (table_[slot] != 0) slot = (slot + 1) & (size - 1);
    table_[slot] = tagged;
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
    Block* const block = std::exchange(dropped_[number], dropped_[number]->next);
    return reinterpret_cast<std::byte*>(block) - before_;
  }
  if (bytes > static_cast<std::size_t>(end_ - free_)) add_chunk();
  return std::exchange(free_, free_ + bytes);
}

void BlockCache::take_back(Block& block) {
  const std::size_t bytes = bytes_of(block.count), number = bytes / alignof(Block);
  if (dropped_.size() <= number) dropped_.resize(number + 1);
  block.next = std::exchange(dropped_[number], &block);
  block.count = 0;
  used_ -= bytes;
  --blocks_;
}

void BlockCache::cut_dropped() {
  for (const Tagged tagged : table_)
    if (Block* const block = block_of(tagged))
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
  if (4 * blocks_ >= 3 * table_.size()) rehash(4 * table_.size());
  const std::uint64_t mixed = hash(block->physical, block->pc, block->mode);
  Tagged& tagged = table_[slot_of({block->physical, block->pc, block->mode}, mixed)];
  if (tagged != 0)
    block_of(tagged)->suspect();
  else
    ++blocks_;
  tagged = reinterpret_cast<Tagged>(block) | tag_of(mixed);
  bring_forward(block);
}

void BlockCache::clear() {
  empty_fronts();
  empty_front(Mode::kMachine);
  table_.assign(kFewest, 0);
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
