#include "models/cpu/code_store.h"

#include <algorithm>

#include "models/cpu/float_operations.h"
#include "models/cpu/pmp.h"

namespace vp::cpu {
namespace {

/// Accesses that the inner loop does itself. The others leave it, and are followed by a new look at the limit.
unsigned accesses_of(InstructionClass cls) {
  return cls == InstructionClass::kLoad || cls == InstructionClass::kStore ? 1 : 0;
}

bool is_branch(InstructionClass cls) { return cls == InstructionClass::kBranch; }

}  // namespace

template <typename Word>
void CodeStore<Word>::clear() {
  blocks_.clear();
  singles_.clear();
  hart_.flush_blocks = false;
}

/// Code bytes from `address` that exist and may be executed; two at a time, since that is what PMP may tell apart.
template <typename Word>
unsigned CodeStore<Word>::read_code(Word address, std::uint8_t* bytes, unsigned size) {
  unsigned got = hart_.port.fetch(address, bytes, size) & ~1u;
  for (unsigned i = 0; i < got; i += 2)
    if (!pmp_allows(s_, s_.mode, Access::kFetch, static_cast<Word>(address + i), 2)) got = i;
  return got;
}

/// Up to `most` instructions from pc on.
template <typename Word>
typename CodeStore<Word>::Piece CodeStore<Word>::read_piece(unsigned most) {
  std::array<std::uint8_t, 4 * kMostInstructions> code;
  const std::uint64_t boundary = timed_.block_boundary();
  const auto to_end = static_cast<unsigned>(boundary - (s_.pc & (boundary - 1)));
  Piece piece;
  piece.have = read_code(s_.pc, code.data(), std::min(4 * most, to_end));
  for (bool ended = false; piece.count < most && !ended;) {
    const unsigned offset = piece.size;
    if (offset + 2 > piece.have) break;
    std::uint32_t encoding = code[offset] | code[offset + 1] << 8;
    if (!is_compressed(encoding)) {
      // Only the first instruction of a block may lie across a boundary.
      if (offset == 0 && piece.have == 2 && to_end == 2) piece.have += read_code(s_.pc + 2, code.data() + 2, 2);
      if (offset + 4 > piece.have) break;
      encoding |= static_cast<std::uint32_t>(code[offset + 2] | code[offset + 3] << 8) << 16;
    }
    const Instruction instruction = decode(encoding, kXlen, hart_.config.floating());
    if (piece.count != 0 && stops_block(static_cast<Word>(s_.pc + offset), instruction.opcode)) break;
    piece.instructions[piece.count++] = instruction;
    piece.size += instruction.length;
    ended = ends_block(instruction.opcode);
  }
  return piece;
}

template <typename Word>
Block* CodeStore<Word>::build(BlockCache& cache, unsigned most) {
  const Piece piece = read_piece(most);
  if (piece.count == 0) {
    hart_.set_fault(Cause::instruction_access_fault, static_cast<Word>(s_.pc + piece.have));
    if (!pmp_allows(s_, s_.mode, Access::kFetch, hart_.fault.value, 2))
      hart_.fault.refused_by = pmp_decider(s_, hart_.fault.value, 2);
    return nullptr;
  }
  Block* const block = cache.allocate(piece.count + 1, piece.count + 1);
  fill(*block, piece);
  fuse(*block);
  timed_.find_code_lines(*block, piece.size);
  if (!stops_block(s_.pc, block->info[0].opcode) || &cache == &singles_) cache.insert(block);
  return block;
}

template <typename Word>
void CodeStore<Word>::fill(Block& block, const Piece& piece) const {
  const CpuConfig& config = hart_.config;
  block.key = key();
  block.pc = s_.pc;
  block.count = piece.count;
  unsigned cycles = 0, accesses = 0, offset = 0;
  for (unsigned i = 0; i < piece.count; ++i) {
    const Instruction& in = piece.instructions[i];
    std::int32_t imm = in.imm;
    // What depends on pc is kept relative to the block's.
    if (in.opcode == Opcode::auipc) imm += static_cast<std::int32_t>(offset);
    block.ops()[i] = {handler_of(in), imm,    in.rd == 0 && !float_operands(in.opcode).rd ? std::uint8_t{kSink} : in.rd,
                      in.rs1,         in.rs2, static_cast<std::uint8_t>(i)};
    block.info[i] = {in.encoding, cycles, static_cast<std::uint16_t>(offset), in.length, in.opcode};
    if (in.opcode == Opcode::jal || is_branch(in.cls))
      block.taken_pc = static_cast<Word>(s_.pc + offset + static_cast<Word>(in.imm));
    if (is_branch(in.cls)) block.taken_cost = config.cycles.branch_taken * config.clock;
    cycles += config.cycles[in.cls];
    accesses += accesses_of(in.cls);
    offset += in.length;
  }
  block.ops()[piece.count] = {handlers_.end_of_block, 0, kSink, 0, 0, static_cast<std::uint8_t>(piece.count)};
  block.info[piece.count] = {0, cycles, static_cast<std::uint16_t>(offset), 0, Opcode::illegal};
  block.next_pc = static_cast<Word>(s_.pc + offset);
  block.cost = cycles * config.clock;
  block.worst = block.cost + block.taken_cost + accesses * memory_.worst_latency();
}

/// What the host's floating point cannot do for certain goes the slow way.
template <typename Word>
const void* CodeStore<Word>::handler_of(const Instruction& in) const {
  if (is_float(in.opcode) && !(handlers_.float_by_host && rounds_by_host(in))) return handlers_.complex;
  return handlers_.of_opcode[static_cast<unsigned>(in.opcode)];
}

/// Lets one handler do two neighbouring operations where there is one for the pair.
template <typename Word>
void CodeStore<Word>::fuse(Block& block) const {
  for (unsigned i = 0; i + 1 < block.count; ++i) {
    const Opcode first = block.info[i].opcode, second = block.info[i + 1].opcode;
    if (static_cast<unsigned>(first) >= kFastOpcodes || static_cast<unsigned>(second) >= kFastOpcodes) continue;
    const void* const handler = handlers_.of_pair[OpHandlers::pair(first, second)];
    if (!handler) continue;
    block.ops()[i].handler = handler;
    ++i;
  }
}

/// A debugger or a trace wants to look at the instruction at that address, so no block goes over it, and none that
/// starts there is to be found by the inner loop.
template <typename Word>
bool CodeStore<Word>::stops_block(Word address, Opcode opcode) const {
  if (traced_ && address >= traced_->first_pc && address <= traced_->last_pc) return true;
  return points_ && (opcode == Opcode::ebreak || points_->breakpoint_at(address));
}

template class CodeStore<std::uint32_t>;
template class CodeStore<std::uint64_t>;

}  // namespace vp::cpu
