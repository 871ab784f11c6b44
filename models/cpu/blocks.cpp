#include <algorithm>
#include <array>

#include "models/cpu/hart.h"

namespace vp::cpu {
namespace {

constexpr unsigned kMostInstructions = 32;

/// Accesses that the inner loop does itself. The others leave it, and are followed by a new look at the limit.
unsigned accesses_of(InstructionClass cls) {
  return cls == InstructionClass::kLoad || cls == InstructionClass::kStore ? 1 : 0;
}

bool is_branch(InstructionClass cls) { return cls == InstructionClass::kBranch; }

}  // namespace

template <typename Word>
Block* Hart<Word>::block_at_pc() {
  Block* block = blocks_.find(key());
  return block ? block : build(blocks_, kMostInstructions);
}

template <typename Word>
Block* Hart<Word>::single_at_pc() {
  Block* block = singles_.find(key());
  return block ? block : build(singles_, 1);
}

/// Code bytes from `address` that exist and may be executed; two at a time, since that is what PMP may tell apart.
template <typename Word>
unsigned Hart<Word>::read_code(Word address, std::uint8_t* bytes, unsigned size) {
  unsigned got = port_.fetch(address, bytes, size) & ~1u;
  for (unsigned i = 0; i < got; i += 2)
    if (!pmp_allows(s_, s_.mode, Access::kFetch, static_cast<Word>(address + i), 2)) got = i;
  return got;
}

/// Decodes up to `most` instructions from pc on. A block ends with a jump, before a page boundary (so that a later
/// address translation can be checked per block; in timed mode before the end of a cache line, so that each line is
/// fetched when it is reached), before code that cannot be fetched, and before what a debugger stops at. If not even
/// the first instruction can be fetched, the trap is made ready and nullptr returned.
template <typename Word>
Block* Hart<Word>::build(BlockCache& cache, unsigned most) {
  std::array<std::uint8_t, 4 * kMostInstructions> code;
  const auto to_end = static_cast<unsigned>(block_boundary() - (s_.pc & (block_boundary() - 1)));
  const unsigned window = std::min(4 * most, to_end);
  unsigned have = read_code(s_.pc, code.data(), window);
  std::array<Instruction, kMostInstructions> instructions;
  unsigned count = 0, offset = 0;
  bool ended = false;
  while (count < most && !ended) {
    if (offset + 2 > have) break;
    std::uint32_t encoding = code[offset] | code[offset + 1] << 8;
    if (!is_compressed(encoding)) {
      // Only the first instruction of a block may lie across a boundary.
      if (offset == 0 && have == 2 && to_end == 2) have += read_code(s_.pc + 2, code.data() + 2, 2);
      if (offset + 4 > have) break;
      encoding |= static_cast<std::uint32_t>(code[offset + 2] | code[offset + 3] << 8) << 16;
    }
    const Instruction instruction = decode(encoding, kXlen);
    if (count != 0 && stops_block(static_cast<Word>(s_.pc + offset), instruction.opcode)) break;
    instructions[count++] = instruction;
    offset += instruction.length;
    ended = ends_block(instruction.opcode);
  }
  if (count == 0) {
    trap_ = {Cause::instruction_access_fault, static_cast<Word>(s_.pc + have)};
    if (!pmp_allows(s_, s_.mode, Access::kFetch, trap_.value, 2)) refused_by_ = pmp_decider(s_, trap_.value, 2);
    return nullptr;
  }

  Block* block = cache.allocate(count + 1, count + 1);
  block->key = key();
  block->pc = s_.pc;
  block->count = count;
  unsigned cycles = 0, accesses = 0;
  offset = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Instruction& in = instructions[i];
    std::int32_t imm = in.imm;
    // What depends on pc is kept relative to the block's.
    if (in.opcode == Opcode::auipc) imm += static_cast<std::int32_t>(offset);
    block->ops()[i] = {handlers_[static_cast<unsigned>(in.opcode)],
                       imm,
                       in.rd == 0 ? std::uint8_t{kSink} : in.rd,
                       in.rs1,
                       in.rs2,
                       static_cast<std::uint8_t>(i)};
    block->info[i] = {in.encoding, cycles, static_cast<std::uint16_t>(offset), in.length, in.opcode};
    if (in.opcode == Opcode::jal || is_branch(in.cls))
      block->taken_pc = static_cast<Word>(s_.pc + offset + static_cast<Word>(in.imm));
    if (is_branch(in.cls)) block->taken_cost = config_.cycles.branch_taken * config_.clock;
    cycles += cycles_of(in);
    accesses += accesses_of(in.cls);
    offset += in.length;
  }
  fuse(block);
  block->ops()[count] = {end_of_block_, 0, kSink, 0, 0, static_cast<std::uint8_t>(count)};
  block->info[count] = {0, cycles, static_cast<std::uint16_t>(offset), 0, Opcode::illegal};
  block->next_pc = static_cast<Word>(s_.pc + offset);
  block->cost = cycles * config_.clock;
  block->worst = block->cost + block->taken_cost + accesses * worst_latency_;
  find_code_lines(*block, offset);
  if (!stops_block(s_.pc, block->info[0].opcode) || &cache == &singles_) cache.insert(block);
  return block;
}

/// The debugger may want to stop before the instruction at that address, so no block goes over it, and none that starts
/// there is to be found by the inner loop.
template <typename Word>
bool Hart<Word>::stops_block(Word address, Opcode opcode) const {
  return points_ && (opcode == Opcode::ebreak || points_->breakpoint_at(address));
}

/// Lets one handler do two neighbouring operations where there is one for the pair.
template <typename Word>
void Hart<Word>::fuse(Block* block) {
  for (unsigned i = 0; i + 1 < block->count; ++i) {
    const Opcode first = block->info[i].opcode, second = block->info[i + 1].opcode;
    if (static_cast<unsigned>(first) >= kFastOpcodes || static_cast<unsigned>(second) >= kFastOpcodes) continue;
    const void* const handler = fused_[pair_index(first, second)];
    if (!handler) continue;
    block->ops()[i].handler = handler;
    ++i;
  }
}

template class Hart<std::uint32_t>;
template class Hart<std::uint64_t>;

}  // namespace vp::cpu
