#pragma once

#include <string>

#include "models/common/clock.h"

namespace vp {

/// Finding::kind of what went right, though nothing but the moments at which things happened made it so.
inline constexpr const char* kWorksOnlyByTiming = "works_only_by_timing";

/// Something that a program did wrong, or a defect of a device that struck, for the report of a run.
struct Finding {
  std::string text;           ///< a sentence
  Picoseconds time = kNever;  ///< absolute, when it first happened; kNever: it has no time of its own
  std::string kind = {};      ///< a word by which a report sorts them: "weights_overrun"; empty: no particular one

  friend bool operator==(const Finding& a, const Finding& b) {
    return a.text == b.text && a.time == b.time && a.kind == b.kind;
  }
};

}  // namespace vp
