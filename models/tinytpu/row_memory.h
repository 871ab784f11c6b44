#pragma once

#include <cstdint>
#include <vector>

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// A buffer RAM: `depth` rows of `width` bytes, zero at power-on. Row numbers of any size wrap modulo the depth, as the
/// hardware's truncated indices do.
class RowMemory {
 public:
  RowMemory(unsigned width, unsigned depth)
      : width_(width), depth_(depth), stride_((width + 15) / 16 * 16), bytes_(stride_ * depth) {}

  unsigned width() const { return width_; }
  unsigned depth() const { return depth_; }
  /// Bytes from row to row.
  std::size_t stride() const { return stride_; }
  unsigned index(std::uint64_t row) const { return static_cast<unsigned>(row % depth_); }
  /// `index`: below depth(). The row may be read up to the next multiple of 16 bytes; the padding is zero.
  std::uint8_t* at(unsigned index) { return &bytes_[stride_ * index]; }
  const std::uint8_t* at(unsigned index) const { return &bytes_[stride_ * index]; }
  std::size_t bytes() const { return bytes_.size(); }
  bool operator==(const RowMemory& other) const { return bytes_ == other.bytes_; }
  void persist(Archive& archive);

 private:
  unsigned width_;
  unsigned depth_;
  std::size_t stride_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace vp::tinytpu
