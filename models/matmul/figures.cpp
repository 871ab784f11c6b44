#include "models/matmul/figures.h"

namespace vp::matmul {

CoreFigures figures_of(const Core& core) {
  const CoreCounters& counters = core.counters();
  CoreFigures figures;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    figures.threads[thread].runs = counters.threads[thread].runs;
    for (std::size_t opcode = 0; opcode < kOpcodes; ++opcode)
      figures.threads[thread].instructions[opcode] = {counters.threads[thread].instructions[opcode],
                                                      counters.threads[thread].clocks[opcode]};
  }
  figures.bytes_received = counters.bytes_received;
  figures.bytes_sent = counters.bytes_sent;
  figures.block_stores = counters.block_stores;
  figures.instruction_stores = counters.instruction_stores;
  figures.dropped_instruction_stores = counters.dropped_instruction_stores;
  figures.updates = counters.updates;
  figures.ignored_bytes = counters.ignored_bytes;
  const auto struck = [&core](ErrataEvent::Kind kind) { return core.errata().count(kind); };
  figures.errata = {struck(ErrataEvent::Kind::late_load_hang), struck(ErrataEvent::Kind::fifo_byte_loss),
                    struck(ErrataEvent::Kind::cts_byte_loss)};
  return figures;
}

}  // namespace vp::matmul
