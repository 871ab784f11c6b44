#include "models/common/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace vp {

void ask_for_large_pages(void* start, std::size_t size) {
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t before = (kLargePage - address % kLargePage) % kLargePage;
  if (size < before + kLargePage) return;
  madvise(static_cast<std::byte*>(start) + before, (size - before) / kLargePage * kLargePage, MADV_HUGEPAGE);
}

}  // namespace vp
