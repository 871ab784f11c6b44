#include "platform/run/input_end.h"

#include <utility>

#include "models/common/machine_roles.h"
#include "models/common/tlm_time.h"

namespace vp {

namespace {

constexpr Picoseconds kPatience = 10'000'000'000;
/// A loop that does more than this between two polls does something else.
constexpr std::uint64_t kInstructionsBetweenPolls = 200;

}  // namespace

InputEndWatch::InputEndWatch(sc_core::sc_module_name module_name, Board& board, const cpu::Cpu& cpu,
                             std::function<void()> on_end)
    : sc_module(module_name), board_(board), cpu_(cpu), on_end_(std::move(on_end)) {
  SC_HAS_PROCESS(InputEndWatch);
  SC_METHOD(look);
  sensitive << look_;
  dont_initialize();
}

void InputEndWatch::begin() { arm(); }

void InputEndWatch::arm() {
  for (const auto& [part, stream] : board_.roles().all<HostStream>())
    stream->on_asked_in_vain([this] {
      before_ = counts();
      look_.notify(to_sc_time(kPatience));
    });
}

void InputEndWatch::look() {
  const Counts now = counts();
  const std::uint64_t accesses = now.accesses - before_.accesses;
  const bool only_polls = accesses != 0 && now.asked - before_.asked == accesses && now.sent == before_.sent &&
                          (now.instructions - before_.instructions) / accesses <= kInstructionsBetweenPolls;
  if (only_polls)
    on_end_();
  else
    arm();
}

InputEndWatch::Counts InputEndWatch::counts() const {
  Counts counts;
  for (const auto& [part, stream] : board_.roles().all<HostStream>()) {
    counts.asked += stream->use().asked_in_vain;
    counts.sent += stream->use().sent;
  }
  counts.accesses = cpu_.device_accesses();
  counts.instructions = cpu_.core().retired();
  return counts;
}

}  // namespace vp
