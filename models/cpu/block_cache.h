#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "models/common/clock.h"
#include "models/cpu/isa.h"
#include "models/cpu/state.h"

namespace vp::cpu {

/// One step of the interpreter: where its code is, and its operands. 16 bytes, four to a cache line.
struct Op {
  const void* handler;  ///< label in Executor::execute_as
  std::int32_t imm;
  std::uint8_t rd;  ///< kSink instead of x0
  std::uint8_t rs1;
  std::uint8_t rs2;
  std::uint8_t index;  ///< of its first instruction in the block
};

/// What is needed of an instruction when it does not go the fast way.
struct InstructionInfo {
  std::uint32_t encoding;
  std::uint32_t cycles_before;  ///< sum of the costs of the instructions before it in the block
  std::uint16_t offset;         ///< of its address from the block's
  std::uint8_t length;
  Opcode opcode;
};

struct Block;

/// What generated code reads of its block each time, close to that of others: it is spread over as many lines of the
/// host's cache as a program has blocks.
struct NativeLinks {
  const void* taken;    ///< code of the block that is linked, or NativeBlock::taken_leave
  const void* next;     ///< likewise
  Picoseconds worst;    ///< Block::worst
  const void* refused;  ///< where code goes that may not enter: of the block in this one's place, or what leaves
};

/// What is derived of a block by instruction, for those where generated code goes on behind one that it has left for.
struct NativeRest {
  std::int32_t code;     ///< distance from NativeBlock::rests; 0: none goes on there
  std::uint32_t reads;   ///< traffic from there on, packed more closely: accesses, of 8 bytes, bytes
  std::uint32_t writes;  ///< likewise
  static constexpr unsigned kWideShift = 12, kAccessShift = 20;

  constexpr NativeRest& operator+=(const NativeRest& more) {
    reads += more.reads;
    writes += more.writes;
    return *this;
  }
};

/// What belongs to the code of a block, in memory of its own (jit/).
struct NativeBlock {
  NativeLinks* links;
  Block* block;
  const void* entry;
  const void* taken_leave;  ///< leaves to the caller
  const void* next_leave;
  const NativeRest* rests;  ///< by instruction
  bool floats;              ///< code goes on inside of it only while mstatus.FS is dirty
  std::uint32_t misses;     ///< of its loads and stores, soon after each other
  std::uint32_t missed_at;  ///< lower bits of State::retired at the last one

  const void* code_at(unsigned instruction) const {
    const std::int32_t distance = rests[instruction].code;
    return distance == 0 ? nullptr : reinterpret_cast<const std::byte*>(rests) + distance;
  }
  void unlink(bool jump) { (jump ? links->taken : links->next) = jump ? taken_leave : next_leave; }
};

/// Where an indirect jump of generated code leads, in a table by address.
struct NativeJump {
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  std::uint64_t pc = kNowhere;
  const void* entry = nullptr;  ///< of the block's code
};

/// Lines of the instruction cache that a block's code touches (two for an instruction across a boundary, else twice the
/// same), and where the cache keeps the line used last of their sets. Code that is not cached points to its own lines.
struct CodeLines {
  std::uint64_t first_line;
  std::uint64_t last_line;
  const std::uint64_t* first_front;
  const std::uint64_t* last_front;

  /// Fetching them changes nothing in the instruction cache.
  bool fetched() const { return *first_front == first_line && *last_front == last_line; }
};

/// Decoded straight-line code. Times and counts are sums over the block, so that they cost nothing an instruction. The
/// operations follow the header in memory, then one InstructionInfo an instruction plus one for the end. Boots decode
/// more than a hundred thousand blocks, which are no longer in the host's caches when they are looked for: what is not
/// needed has no place here, and what tells them from others, and is needed to enter them, stands together in front.
struct alignas(16) Block {
  /// More than any limit of time, so that nobody enters a block by itself.
  static constexpr Picoseconds kNotToEnter = kNever / 2;
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  std::uint64_t pc;        ///< as the program sees it
  Picoseconds worst;       ///< upper bound of the block's time, memory latency included; or kNotToEnter
  std::uint64_t physical;  ///< of its code
  std::uint32_t entered;   ///< by the interpreter, as long as that counts
  std::uint16_t count;     ///< instructions
  Mode mode;               ///< in which it was decoded
  Picoseconds cost;        ///< of all instructions, without memory latency
  // With generated code (jit/).
  const void* entry;          ///< of its code; if it has none: what leaves to the caller
  NativeBlock* native;        ///< or nullptr
  const void* first_handler;  ///< of its first operation, when the interpreter does it

