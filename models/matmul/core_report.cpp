#include "models/matmul/core_report.h"

#include <string>

#include "models/matmul/isa.h"

namespace vp::matmul {

void report(const Core& core, Statistics& statistics) {
  const CoreCounters& counters = core.counters();
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    Statistics& group = statistics.group("thread" + std::to_string(thread), "instructions of one hardware thread");
    group.add("runs", counters.threads[thread].runs, "1", "starts");
    for (const InstructionFormat& format : instruction_formats()) {
      const auto opcode = static_cast<std::size_t>(format.opcode);
      Statistics& instructions = group.group(format.mnemonic, "completed instructions of this kind");
      instructions.add("count", counters.threads[thread].instructions[opcode], "1", "completed");
      instructions.add("clocks", counters.threads[thread].clocks[opcode], "cycles", "from fetch to fetch");
    }
  }
  statistics.add("bytes_received", counters.bytes_received, "bytes", "bytes from the line");
  statistics.add("bytes_sent", counters.bytes_sent, "bytes", "bytes put on the line");
  statistics.add("block_stores", counters.block_stores, "1", "matrices stored by the host");
  statistics.add("instruction_stores", counters.instruction_stores, "1", "instructions stored by the host");
  statistics.add("dropped_instruction_stores", counters.dropped_instruction_stores, "1",
                 "instructions sent while both threads were enabled");
  statistics.add("updates", counters.updates, "1", "start and enable commands");
  statistics.add("ignored_bytes", counters.ignored_bytes, "bytes", "bytes 00xxxxxx where a command was due");
  Statistics& errata = statistics.group("errata", "defects of the hardware that struck");
  errata.add("late_load_hang", core.errata().count(ErrataEvent::Kind::late_load_hang), "1",
             "LOADs that take 2^32 clocks");
  errata.add("fifo_byte_loss", core.errata().count(ErrataEvent::Kind::fifo_byte_loss), "bytes", "lost to a full FIFO");
  errata.add("cts_byte_loss", core.errata().count(ErrataEvent::Kind::cts_byte_loss), "bytes", "lost while CTS was low");
}

}  // namespace vp::matmul
