#include "models/axidma/mm2s.h"

#include <algorithm>
#include <iterator>

#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp::axidma {

Mm2sEngine::Mm2sEngine(const AxiDmaConfig& config, MasterPort& port) : config_(config), port_(port) {}

void Mm2sEngine::begin(std::uint64_t address, std::uint64_t bytes, std::uint64_t pc, Picoseconds at) {
  if (port_.under_way(false) == 0) abandoned_.clear();
  under_way_ = true;
  begun_ = not_before_ = at;
  address_ = address;
  pc_ = pc;
  left_ = left_to_take_ = bytes;
  failure_ = AccessResult::ok;
  pump(at);
}

/// Asks for bursts as long as the buffer has room.
void Mm2sEngine::pump(Picoseconds not_before) {
  not_before_ = std::max(not_before_, not_before);
  while (left_ > 0 && blocks_.size() < config_.outstanding) {
    const std::uint64_t unit = config_.burst_bytes(), size = std::min(left_, unit - address_ % unit);
    blocks_.push_back(std::make_unique<Block>());
    Block& block = *blocks_.back();
    block.bytes.resize(size);
    const std::uint64_t address = address_;
    address_ += size;
    left_ -= size;
    ++reading_;
    ++bursts_;
    port_.read(address, block.bytes.data(), size, first_tag_ + blocks_.size() - 1, edge(not_before_), pc_);
  }
}

void Mm2sEngine::completed(MasterPort::Tag tag, const Answer& answer) {
  Block& block = *blocks_[tag - first_tag_];
  --reading_;
  if (answer.ok()) {
    block.come = true;
    bytes_read_ += block.bytes.size();
  } else {
    if (failure_ == AccessResult::ok) failure_ = answer.result;
    left_ = 0;
    dropping_ = true;
  }
  if (dropping_) {
    if (reading_ != 0) return;
    finish_drop();
    if (failure_ != AccessResult::ok) on_end(failure_, answer.completion);
  } else if (sink_ != nullptr && available() > 0) {
    sink_->offered(answer.completion);
  }
}

void Mm2sEngine::drop() {
  left_ = 0;
  dropping_ = true;
  if (reading_ == 0) finish_drop();
}

void Mm2sEngine::finish_drop() {
  first_tag_ += blocks_.size();
  blocks_.clear();
  left_to_take_ = 0;
  under_way_ = dropping_ = false;
}

void Mm2sEngine::abandon() {
  std::move(blocks_.begin(), blocks_.end(), std::back_inserter(abandoned_));
  first_tag_ += blocks_.size();
  blocks_.clear();
  left_ = left_to_take_ = 0;
  reading_ = 0;
  under_way_ = dropping_ = false;
}

std::size_t Mm2sEngine::available() const {
  std::size_t bytes = 0;
  if (dropping_) return 0;
  for (const auto& block : blocks_) {
    if (!block->come) break;
    bytes += block->bytes.size() - block->taken;
  }
  return bytes;
}

void Mm2sEngine::take(std::uint8_t* bytes, std::size_t count, Picoseconds when) {
  while (count > 0) {
    Block& block = *blocks_.front();
    const std::size_t piece = std::min<std::size_t>(count, block.bytes.size() - block.taken);
    std::copy_n(block.bytes.begin() + static_cast<std::ptrdiff_t>(block.taken), piece, bytes);
    bytes += piece;
    count -= piece;
    block.taken += piece;
    left_to_take_ -= piece;
    if (block.taken < block.bytes.size()) break;
    blocks_.pop_front();
    ++first_tag_;
    pump(when);
  }
  if (left_to_take_ > 0) return;
  under_way_ = false;
  on_end(AccessResult::ok, when);
}

Picoseconds Mm2sEngine::edge(Picoseconds time) const {
  const Clock clock(config_.clock);
  return clock.time_of(clock.edge_at_or_after(time));
}

std::uint8_t* Mm2sEngine::data_of(MasterPort::Tag tag) {
  if (tag < first_tag_ || tag - first_tag_ >= blocks_.size())
    throw UserError("the saved state has a burst of a DMA engine without its bytes.");
  return blocks_[tag - first_tag_]->bytes.data();
}

void Mm2sEngine::Block::persist(Archive& archive) {
  archive("bytes", bytes)("taken", taken)("come", come);
  archive.require(taken <= bytes.size(), "taken", "is out of range");
}

void Mm2sEngine::persist(Archive& archive) {
  std::uint64_t blocks = blocks_.size();
  archive.below("number_of_blocks", blocks, std::uint64_t{config_.outstanding} + 1);
  if (archive.loading()) {
    abandoned_.clear();
    blocks_.clear();
    while (blocks_.size() < blocks) blocks_.push_back(std::make_unique<Block>());
  }
  for (const auto& block : blocks_) archive("block", *block);
  archive("under_way", under_way_)("begun", begun_)("not_before", not_before_)("address", address_)("pc", pc_);
  archive("left", left_)("left_to_take", left_to_take_)("first_tag", first_tag_)("reading", reading_);
  archive("dropping", dropping_)("failure", failure_, AccessResult::no_answer)("bursts", bursts_);
  archive("bytes_read", bytes_read_);
}

}  // namespace vp::axidma
