#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/access.h"
#include "models/common/register_bank.h"
#include "platform/files/text_buffer.h"
#include "platform/run/access_filter.h"

namespace vp {

// The lines of a log of accesses, as text or as JSON. A program's accesses recur, so that what does not change in a
// line is made once.

/// What is known of an access but its time, value and result.
struct AccessFacts {
  std::string master;
  bool processor = false;  ///< it is one, so that the pc is that of its own load or store
  std::uint64_t pc = kNoPc;
  std::string symbol;  ///< of the pc; may be empty
  std::string part;
  bool write = false;
  unsigned size = 0;
  std::uint64_t offset = 0;              ///< in the window, or in the region
  std::vector<RegisterPlace> registers;  ///< that it touches
  bool in_one = false;                   ///< all of it lies in the first of them
  std::string region;                    ///< if there is no register; empty: none there
  std::string nearest;                   ///< if there is neither: "4 bytes after MSIP"
};

/// The part of the line between time and value. Offsets in a region change from access to access.
struct AccessHead {
  std::string before_offset;
  bool offset_shown = false;
  std::string behind_offset;
  RegisterPlace place;  ///< whose fields are shown; its reg is nullptr: of none
};
AccessHead head_of(const AccessFacts& facts, AccessLogFormat format);

/// Value, result and fields. Kept for the next access of its kind.
struct AccessTail {
  bool made = false;
  std::uint64_t value = 0;
  AccessResult result = AccessResult::ok;
  std::string text;
};

/// Begins a line, with its time.
void begin_line(Picoseconds time, AccessLogFormat format, TextBuffer& out);
/// Writes the line of an access to which these belong; `tail` is the last one's.
void write_line(const AccessHead& head, AccessTail& tail, const Access& access, std::uint64_t offset,
                AccessResult result, AccessLogFormat format, TextBuffer& out);

/// A text as a JSON string, with its quotes; what is no UTF-8 is replaced.
std::string json_string(const std::string& text);

}  // namespace vp
