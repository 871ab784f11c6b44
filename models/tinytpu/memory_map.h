#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tinytpu/config.h"

namespace vp::tinytpu {

/// What a byte offset in the device's window means.
enum class Region : std::uint8_t { weights, unified_buffer, instructions };

struct Place {
  Region region;
  unsigned row;   ///< of the buffer; 0 for instructions
  unsigned word;  ///< 32-bit lane word within the row; for instructions 0 to 3: runtime counter, lower, middle, upper
  bool wrapped = false;  ///< the offset is that of a row beyond the buffer's depth
};

/// The window of a device of any size. Vector stride S = max(16, next power of two ≥ N) bytes, W and U the next powers
/// of two that hold the weight and the unified buffer. Weight buffer at 0, unified buffer at max(W, 2U), instructions U
/// above it, the window is twice the unified buffer's offset. For the original's size that is the original's map, with
/// its aliases: address bits that decode nothing are ignored, and row numbers wrap at the buffer's depth.
class MemoryMap {
 public:
  explicit MemoryMap(const TinyTpuConfig& config)
      : stride_(std::max<std::uint64_t>(16, power_of_two(config.matrix_width))),
        weight_depth_(config.weight_depth),
        buffer_depth_(config.unified_buffer_depth),
        buffer_size_(power_of_two(stride_ * buffer_depth_)),
        weight_size_(power_of_two(stride_ * weight_depth_)),
        buffer_offset_(std::max(weight_size_, 2 * buffer_size_)) {}

  std::uint64_t stride() const { return stride_; }
  std::uint64_t window() const { return 2 * buffer_offset_; }
  std::uint64_t unified_buffer_offset() const { return buffer_offset_; }
  std::uint64_t instruction_offset() const { return buffer_offset_ + buffer_size_; }

  /// `offset`: below window(); bits 1:0 are ignored.
  Place decode(std::uint64_t offset) const {
    const unsigned word = static_cast<unsigned>(offset % stride_ / 4);
    if ((offset & buffer_offset_) == 0)
      return row(Region::weights, offset % weight_size_ / stride_, weight_depth_, word);
    if ((offset & buffer_size_) == 0)
      return row(Region::unified_buffer, offset % buffer_size_ / stride_, buffer_depth_, word);
    return {Region::instructions, 0, static_cast<unsigned>(offset / 4 % 4)};
  }

 private:
  static Place row(Region region, std::uint64_t row, unsigned depth, unsigned word) {
    return {region, static_cast<unsigned>(row % depth), word, row >= depth};
  }
  static std::uint64_t power_of_two(std::uint64_t value) {
    std::uint64_t power = 1;
    while (power < value) power *= 2;
    return power;
  }

  std::uint64_t stride_;
  unsigned weight_depth_;
  unsigned buffer_depth_;
  std::uint64_t buffer_size_;
  std::uint64_t weight_size_;
  std::uint64_t buffer_offset_;
};

}  // namespace vp::tinytpu
