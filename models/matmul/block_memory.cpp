#include "models/matmul/block_memory.h"

#include <algorithm>
#include <stdexcept>

namespace vp::matmul {
namespace {

std::uint32_t next_power_of_two(std::uint32_t value) {
  std::uint32_t power = 1;
  while (power < value) power *= 2;
  return power;
}

}  // namespace

BlockMemory::BlockMemory(const CoreConfig& config)
    : words_(config.bmem_words, "the block memory"),
      mask_(config.bmem_words - 1),
      tile_alignment_(next_power_of_two(config.tile)),
      block_alignment_(next_power_of_two(config.block_words())) {
  if (next_power_of_two(config.bmem_words) != config.bmem_words) {
    throw std::logic_error("the size of block memory must be a power of two");
  }
}

void BlockMemory::reset() { words_.clear(); }

}  // namespace vp::matmul
