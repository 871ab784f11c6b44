#include "platform/run/wake_text.h"

#include <utility>

namespace vp {

namespace {

constexpr unsigned kMachineExternal = 11, kSupervisorExternal = 9;
constexpr std::pair<unsigned, const char*> kMachineBits[] = {{3, "MSIE"}, {7, "MTIE"}, {kMachineExternal, "MEIE"}};
constexpr std::pair<unsigned, const char*> kSupervisorBits[] = {
    {1, "SSIE"}, {5, "STIE"}, {kSupervisorExternal, "SEIE"}};

bool enabled(const cpu::Core& hart, unsigned bit) {
  std::uint64_t mie = 0;
  return hart.csr(cpu::csr_mie, mie) && (mie >> bit & 1) != 0;
}

/// Whether machine mode has given interrupts to supervisor mode, which makes its bits worth telling of.
bool delegates(const cpu::Core& hart) {
  std::uint64_t mideleg = 0;
  return hart.csr(cpu::csr_mideleg, mideleg) && mideleg != 0;
}

/// Why the controller would not pass the line on; empty if it would, or if the line leads nowhere.
std::string masked(const Board& board, const Outline::Interrupt& line) {
  const Outline::Controller* const controller =
      line.wire.connected() ? board.outline().controller_of(line.wire) : nullptr;
  const InterruptInputs* const inputs = controller ? board.roles().find<InterruptInputs>(controller->part) : nullptr;
  const std::string why = inputs ? inputs->masked(line.wire.number) : "";
  if (why.empty()) return "";
  return controller->part + ": source " + std::to_string(line.wire.number) + " (" + line.part + ") " + why;
}

}  // namespace

bool input_can_wake(const Board& board, const cpu::Core& hart, const std::string& part, const HostStream& stream) {
  if (!enabled(hart, kMachineExternal) && !enabled(hart, kSupervisorExternal)) return false;
  if (!stream.raises_interrupt()) return false;
  for (const Outline::Interrupt& line : board.outline().interrupts)
    if (line.part == part && line.wire.connected() && masked(board, line).empty()) return true;
  return false;
}

std::string describe_masks(const Board& board, const cpu::Core& hart) {
  std::string text;
  const auto tell = [&](const auto& bits) {
    for (const auto& [bit, name] : bits)
      if (!enabled(hart, bit)) text += (text.empty() ? "mie masks " : ", ") + std::string(name);
  };
  tell(kMachineBits);
  if (delegates(hart)) tell(kSupervisorBits);
  for (const Outline::Interrupt& line : board.outline().interrupts)
    if (const std::string why = masked(board, line); !why.empty()) text += (text.empty() ? "" : "; ") + why;
  for (const auto& [part, stream] : board.roles().all<HostStream>())
    if (stream->may_bring_more() && !stream->raises_interrupt())
      text += (text.empty() ? "" : "; ") + part + ": its input raises no interrupt";
  return text;
}

}  // namespace vp
