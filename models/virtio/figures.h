#pragma once

#include <cstdint>
#include <optional>

#include "models/common/latency_figures.h"

namespace vp::virtio {

/// What the transport and its queues have done.
struct Figures {
  std::uint64_t notifications = 0;  ///< writes of QueueNotify that had an effect
  std::uint64_t requests = 0;       ///< that have been given back
  std::uint64_t dropped = 0;        ///< that a reset, or a mistake of the driver, has ended
  std::uint64_t interrupts = 0;     ///< changes of the line to high
  std::uint64_t resets = 0;         ///< by the driver
  Picoseconds busy = 0;             ///< with a request under way
  std::optional<double> busy_share;
  LatencySummary latency;

  template <typename List>
  void list(List& list) const {
    list.figure("notifications", notifications, "", "times that the driver said there are buffers");
    list.figure("requests", requests, "", "that have been given back");
    list.figure("dropped", dropped, "", "requests that a reset, or a mistake of the driver, has ended");
    list.figure("interrupts", interrupts, "", "times that the interrupt line went high");
    list.figure("resets", resets, "", "that the driver has asked for");
    list.figure("busy", busy, "ps", "time with a request under way");
    list.figure("busy_share", busy_share, "%", "of the simulated time");
    if (requests != 0) latency.list(list);
  }
};

/// What a disk has done.
struct BlockFigures {
  std::uint64_t reads = 0, writes = 0, flushes = 0, others = 0;
  std::uint64_t failed = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t overlay_bytes = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("reads", reads, "", "requests to read sectors");
    list.figure("writes", writes, "", "requests to write sectors");
    list.figure("flushes", flushes, "", "requests to make writes permanent");
    list.figure("others", others, "", "requests for the serial number, and those that the disk does not know");
    list.figure("failed", failed, "", "of all, those that ended with an error");
    list.figure("read_bytes", read_bytes, "bytes", "of sectors, that have been read");
    list.figure("written_bytes", written_bytes, "bytes", "of sectors, that have been written");
    list.figure("overlay_bytes", overlay_bytes, "bytes", "of memory that keeps what has been written");
  }
};

/// What a source of entropy has done.
struct EntropyFigures {
  std::uint64_t bytes = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("bytes", bytes, "bytes", "that it has handed out");
  }
};

/// What a console has done.
struct TerminalFigures {
  std::uint64_t received = 0, sent = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("received", received, "bytes", "of input that the guest has got");
    list.figure("sent", sent, "bytes", "that the guest has sent");
  }
};

}  // namespace vp::virtio
