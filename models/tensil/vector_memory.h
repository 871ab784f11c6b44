#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace vp {
class Archive;
}

namespace vp::tensil {

/// Scalars that a row takes in host memory: whole blocks of 16, so that every kernel may work in blocks. The scalars
/// beyond array_size are zero or without meaning.
inline constexpr unsigned kLaneBlock = 16;
inline unsigned padded_lanes(unsigned lanes) { return (lanes + kLaneBlock - 1) / kLaneBlock * kLaneBlock; }

/// Local memory or accumulators: `depth` vectors, zero at first, which take the host's pages only where they are
/// touched.
class VectorMemory {
 public:
  VectorMemory(unsigned depth, unsigned lanes) : depth_(depth), stride_(padded_lanes(lanes)), written_(depth) {
    scalars_.reset(static_cast<std::int32_t*>(std::calloc(std::size_t{depth} * stride_, sizeof(std::int32_t))));
    if (!scalars_) throw std::bad_alloc();
  }

  unsigned depth() const { return depth_; }
  unsigned row_scalars() const { return stride_; }
  const std::int32_t* row(unsigned index) const { return scalars_.get() + std::size_t{index} * stride_; }
  /// For writing: the row counts as written from now on.
  std::int32_t* write(unsigned index) {
    written_[index] = 1;
    return scalars_.get() + std::size_t{index} * stride_;
  }
  /// Whether anything was ever written there since power-up.
  bool written(unsigned index) const { return written_[index] != 0; }
  void persist(Archive& archive);

 private:
  struct Free {
    void operator()(std::int32_t* memory) const { std::free(memory); }
  };
  unsigned depth_;
  unsigned stride_;
  std::unique_ptr<std::int32_t[], Free> scalars_;
  std::vector<std::uint8_t> written_;
};

}  // namespace vp::tensil
