#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/cpu/block_cache.h"
#include "models/cpu/code_pages.h"
#include "models/cpu/debug_points.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/load_store_unit.h"
#include "models/cpu/timed_memory.h"
#include "models/cpu/translation.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// Where the executor's code for each operation is: labels within one function.
struct OpHandlers {
  std::array<const void*, 256> of_opcode{};
  std::array<const void*, kFastOpcodes * kFastOpcodes> of_pair{};  ///< see pair(); nullptr: none for these two
  const void* end_of_block = nullptr;
  const void* complex = nullptr;  ///< leaves the loop
  const void* entered = nullptr;  ///< counts the block, and leaves the loop where generated code is to take it over
  bool float_by_host = false;     ///< the host's floating point may be used

  static constexpr std::size_t pair(Opcode first, Opcode second) {
    return static_cast<std::size_t>(first) * kFastOpcodes + static_cast<std::size_t>(second);
  }
  /// nullptr: none for these two.
  const void* pair_of(Opcode first, Opcode second) const {
    if (static_cast<unsigned>(first) >= kFastOpcodes || static_cast<unsigned>(second) >= kFastOpcodes) return nullptr;
    return of_pair[pair(first, second)];
  }
};

/// The decoded code of a hart: makes blocks of what is at pc, and keeps them.
///
/// A block belongs to its physical address, its address in the program and its mode, so it outlives sfence.vma and
/// changes of satp, which only empty the table in front and cut the links that lead from page to page. After fence.i
/// those in pages that have been written are suspect: they are compared with memory before they are executed again. So
/// are all after a write to PMP, and where other masters have written to memory.
///
/// A block ends with a jump, before a page boundary (so that the translation of one address holds for all of it; in
/// timed mode before the end of a cache line, so that each line is fetched when it is reached), before code that cannot
/// be fetched, and before what a debugger stops at or a trace shows: such places are never found by the executor, which
/// leaves its loop there.
template <typename Word>
class CodeStore {
 public:
  /// `native`: generates code; nullptr: blocks are interpreted.
  CodeStore(HartContext<Word>& hart, TimedMemory<Word>& timed, LoadStoreUnit<Word>& memory, CodePages& pages,
            NativeCode* native)
      : hart_(hart), s_(hart.state), timed_(timed), memory_(memory), pages_(pages), native_(native) {}

  /// The block at pc in the present mode. If not even its first instruction can be fetched, the fault is made ready and
  /// nullptr returned; also if a walk through page tables took time: see walked().
  Block* at_pc() {
    Block* const block = blocks_.in_front(s_.pc);
    return block ? block : find(blocks_, kMostInstructions);
  }
  /// The block at that address in the present mode, as far as that needs no walk and no look at memory; or nullptr.
  Block* known(Word address) {
    Block* const block = blocks_.in_front(address);
    return block ? block : remapped(address);
  }
  /// Likewise a block of one instruction, for traces and debuggers.
  Block* single_at_pc() {
    Block* const block = singles_.in_front(s_.pc);
    return block ? block : find(singles_, 1);
  }
  /// There is no block and no fault, as time has passed: a step of its own, after which everything is looked at afresh.
  bool walked() { return std::exchange(walked_, false); }

  /// The mode has changed.
  void select() {
    blocks_.select(s_.mode);
    singles_.select(s_.mode);
  }
  /// Pages may be mapped elsewhere: all, or those with the leaf of this address.
  void forget_mappings();
  void forget_mapping(Word address) {
    if (maps(address)) forget_mappings();
  }
  /// Code has been fetched from a page with the leaf of this address.
  bool maps(Word address) const { return mappings_.cover(address); }
  /// fence.i. True: there is code to be compared again.
  bool fence();
  /// All code is to be compared with memory, and with what PMP allows, before it is executed again.
  void suspect_all() { pages_.suspect_all(); }

  /// Blocks are to be made anew: they have been asked to be, or are too many. Then nobody may keep one.
  bool stale() const { return hart_.flush_blocks || full(blocks_) || full(singles_); }
  void renew();
  /// Before what a debugger stops, from the next block on; nullptr: there is none.
  void set_points(const DebugPoints* points) {
    points_ = points;
    hart_.flush_blocks = true;
  }

  /// These addresses are not to be executed by the inner loop, from the next block on; nullptr: all may be.
  void set_traced(const TraceWindow* window) {
    traced_ = window;
    hart_.flush_blocks = true;
  }

  // For the executor.
  OpHandlers& handlers() { return handlers_; }
  Block* const* front() const { return blocks_.front(); }
  NativeJump* jumps() const { return blocks_.jumps(); }
  /// `place` of the first block leads to the second one now.
  void linked(Block& from, const Block& to, Block** place) {
    const bool same_page = ((from.pc ^ to.pc) & ~(kPageSize - 1)) == 0 && to.behind == Block::kNowhere;
    if (!same_page && from.mode != Mode::kMachine) crossings_.push_back({&from, place});
  }

  void persist(Archive& archive) { archive("code_mappings", mappings_); }

 private:
  static constexpr unsigned kXlen = 8 * sizeof(Word);
  static constexpr unsigned kMostInstructions = 32;
  /// Bytes of blocks, and how much more memory they may be scattered over.
  static constexpr std::size_t kMostCode = std::size_t{25} << 20, kMostLost = std::size_t{4} << 20;
  static bool full(const BlockCache& cache) { return cache.used() > kMostCode || cache.size() > kMostCode + kMostLost; }

  /// The code that a block is made of; its instructions are in decoded_.
  struct Piece {
    unsigned count = 0;
    unsigned size = 0;  ///< bytes of the instructions
    unsigned have = 0;  ///< bytes that could be read
    std::uint64_t physical = 0;
    std::uint64_t behind = Block::kNowhere;
    bool faulted = false;  ///< the fault is ready
  };

  void clear();
  bool drop_cold();
  Block* find(BlockCache& cache, unsigned most);
  Block* remapped(Word address);
  bool usable(Block& block);
  bool as_in_memory(const Block& block);
  void make_sound(Block& block);
  bool locate(Word address, std::uint64_t& physical);
  Block* build(BlockCache& cache, unsigned most, std::uint64_t physical);
  Piece read_piece(unsigned most, std::uint64_t physical);
  bool read_rest(Piece& piece, std::uint8_t* bytes);
  unsigned read_code(std::uint64_t physical, std::uint8_t* bytes, unsigned size);
  void fill(Block& block, const Piece& piece) const;
  void fuse(Block& block) const;
  const void* handler_of(const Instruction& in) const;
  bool stops_block(Word address, Opcode opcode) const;
  void offer_for_compilation(Block& block) const;

  /// A link that holds as long as the mappings do.
  struct Crossing {
    Block* from;
    Block** place;  ///< one of its two
  };

  HartContext<Word>& hart_;
  State<Word>& s_;
  TimedMemory<Word>& timed_;
  LoadStoreUnit<Word>& memory_;
  CodePages& pages_;
  NativeCode* const native_;
  CodeMappings<Word> mappings_;
  std::vector<Crossing> crossings_;
  std::uint64_t writes_of_others_ = 0;
  bool walked_ = false;
  const DebugPoints* points_ = nullptr;
  const TraceWindow* traced_ = nullptr;
  OpHandlers handlers_;
  std::array<Instruction, kMostInstructions> decoded_;
  BlockCache blocks_;
  BlockCache singles_{1024, 0};
};

}  // namespace vp::cpu
