#include "platform/loader/frame_chain.h"

namespace vp {

namespace {

constexpr unsigned kReturnAddress = 1, kFramePointer = 8;  // registers
constexpr std::size_t kLongestChain = 40;
constexpr std::uint64_t kLargestFrame = 64 << 10;

}  // namespace

std::vector<std::uint64_t> frame_chain(const StoppedHart& hart, const SymbolTable& symbols) {
  std::vector<std::uint64_t> callers;
  const auto is_code = [&](std::uint64_t address) { return !symbols.describe(address).empty(); };
  std::uint64_t frame = hart.x(kFramePointer);
  // A wild jump has called nobody yet: what it came from stands in ra. So it does in a function that calls none.
  const std::uint64_t link = hart.x(kReturnAddress);
  while (callers.size() < kLongestChain) {
    std::uint64_t caller = 0, next = 0;
    if (frame % 8 != 0 || !hart.memory(frame - 8, caller) || !hart.memory(frame - 16, next)) break;
    if (callers.empty() && !is_code(caller)) {  // a leaf saves s0 alone, right below its frame
      next = caller;
      caller = link;
    }
    if (!is_code(caller)) break;
    if (callers.empty() && !is_code(hart.pc) && is_code(link) && link != caller) callers.push_back(link);
    callers.push_back(caller);
    if (next <= frame || next - frame > kLargestFrame) break;
    frame = next;
  }
  if (callers.empty() && is_code(link)) callers.push_back(link);
  return callers;
}

}  // namespace vp
