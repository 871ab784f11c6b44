#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// Columns that one block of packed weights holds; rows of accumulators and products are padded to a multiple of it.
inline constexpr unsigned kBlockColumns = 16;

inline unsigned padded_columns(unsigned columns) {
  return (columns + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
}

/// Weights of one tile as the inner product wants them: block of 16 columns after block, in a block pair of rows after
/// pair, 16 columns of two 16-bit weights (even row in the lower half). Width N is rows and columns; padding is zero.
class PackedWeights {
 public:
  explicit PackedWeights(unsigned width)
      : pairs_((width + 1) / 2),
        blocks_(padded_columns(width) / kBlockColumns),
        words_(pairs_ * blocks_ * kBlockColumns) {}

  unsigned pairs() const { return pairs_; }
  unsigned blocks() const { return blocks_; }
  /// pairs() × 16 words of two weights.
  const std::uint32_t* block(unsigned index) const { return &words_[std::size_t{index} * pairs_ * kBlockColumns]; }

  /// `weights`: padded_columns() bytes.
  void set_row(unsigned row, const std::uint8_t* weights, bool is_signed);
  /// Rows first..end-1 become those of `other`, which has the same width.
  void copy_rows(const PackedWeights& other, unsigned first, unsigned end);
  void clear();
  void persist(Archive& archive);

 private:
  unsigned pairs_;
  unsigned blocks_;
  std::vector<std::uint32_t> words_;
};

/// products[v][c] = sum over rows of vectors[v][row] × weight[row][c], modulo 2^32 (exact for bytes, signed or not).
/// vectors: `count` rows of 2 × pairs() 16-bit elements, `stride` elements apart; products: blocks() × 16 words a row,
/// dense.
using InnerProduct = void (*)(const PackedWeights& weights, const std::int16_t* vectors, std::size_t stride,
                              unsigned count, std::uint32_t* products);

/// One way of computing it, all with equal results.
struct InnerProductVariant {
  const char* name;
  InnerProduct function;
};

/// Those that this processor can run, fastest first; the last is plain C++.
const std::vector<InnerProductVariant>& inner_product_variants();

}  // namespace vp::tinytpu
