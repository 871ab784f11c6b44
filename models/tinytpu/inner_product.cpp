#include "models/tinytpu/inner_product.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vp::tinytpu {
namespace {

constexpr std::uint32_t kEvenRow = 0xFFFF;  // of a word of packed weights

void plain(const PackedWeights& weights, const std::int16_t* vectors, std::size_t stride, unsigned count,
           std::uint32_t* products) {
  const unsigned columns = weights.blocks() * kBlockColumns;
  for (unsigned b = 0; b < weights.blocks(); ++b) {
    for (unsigned v = 0; v < count; ++v) {
      std::uint32_t sums[kBlockColumns] = {};
      const std::uint32_t* pair = weights.block(b);
      for (unsigned p = 0; p < weights.pairs(); ++p, pair += kBlockColumns) {
        const std::int32_t even = vectors[v * stride + 2 * p], odd = vectors[v * stride + 2 * p + 1];
        for (unsigned c = 0; c < kBlockColumns; ++c)
          sums[c] += static_cast<std::uint32_t>(even * static_cast<std::int16_t>(pair[c]) +
                                                odd * static_cast<std::int16_t>(pair[c] >> 16));
      }
      std::copy_n(sums, kBlockColumns, products + std::size_t{v} * columns + std::size_t{b} * kBlockColumns);
    }
  }
}

#if defined(__x86_64__)

/// Two neighbouring elements of a vector as one 32-bit word.
inline std::int32_t element_pair(const std::int16_t* vector, unsigned pair) {
  std::int32_t word;
  std::memcpy(&word, vector + 2 * std::size_t{pair}, sizeof word);
  return word;
}

// The kernels keep the sums of several vectors in registers, so that a weight is loaded once for all of them, and a
// block of 16 columns stays in the first cache for all vectors of the call.

template <unsigned kVectors>
__attribute__((target("avx2"))) inline void avx2_block(const std::uint32_t* weights, unsigned pairs,
                                                       const std::int16_t* vectors, std::size_t stride,
                                                       std::uint32_t* products, std::size_t columns) {
  __m256i low[kVectors], high[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) low[v] = high[v] = _mm256_setzero_si256();
  for (unsigned p = 0; p < pairs; ++p) {
    const __m256i w_low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + p * kBlockColumns));
    const __m256i w_high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + p * kBlockColumns + 8));
#pragma GCC unroll 4
    for (unsigned v = 0; v < kVectors; ++v) {
      const __m256i x = _mm256_set1_epi32(element_pair(vectors + v * stride, p));
      low[v] = _mm256_add_epi32(low[v], _mm256_madd_epi16(x, w_low));
      high[v] = _mm256_add_epi32(high[v], _mm256_madd_epi16(x, w_high));
    }
  }
  for (unsigned v = 0; v < kVectors; ++v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(products + v * columns), low[v]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(products + v * columns + 8), high[v]);
  }
}

__attribute__((target("avx2"))) void avx2(const PackedWeights& weights, const std::int16_t* vectors, std::size_t stride,
                                          unsigned count, std::uint32_t* products) {
  const std::size_t columns = std::size_t{weights.blocks()} * kBlockColumns;
  for (unsigned b = 0; b < weights.blocks(); ++b) {
    std::uint32_t* out = products + std::size_t{b} * kBlockColumns;
    unsigned v = 0;
    for (; v + 4 <= count; v += 4)
      avx2_block<4>(weights.block(b), weights.pairs(), vectors + v * stride, stride, out + v * columns, columns);
    for (; v < count; ++v)
      avx2_block<1>(weights.block(b), weights.pairs(), vectors + v * stride, stride, out + v * columns, columns);
  }
}

#define VP_AVX512 __attribute__((target("avx512f,avx512bw,avx512vnni")))

