#include "models/tinytpu/packed_weights.h"

#include <algorithm>

namespace vp::tinytpu {

void PackedWeights::set_row(unsigned row, const std::uint8_t* weights, bool is_signed) {
  std::uint32_t* out = &words_[std::size_t{row / kQuadRows} * kBlockColumns];
  const unsigned shift = row % kQuadRows * 8;
  const std::uint32_t others = ~(0xFFU << shift);
  for (unsigned b = 0; b < blocks_; ++b, out += block_words_, weights += kBlockColumns)
    for (unsigned c = 0; c < kBlockColumns; ++c) out[c] = (out[c] & others) | std::uint32_t{weights[c]} << shift;
  set_sign(row, is_signed ? Signs::all_signed : Signs::all_unsigned);
}

void PackedWeights::set_four_rows(unsigned first, const std::array<const std::uint8_t*, kQuadRows>& weights,
                                  bool is_signed) {
  std::uint32_t* out = &words_[std::size_t{first / kQuadRows} * kBlockColumns];
  const std::uint8_t *a = weights[0], *b = weights[1], *c = weights[2], *d = weights[3];
  const unsigned columns = blocks_ * kBlockColumns;
  for (unsigned at = 0; at < columns; at += kBlockColumns, out += block_words_) {
    for (unsigned i = 0; i < kBlockColumns; ++i)
      out[i] =
          a[at + i] | std::uint32_t{b[at + i]} << 8 | std::uint32_t{c[at + i]} << 16 | std::uint32_t{d[at + i]} << 24;
  }
  for (unsigned row = first; row < first + kQuadRows; ++row)
    set_sign(row, is_signed ? Signs::all_signed : Signs::all_unsigned);
}

void PackedWeights::copy_rows(const PackedWeights& other, unsigned first, unsigned end) {
  if (first >= end) return;
  for (unsigned row = first; row < end; ++row) set_sign(row, other.signs(row));
  const auto merge = [&](unsigned quad, std::uint32_t mask) {
    for (unsigned b = 0; b < blocks_; ++b) {
      const std::size_t at = b * block_words_ + quad * kBlockColumns;
      for (unsigned c = 0; c < kBlockColumns; ++c)
        words_[at + c] = (words_[at + c] & ~mask) | (other.words_[at + c] & mask);
    }
  };
  const unsigned first_quad = first / kQuadRows, last_quad = (end - 1) / kQuadRows;
  const std::uint32_t from_first = ~0U << first % kQuadRows * 8;
  const std::uint32_t to_end = ~0U >> (kQuadRows - 1 - (end - 1) % kQuadRows) * 8;
  if (first_quad == last_quad) return merge(first_quad, from_first & to_end);
  merge(first_quad, from_first);
  merge(last_quad, to_end);
  for (unsigned b = 0; b < blocks_; ++b) {
    const std::size_t at = b * block_words_ + (first_quad + 1) * kBlockColumns;
    std::copy_n(&other.words_[at], std::size_t{last_quad - first_quad - 1} * kBlockColumns, &words_[at]);
  }
}

void PackedWeights::clear() {
  std::fill(words_.begin(), words_.end(), 0);
  std::fill(row_signs_.begin(), row_signs_.end(), 0);
  signed_rows_ = unsigned_rows_ = 0;
}

PackedWeights::Signs PackedWeights::signs() const {
  if (signed_rows_ == 0) return unsigned_rows_ == 0 ? Signs::none : Signs::all_unsigned;
  return unsigned_rows_ == 0 ? Signs::all_signed : Signs::mixed;
}

void PackedWeights::set_sign(unsigned row, Signs sign) {
  const Signs now = signs(row);
  if (now == sign) return;
  signed_rows_ += (sign == Signs::all_signed) - (now == Signs::all_signed);
  unsigned_rows_ += (sign == Signs::all_unsigned) - (now == Signs::all_unsigned);
  row_signs_[row] = static_cast<std::uint8_t>(sign);
}

}  // namespace vp::tinytpu
