#include "models/virtio/queue.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "models/virtio/device.h"

namespace vp::virtio {
namespace {

constexpr std::uint32_t kDescriptorBytes = 16, kElementBytes = 8;
constexpr std::uint32_t kRingIndex = 2, kRingEntries = 4;  // offsets in both rings
constexpr std::uint16_t kNoInterrupt = 1;                  // VIRTQ_AVAIL_F_NO_INTERRUPT
constexpr std::uint32_t kUsedEvent = 8;                    // in the buffer, behind flags and index

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

const char* words_of(AccessResult result) {
  switch (result) {
    case AccessResult::address_error:
      return "nothing answers there";
    case AccessResult::command_error:
      return "that place does not allow it";
    default:
      return "its target refused";
  }
}

}  // namespace

std::string QueuePlace::fault(unsigned most) const {
  if (size == 0 || (size & (size - 1)) != 0 || size > most)
    return "QueueNum is " + std::to_string(size) + ", not a power of two of at most " + std::to_string(most);
  for (const auto& [name, address, unit] :
       {std::tuple("QueueDesc", descriptors, 16u), std::tuple("QueueDriver", driver, 2u),
        std::tuple("QueueDevice", device, 4u)})
    if (address % unit != 0)
      return std::string(name) + " " + hex(address) + " is no multiple of " + std::to_string(unit);
  return "";
}

void Queue::start(const QueuePlace& place) {
  stop();
  place_ = place;
  running_ = true;
  next_ = used_ = judged_ = told_event_ = 0;
  event_told_ = false;
}

void Queue::stop() {
  if (request_) device_.drop(number_);
  running_ = request_ = notified_ = false;
  step_ = Step::idle;
  failure_ = AccessResult::ok;
  if (under_way_ != 0) renew_buffer();
  pieces_.clear();
  under_way_ = 0;
}

/// The port has been told to forget the accesses of the step; each can be made twice.
void Queue::resume() {
  if (under_way_ == 0) return;
  under_way_ = 0;
  failure_ = AccessResult::ok;
  for (const Piece& piece : pieces_) issue(piece);
}

void Queue::renew_buffer() { abandoned_.push_back(std::exchange(buffer_, std::make_unique<Buffer>())); }

void Queue::look(Picoseconds at, const Origin& origin) {
  if (!running_) return;
  origin_ = origin;
  notified_ = true;
  if (busy() || !device_.ready(number_)) return;
  if (port_.under_way(false) == 0 && port_.under_way(true) == 0) abandoned_.clear();
  read_ring(Step::look, at);
}

/// A burst leaves in a cycle of the port, and where time is exact a word a cycle moves; but what is known of the last
/// burst is only that it leaves.
Picoseconds Queue::earliest(std::uint64_t burst_bytes, bool timed) const {
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces_) bytes += piece.size;
  if (bytes <= burst_bytes) return not_before_;
  const std::uint64_t unit = timed ? port_.bytes_per_cycle() : burst_bytes;
  return not_before_ + (bytes - burst_bytes) / unit * port_.cycle();
}

// Steps

void Queue::begin_step(Step step, Picoseconds not_before) {
  step_ = step;
  pieces_.clear();
  not_before_ = not_before;
}

void Queue::access(bool write, std::uint64_t address, std::uint32_t offset, std::uint32_t size) {
  pieces_.push_back({write, address, offset, size});
  issue(pieces_.back());
}

void Queue::issue(const Piece& piece) {
  ++under_way_;
  port_.issue({piece.write, piece.address, buffer_->data() + piece.offset, piece.size,
               number_ | MasterPort::Tag{piece.offset} << 8, not_before_, origin_.pc});
}

void Queue::completed(MasterPort::Tag tag, const Answer& answer) {
  if (!answer.ok() && failure_ == AccessResult::ok) {
    failure_ = answer.result;
    failed_ = *std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& one) { return one.offset == tag >> 8; });
  }
  if (--under_way_ != 0) return;
  if (failure_ == AccessResult::ok) return end_step(answer.completion);
  refuse(std::string(failed_.write ? "a write of " : "a read of ") + counted(failed_.size, "byte") + " at " +
         hex(failed_.address) + " failed: " + words_of(failure_));
}

std::uint8_t* Queue::data_of(MasterPort::Tag tag) {
  const std::uint64_t offset = tag >> 8;
  if (offset >= kBuffer) throw UserError("the saved state has an access of a virtio queue beyond its buffer.");
  return buffer_->data() + offset;
}

