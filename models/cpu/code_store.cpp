#include "models/cpu/code_store.h"

#include <algorithm>
#include <cstring>

#include "models/common/archive.h"
#include "models/cpu/float_operations.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/pmp.h"

namespace vp::cpu {
namespace {

bool is_branch(InstructionClass cls) { return cls == InstructionClass::kBranch; }

}  // namespace

template <typename Word>
void CodeStore<Word>::renew() {
  if (hart_.flush_blocks || !drop_cold()) clear();
}

/// Makes room, if there is generated code for what is executed often. False: that is too little.
template <typename Word>
bool CodeStore<Word>::drop_cold() {
  if (!native_ || full(singles_) || blocks_.size() > kMostCode + kMostLost) return false;
  const std::uint32_t after = hart_.config.jit_after;
  blocks_.drop([after](const Block& block) { return !block.native && block.entered < after; });
  pages_.forget_dropped();
  const auto gone = [](const Crossing& link) { return link.from->dropped(); };
  crossings_.erase(std::remove_if(crossings_.begin(), crossings_.end(), gone), crossings_.end());
  return blocks_.used() < kMostCode / 2;
}

template <typename Word>
void CodeStore<Word>::clear() {
  blocks_.clear();
  singles_.clear();
  pages_.clear();
  crossings_.clear();
  if (native_) native_->clear();
  hart_.flush_blocks = false;
}

template <typename Word>
void CodeStore<Word>::forget_mappings() {
  mappings_.clear();
  blocks_.empty_fronts();
  singles_.empty_fronts();
  for (const Crossing& link : crossings_) {
    *link.place = blocks_.unlinked();
    if (link.from->native) link.from->native->unlink(link.place == &link.from->taken);
  }
  crossings_.clear();
}

/// Whatever others have written may be code; of the hart's own stores the pages are known.
template <typename Word>
bool CodeStore<Word>::fence() {
  const std::uint64_t writes = hart_.port.writes_of_others();
  if (std::exchange(writes_of_others_, writes) == writes) return pages_.suspect_written();
  pages_.suspect_all();
  return true;
}

/// A block that is not in front, or suspect.
template <typename Word>
Block* CodeStore<Word>::find(BlockCache& cache, unsigned most) {
  std::uint64_t physical = 0;
  if (!locate(s_.pc, physical) || walked_) return nullptr;
  Block* const known = cache.find({physical, s_.pc, s_.mode});
  if (!known || !usable(*known)) return walked_ ? nullptr : build(cache, most, physical);
  cache.bring_forward(known);
  return known;
}

/// Mappings have been forgotten since it was found last, and are the same.
template <typename Word>
Block* CodeStore<Word>::remapped(Word address) {
  const Mapping<Word>* const known = mappings_.find(address & ~static_cast<Word>(kPageSize - 1));
  if (!known || !paging(s_, s_.mode) || !known->permits(Access::kFetch, s_.mode, s_)) return nullptr;
  Block* const block = blocks_.find_late({known->of(address), address, s_.mode});
  if (!block || !block->sound() || block->behind != Block::kNowhere) return nullptr;
  blocks_.bring_forward(block);
  return block;
}

template <typename Word>
bool CodeStore<Word>::usable(Block& block) {
  if (block.behind != Block::kNowhere) {
    std::uint64_t behind = 0;
    if (!locate(static_cast<Word>(block.pc + 2), behind) || behind != block.behind) return false;
  }
  if (block.sound()) return true;
  if (!as_in_memory(block)) return false;
  make_sound(block);
  return true;
}

template <typename Word>
bool CodeStore<Word>::as_in_memory(const Block& block) {
  std::array<std::uint8_t, 4 * kMostInstructions> code;
  const unsigned size = block.info[block.count].offset;
  const unsigned first = block.behind != Block::kNowhere ? 2 : size;
  if (read_code(block.physical, code.data(), first) != first) return false;
  if (first != size && read_code(block.behind, code.data() + first, size - first) != size - first) return false;
  for (unsigned i = 0; i < block.count; ++i) {
    const InstructionInfo& info = block.info[i];
    if (std::memcmp(&info.encoding, code.data() + info.offset, info.length) != 0) return false;
  }
  return true;
}

/// From now on a store into its page is noted.
template <typename Word>
void CodeStore<Word>::make_sound(Block& block) {
  block.set_worst(block.bound);
  for (const std::uint64_t part : {block.physical, block.behind})
    if (const std::uint64_t page = part & ~(kPageSize - 1); part != Block::kNowhere && pages_.add(page, &block))
      memory_.drop_writes(page);
}

/// The physical address of code. False: the fault is ready.
template <typename Word>
bool CodeStore<Word>::locate(Word address, std::uint64_t& physical) {
  physical = address;
  if (!paging(s_, s_.mode)) return true;
  const Word page = address & ~static_cast<Word>(kPageSize - 1);
  if (const Mapping<Word>* known = mappings_.find(page); known && known->permits(Access::kFetch, s_.mode, s_)) {
    physical = known->of(address);
    return true;
  }
  const Picoseconds before = s_.time;
  Mapping<Word> mapping;
  const WalkEnd end = walk(s_, address, Access::kFetch, s_.mode, hart_.config.ad_update, memory_, mapping);
  if (end != WalkEnd::found) {
    hart_.set_fault(end == WalkEnd::page_fault ? Cause::instruction_page_fault : Cause::instruction_access_fault,
                    address);
    return false;
  }
  // One that is known, but did not permit it, has changed.
  if (mappings_.full() || mappings_.find(page)) forget_mappings();
  mappings_.keep(mapping);
  physical = mapping.of(address);
  walked_ = s_.time != before;
  return true;
}

/// Code bytes that exist and may be executed; two at a time, since that is what PMP may tell apart.
template <typename Word>
unsigned CodeStore<Word>::read_code(std::uint64_t physical, std::uint8_t* bytes, unsigned size) {
  unsigned got = (memory_.copy_code(physical, bytes, size) ? size : hart_.port.fetch(physical, bytes, size)) & ~1u;
  if (pmp_allows(s_, s_.mode, Access::kFetch, physical, got)) return got;
  for (unsigned i = 0; i < got; i += 2)
    if (!pmp_allows(s_, s_.mode, Access::kFetch, physical + i, 2)) got = i;
  return got;
}

/// The second half of an instruction that lies across a boundary; in another page it may be anywhere.
template <typename Word>
bool CodeStore<Word>::read_rest(Piece& piece, std::uint8_t* bytes) {
  const Word address = s_.pc + 2;
  std::uint64_t physical = piece.physical + 2;
  if (address % kPageSize == 0) {
    piece.faulted = !locate(address, physical);
    if (piece.faulted || walked_) return false;
    piece.behind = physical;
  }
  piece.have += read_code(physical, bytes, 2);
  return true;
}

/// Up to `most` instructions from pc on.
template <typename Word>
typename CodeStore<Word>::Piece CodeStore<Word>::read_piece(unsigned most, std::uint64_t physical) {
  std::array<std::uint8_t, 4 * kMostInstructions> code;
  const std::uint64_t boundary = timed_.block_boundary();
  const auto to_end = static_cast<unsigned>(boundary - (s_.pc & (boundary - 1)));
  Piece piece;
  piece.physical = physical;
  piece.have = read_code(physical, code.data(), std::min(4 * most, to_end));
  for (bool ended = false; piece.count < most && !ended;) {
    const unsigned offset = piece.size;
    if (offset + 2 > piece.have) break;
    std::uint32_t encoding = code[offset] | code[offset + 1] << 8;
    if (!is_compressed(encoding)) {
      // Only the first instruction of a block may lie across a boundary.
      if (offset == 0 && piece.have == 2 && to_end == 2 && !read_rest(piece, code.data() + 2)) break;
      if (offset + 4 > piece.have) break;
      encoding |= static_cast<std::uint32_t>(code[offset + 2] | code[offset + 3] << 8) << 16;
    }
    const Instruction instruction = decode(encoding, kXlen, hart_.config.floating());
    if (piece.count != 0 && stops_block(static_cast<Word>(s_.pc + offset), instruction.opcode)) break;
    decoded_[piece.count++] = instruction;
    piece.size += instruction.length;
    ended = ends_block(instruction.opcode);
  }
  return piece;
}

template <typename Word>
Block* CodeStore<Word>::build(BlockCache& cache, unsigned most, std::uint64_t physical) {
  const Piece piece = read_piece(most, physical);
  if (piece.faulted || walked_) return nullptr;
  if (piece.count == 0) {
    hart_.set_fault(Cause::instruction_access_fault, static_cast<Word>(s_.pc + piece.have));
    const std::uint64_t place = piece.behind != Block::kNowhere ? piece.behind : piece.physical + piece.have;
    if (!pmp_allows(s_, s_.mode, Access::kFetch, place, 2)) hart_.fault.refused_by = pmp_decider(s_, place, 2);
    return nullptr;
  }
  const bool timed = hart_.fidelity == Fidelity::timed;
  Block* const block = cache.allocate(piece.count, timed);
  fill(*block, piece);
  fuse(*block);
  if (timed) timed_.find_code_lines(*block, piece.size);
  if (!stops_block(s_.pc, block->info[0].opcode) || &cache == &singles_) {
    cache.insert(block);
    make_sound(*block);
    if (native_ && &cache == &blocks_) offer_for_compilation(*block);
  }
  return block;
}

template <typename Word>
void CodeStore<Word>::fill(Block& block, const Piece& piece) const {
  const CpuConfig& config = hart_.config;
  block.pc = s_.pc;
  block.physical = piece.physical;
  block.behind = piece.behind;
  block.mode = s_.mode;
  block.count = static_cast<std::uint16_t>(piece.count);
  unsigned cycles = 0, accesses = 0, offset = 0;
  for (unsigned i = 0; i < piece.count; ++i) {
    const Instruction& in = decoded_[i];
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
    accesses += direct_accesses(in.opcode);
    offset += in.length;
  }
  block.ops()[piece.count] = {handlers_.end_of_block, 0, kSink, 0, 0, static_cast<std::uint8_t>(piece.count)};
  block.info[piece.count] = {0, cycles, static_cast<std::uint16_t>(offset), 0, Opcode::illegal};
  block.next_pc = static_cast<Word>(s_.pc + offset);
  block.cost = cycles * config.clock;
  block.bound = block.worst = block.cost + block.taken_cost + accesses * memory_.worst_latency();
}

/// What the host's floating point cannot do for certain goes the slow way.
template <typename Word>
const void* CodeStore<Word>::handler_of(const Instruction& in) const {
  if (is_float(in.opcode) && !(handlers_.float_by_host && rounds_by_host(in.opcode, in.imm))) return handlers_.complex;
  return handlers_.of_opcode[static_cast<unsigned>(in.opcode)];
}

/// Lets one handler do two neighbouring operations where there is one for the pair.
template <typename Word>
void CodeStore<Word>::fuse(Block& block) const {
  for (unsigned i = 0; i + 1 < block.count; ++i) {
    const Opcode first = block.info[i].opcode, second = block.info[i + 1].opcode;
    const void* const handler = handlers_.pair_of(first, second);
    if (!handler) continue;
    block.ops()[i].handler = handler;
    ++i;
  }
}

/// From now on its entries are counted.
template <typename Word>
void CodeStore<Word>::offer_for_compilation(Block& block) const {
  block.entry = native_->no_entry();
  if (!native_->can(block)) return;
  block.first_handler = block.ops()[0].handler;
  block.ops()[0].handler = handlers_.entered;
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
