#include "models/tensil/instruction_times.h"

#include "models/tensil/asm.h"

namespace vp::tensil {

void InstructionTimes::log_to(InstructionSink& sink) {
  sink_ = &sink;
  core_.set_observer(this);
}

void InstructionTimes::executed(std::uint32_t program_counter, const Instruction& in, std::uint64_t begin,
                                std::uint64_t end) {
  LoggedInstruction entry;
  entry.number = count_++;
  entry.text = "pc " + std::to_string(program_counter) + ": " + disassemble(core_.layout(), in);
  entry.issued = clock_.time_of(begin);
  entry.done = clock_.time_of(end);
  sink_->take(entry);
}

}  // namespace vp::tensil
