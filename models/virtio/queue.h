#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/master_port.h"
#include "models/common/origin.h"

namespace vp {
class Archive;
}

namespace vp::virtio {

class Device;

/// Where a driver has put a split virtqueue: QueueNum, QueueDesc, QueueDriver and QueueDevice.
struct QueuePlace {
  std::uint32_t size = 0;         ///< entries
  std::uint64_t descriptors = 0;  ///< 16 bytes an entry
  std::uint64_t driver = 0;       ///< available ring: flags, index, heads, used_event
  std::uint64_t device = 0;       ///< used ring: flags, index, elements, avail_event

  /// Empty, or why no queue can be there.
  std::string fault(unsigned most) const;
  void persist(Archive& archive);
};

/// The device's side of a split virtqueue (Virtual I/O Device 1.2, section 2.7). It lies in the guest's memory, so
/// every look at it is an access of the device's port: it takes one request after the other, from the available ring by
/// its chain of descriptors to the used ring. Nothing in it is trusted.
///
/// The device behind it is handed each request (Device::begin) and moves the buffers' bytes through buffer(): those
/// that it reads with fetch(), those that it writes with store(), each followed by Device::moved(), and at last
/// finish().
class Queue {
 public:
  /// Bytes that are moved at a time, at most.
  static constexpr std::uint32_t kBuffer = 1 << 16;

  /// The transport, as a queue sees it.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// A request has been taken from the ring; it has been given back with success, after so long.
    virtual void begun(Picoseconds now) = 0;
    virtual void used(Picoseconds begun, Picoseconds now) = 0;
    /// The driver wants an interrupt for it.
    virtual void interrupt(Picoseconds now) = 0;
    /// What the driver has put there cannot be: no queue does anything until the device is reset. A sentence.
    virtual void refuse(const std::string& why, const Origin& origin, Picoseconds now) = 0;
  };

  Queue(unsigned number, MasterPort& port, Device& device, Owner& owner)
      : number_(number), port_(port), device_(device), owner_(owner) {}

  // The transport's side.
  /// The driver has set the queue up (QueueReady).
  void start(const QueuePlace& place);
  /// What is under way is dropped. The port must be told to abandon it; other queues then resume().
  void stop();
  void resume();
  bool running() const { return running_; }
  /// Features that both sides have.
  void set_features(bool indirect, bool event_index) { indirect_ = indirect, event_index_ = event_index; }
  /// The driver says that there are buffers, or the device has become ready: looks, at `at` or later.
  void look(Picoseconds at, const Origin& origin);
  bool busy() const { return step_ != Step::idle; }
  bool has_request() const { return request_; }
  Picoseconds begun() const { return begun_; }
  /// What is under way cannot be over sooner.
  Picoseconds earliest(std::uint64_t burst_bytes, bool timed) const;
  void completed(MasterPort::Tag tag, const Answer& answer);
  std::uint8_t* data_of(MasterPort::Tag tag);
  static unsigned number_of(MasterPort::Tag tag) { return static_cast<unsigned>(tag & 0xFF); }

  // The device's side.
  unsigned number() const { return number_; }
  const Origin& origin() const { return origin_; }
  /// Bytes of the request that the device has not yet read, written or skipped.
  std::uint64_t readable() const { return parts_[0].left; }
  std::uint64_t writable() const { return parts_[1].left; }
  std::uint8_t* buffer() { return buffer_->data(); }
  /// Moves bytes (1 to kBuffer, and no more than are left) into or out of the buffer; none leaves before `not_before`.
  void fetch(std::uint32_t bytes, Picoseconds not_before) { move(false, bytes, not_before); }
  void store(std::uint32_t bytes, Picoseconds not_before) { move(true, bytes, not_before); }
  /// Leaves so many bytes that it could write as they are; what follows them is not counted as written.
  void skip(std::uint64_t bytes);
  /// Gives the request back.
  void finish(Picoseconds not_before);
  void refuse(const std::string& why);

  /// What it does, for a person.
  std::string work() const;
  void persist(Archive& archive);

 private:
  enum class Step : std::uint8_t {
    idle,
    look,        // reads flags and index of the available ring
    entry,       // reads the next head there
    descriptor,  // reads a descriptor of the table
    table,       // reads a table of indirect descriptors
    move,        // the device's bytes
    element,     // writes into the used ring
    index,       // writes the used ring's index
    verdict,     // reads whether an interrupt is wanted, and what is there by now
    event,       // writes the index from which on the driver shall notify
    last = event,
  };
  /// An access, or several, of the step under way.
  struct Piece {
    bool write = false;
    std::uint64_t address = 0;
    std::uint32_t offset = 0;  // in the buffer
    std::uint32_t size = 0;
    void persist(Archive& archive);
  };
  struct Segment {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    void persist(Archive& archive);
  };
  /// The readable or the writable buffers of a request, from the first that is not used up on.
  struct Segments {
    std::vector<Segment> all;
    std::uint32_t next = 0;
    std::uint32_t used = 0;  // bytes of the next
    std::uint64_t left = 0;
    void persist(Archive& archive);
  };
  struct Descriptor;

  Descriptor descriptor_at(std::uint32_t offset) const;
  std::uint16_t half_word(std::uint32_t offset) const;
  void put(std::uint32_t offset, std::uint64_t value, unsigned bytes);
  void begin_step(Step step, Picoseconds not_before);
  void access(bool write, std::uint64_t address, std::uint32_t offset, std::uint32_t size);
  void issue(const Piece& piece);
  void end_step(Picoseconds now);
  void read_ring(Step step, Picoseconds not_before);
  void looked(Picoseconds now);
  void rest(Picoseconds now);
  void take_head(Picoseconds now);
  void read_descriptor(std::uint32_t index);
  void take_descriptor(Picoseconds now);
  void take_table(Picoseconds now);
  bool add(const Descriptor& descriptor);
  void begin_request(Picoseconds now);
  template <typename Use>
  void consume(Segments& segments, std::uint64_t bytes, Use use);
  void move(bool write, std::uint32_t bytes, Picoseconds not_before);
  bool wants_interrupt() const;
  void renew_buffer();

  const unsigned number_;
  MasterPort& port_;
  Device& device_;
  Owner& owner_;

  QueuePlace place_;
  bool running_ = false;
  bool indirect_ = false, event_index_ = false;
  Origin origin_;  // of the notification

  Step step_ = Step::idle;
  std::vector<Piece> pieces_;  // of the step
  unsigned under_way_ = 0;     // of them
  Picoseconds not_before_ = 0;
  AccessResult failure_ = AccessResult::ok;
  Piece failed_;

  bool notified_ = false;         // since the available ring was last read
  std::uint16_t next_ = 0;        // of the available ring
  std::uint16_t used_ = 0;        // index of the used ring
  std::uint16_t told_event_ = 0;  // avail_event as last written
  bool event_told_ = false;
  std::uint16_t judged_ = 0;  // used_ when it was last asked for an interrupt

  bool request_ = false;  // a request is in hand
  Picoseconds begun_ = 0;
  std::uint16_t head_ = 0;
  std::uint32_t descriptors_ = 0;  // of its chain
  Segments parts_[2];              // readable, writable
  std::uint32_t written_ = 0;      // bytes from the first writable one on
  bool skipped_ = false;

  using Buffer = std::array<std::uint8_t, kBuffer>;
  std::unique_ptr<Buffer> buffer_ = std::make_unique<Buffer>();
  std::vector<std::unique_ptr<Buffer>> abandoned_;  // the port may still move bytes of these
};

}  // namespace vp::virtio
