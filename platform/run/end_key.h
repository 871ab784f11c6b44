#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/clock.h"
#include "models/cpu/cpu.h"
#include "platform/board/board.h"

namespace vp {

/// Types Ctrl-D at consoles whose input has ended, so that a shell there ends as it does at the end of a script: after
/// each second of simulated time in which the CPU did little but sleep, since a program that reads later has to find
/// the end, too.
class EndKey : public sc_core::sc_module {
 public:
  EndKey(sc_core::sc_module_name name, Board& board, cpu::Cpu& cpu);

  /// Before the simulation starts; without it, nothing is typed.
  void begin();

 private:
  void look();
  Picoseconds slept() const;

  Board& board_;
  cpu::Cpu& cpu_;
  sc_core::sc_event look_;
  Picoseconds slept_before_ = 0;
  std::uint64_t retired_before_ = 0;
  unsigned still_ = 0;  ///< looks since the CPU last executed anything
};

}  // namespace vp
