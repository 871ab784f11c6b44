#pragma once

#include <string>

#include "models/common/clock.h"

namespace vp {

/// Something that a program did wrong, or a defect of a device that struck, for the report of a run.
struct Finding {
  std::string text;           ///< a sentence
  Picoseconds time = kNever;  ///< absolute, when it first happened; kNever: it has no time of its own

  friend bool operator==(const Finding& a, const Finding& b) { return a.text == b.text && a.time == b.time; }
};

}  // namespace vp
