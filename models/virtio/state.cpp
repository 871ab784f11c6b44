// What the transport and its queues save.
#include <algorithm>

#include "models/common/archive.h"
#include "models/virtio/core.h"

namespace vp::virtio {

void QueuePlace::persist(Archive& archive) {
  archive("size", size)("descriptors", descriptors)("driver", driver)("device", device);
}

void Queue::Piece::persist(Archive& archive) {
  archive("write", write)("address", address)("offset", offset)("size", size);
  archive.require(offset <= kBuffer && size <= kBuffer - offset, "size", "is out of range");
}

void Queue::Segment::persist(Archive& archive) { archive("address", address)("size", size); }

void Queue::Segments::persist(Archive& archive) {
  archive("all", all).below("next", next, all.size() + 1)("used", used)("left", left);
  if (!archive.loading()) return;
  std::uint64_t bytes = 0;
  for (std::size_t i = next; i < all.size(); ++i) bytes += all[i].size;
  archive.require(bytes >= used && bytes - used == left, "left", "is not what the buffers have");
  archive.require(next == all.size() ? used == 0 : used < all[next].size, "used", "is out of range");
}

void Queue::persist(Archive& archive) {
  archive("place", place_)("running", running_)("indirect", indirect_)("event_index", event_index_);
  archive.require(!running_ || place_.size != 0, "place", "has no entries");
  archive("origin", origin_)("step", step_, Step::last)("pieces", pieces_)("under_way", under_way_);
  archive.require(under_way_ <= pieces_.size(), "under_way", "is out of range");
  archive("not_before", not_before_)("failure", failure_, AccessResult::no_answer)("failed", failed_);
  archive("notified", notified_)("next", next_)("used", used_)("told_event", told_event_)("event_told", event_told_);
  archive("judged", judged_)("request", request_)("begun", begun_)("head", head_)("descriptors", descriptors_);
  archive("readable", parts_[0])("writable", parts_[1])("written", written_)("skipped", skipped_);
  std::uint32_t extent = 0;  // of the buffer that anybody may still ask for
  for (const Piece& piece : pieces_) extent = std::max(extent, piece.offset + piece.size);
  if (archive.loading()) {
    abandoned_.clear();
    renew_buffer();
  }
  archive.sparse("buffer", buffer_->data(), extent);
}

void Core::Event::persist(Archive& archive) { archive("time", time)("kind", kind, Kind::needs_reset); }

void Core::Mistake::persist(Archive& archive) { archive("number", number)("time", time)("origin", origin); }

void Core::Fault::persist(Archive& archive) { archive("number", number)("time", time)("origin", origin)("why", why); }

void Core::persist(Archive& archive) {
  archive("registers", device_.registers)("interrupt", interrupt_)("events", events_);
  archive.fixed("places", places_);
  archive("driver_features", driver_features_)("origin", origin_)("timed", timed_)("port_due", port_due_);
  for (Queue& queue : queues_) archive("queue", queue);
  archive("mistakes", mistakes_)("fault", fault_);
  archive("notifications", done_.notifications)("requests", done_.requests)("dropped", done_.dropped);
  archive("interrupts", done_.interrupts)("resets", done_.resets)("busy", done_.busy)("latency", latency_);
  archive("begun", begun_)("active", active_)("active_since", active_since_);
  archive("device", device_);
}

}  // namespace vp::virtio
