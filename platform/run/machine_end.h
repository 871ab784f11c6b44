#pragma once

#include <string>
#include <vector>

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
  input_ended,        ///< the CPU only polls a console whose input has ended
  lost_program,       ///< what a reset was to load again is no longer there
};

/// How a run ended, as the report and the exit code tell.
struct MachineEnd {
  EndCause cause = EndCause::asleep;
  int exit_code = 0;
  std::string sentence;  ///< "the guest ended with code 0"
  Picoseconds time = 0;  ///< simulated
  /// Where the CPU then stood, unless the guest ended with success: "0x80000012 (main+0x12), main.c:7", and its
  /// callers, if the program has debug information. Nothing if the sentence says as much.
  std::vector<std::string> places;
};

}  // namespace vp
