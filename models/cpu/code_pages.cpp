#include "models/cpu/code_pages.h"

#include <algorithm>

namespace vp::cpu {

bool CodePages::add(std::uint64_t page, Block* block) {
  bool fresh = false;
  if (!last_ || last_address_ != page) {
    const auto [place, added] = pages_.try_emplace(page);
    last_address_ = page;
    last_ = &place->second;
    filter_[bucket(page)] += fresh = added;
  }
  last_->blocks.push_back(block);
  return fresh;
}

void CodePages::note(std::uint64_t page) {
  const auto found = pages_.find(page);
  if (found == pages_.end() || found->second.written) return;
  found->second.written = true;
  written_.push_back(page);
}

/// What is suspect is added again when it has been compared, so a page starts anew.
bool CodePages::suspect_written() {
  if (written_.empty()) return false;
  last_ = nullptr;
  for (const std::uint64_t page : written_) {
    const auto found = pages_.find(page);
    for (Block* block : found->second.blocks) block->suspect();
    pages_.erase(found);
    --filter_[bucket(page)];
  }
  written_.clear();
  return true;
}

void CodePages::suspect_all() {
  for (const auto& [address, page] : pages_)
    for (Block* block : page.blocks) block->suspect();
  clear();
}

void CodePages::forget_dropped() {
  for (auto& [address, page] : pages_) {
    const auto dropped = [](const Block* block) { return block->dropped(); };
    page.blocks.erase(std::remove_if(page.blocks.begin(), page.blocks.end(), dropped), page.blocks.end());
  }
}

void CodePages::clear() {
  pages_.clear();
  last_ = nullptr;
  filter_.fill(0);
  written_.clear();
}

}  // namespace vp::cpu