  Block* taken;  ///< where a branch or jump leads, or the unlinked block
  Block* next;   ///< the code that follows, or the unlinked block; of a dropped block, another one
  std::uint64_t taken_pc;
  std::uint64_t next_pc;
  Picoseconds taken_cost;  ///< extra time of a taken branch
  InstructionInfo* info;
  Picoseconds bound;     ///< `worst`, whoever may enter it
  std::uint64_t behind;  ///< physical address of the part of its one instruction that is in the next page; or kNowhere

  /// Its code is known to be that in memory, and may be executed.
  bool sound() const { return worst < kNotToEnter; }
  /// BlockCache::drop() has taken its memory back.
  bool dropped() const { return count == 0; }
  void suspect() { set_worst(kNotToEnter); }
  void set_worst(Picoseconds time) {
    worst = time;
    if (native) native->links->worst = time;
  }
  /// Of a block of timed mode, in front of it.
  const CodeLines& lines() const { return *(reinterpret_cast<const CodeLines*>(this) - 1); }
  CodeLines& lines() { return *(reinterpret_cast<CodeLines*>(this) - 1); }
  bool fetched() const { return lines().fetched(); }
  Op* ops() { return reinterpret_cast<Op*>(this + 1); }
};

/// All decoded blocks by their place. Blocks live until clear(), or until drop() takes many of them away together:
/// others may link to them.
///
/// In front is a table by the program's addresses for each mode, which holds what is mapped now; blocks themselves stay
/// when the mapping changes, and behind it is one that holds them still, as most are mapped as before.
class BlockCache {
 public:
  /// Where code is: what it is depends on all of this.
  struct Place {
    std::uint64_t physical = 0;
    std::uint64_t pc = 0;
    Mode mode = Mode::kMachine;
  };

  /// `front`, `jumps`: entries of the tables in front, a power of two, and of those for generated code (or 0).
  explicit BlockCache(std::size_t front = kFrontSize, std::size_t jumps = kJumps);

  /// The sound block of the selected mode at that address, if it is in front; or nullptr.
  Block* in_front(std::uint64_t pc) const {
    Block* const block = front_[place_in_front(pc)];
    return block->pc == pc && block->sound() ? block : nullptr;
  }
  /// Of any mapping, sound or not; or nullptr.
  Block* find(const Place& place) const;
  /// One that has been in front of late; or nullptr.
  Block* find_late(const Place& place) const;
  /// A block that belongs to the present mapping.
  void bring_forward(Block* block);
  /// The mode of the table in front.
  void select(Mode mode);
  /// Nothing of supervisor and user mode is in front any more: mappings have changed.
  void empty_fronts();
  /// A block with room for so many instructions and its end, linked nowhere, not yet findable. With CodeLines, or
  /// without: all since clear() alike.
  Block* allocate(std::size_t instructions, bool with_lines);
  void insert(Block* block);
  void clear();
  /// Takes away the blocks of which drops(block) is true, for new ones of the same size. No link of others leads to
  /// them any more; until the next allocate() they can be told by Block::dropped().
  template <typename Drops>
  void drop(Drops drops);
  /// Bytes of blocks, and of all memory for them; the owner drops blocks or clears the cache when they grow too many.
  std::size_t used() const { return used_; }
  std::size_t size() const { return size_; }

  /// Stands for a link that is not known yet: its worst-case time is never affordable, so the interpreter leaves
  /// instead of entering it, with no test of its own.
  Block* unlinked() { return &unlinked_; }

