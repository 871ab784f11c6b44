#pragma once

#include <cstddef>
#include <cstdint>

#include "models/common/clock.h"

namespace vp {

// Streams of bytes between two parts (AXI4-Stream), roles of the parts at their ends. No event a beat: whoever takes
// bytes tells when the last of them moves. Calls come at the kernel's time; the other end must not be called back from
// within one, but for what is said.

/// The end of a stream from which its bytes are taken.
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  /// Bytes that have come and can be taken.
  virtual std::size_t available() const = 0;
  /// Takes the next `count` of them. `when`: the last one leaves the source, absolute, not before now and not before
  /// that of an earlier call.
  virtual void take(std::uint8_t* bytes, std::size_t count, Picoseconds when) = 0;
  /// More bytes may come without anybody's help, or are there.
  virtual bool active() const = 0;
  /// When what is active, or was, began.
  virtual Picoseconds begun() const = 0;
};

/// A part that takes a stream.
class StreamSink {
 public:
  virtual ~StreamSink() = default;
  /// Plugs in the source; before the simulation starts.
  virtual void connect(StreamSource& source) = 0;
  /// Bytes have come; they may be taken now, from within this call, or later.
  virtual void offered(Picoseconds now) = 0;
};

/// A part that takes packets from one that cannot wait.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// Takes bytes that have come by now, the last of a packet or not; returns how many. The rest is lost.
  virtual std::size_t put(const std::uint8_t* bytes, std::size_t count, bool last, Picoseconds now) = 0;
  /// How many bytes more it needs before it does something that others can see, if its packet goes on so long; 0: it
  /// takes none at present.
  virtual std::size_t wants() const = 0;
};

/// A part that makes packets.
class PacketSource {
 public:
  virtual ~PacketSource() = default;
  /// Plugs in the sink; before the simulation starts.
  virtual void connect(PacketSink& sink) = 0;
  /// The sink takes bytes from this time on (absolute, not before now).
  virtual void wanted(Picoseconds at) = 0;
};

}  // namespace vp
