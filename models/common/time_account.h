#pragma once

namespace vp::time_account {

// Names of the figures in a group that accounts for a unit's time: busy + waiting + idle = total, all in one unit. A
// group with `busy` and `total` is drawn by the report, whatever part it belongs to. Causes of waiting are the figures
// of its group `stall_cause`, or figures stall_CAUSE beside `busy`, or the one figure `waiting`.
inline constexpr const char* kBusy = "busy";
inline constexpr const char* kIdle = "idle";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kStall = "stall";  ///< sum over the causes
inline constexpr const char* kStallCauses = "stall_cause";
inline constexpr const char* kStallPrefix = "stall_";
inline constexpr const char* kWaiting = "waiting";

}  // namespace vp::time_account
