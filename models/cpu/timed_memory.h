#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/cache/cache.h"
#include "models/cpu/access_watch.h"
#include "models/cpu/block_cache.h"
#include "models/cpu/code_pages.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/tlb.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// The memory hierarchy of timed mode: instruction cache, data cache, write buffer, and where the time goes in them.
///
/// The caches hold tags only, the data stay in memory: a miss sends a transaction of a line's size through the port, so
/// that bus and memory see it, and the bytes are read and written by host pointer.
template <typename Word>
class TimedMemory {
 public:
  /// Throws UserError for caches that cannot be.
  TimedMemory(HartContext<Word>& hart, const AccessWatch& watch, CodePages& pages);

  // ---- code ----
  /// Blocks end here, so that a block's code is in one page, or in one line.
  std::uint64_t block_boundary() const;
  /// Notes in a block which lines its `size` bytes of code are in.
  void find_code_lines(Block& block, unsigned size);
  /// Fetches the block's code. A fetch that takes time is a step of its own, after which everything is looked at afresh
  /// (an interrupt may come first): then this is false. When the hart comes back to the same place, the code is there,
  /// even if the cache cannot hold both lines of an instruction at once.
  bool fetch_step(const Block& block) {
    return (fetched_ == kNothingFetched && block.fetched()) || fetch_in_earnest(block);
  }
  void invalidate_code() { icache_.invalidate(); }

  // ---- data ----
  /// The memory around a physical address if it is cached: host pointers and rights.
  std::optional<DmiRegion> cached(bool write, std::uint64_t physical) {
    if (hart_.fidelity != Fidelity::timed || !dcache_) return std::nullopt;
    return cacheable(write, dcache_->line_of(physical), dcache_->config().line);
  }
  /// One load or store inside a line of such memory. The order of a miss: room in the write buffer, fill, write-back.
  /// False: the target refused.
  bool access(bool write, std::uint64_t physical, std::uint8_t* data, unsigned size, const DmiRegion& region);
  /// The inner loop may do further accesses to that line, at the program's address: loads, and stores if the program's
  /// page allows them.
  void keep_line(Word address, std::uint64_t physical, bool may_store);
  /// Added to each access that the data cache sees.
  Picoseconds hit_time() const { return hit_time_; }
  /// For the inner loop: the lines that may be accessed without a change in the cache, in the mode of select().
  const LineLookup<Word>& lines() const { return *lines_; }
  /// For generated code likewise.
  NativeMemory native_memory() const;
  void count_native(std::uint64_t reads, std::uint64_t writes);
  /// Whose loads and stores come now; their addresses are those of memory, or of a program's pages.
  void select(DataSpace space, bool translated) {
    lines_ = &lookups_[static_cast<std::size_t>(space)];
    if (hart_.fidelity == Fidelity::timed) in_use_ |= 1u << static_cast<unsigned>(space);
    translated_ |= translated;
  }
  /// The pages of programs may be mapped elsewhere, all or this one: their lines are to be found anew.
  void forget_mappings();
  void forget_mapping(Word page);
  /// Stores into this page of memory are to be seen.
  void drop_writes(std::uint64_t page);

  // ---- all of it ----
  /// Moves the counts of the inner loop's accesses to the figures; `drop`: its lines are to be found anew.
  void fold(bool drop);
  /// Cold caches, nothing on its way. Dirty lines need no write-back: memory holds their data.
  void empty();
  /// Host pointers to [first, last] are no longer valid. True if any of it was cached.
  bool invalidate_direct(std::uint64_t first, std::uint64_t last);
  /// Forgets what is known about the world outside.
  void forget();
  /// The hart is about to change to or from timed mode.
  void changing(Fidelity to);

  CacheFigures figures() const;
  // Apart, as they stand at different places of a saved state.
  void persist_caches(Archive& archive);
  void persist_write_buffer(Archive& archive);
  void persist_counts(Archive& archive);

 private:
  std::vector<LineLookup<Word>> make_lookups();
  bool fetch_in_earnest(const Block& block);
  bool fetch(const Block& block);
  std::optional<DmiRegion> cacheable(bool write, std::uint64_t line, unsigned size);
  bool move_line(bool write, std::uint64_t address, unsigned size, const DmiRegion& region, Picoseconds& cause);
  void await_write_buffer();
  void post_write(std::uint64_t address, unsigned size, const DmiRegion& region);
  template <typename Visit>
  void for_spaces(unsigned spaces, Visit visit);
  void fold_line(bool write, TlbEntry<Word>& entry);
  void drop_entry(bool write, TlbEntry<Word>& entry) {
    fold_line(write, entry);
    entry = {};
  }
  void drop_line_entries(std::uint64_t physical);
  static constexpr unsigned kPrograms = 7;  ///< spaces other than machine mode's, as bits

  HartContext<Word>& hart_;
  State<Word>& s_;
  const AccessWatch& watch_;
  Cache icache_;
  std::optional<Cache> dcache_;
  CodePages& pages_;
  std::array<LineTable<Word>, kDataSpaces> line_tables_;
  const std::vector<LineLookup<Word>> lookups_;  ///< in each
  const LineLookup<Word>* lines_;                ///< of the space that data accesses have now
  unsigned in_use_ = 0;                          ///< spaces whose tables may hold something, as bits
  bool translated_ = false;                      ///< entries may stand elsewhere than at the set of their line
  std::vector<DmiRegion> contents_;              ///< memory that is cached
  std::array<std::uint64_t, 256> uncached_;      ///< pages that are known not to be
  Picoseconds hit_time_ = 0;
  Picoseconds write_buffer_free_ = 0;  ///< when its last write has been done
  bool write_posted_ = false;          ///< the port knows when
  static constexpr std::uint64_t kNothingFetched = ~std::uint64_t{0};
  std::uint64_t fetched_ = kNothingFetched;  ///< key of the block whose code the last step has brought in
  std::uint64_t missed_fetches_ = 0;
  std::uint64_t instructions_ = 0;  ///< in earlier stretches of timed mode
  std::uint64_t since_ = 0;         ///< instructions executed at the start of this one
};

}  // namespace vp::cpu
