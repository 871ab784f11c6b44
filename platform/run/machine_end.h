#pragma once

#include <string>

#include "models/common/clock.h"

namespace vp {

/// Why a run ended.
enum class EndCause {
  guest_exit,         ///< the guest wrote to the finisher
  unhandled_trap,     ///< a trap that no handler can take
  bus_hang,           ///< a target never answered
  asleep,             ///< the CPU waits for an interrupt that nothing can raise
  time_limit,         ///< --max-time, --max-cycles
  instruction_limit,  ///< --max-instructions
  timeout,            ///< --timeout, wall clock
  interrupted,        ///< Ctrl-C
};

/// How a run ended, as the report and the exit code tell.
struct MachineEnd {
  EndCause cause = EndCause::asleep;
  int exit_code = 0;
  std::string sentence;  ///< "the guest ended with code 0"
  Picoseconds time = 0;  ///< simulated
};

}  // namespace vp
