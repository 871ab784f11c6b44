#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/common/clock.h"
#include "models/cpu/isa.h"

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

/// Decoded straight-line code. Times and counts are sums over the block, so that they cost nothing an instruction. The
/// operations follow the header in memory, then one InstructionInfo an instruction plus one for the end.
struct alignas(16) Block {
  std::uint64_t key;       ///< address | 1 in user mode
  Picoseconds cost;        ///< of all instructions, without memory latency
  Picoseconds worst;       ///< upper bound of the block's time, memory latency included
  Picoseconds taken_cost;  ///< extra time of a taken branch
  std::uint64_t count;     ///< instructions
  Block* taken;            ///< where a branch or jump leads, or the unlinked block
  Block* next;             ///< the code that follows, or the unlinked block
  std::uint64_t pc;
  std::uint64_t next_pc;
  std::uint64_t taken_pc;
  InstructionInfo* info;
  // Lines of the instruction cache that the block's code touches (two for an instruction across a boundary, else twice
  // the same), and where the cache keeps the line used last of their sets. Code that is not cached points to its own
  // lines.
  std::uint64_t first_line;
  std::uint64_t last_line;
  const std::uint64_t* first_front;
  const std::uint64_t* last_front;

  /// Fetching the block changes nothing in the instruction cache.
  bool fetched() const { return *first_front == first_line && *last_front == last_line; }
  Op* ops() { return reinterpret_cast<Op*>(this + 1); }
};

/// All decoded blocks by key. Blocks live until clear(); they are never freed one by one, since others may link to
/// them.
class BlockCache {
 public:
  BlockCache();

  /// The block of that key, or nullptr.
  Block* find(std::uint64_t key) {
    Block* block = front_[slot(key)];
    return block->key == key ? block : find_behind(key);
  }
  /// A block with room for `ops` operations and `infos` records, linked nowhere, not yet findable.
  Block* allocate(std::size_t ops, std::size_t infos);
  void insert(Block* block);
  void clear();
  /// Bytes in use; the owner clears the cache when they grow too many.
  std::size_t size() const { return chunks_.size() * kChunk; }

  /// Stands for a link that is not known yet: its worst-case time is never affordable, so the interpreter leaves
  /// instead of entering it, with no test of its own.
  Block* unlinked() { return &unlinked_; }

  /// Direct-mapped table in front, for the interpreter's indirect jumps. Empty slots hold unlinked().
  static constexpr std::size_t kFrontSize = 4096;
  static std::size_t slot(std::uint64_t key) { return (key >> 1) % kFrontSize; }
  Block* const* front() const { return front_.data(); }

 private:
  static constexpr std::size_t kChunk = std::size_t{256} << 10;
  Block* find_behind(std::uint64_t key);

  Block unlinked_{};
  std::array<Block*, kFrontSize> front_;
  std::unordered_map<std::uint64_t, Block*> blocks_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t used_ = kChunk;  ///< of the last chunk
};

}  // namespace vp::cpu
