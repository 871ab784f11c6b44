#include "models/axidma/s2mm.h"

#include <algorithm>
#include <iterator>

#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp::axidma {

S2mmEngine::S2mmEngine(const AxiDmaConfig& config, MasterPort& port) : config_(config), port_(port) {}

void S2mmEngine::begin(std::uint64_t address, std::uint64_t bytes, std::uint64_t pc, Picoseconds at) {
  if (port_.under_way(true) == 0) abandoned_.clear();
  under_way_ = open_ = true;
  not_before_ = at;
  address_ = address;
  pc_ = pc;
  room_ = bytes;
  end_ = {};
  if (source_ != nullptr) source_->wanted(at);
}

/// Of the burst that comes next, if the packet is long enough.
std::uint64_t S2mmEngine::burst_size() const {
  const std::uint64_t unit = config_.burst_bytes();
  return unit - address_ % unit;
}

std::size_t S2mmEngine::wants() const {
  if (!open_) return 0;
  if (room_ == 0) return 1;  // the next one is too many
  return static_cast<std::size_t>(std::min(room_, burst_size() - waiting_.size()));
}

std::size_t S2mmEngine::put(const std::uint8_t* bytes, std::size_t count, bool last, Picoseconds now) {
  if (!open_) {
    lost_ += count;
    return 0;
  }
  const std::size_t taken = std::min<std::size_t>(count, room_);
  waiting_.insert(waiting_.end(), bytes, bytes + taken);
  room_ -= taken;
  if (taken < count) end_.overflow = true;
  lost_ += count - taken;
  if (last || end_.overflow) open_ = false;
  flush(now);
  end_if_done(now);
  return taken;
}

/// Writes the bursts whose bytes are all there; behind the packet, the rest.
void S2mmEngine::flush(Picoseconds now) {
  const Clock clock(config_.clock);
  std::size_t done = 0;
  while (done < waiting_.size()) {
    const std::uint64_t whole = burst_size();
    if (open_ && room_ > 0 && waiting_.size() - done < whole) break;
    const std::uint64_t size = std::min<std::uint64_t>(whole, waiting_.size() - done);
    blocks_.push_back(std::make_unique<Block>());
    Block& block = *blocks_.back();
    block.tag = kTag | next_tag_++;
    block.bytes.assign(waiting_.begin() + static_cast<std::ptrdiff_t>(done),
                       waiting_.begin() + static_cast<std::ptrdiff_t>(done + size));
    done += size;
    ++in_flight_;
    ++bursts_;
    const Picoseconds at = clock.time_of(clock.edge_at_or_after(std::max(now, not_before_)));
    const std::uint64_t address = address_;
    address_ += size;
    port_.write(address, block.bytes.data(), size, block.tag, at, pc_);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
}

void S2mmEngine::completed(MasterPort::Tag tag, const Answer& answer) {
  const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const auto& block) { return block->tag == tag; });
  --in_flight_;
  if (answer.ok()) {
    bytes_written_ += (*found)->bytes.size();
    end_.bytes += (*found)->bytes.size();
  } else {
    if (end_.result == AccessResult::ok) end_.result = answer.result;
    open_ = false;
    waiting_.clear();
  }
  blocks_.erase(found);
  end_if_done(answer.completion);
}

void S2mmEngine::end_if_done(Picoseconds now) {
  if (!under_way_ || open_ || in_flight_ != 0 || !waiting_.empty()) return;
  under_way_ = false;
  if (!dropping_) on_end(end_, now);
  dropping_ = false;
}

void S2mmEngine::drop() {
  if (!under_way_) return;
  open_ = false;
  dropping_ = true;
  waiting_.clear();
  end_if_done(0);
}

void S2mmEngine::abandon() {
  std::move(blocks_.begin(), blocks_.end(), std::back_inserter(abandoned_));
  blocks_.clear();
  waiting_.clear();
  in_flight_ = 0;
  under_way_ = open_ = dropping_ = false;
}

std::uint8_t* S2mmEngine::data_of(MasterPort::Tag tag) {
  for (const auto& block : blocks_)
    if (block->tag == tag) return block->bytes.data();
  throw UserError("the saved state has a burst of a DMA engine without its bytes.");
}

void S2mmEngine::Block::persist(Archive& archive) { archive("bytes", bytes)("tag", tag); }

void S2mmEngine::persist(Archive& archive) {
  std::uint64_t blocks = blocks_.size();
  archive.below("number_of_blocks", blocks, 1 << 16);
  if (archive.loading()) {
    abandoned_.clear();
    blocks_.clear();
    while (blocks_.size() < blocks) blocks_.push_back(std::make_unique<Block>());
  }
  for (const auto& block : blocks_) archive("block", *block);
  archive("under_way", under_way_)("open", open_)("dropping", dropping_)("not_before", not_before_);
  archive("address", address_)("pc", pc_)("room", room_)("waiting", waiting_)("next_tag", next_tag_);
  archive("in_flight", in_flight_)("result", end_.result, AccessResult::no_answer)("overflow", end_.overflow);
  archive("stored", end_.bytes)("bursts", bursts_)("bytes_written", bytes_written_)("lost", lost_);
}

}  // namespace vp::axidma
