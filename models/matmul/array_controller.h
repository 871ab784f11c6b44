#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/matmul/block_memory.h"
#include "models/matmul/core_config.h"
#include "models/matmul/thread.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// The systolic array with its two lock-protected paths: LOAD (block memory → a thread's B bank) and COMP (C ← A*B +
/// D). Function and time follow the skewed dataflow: group i of the array sees its operands i clocks after group 0, so
/// every word is read and written in the clock in which the hardware does it (README, timing).
class ArrayController {
 public:
  using Requests = std::array<ThreadOutputs, kThreads>;

  explicit ArrayController(const CoreConfig& config);

  void reset();
  /// The edge that ends clock `cycle` - 1: reads memory, computes, moves the locks. Writes wait for commit().
  /// Returns the thread whose LOAD was granted with a used-up counter at this edge, or -1.
  int clock(std::uint64_t cycle, const Requests& requests, const BlockMemory& memory);
  /// Writes the C words of this edge.
  void commit(BlockMemory& memory);

  bool load_lock(unsigned thread) const { return load_.owner == static_cast<int>(thread); }
  bool comp_lock(unsigned thread) const { return comp_.owner == static_cast<int>(thread); }
  /// The completion flags in the clock after edge `cycle`.
  bool load_finished(std::uint64_t cycle) const { return load_.held() && load_tick(cycle) == side_ + mesh_; }
  bool comp_finished(std::uint64_t cycle) const { return comp_.held() && comp_tick(cycle) == side_ + 2 * mesh_ - 1; }
  /// First edge after `cycle` at which something happens without a new request; kNoEdge if none.
  std::uint64_t next_edge(std::uint64_t cycle, const Requests& requests) const;
  /// Value of the load counter after edge `cycle`; between LOADs it rests.
  std::uint32_t load_tick(std::uint64_t cycle) const {
    return load_.held() ? static_cast<std::uint32_t>(cycle - load_.start) : resting_load_tick_;
  }
  /// The thread's LOAD counts towards 2^32 before it will read anything.
  bool load_hangs(unsigned thread, std::uint64_t cycle) const {
    return load_lock(thread) && load_tick(cycle) > side_ + mesh_;
  }

  static constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};
  void persist(Archive& archive);

 private:
  struct Path {
    int owner = -1;
    std::uint64_t start = 0;  // edge after which the counter is 0 (modulo 2^32)
    bool held() const { return owner >= 0; }
    void persist(Archive& archive);
  };
  struct Grant {
    int load = -1, comp = -1;
  };
  struct Word {
    std::uint32_t address, value;
  };

  std::uint64_t comp_tick(std::uint64_t cycle) const { return cycle - comp_.start; }
  Grant arbitrate(const Requests& requests) const;
  bool grant_load(std::uint64_t cycle, unsigned thread, std::uint32_t address, bool comp_free);
  void grant_comp(std::uint64_t cycle, unsigned thread, const ThreadOutputs& request);
  void load_rows(std::uint32_t tick, const BlockMemory& memory);
  void read_operands(std::uint64_t tick, const BlockMemory& memory);
  void compute(std::uint64_t tick, const BlockMemory& memory);
  void read_tile_row(std::vector<std::uint32_t>& to, std::uint32_t base, unsigned row, unsigned group,
                     const BlockMemory& memory);

  const unsigned mesh_, tile_, side_;
  const bool late_load_hang_;
  Path load_, comp_;
  std::uint32_t resting_load_tick_ = 0;
  std::uint32_t a_address_ = 0, b_address_ = 0, c_address_ = 0, d_address_ = 0;
  std::array<std::vector<std::uint32_t>, kThreads> bank_;  // B_i, row-major
  std::array<bool, kThreads> bank_valid_{};
  std::vector<std::uint32_t> a_, d_;  // operands of the running COMP as they were read
  std::vector<Word> writes_;
};

}  // namespace vp::matmul