void Queue::end_step(Picoseconds now) {
  switch (step_) {
    case Step::idle:
      return;
    case Step::look:
      return looked(now);
    case Step::entry:
      return take_head(now);
    case Step::descriptor:
      return take_descriptor(now);
    case Step::table:
      return take_table(now);
    case Step::move:
      return device_.moved(*this, now);
    case Step::element:
      put(0, ++used_, 2);
      begin_step(Step::index, now);
      return access(true, place_.device + kRingIndex, 0, 2);
    case Step::index:
      request_ = false;
      owner_.used(begun_, now);
      return read_ring(Step::verdict, now);
    case Step::verdict:
      if (wants_interrupt()) owner_.interrupt(now);
      judged_ = used_;
      return looked(now);
    case Step::event:
      return read_ring(Step::look, now);
  }
}

/// Flags and index of the available ring; to judge about an interrupt, the driver's used_event, too.
void Queue::read_ring(Step step, Picoseconds not_before) {
  notified_ = false;
  begin_step(step, not_before);
  access(false, place_.driver, 0, kRingEntries);
  if (step == Step::verdict && event_index_)
    access(false, place_.driver + kRingEntries + 2 * std::uint64_t{place_.size}, kUsedEvent, 2);
}

/// Section 2.7.7.1: by used_event, whether the used index has just passed it.
bool Queue::wants_interrupt() const {
  if (!event_index_) return (half_word(0) & kNoInterrupt) == 0;
  const auto since_event = static_cast<std::uint16_t>(used_ - half_word(kUsedEvent) - 1);
  return since_event < static_cast<std::uint16_t>(used_ - judged_);
}

void Queue::looked(Picoseconds now) {
  const std::uint16_t index = half_word(kRingIndex);
  const auto waiting = static_cast<std::uint16_t>(index - next_);
  if (waiting > place_.size)
    return refuse("the index of the available ring went from " + std::to_string(next_) + " to " +
                  std::to_string(index) + ", more than its " + std::to_string(place_.size) + " entries");
  if (waiting == 0 || !device_.ready(number_)) return rest(now);
  begin_step(Step::entry, now);
  access(false, place_.driver + kRingEntries + 2 * std::uint64_t{next_ % place_.size}, 0, 2);
}

/// Nothing is left to do. The driver is told from which entry on it shall notify; if it was too quick for that, the
/// look that follows finds it.
void Queue::rest(Picoseconds now) {
  if (event_index_ && (!event_told_ || told_event_ != next_)) {
    event_told_ = true;
    told_event_ = next_;
    put(0, next_, 2);
    begin_step(Step::event, now);
    return access(true, place_.device + kRingEntries + kElementBytes * std::uint64_t{place_.size}, 0, 2);
  }
  if (notified_ && device_.ready(number_)) return read_ring(Step::look, now);
  begin_step(Step::idle, now);
}

// Chains

struct Queue::Descriptor {
  enum : std::uint16_t { kNext = 1, kWrite = 2, kIndirect = 4 };
  std::uint64_t address;
  std::uint32_t size;
  std::uint16_t flags;
  std::uint16_t next;
};

Queue::Descriptor Queue::descriptor_at(std::uint32_t offset) const {
  const auto half = [&](unsigned i) { return std::uint64_t{half_word(offset + 2 * i)}; };
  return {half(0) | half(1) << 16 | half(2) << 32 | half(3) << 48, static_cast<std::uint32_t>(half(4) | half(5) << 16),
          half_word(offset + 12), half_word(offset + 14)};
}

std::uint16_t Queue::half_word(std::uint32_t offset) const {
  return static_cast<std::uint16_t>((*buffer_)[offset] | (*buffer_)[offset + 1] << 8);
}

