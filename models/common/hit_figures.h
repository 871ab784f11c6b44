#pragma once

namespace vp::hit_figures {

// Names of the counts of which more is better: accesses that found what they wanted. Whoever compares machines by their
// figures knows by these names that the larger one wins; of other counts the smaller does.
inline constexpr const char* kHits = "hits";
inline constexpr const char* kReadHits = "read_hits";
inline constexpr const char* kWriteHits = "write_hits";

}  // namespace vp::hit_figures
