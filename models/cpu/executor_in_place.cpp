#include "models/cpu/executor.h"
#include "models/cpu/memory_operations.h"

// What generated code has no code for and is done without leaving it: so it goes on with all calls known, and with its
// counts as they are.

namespace vp::cpu {

/// NativeFrame::in_place.
template <typename Word>
const void* Executor<Word>::in_place(NativeFrame& frame) {
  auto& executor = *static_cast<Executor*>(frame.executor);
  if (executor.check_ || executor.hart_.fidelity == Fidelity::timed) return nullptr;
  const Opcode opcode = frame.native->block->info[frame.detail].opcode;
  if (is_csr(opcode)) return executor.call_csr(frame);
  return direct_accesses(opcode) != 0 ? executor.show_pages(frame) : nullptr;
}

/// Brings the page of a load or store into the table of generated code, and lets it try again. If it is there already
/// the access is of another kind: not aligned, or an SC that might fail.
template <typename Word>
const void* Executor<Word>::show_pages(NativeFrame& frame) {
  const Block& block = *frame.native->block;
  const auto index = static_cast<unsigned>(frame.detail);
  const Op& op = const_cast<Block&>(block).ops()[index];
  const void* const again = code_behind(block, op);
  if (!again) return nullptr;
  const Word address = s_.x[op.rs1] + static_cast<Word>(op.imm);
  const DirectBytes bytes = direct_bytes(block.info[index].opcode);
  memory_.take_reservation(frame);  // as long as its page is known
  bool any = false;
  for (const bool write : {false, true}) {
    const unsigned size = write ? bytes.written : bytes.read;
    if (size == 0 || memory_.shown(write, address)) continue;
    if (!memory_.show(write, address, size)) return nullptr;
    any = true;
  }
  if (!any) return nullptr;
  memory_.lend_reservation(frame, frame.limit);
  frame.native->misses = 0;
  return again;
}

template <typename Word>
const void* Executor<Word>::call_csr(NativeFrame& frame) {
  const Block& block = *frame.native->block;
  const auto index = static_cast<unsigned>(frame.detail);
  const Op& op = const_cast<Block&>(block).ops()[index];
  come_to(frame, rest_of(*frame.native, index));
  switch (called_.call_csr(op, block.info[index].opcode)) {
    case CalledInstructions::End::refused:
      return nullptr;
    case CalledInstructions::End::elsewhere:
      break;
    case CalledInstructions::End::done:
      frame.reads = memory_.native_pages().native.data();
      if (index + 1 == block.count) break;
      if (const void* const behind = code_behind(block, (&op)[1])) return behind;
  }
  ++frame.detail;
  frame.done = true;
  return nullptr;
}

template class Executor<std::uint32_t>;
template class Executor<std::uint64_t>;

}  // namespace vp::cpu
