#include "platform/run/trap_loop.h"

namespace vp {

namespace {

constexpr unsigned kRepeats = 1000;
constexpr std::uint64_t kLongestWay = 4096;  // bytes from the handler's first instruction to the one that traps
constexpr std::uint64_t kShortestInstruction = 2;
constexpr std::uint32_t kMret = 0x30200073, kSret = 0x10200073;

}  // namespace

bool TrapLoop::add(const cpu::TrapRecord& trap, std::uint64_t retired, const Memory& memory) {
  const bool same = !trap.interrupt && !last_.interrupt && trap.pc == last_.pc && trap.cause == last_.cause &&
                    straight(trap, retired - last_retired_);
  if (!same) {
    before_ = last_;
    repeats_ = 0;
  }
  last_ = trap;
  last_retired_ = retired;
  return same && ++repeats_ == kRepeats && !returns_on_the_way(trap, memory);
}

/// So few instructions that they can all lie between the handler's first and the one that trapped.
bool TrapLoop::straight(const cpu::TrapRecord& trap, std::uint64_t instructions) {
  const std::uint64_t way = trap.pc - trap.handler;
  return trap.pc >= trap.handler && way <= kLongestWay && instructions <= way / kShortestInstruction;
}

bool TrapLoop::returns_on_the_way(const cpu::TrapRecord& trap, const Memory& memory) {
  std::uint64_t word = 0;
  for (std::uint64_t at = trap.handler; at < trap.pc; at += kShortestInstruction)
    if (memory(at, word))
      if (const auto code = static_cast<std::uint32_t>(word); code == kMret || code == kSret) return true;
  return false;
}

}  // namespace vp