void Queue::put(std::uint32_t offset, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) (*buffer_)[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void Queue::take_head(Picoseconds now) {
  head_ = half_word(0);
  if (head_ >= place_.size)
    return refuse("the available ring names descriptor " + std::to_string(head_) + " of " +
                  std::to_string(place_.size));
  ++next_;
  request_ = true;
  begun_ = now;
  descriptors_ = written_ = 0;
  skipped_ = false;
  for (Segments& part : parts_) part = {};
  owner_.begun(now);
  not_before_ = now;
  read_descriptor(head_);
}

void Queue::read_descriptor(std::uint32_t index) {
  begin_step(Step::descriptor, not_before_);
  access(false, place_.descriptors + kDescriptorBytes * std::uint64_t{index}, 0, kDescriptorBytes);
}

void Queue::take_descriptor(Picoseconds now) {
  const Descriptor descriptor = descriptor_at(0);
  if ((descriptor.flags & Descriptor::kIndirect) != 0) {
    if (!indirect_) return refuse("a descriptor is indirect, though VIRTIO_F_INDIRECT_DESC was not negotiated");
    if ((descriptor.flags & Descriptor::kNext) != 0) return refuse("an indirect descriptor has a next one");
    if (descriptor.size == 0 || descriptor.size % kDescriptorBytes != 0)
      return refuse("a table of indirect descriptors has " + counted(descriptor.size, "byte") + ", no multiple of 16");
    if (descriptor.size / kDescriptorBytes > place_.size)
      return refuse("a table of indirect descriptors has more entries than the queue, " +
                    std::to_string(descriptor.size / kDescriptorBytes));
    begin_step(Step::table, now);
    return access(false, descriptor.address, 0, descriptor.size);
  }
  if (!add(descriptor)) return;
  if ((descriptor.flags & Descriptor::kNext) == 0) return begin_request(now);
  if (descriptor.next >= place_.size)
    return refuse("a descriptor's next one is " + std::to_string(descriptor.next) + " of " +
                  std::to_string(place_.size));
  not_before_ = now;
  read_descriptor(descriptor.next);
}

void Queue::take_table(Picoseconds now) {
  const std::uint32_t entries = pieces_.front().size / kDescriptorBytes;
  std::uint32_t index = 0;
  while (true) {
    const Descriptor descriptor = descriptor_at(index * kDescriptorBytes);
    if ((descriptor.flags & Descriptor::kIndirect) != 0)
      return refuse("a descriptor of an indirect table is indirect itself");
    if (!add(descriptor)) return;
    if ((descriptor.flags & Descriptor::kNext) == 0) break;
    index = descriptor.next;
    if (index >= entries)
      return refuse("the next descriptor of an indirect table is " + std::to_string(index) + " of " +
                    std::to_string(entries));
  }
  begin_request(now);
}

/// false: it has been refused.
bool Queue::add(const Descriptor& descriptor) {
  const bool write = (descriptor.flags & Descriptor::kWrite) != 0;
  const auto refused = [this](const std::string& why) {
    refuse(why);
    return false;
  };
  if (++descriptors_ > place_.size)
    return refused("a chain has more descriptors than the queue's " + std::to_string(place_.size) +
                   ", or leads back into itself");
  if (descriptor.size == 0) return refused("a buffer has no bytes");
  if (descriptor.address + descriptor.size - 1 < descriptor.address)
    return refused("a buffer of " + counted(descriptor.size, "byte") + " at " + hex(descriptor.address) +
                   " ends beyond the last address");
  if (!write && !parts_[1].all.empty())
    return refused("a buffer that the device reads comes behind one that it writes");
  parts_[write].all.push_back({descriptor.address, descriptor.size});
  parts_[write].left += descriptor.size;
  return true;
}

void Queue::begin_request(Picoseconds now) {
  begin_step(Step::move, now);
  device_.begin(*this, now);
}

// Requests

/// The next so many bytes, by segments: use(address, size).
template <typename Use>
void Queue::consume(Segments& segments, std::uint64_t bytes, Use use) {
  segments.left -= bytes;
  while (bytes != 0) {
    const Segment& segment = segments.all[segments.next];
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, segment.size - segments.used));
    use(segment.address + segments.used, size);
    bytes -= size;
    segments.used += size;
    if (segments.used != segment.size) continue;
    segments.used = 0;
    ++segments.next;
  }
}

void Queue::move(bool write, std::uint32_t bytes, Picoseconds not_before) {
  begin_step(Step::move, not_before);
  std::uint32_t offset = 0;
  consume(parts_[write], bytes, [&](std::uint64_t address, std::uint32_t size) {
    access(write, address, offset, size);
    offset += size;
  });
  if (write && !skipped_) written_ += bytes;
}

void Queue::skip(std::uint64_t bytes) {
  skipped_ = true;
  consume(parts_[1], bytes, [](std::uint64_t, std::uint32_t) {});
}

void Queue::finish(Picoseconds not_before) {
  put(0, head_, 4);
  put(4, written_, 4);
  begin_step(Step::element, not_before);
  access(true, place_.device + kRingEntries + kElementBytes * std::uint64_t{used_ % place_.size}, 0, kElementBytes);
}

void Queue::refuse(const std::string& why) { owner_.refuse(why, origin_, port_.now()); }

std::string Queue::work() const {
  if (!running_) return "not ready";
  if (!request_) return busy() ? "looks for requests" : "waits for requests";
  return "a request of " + counted(descriptors_, "descriptor") + " is under way: " + counted(readable(), "byte") +
         " to be read, " + counted(writable(), "byte") + " to be written";
}

}  // namespace vp::virtio