  /// Direct-mapped table in front, for the interpreter's indirect jumps. Empty slots hold unlinked().
  static constexpr std::size_t kFrontSize = 16384;
  static std::size_t slot(std::uint64_t pc) { return (pc >> 1) % kFrontSize; }  ///< of a cache with so many entries
  Block* const* front() const { return front_; }
  /// Some of it that has code, where generated code looks first: one line of the host's cache in the place of three. It
  /// enters there what it finds in front.
  static constexpr std::size_t kJumps = 8192;
  NativeJump* jumps() const { return jumps_; }
  static std::size_t jump_slot(std::uint64_t pc) { return (pc >> 1) % kJumps; }

 private:
  static constexpr std::size_t kFirstChunk = std::size_t{256} << 10;  ///< small programs need no more
  struct Free {
    void operator()(std::byte* chunk) const { std::free(chunk); }
  };
  static constexpr std::size_t kModes = 4;  ///< by their numbers
  static bool stands_at(const Block& block, const Place& place) {
    return block.pc == place.pc && block.physical == place.physical && block.mode == place.mode;
  }

  /// A block, and in the bits that are zero in its address, of which it need not be looked at if it is another than the
  /// one that is looked for, some of its hash. 0: none.
  using Tagged = std::uintptr_t;
  static constexpr Tagged kTag = alignof(Block) - 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the tag is all that is changed
  static Block* block_of(Tagged tagged) { return reinterpret_cast<Block*>(tagged & ~kTag); }
  static constexpr std::size_t kFewest = 256;
  static std::uint64_t hash(std::uint64_t physical, std::uint64_t pc, Mode mode) {
    const std::uint64_t mixed = (physical << 2 ^ pc ^ static_cast<std::uint64_t>(mode)) * 0x9e37'79b9'7f4a'7c15u;
    return mixed ^ mixed >> 32;
  }
  static Tagged tag_of(std::uint64_t hash) { return hash >> 60 & kTag; }
  std::size_t slot_of(const Place& place, std::uint64_t mixed) const;  ///< its hash
  void rehash(std::size_t size);
  void empty_front(Mode mode);
  void add_chunk();
  std::byte* take(std::size_t bytes);
  void take_back(Block& block);
  void cut_dropped();
  std::size_t bytes_of(std::size_t instructions) const {
    const std::size_t bytes =
        before_ + sizeof(Block) + (instructions + 1) * (sizeof(Op) + sizeof(InstructionInfo)) + alignof(Block) - 1;
    return bytes / alignof(Block) * alignof(Block);
  }
  std::size_t place_in_front(std::uint64_t pc) const { return pc >> 1 & front_mask_; }

  const std::size_t front_mask_;
  Block unlinked_{};
  std::array<std::vector<Block*>, kModes> fronts_;  ///< empty until the mode is selected
  std::array<bool, kModes> front_used_{};           ///< something is in that table
  std::array<std::vector<Block*>, kModes> late_;    ///< likewise, in the same places; no machine mode
  Block** front_ = nullptr;
  const std::size_t jumps_size_;
  std::array<std::vector<NativeJump>, kModes> jump_tables_;  ///< with fronts_
  NativeJump* jumps_ = nullptr;
  std::vector<Tagged> table_ = std::vector<Tagged>(kFewest);  ///< by hash, or in the next free slot; a power of two
  std::size_t blocks_ = 0;
  std::vector<std::unique_ptr<std::byte, Free>> chunks_;
  std::byte* free_ = nullptr;  ///< of the last chunk
  std::byte* end_ = nullptr;   ///< likewise
  std::size_t size_ = 0;       ///< of all chunks
  std::size_t used_ = 0;
  std::size_t before_ = 0;       ///< bytes in front of each block
  std::vector<Block*> dropped_;  ///< by bytes / alignof(Block), each leads to the next
};

template <typename Drops>
void BlockCache::drop(Drops drops) {
  for (Tagged& tagged : table_)
    if (tagged != 0 && drops(std::as_const(*block_of(tagged)))) take_back(*block_of(std::exchange(tagged, 0)));
  rehash(table_.size());
  cut_dropped();
}

}  // namespace vp::cpu
