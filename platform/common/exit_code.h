#pragma once

namespace vp {

/// How tinytpu-vp ends. A guest that ends itself through the finisher with code n gives n instead.
enum ExitCode : int {
  kExitSuccess = 0,
  kExitCheckFailed = 1,   ///< a golden case or a self-test failed
  kExitUserError = 2,     ///< options, configuration or files are wrong
  kExitGuestError = 3,    ///< a guest trap nobody handled, or a target that never answered
  kExitLimit = 4,         ///< a limit of cycles, simulated or wall-clock time was reached
  kExitModelError = 70,   ///< an invariant of our own models broke
  kExitInterrupted = 130  ///< Ctrl-C
};

}  // namespace vp
