#include "models/tensil/instruction_times.h"

#include <algorithm>

#include "models/tensil/asm.h"

namespace vp::tensil {

void InstructionTimes::log_to(InstructionSink& sink) {
  sink_ = &sink;
  core_.add_observer(*this);
}

void InstructionTimes::executed(std::uint32_t program_counter, const Instruction& in, Picoseconds pushed,
                                std::uint64_t begin, std::uint64_t end) {
  LoggedInstruction entry;
  entry.number = count_++;
  entry.text = "pc " + std::to_string(program_counter) + ": " + disassemble(core_.layout(), in);
  entry.issued = clock_.time_of(begin);
  // A write lets the stream go on some cycles before the kernel gets to know of it, and to the next instruction.
  entry.pushed = pushed == kNever ? kNever : std::min(pushed, entry.issued);
  entry.done = clock_.time_of(end);
  sink_->take(entry);
}

}  // namespace vp::tensil