template <unsigned kVectors>
VP_AVX512 inline void avx512_block(const std::uint32_t* weights, unsigned pairs, const std::int16_t* vectors,
                                   std::size_t stride, std::uint32_t* products, std::size_t columns) {
  __m512i sums[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) sums[v] = _mm512_setzero_si512();
  for (unsigned p = 0; p < pairs; ++p) {
    const __m512i w = _mm512_loadu_si512(weights + p * kBlockColumns);
#pragma GCC unroll 16
    for (unsigned v = 0; v < kVectors; ++v)
      sums[v] = _mm512_dpwssd_epi32(sums[v], _mm512_set1_epi32(element_pair(vectors + v * stride, p)), w);
  }
  for (unsigned v = 0; v < kVectors; ++v) _mm512_storeu_si512(products + v * columns, sums[v]);
}

VP_AVX512 void avx512(const PackedWeights& weights, const std::int16_t* vectors, std::size_t stride, unsigned count,
                      std::uint32_t* products) {
  const std::size_t columns = std::size_t{weights.blocks()} * kBlockColumns;
  for (unsigned b = 0; b < weights.blocks(); ++b) {
    std::uint32_t* out = products + std::size_t{b} * kBlockColumns;
    unsigned v = 0;
    for (; v + 8 <= count; v += 8)
      avx512_block<8>(weights.block(b), weights.pairs(), vectors + v * stride, stride, out + v * columns, columns);
    for (; v + 2 <= count; v += 2)
      avx512_block<2>(weights.block(b), weights.pairs(), vectors + v * stride, stride, out + v * columns, columns);
    for (; v < count; ++v)
      avx512_block<1>(weights.block(b), weights.pairs(), vectors + v * stride, stride, out + v * columns, columns);
  }
}

#undef VP_AVX512
#endif

std::vector<InnerProductVariant> usable_variants() {
  std::vector<InnerProductVariant> variants;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
    variants.push_back({"avx512vnni", avx512});
  if (__builtin_cpu_supports("avx2")) variants.push_back({"avx2", avx2});
#endif
  variants.push_back({"plain", plain});
  return variants;
}

}  // namespace

void PackedWeights::set_row(unsigned row, const std::uint8_t* weights, bool is_signed) {
  std::uint32_t* out = &words_[std::size_t{row} / 2 * kBlockColumns];
  const std::size_t step = std::size_t{pairs_} * kBlockColumns;
  for (unsigned b = 0; b < blocks_; ++b, out += step, weights += kBlockColumns) {
    std::uint16_t extended[kBlockColumns];
    for (unsigned c = 0; c < kBlockColumns; ++c)
      extended[c] = is_signed ? static_cast<std::uint16_t>(static_cast<std::int8_t>(weights[c])) : weights[c];
    if (row % 2 == 0) {
      for (unsigned c = 0; c < kBlockColumns; ++c) out[c] = (out[c] & ~kEvenRow) | extended[c];
    } else {
      for (unsigned c = 0; c < kBlockColumns; ++c) out[c] = (out[c] & kEvenRow) | std::uint32_t{extended[c]} << 16;
    }
  }
}

void PackedWeights::copy_rows(const PackedWeights& other, unsigned first, unsigned end) {
  if (first >= end) return;
  const auto merge = [&](unsigned pair, std::uint32_t mask) {
    for (unsigned b = 0; b < blocks_; ++b) {
      const std::size_t at = (std::size_t{b} * pairs_ + pair) * kBlockColumns;
      for (unsigned c = 0; c < kBlockColumns; ++c)
        words_[at + c] = (words_[at + c] & ~mask) | (other.words_[at + c] & mask);
    }
  };
  if (first % 2 == 1) merge(first / 2, ~kEvenRow);
  if (end % 2 == 1 && end > first) merge(end / 2, kEvenRow);
  const unsigned first_pair = (first + 1) / 2, end_pair = end / 2;
  if (first_pair >= end_pair) return;
  for (unsigned b = 0; b < blocks_; ++b) {
    const std::size_t at = (std::size_t{b} * pairs_ + first_pair) * kBlockColumns;
    std::copy_n(&other.words_[at], std::size_t{end_pair - first_pair} * kBlockColumns, &words_[at]);
  }
}

void PackedWeights::clear() { std::fill(words_.begin(), words_.end(), 0); }

const std::vector<InnerProductVariant>& inner_product_variants() {
  static const std::vector<InnerProductVariant> variants = usable_variants();
  return variants;
}

}  // namespace vp::tinytpu
