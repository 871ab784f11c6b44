#pragma once

#include <cstdint>

#include "models/common/zeroed_array.h"
#include "models/matmul/core_config.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// Block memory: 32-bit words shared by host, array and threads (README, instructions). Addresses count words.
class BlockMemory {
 public:
  static constexpr unsigned kStateVersion = 2;

  explicit BlockMemory(const CoreConfig& config);

  void reset();
  /// Addresses wrap at the memory's size.
  std::uint32_t read(std::uint32_t address) const { return words_[address & mask_]; }
  void write(std::uint32_t address, std::uint32_t value) { words_[address & mask_] = value; }
  /// The array reaches a tile's row only at multiples of the next power of two of the tile's side; other addresses are
  /// aligned down, which misplaces data when the side is no power of two.
  std::uint32_t tile_address(std::uint32_t address) const { return address & ~(tile_alignment_ - 1); }
  /// Where the host's block store puts a block: aligned down to the next power of two of a block's size, and wrapped.
  std::uint32_t host_address(std::uint32_t address) const { return address & ~(block_alignment_ - 1) & mask_; }
  std::uint32_t size() const { return mask_ + 1; }
  void persist(Archive& archive);

 private:
  ZeroedArray<std::uint32_t> words_;
  std::uint32_t mask_;
  std::uint32_t tile_alignment_;
  std::uint32_t block_alignment_;
};

}  // namespace vp::matmul
