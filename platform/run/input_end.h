#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/cpu/cpu.h"
#include "platform/board/board.h"

namespace vp {

/// Notices a CPU that does nothing but poll a console whose input has ended: 10 ms of simulated time in which each of
/// its accesses to devices looked for input in vain, nothing was printed, and little was computed between them.
class InputEndWatch : public sc_core::sc_module {
 public:
  /// on_end: called by a process of the simulation.
  InputEndWatch(sc_core::sc_module_name name, Board& board, const cpu::Cpu& cpu, std::function<void()> on_end);

  /// Before the simulation starts; without it, nothing is noticed.
  void begin();

 private:
  struct Counts {
    std::uint64_t asked = 0, sent = 0, accesses = 0, instructions = 0;
  };
  void arm();
  void look();
  Counts counts() const;

  Board& board_;
  const cpu::Cpu& cpu_;
  std::function<void()> on_end_;
  sc_core::sc_event look_;
  Counts before_;
};

}  // namespace vp
