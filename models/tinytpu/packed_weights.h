#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// Columns that one block of packed weights holds; rows of accumulators and products are padded to a multiple of it.
inline constexpr unsigned kBlockColumns = 16;
/// The widest array's.
inline constexpr unsigned kMostColumns = 256;
/// Rows whose weights share a word.
inline constexpr unsigned kQuadRows = 4;
/// Rows, or elements of a vector, that a matrix unit takes at once.
inline constexpr unsigned kStepRows = 64;

inline unsigned padded_columns(unsigned columns) {
  return (columns + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
}

/// Bytes of a vector of N elements as the inner product wants it: a multiple of 16, above 64 a multiple of 64.
inline unsigned padded_elements(unsigned width) {
  return width <= kStepRows ? padded_columns(width) : (width + kStepRows - 1) / kStepRows * kStepRows;
}

/// Weights of one tile as the inner product wants them: block of 16 columns after block, in a block four rows after
/// four, 16 columns of four weights (the first row in the lowest byte). Width N is rows and columns; padding is zero.
class PackedWeights {
 public:
  /// Of all rows that were set.
  enum class Signs : std::uint8_t { none, all_unsigned, all_signed, mixed };

  explicit PackedWeights(unsigned width)
      : quads_(padded_elements(width) / kQuadRows),
        blocks_(padded_columns(width) / kBlockColumns),
        // With a line between them, the same rows of all blocks fit into the first cache.
        block_words_((quads_ + 1) * kBlockColumns),
        words_(std::size_t{blocks_} * block_words_),
        row_signs_(width) {}

  unsigned quads() const { return quads_; }
  unsigned blocks() const { return blocks_; }
  /// quads() × 16 words of four weights.
  const std::uint32_t* block(unsigned index) const { return &words_[std::size_t{index} * block_words_]; }

  /// `weights`: padded_columns() bytes.
  void set_row(unsigned row, const std::uint8_t* weights, bool is_signed);
  /// All N rows; `weights`: the first one, each padded_columns() bytes, `stride` bytes from row to row.
  void set_rows(const std::uint8_t* weights, std::size_t stride, bool is_signed);
  void clear();
  Signs signs() const;
  /// none, all_unsigned or all_signed of a row; one that was never set is zero.
  Signs signs(unsigned row) const { return static_cast<Signs>(row_signs_[row]); }
  unsigned rows() const { return static_cast<unsigned>(row_signs_.size()); }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint32_t) + row_signs_.size(); }
  void persist(Archive& archive);

 private:
  void set_quad(unsigned quad, const std::array<const std::uint8_t*, kQuadRows>& rows);
  void set_sign(unsigned row, Signs sign);

  unsigned quads_;
  unsigned blocks_;
  std::size_t block_words_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint8_t> row_signs_;  ///< Signs of each
  unsigned signed_rows_ = 0;
  unsigned unsigned_rows_ = 0;
};

}  // namespace vp::tinytpu
