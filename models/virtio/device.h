#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/finding.h"
#include "models/common/register_bank.h"
#include "models/common/statistics.h"

namespace vp {
class Archive;
}

namespace vp::virtio {

class Queue;

/// What is behind a transport: a disk, a source of entropy, a console. Calls come at the kernel's time.
class Device {
 public:
  /// Where its own registers begin.
  static constexpr std::uint64_t kConfig = 0x100;

  virtual ~Device() = default;

  virtual std::uint32_t id() const = 0;                 ///< DeviceID
  virtual std::uint32_t features() const { return 0; }  ///< of its own: bits 0 to 23
  virtual unsigned queues() const { return 1; }

  /// It has something for that queue's requests, so that the queue may take one.
  virtual bool ready(unsigned /*queue*/) { return true; }
  /// A request is there. Moves its bytes and finishes it, at once or later; or refuses it.
  virtual void begin(Queue& queue, Picoseconds now) = 0;
  /// The bytes that it asked for have been moved.
  virtual void moved(Queue& queue, Picoseconds now) = 0;
  /// The request in hand is dropped: the driver has reset the device or taken the queue away.
  virtual void drop(unsigned queue) = 0;

  /// Adds its own figures.
  virtual void report(Statistics& group) const = 0;
  virtual std::vector<Finding> findings() const { return {}; }
  /// Bytes that it has handed over and taken.
  virtual std::uint64_t bytes() const = 0;
  virtual void persist(Archive& archive) = 0;

  /// All registers: the transport's, and its own from kConfig on.
  RegisterBank registers;
};

}  // namespace vp::virtio
