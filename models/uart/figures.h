#pragma once

#include <cstdint>

#include "models/common/arrival_figures.h"

namespace vp {

struct UartCoreFigures {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t overruns = 0;
  std::uint64_t lost_writes = 0;
  std::uint64_t line_errors = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("sent", sent, "bytes", "characters sent, loop-back included");
    list.figure("received", received, "bytes", "characters read by software");
    list.figure("overruns", overruns, "1", "received characters lost for want of room");
    list.figure("lost_writes", lost_writes, "1", "writes to a full transmitter");
    list.figure("line_errors", line_errors, "1", "characters with parity or framing errors, or breaks");
  }
};

/// All of a UART on a bus.
struct UartFigures {
  UartCoreFigures core;
  ArrivalFigures arrivals;

  template <typename List>
  void list(List& list) const {
    core.list(list);
    arrivals.list(list);
  }
};

}  // namespace vp
