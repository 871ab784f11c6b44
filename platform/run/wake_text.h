#pragma once

#include <string>

#include "models/common/machine_roles.h"
#include "models/cpu/core.h"
#include "platform/board/board.h"

namespace vp {

// What can wake a hart that sleeps in wfi, for runs in which nothing does.

/// Whether input of this part's stream, if it came now, would interrupt the hart's sleep.
bool input_can_wake(const Board& board, const cpu::Core& hart, const std::string& part, const HostStream& stream);

/// What is masked on the way from the machine's interrupt lines to the hart: "mie masks MSIE, MTIE; plic: source 1
/// (tpu) is not enabled"; empty if nothing is.
std::string describe_masks(const Board& board, const cpu::Core& hart);

}  // namespace vp
