#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/cpu/block_cache.h"
#include "models/cpu/debug_points.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/load_store_unit.h"
#include "models/cpu/timed_memory.h"

namespace vp::cpu {

/// Where the executor's code for each operation is: labels within one function.
struct OpHandlers {
  std::array<const void*, 256> of_opcode{};
  std::array<const void*, kFastOpcodes * kFastOpcodes> of_pair{};  ///< see pair(); nullptr: none for these two
  const void* end_of_block = nullptr;
  const void* complex = nullptr;  ///< leaves the loop
  bool float_by_host = false;     ///< the host's floating point may be used

  static constexpr std::size_t pair(Opcode first, Opcode second) {
    return static_cast<std::size_t>(first) * kFastOpcodes + static_cast<std::size_t>(second);
  }
};

/// The decoded code of a hart: makes blocks of what is at pc, and keeps them.
///
/// A block ends with a jump, before a page boundary (so that a later address translation can be checked per block; in
/// timed mode before the end of a cache line, so that each line is fetched when it is reached), before code that cannot
/// be fetched, and before what a debugger stops at or a trace shows: such places are never found by the executor, which
/// leaves its loop there.
template <typename Word>
class CodeStore {
 public:
  CodeStore(HartContext<Word>& hart, TimedMemory<Word>& timed, const LoadStoreUnit<Word>& memory)
      : hart_(hart), s_(hart.state), timed_(timed), memory_(memory) {}

  /// The block at pc in the present mode. If not even its first instruction can be fetched, the fault is made ready and
  /// nullptr returned.
  Block* at_pc() {
    Block* block = blocks_.find(key());
    return block ? block : build(blocks_, kMostInstructions);
  }
  /// Likewise a block of one instruction, for the last steps before a limit, for traces and debuggers.
  Block* single_at_pc() {
    Block* block = singles_.find(key());
    return block ? block : build(singles_, 1);
  }

  /// All blocks are to be made anew: they have been asked to be, or are too many.
  bool stale() const { return hart_.flush_blocks || blocks_.size() > kMostCode || singles_.size() > kMostCode; }
  void clear();
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
  Block* unlinked() { return blocks_.unlinked(); }

 private:
  static constexpr unsigned kXlen = 8 * sizeof(Word);
  static constexpr unsigned kMostInstructions = 32;
  static constexpr std::size_t kMostCode = std::size_t{64} << 20;

  /// The code that a block is made of.
  struct Piece {
    std::array<Instruction, kMostInstructions> instructions;
    unsigned count = 0;
    unsigned size = 0;  ///< bytes of the instructions
    unsigned have = 0;  ///< bytes that could be read
  };

  Word key() const { return s_.pc | (s_.mode == Mode::kUser ? 1 : 0); }
  Block* build(BlockCache& cache, unsigned most);
  Piece read_piece(unsigned most);
  unsigned read_code(Word address, std::uint8_t* bytes, unsigned size);
  void fill(Block& block, const Piece& piece) const;
  void fuse(Block& block) const;
  const void* handler_of(const Instruction& in) const;
  bool stops_block(Word address, Opcode opcode) const;

  HartContext<Word>& hart_;
  State<Word>& s_;
  TimedMemory<Word>& timed_;
  const LoadStoreUnit<Word>& memory_;
  const DebugPoints* points_ = nullptr;
  const TraceWindow* traced_ = nullptr;
  OpHandlers handlers_;
  BlockCache blocks_;
  BlockCache singles_;
};

}  // namespace vp::cpu
