#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/common/clock.h"
#include "models/cpu/block_cache.h"
#include "models/cpu/config.h"

namespace vp::cpu {

/// How generated code finds memory: an entry (tag, and 8 bytes behind it the addend) in a table for loads and in one
/// for stores. All entries are of memory with the same latencies, so that the time and the traffic of a block are
/// constants of its code.
struct NativeMemory {
  unsigned shift = 0;              ///< an address belongs to the entry at byte (address >> shift) & index_mask
  std::uint32_t index_mask = 0;    ///< of a table
  std::int32_t tag_mask = 0;       ///< sign-extended: the bits of an address that a tag holds
  std::int32_t writes_behind = 0;  ///< bytes from an entry for loads to that for stores
  Picoseconds read_latency = 0;
  Picoseconds write_latency = 0;
  Picoseconds wide_extra = 0;  ///< of an access of more than 4 bytes

  Picoseconds latency(bool write, unsigned size) const {
    return (write ? write_latency : read_latency) + (size > 4 ? wide_extra : 0);
  }
};

/// Traffic of part of a block, packed (tlb.h), and its time.
struct NativeAccesses {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  Picoseconds time = 0;
};
NativeAccesses accesses_of(const NativeRest& rest, const NativeMemory& memory);
/// Of one instruction.
NativeRest rest_of(Opcode opcode);

/// Of a block of supervisor mode: csrrs and csrrc of sstatus, or their immediate forms, by which programs keep
/// interrupts away for a while. Generated code does them where nothing but SIE may change and no interrupt may come.
bool switches_interrupts(const Block& block, unsigned instruction);

/// What generated code is entered with and leaves behind.
struct NativeFrame {
  void* x = nullptr;              ///< register 0
  const void* reads = nullptr;    ///< the table, of which the first entry is for loads
  Block* const* front = nullptr;  ///< BlockCache::front()
  NativeJump* jumps = nullptr;    ///< BlockCache::jumps()
  Picoseconds budget = 0;         ///< time that is left, before and behind
  /// Not 0: LR and SC may be done, as nobody else comes (Reservation).
  std::uint32_t reserves = 0;
  /// Before and behind: bytes at State::reservation that LR has reserved and nobody else knows of. 0: there has been no
  /// LR; kClaimed: SC has ended it.
  std::uint32_t reserved = 0;
  static constexpr std::uint32_t kClaimed = 1;

  // Since it was entered; of a block left in its middle as if it had been executed to its end.
  std::uint64_t retired = 0;
  std::uint64_t read_traffic = 0;  ///< packed
  std::uint64_t write_traffic = 0;

  enum class Left : std::uint64_t {
    refused,   ///< at the start of `native`: its time, or its code
    taken,     ///< behind `native`, to where its jump leads
    next,      ///< behind it, to the code that follows
    indirect,  ///< behind a block, to address `where`
    inside,    ///< in `native`, before instruction `detail`
  };
  union {
    NativeBlock* native;
    std::uint64_t where = 0;
  };
  std::uint64_t detail = 0;
  Left left = Left::refused;
  bool done = false;  ///< of `inside`: the instruction before that one changes what comes next

  /// Called where `inside` would be left for: the code where it goes on, with the tables and counts that stand here
  /// then, and in `detail` the link that has led there; nullptr: it is left, as `left` says.
  const void* (*in_place)(NativeFrame& frame) = nullptr;
  // For that.
  void* executor = nullptr;
  Picoseconds limit = 0;     ///< the time at which there is no budget
  std::uint64_t before = 0;  ///< State::retired when it was entered
};

/// Machine code of the host for decoded blocks. It does what the executor's loop does with them, over the same state,
/// and leaves before everything that the loop leaves.
class NativeCode {
 public:
  /// Whether this library has a generator for the host.
  static bool available();
  /// For a hart with these settings, which outlive it. nullptr: the host gives no memory for code.
  static std::unique_ptr<NativeCode> make(const CpuConfig& config);
  virtual ~NativeCode() = default;

  /// A block that is not going to move wants code. True: enough of them wait, it is time to compile().
  virtual bool want(Block& block) = 0;
  /// Makes code of all blocks that wait, together: to change the protection of memory takes longer than to write the
  /// code of a block. `timed`: which looks at its lines in the instruction cache first. False: there is no room, and
  /// clear() is due.
  virtual bool compile(const NativeMemory& memory, bool timed) = 0;
  /// Instructions of this kind have code; a block with others keeps to the interpreter.
  virtual bool can(const Block& block) const = 0;
  /// Block::entry of a block without code.
  virtual const void* no_entry() const = 0;
  /// From the start of a compiled block on, or from NativeBlock::code_at(). The block's time is affordable.
  virtual void run(NativeFrame& frame, const void* code) = 0;
  /// All blocks are gone.
  virtual void clear() = 0;
};

/// Throws UserError where there must be a generator and is none.
void check_jit(Jit jit, const std::string& parameter);
/// As cpu.jit says; nullptr: everything is interpreted. Throws likewise.
std::unique_ptr<NativeCode> make_native_code(const CpuConfig& config);

}  // namespace vp::cpu
