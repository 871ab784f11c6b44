#include <algorithm>
#include <cstring>

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
  executor.memory_.take_reservation(frame);  // as long as its page is known
  const void* const code = direct_accesses(opcode) != 0 ? executor.access_in_place(frame) : executor.call(frame);
  if (code) executor.memory_.lend_reservation(frame, frame.limit);
  return code;
}

/// Brings the page of a load or store into the table of generated code, and lets it try again. If it is there already
/// the access is of another kind: across words, or an SC that might fail.
template <typename Word>
const void* Executor<Word>::access_in_place(NativeFrame& frame) {
  const Block& block = *frame.native->block;
  const auto index = static_cast<unsigned>(frame.detail);
  const Op& op = const_cast<Block&>(block).ops()[index];
  const Opcode opcode = block.info[index].opcode;
  const Word address = s_.x[op.rs1] + static_cast<Word>(op.imm);
  const DirectBytes bytes = direct_bytes(opcode);
  if ((address & (std::max(bytes.read, bytes.written) - 1u)) != 0) return access_unaligned(frame, op, opcode, address);
  const void* const again = code_behind(block, op);
  if (!again) return nullptr;
  bool any = false;
  for (const bool write : {false, true}) {
    if ((write ? bytes.written : bytes.read) == 0 || memory_.shown(write, address)) continue;
    if (!memory_.show(write, address)) return nullptr;
    any = true;
  }
  if (!any) return nullptr;
  frame.native->misses = 0;
  return again;
}

/// A load or store of a register in the parts that the hart makes of it (LoadStoreUnit), which may take longer than the
/// one access that has been counted.
template <typename Word>
const void* Executor<Word>::access_unaligned(NativeFrame& frame, const Op& op, Opcode opcode, Word address) {
  const Block& block = *frame.native->block;
  const MemoryShape shape = memory_shape(opcode);
  const void* const behind = op.index + 1 < block.count ? code_behind(block, (&op)[1]) : nullptr;
  if (!behind || shape.size == 0 || is_float(opcode) || hart_.config.misaligned == Misaligned::kTrap) return nullptr;
  const NativeMemory memory = native_memory();
  const unsigned room = LoadStoreUnit<Word>::part_at(address, shape.size), rest = shape.size - room;
  std::uint8_t* const first = memory_.native_place(shape.store, address);
  std::uint8_t* const second = rest == 0 ? first : memory_.native_place(shape.store, static_cast<Word>(address + room));
  if (!first || !second) return nullptr;

  Picoseconds time = memory.latency(shape.store, room) + (rest == 0 ? 0 : memory.latency(shape.store, rest));
  time -= memory.latency(shape.store, shape.size);
  if (static_cast<std::int64_t>(frame.budget - time - block.taken_cost) < 0) return nullptr;
  frame.budget -= time;
  (shape.store ? frame.write_traffic : frame.read_traffic) +=
      traffic::of(room) + (rest == 0 ? 0 : traffic::of(rest)) - traffic::of(shape.size);
  std::uint64_t value = s_.x[op.rs2];
  auto* const data = reinterpret_cast<std::uint8_t*>(&value);
  if (shape.store) {
    std::memcpy(first, data, room);
    std::memcpy(second, data + room, rest);
  } else {
    value = 0;
    std::memcpy(data, first, room);
    std::memcpy(data + room, second, rest);
    s_.x[op.rd] = static_cast<Word>(shape.sign_extend ? sign_extended(value, shape.size) : value);
  }
  return behind;
}

template <typename Word>
const void* Executor<Word>::call(NativeFrame& frame) {
  const Block& block = *frame.native->block;
  const auto index = static_cast<unsigned>(frame.detail);
  const Op& op = const_cast<Block&>(block).ops()[index];
  come_to(frame, rest_of(*frame.native, index));
  switch (called_.call(op, block.info[index].opcode)) {
    case CalledInstructions::End::refused:
      return nullptr;
    case CalledInstructions::End::elsewhere:
      break;
    case CalledInstructions::End::done:
      frame.reads = memory_.native_pages().native.data();
      if (index + 1 == block.count) {
        frame.detail = reinterpret_cast<std::uintptr_t>(&frame.native->links->next);
        return frame.native->links->next;
      }
      if (const void* const behind = code_behind(block, (&op)[1])) return behind;
  }
  ++frame.detail;
  frame.done = true;
  return nullptr;
}

template class Executor<std::uint32_t>;
template class Executor<std::uint64_t>;

}  // namespace vp::cpu
