#include "models/virtio/block.h"

#include <algorithm>
#include <cstring>

#include "models/common/figures.h"
#include "models/virtio/queue.h"

namespace vp::virtio {
namespace {

constexpr std::uint32_t kHeader = 16;     // bytes: type, reserved, sector
constexpr std::uint32_t kIdBytes = 20;    // of the serial number, filled up with zeros
constexpr std::uint32_t kNotForData = 2;  // descriptors of a request: header and status

std::uint64_t little_endian(const std::uint8_t* bytes, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

Block::Block(const BlockConfig& config)
    : serial_(config.serial),
      disk_(config),
      medium_(config.medium),
      capacity_(registers, {"capacity", kConfig, "sectors of 512 bytes", RegisterMode::read_only},
                disk_.size() / Disk::kSector),
      seg_max_(registers, {"seg_max", kConfig + 12, "buffers of data in a request", RegisterMode::read_only},
               std::max(config.queue_size, kNotForData + 1) - kNotForData) {}

std::uint32_t Block::features() const { return kSegmentsMax | kBlockSize | (disk_.read_only() ? kReadOnly : kFlush); }

void Block::begin(Queue& queue, Picoseconds now) {
  if (queue.readable() < kHeader) return queue.refuse("a request to the disk has no header of 16 bytes to be read");
  if (queue.writable() < 1) return queue.refuse("a request to the disk has no byte for its status");
  step_ = Step::header;
  queue.fetch(kHeader, now);
}

void Block::moved(Queue& queue, Picoseconds now) {
  switch (step_) {
    case Step::header:
      return take_header(queue, now);
    case Step::in:
      done_.read_bytes += moving_;
      return read_more(queue, now);
    case Step::out:
      return written_more(queue, now);
    case Step::id:
      return end(queue, Outcome::ok, now);
    case Step::status:
      return queue.finish(now);
  }
}

void Block::take_header(Queue& queue, Picoseconds now) {
  const auto type = static_cast<Type>(little_endian(queue.buffer(), 4));
  const std::uint64_t sector = little_endian(queue.buffer() + 8, 8);
  medium_.begin(now);
  switch (type) {
    case Type::in:
      ++done_.reads;
      if (!inside(sector, queue.writable() - 1)) return end(queue, Outcome::io_error, medium_.move(0));
      return read_more(queue, now);
    case Type::out:
      ++done_.writes;
      if (disk_.read_only() || !inside(sector, queue.readable())) return end(queue, Outcome::io_error, medium_.move(0));
      return fetch_more(queue, now);
    case Type::flush:
      ++done_.flushes;
      return end(queue, disk_.flush() ? Outcome::ok : Outcome::io_error, medium_.move(0));
    case Type::get_id:
      ++done_.others;
      return send_id(queue);
  }
  ++done_.others;
  end(queue, Outcome::unsupported, medium_.move(0));
}

/// Whether the disk has these bytes, in whole sectors; then they are the ones to be moved.
bool Block::inside(std::uint64_t sector, std::uint64_t bytes) {
  if (bytes % Disk::kSector != 0 || sector > disk_.size() / Disk::kSector) return false;
  position_ = sector * Disk::kSector;
  left_ = bytes;
  return bytes <= disk_.size() - position_;
}

/// The medium reads on while the bus still moves what came before.
void Block::read_more(Queue& queue, Picoseconds now) {
  if (left_ == 0) return end(queue, Outcome::ok, std::max(now, medium_.move(0)));
  moving_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(left_, Queue::kBuffer));
  const Picoseconds there = medium_.move(moving_);
  if (!disk_.read(position_, queue.buffer(), moving_)) return end(queue, Outcome::io_error, there);
  position_ += moving_;
  left_ -= moving_;
  step_ = Step::in;
  queue.store(moving_, std::max(now, there));
}

void Block::fetch_more(Queue& queue, Picoseconds now) {
  if (left_ == 0) return end(queue, Outcome::ok, std::max(now, medium_.move(0)));
  moving_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(left_, Queue::kBuffer));
  step_ = Step::out;
  queue.fetch(moving_, now);
}

void Block::written_more(Queue& queue, Picoseconds now) {
  const Picoseconds there = medium_.move(moving_, now);
  if (!disk_.write(position_, queue.buffer(), moving_)) return end(queue, Outcome::io_error, there);
  done_.written_bytes += moving_;
  position_ += moving_;
  left_ -= moving_;
  fetch_more(queue, now);
}

void Block::send_id(Queue& queue) {
  const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(kIdBytes, queue.writable() - 1));
  if (bytes == 0) return end(queue, Outcome::ok, medium_.move(0));
  std::memset(queue.buffer(), 0, kIdBytes);
  std::memcpy(queue.buffer(), serial_.data(), std::min<std::size_t>(serial_.size(), kIdBytes));
  step_ = Step::id;
  queue.store(bytes, medium_.move(bytes));
}

/// The status is the last byte that can be written, whatever is left before it.
void Block::end(Queue& queue, Outcome outcome, Picoseconds not_before) {
  done_.failed += outcome != Outcome::ok;
  if (queue.writable() > 1) queue.skip(queue.writable() - 1);
  queue.buffer()[0] = static_cast<std::uint8_t>(outcome);
  step_ = Step::status;
  queue.store(1, not_before);
}

void Block::drop(unsigned) {
  step_ = Step::header;
  left_ = 0;
}

BlockFigures Block::figures() const {
  BlockFigures figures = done_;
  figures.overlay_bytes = disk_.overlay_bytes();
  return figures;
}

void Block::report(Statistics& group) const { write_figures(figures(), group); }

std::vector<Finding> Block::findings() const {
  if (disk_.trouble().empty()) return {};
  return {{disk_.trouble() + ": requests ended with an error."}};
}

void Block::persist(Archive& archive) {
  archive("disk", disk_)("medium", medium_)("step", step_, Step::last);
  archive("position", position_)("left", left_)("moving", moving_);
  archive.require(moving_ <= Queue::kBuffer, "moving", "is out of range");
  archive.require(position_ <= disk_.size() && left_ <= disk_.size() - position_, "left", "is out of range");
  archive("reads", done_.reads)("writes", done_.writes)("flushes", done_.flushes)("others", done_.others);
  archive("failed", done_.failed)("read_bytes", done_.read_bytes)("written_bytes", done_.written_bytes);
}

}  // namespace vp::virtio
