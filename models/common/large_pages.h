#pragma once

#include <cstddef>

namespace vp {

/// The host's pages when they are large: one is found instead of 512.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Memory that is going to be written as a whole: what of it is whole large pages is to come in such, in one piece
/// instead of page by page with every first touch. To be called before it is touched. A wish, which the host may
/// refuse.
void ask_for_large_pages(void* start, std::size_t size);

}  // namespace vp
