#include "models/tinytpu/packed_weights.h"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace vp::tinytpu {

void PackedWeights::set_row(unsigned row, const std::uint8_t* weights, bool is_signed) {
  std::uint32_t* out = &words_[std::size_t{row / kQuadRows} * kBlockColumns];
  const unsigned shift = row % kQuadRows * 8;
  const std::uint32_t others = ~(0xFFU << shift);
  for (unsigned b = 0; b < blocks_; ++b, out += block_words_, weights += kBlockColumns)
    for (unsigned c = 0; c < kBlockColumns; ++c) out[c] = (out[c] & others) | std::uint32_t{weights[c]} << shift;
  set_sign(row, is_signed ? Signs::all_signed : Signs::all_unsigned);
}

void PackedWeights::set_rows(const std::uint8_t* weights, std::size_t stride, bool is_signed) {
  static constexpr std::uint8_t kNoRow[kMostColumns] = {};
  for (unsigned first = 0; first < rows(); first += kQuadRows) {
    std::array<const std::uint8_t*, kQuadRows> four{};
    for (unsigned i = 0; i < kQuadRows; ++i) four[i] = first + i < rows() ? weights + (first + i) * stride : kNoRow;
    set_quad(first / kQuadRows, four);
  }
  std::fill(row_signs_.begin(), row_signs_.end(),
            static_cast<std::uint8_t>(is_signed ? Signs::all_signed : Signs::all_unsigned));
  signed_rows_ = is_signed ? rows() : 0;
  unsigned_rows_ = rows() - signed_rows_;
}

/// Byte i of a word comes from row i.
void PackedWeights::set_quad(unsigned quad, const std::array<const std::uint8_t*, kQuadRows>& rows) {
  std::uint32_t* out = &words_[std::size_t{quad} * kBlockColumns];
  const auto [a, b, c, d] = rows;
  for (unsigned at = 0; at < blocks_ * kBlockColumns; at += kBlockColumns, out += block_words_) {
#if defined(__SSE2__)
    const auto row = [at](const std::uint8_t* bytes) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    };
    const __m128i low_ab = _mm_unpacklo_epi8(row(a), row(b)), high_ab = _mm_unpackhi_epi8(row(a), row(b));
    const __m128i low_cd = _mm_unpacklo_epi8(row(c), row(d)), high_cd = _mm_unpackhi_epi8(row(c), row(d));
    const auto store = [out](unsigned column, __m128i words) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + column), words);
    };
    store(0, _mm_unpacklo_epi16(low_ab, low_cd));
    store(4, _mm_unpackhi_epi16(low_ab, low_cd));
    store(8, _mm_unpacklo_epi16(high_ab, high_cd));
    store(12, _mm_unpackhi_epi16(high_ab, high_cd));
#else
    for (unsigned i = at; i < at + kBlockColumns; ++i)
      out[i - at] = a[i] | std::uint32_t{b[i]} << 8 | std::uint32_t{c[i]} << 16 | std::uint32_t{d[i]} << 24;
#endif
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
