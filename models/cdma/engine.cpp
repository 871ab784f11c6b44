#include "models/cdma/engine.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp::cdma {
namespace {

/// From the last byte of a burst at the read channel to its write address: through the DataMover's two stream stages.
constexpr unsigned kForwardCycles = 3;

/// Bursts of each channel that the buffer has room for, beside those under way on the other.
constexpr unsigned kBuffersPerBurst = 2;

}  // namespace

Engine::Engine(const CdmaConfig& config, MasterPort& port)
    : config_(config),
      capacity_(kBuffersPerBurst * config.outstanding * config.burst_bytes()),
      port_(port),
      buffer_(capacity_),
      blocks_(Block{std::vector<std::uint8_t>(config.burst_bytes())}) {
  port_.attach(*this);
}

void Engine::begin(const Copy& copy, Picoseconds at) {
  copy_ = copy;
  under_way_ = true;
  first_read_ = at;
  channel_free_[0] = channel_free_[1] = 0;
  next_source_ = copy.source;
  next_destination_ = copy.destination;
  left_to_read_ = left_to_write_ = copy.bytes;
  failure_ = AccessResult::ok;
  blocks_.forget_abandoned(port_);
  pump(at);
}

void Engine::stop() { left_to_read_ = left_to_write_ = 0; }

void Engine::abandon() {
  port_.abandon();
  blocks_.abandon();
  buffer_.clear();
  under_way_ = false;
  left_to_read_ = left_to_write_ = held_ = 0;
  in_flight_ = 0;
}

void Engine::issued(MasterPort::Tag, Picoseconds time) { pump(time); }

void Engine::completed(MasterPort::Tag tag, const Answer& answer) {
  Block& block = blocks_[tag];
  block.free = true;
  --in_flight_;
  if (!answer.ok()) {
    if (failure_ == AccessResult::ok) failure_ = answer.result;
    stop();
  } else if (block.write) {
    counts_.written_bytes += block.size;
    held_ -= block.size;
  } else {
    counts_.read_bytes += block.size;
    buffer_.push(block.bytes.data(), block.size);
  }
  pump(answer.completion);
  if (in_flight_ == 0 && left_to_write_ == 0)
    drain(answer);
  else if (on_progress)
    on_progress(answer.completion);
}

/// `last` is the last answer; a failure before it counts more.
void Engine::drain(const Answer& last) {
  Answer answer = last;
  if (failure_ != AccessResult::ok) answer.result = failure_;
  buffer_.clear();
  held_ = 0;
  under_way_ = false;
  if (on_drained) on_drained(answer);
}

/// Sends whatever can go. The port may call back while it is asked.
void Engine::pump(Picoseconds now) {
  if (pumping_) return;
  pumping_ = true;
  while (send_write(now) || send_read(now)) {
  }
  pumping_ = false;
}

/// What is asked for leaves at once; with nothing under way there would be no call to try again.
bool Engine::can_send(bool write) const { return in_flight_ == 0 || port_.can_issue(write); }

bool Engine::send_read(Picoseconds now) {
  if (left_to_read_ == 0 || !can_send(false)) return false;
  const unsigned size = piece(next_source_, left_to_read_, copy_.fixed_source);
  if (held_ + size > capacity_) return false;
  send(false, next_source_, size, take_block(size, false), edge(std::max(now, first_read_)));
  held_ += size;
  left_to_read_ -= size;
  if (!copy_.fixed_source) next_source_ += size;
  return true;
}

bool Engine::send_write(Picoseconds now) {
  if (left_to_write_ == 0 || !can_send(true)) return false;
  const unsigned size = piece(next_destination_, left_to_write_, copy_.fixed_destination);
  if (buffer_.size() < size) return false;
  const Tag tag = take_block(size, true);
  buffer_.pop(blocks_[tag].bytes.data(), size);
  send(true, next_destination_, size, tag, edge(now) + kForwardCycles * config_.clock);
  left_to_write_ -= size;
  if (!copy_.fixed_destination) next_destination_ += size;
  return true;
}

void Engine::send(bool write, std::uint64_t address, unsigned size, Tag block, Picoseconds not_before) {
  ++(write ? counts_.write_bursts : counts_.read_bursts);
  ++in_flight_;
  const std::uint64_t word = config_.word_bytes();
  const std::uint64_t beats = (address % word + size + word - 1) / word;
  not_before = std::max(not_before, channel_free_[write]);
  channel_free_[write] = not_before + beats * config_.clock;
  MasterPort::Transfer transfer;
  transfer.write = write;
  transfer.address = address;
  transfer.data = blocks_[block].bytes.data();
  transfer.size = size;
  transfer.tag = block;
  transfer.not_before = not_before;
  transfer.pc = copy_.pc;
  port_.issue(transfer);
}

/// The clock edge at or after a time.
Picoseconds Engine::edge(Picoseconds time) const {
  const Clock clock(config_.clock);
  return clock.time_of(clock.edge_at_or_after(time));
}

/// Bytes of the next burst from an address: to the next multiple of the burst, or one beat at a key hole.
unsigned Engine::piece(std::uint64_t address, std::uint64_t left, bool fixed) const {
  const std::uint64_t unit = fixed ? config_.word_bytes() : config_.burst_bytes();
  return static_cast<unsigned>(std::min(left, unit - address % unit));
}

Engine::Tag Engine::take_block(unsigned size, bool write) {
  const Tag tag = blocks_.take();
  blocks_[tag].size = size;
  blocks_[tag].write = write;
  return tag;
}

std::uint8_t* Engine::data_of(MasterPort::Tag tag) { return blocks_.saved(tag, "a DMA engine").bytes.data(); }

void Copy::persist(Archive& archive) {
  archive("source", source)("destination", destination)("bytes", bytes)("fixed_source", fixed_source);
  archive("fixed_destination", fixed_destination)("pc", pc);
}

void Engine::Block::persist(Archive& archive) {
  archive.fixed("bytes", bytes).below("size", size, bytes.size() + 1)("write", write)("free", free);
}

void Engine::persist(Archive& archive) {
  archive("copy", copy_)("under_way", under_way_)("first_read", first_read_)("channel_free", channel_free_);
  archive("next_source", next_source_)("next_destination", next_destination_)("left_to_read", left_to_read_);
  archive("left_to_write", left_to_write_)("held", held_)("buffer", buffer_)("in_flight", in_flight_);
  blocks_.list(archive, 4 * std::uint64_t{config_.outstanding});
  archive("failure", failure_, AccessResult::no_answer);
  archive("read_bursts", counts_.read_bursts)("write_bursts", counts_.write_bursts);
  archive("read_bytes", counts_.read_bytes)("written_bytes", counts_.written_bytes);
}

}  // namespace vp::cdma
