#include "models/tensil/dot_product.h"

#include <algorithm>

#include "models/common/host_lanes.h"
#include "models/tensil/vector_memory.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vp::tensil {
namespace {

bool takes_all(const FixedPoint&) { return true; }

/// One step for 16 lanes. An input of zero leaves every lane as it is, so the caller may pass over it.
template <typename Wide>
inline void plain_step(const FixedPoint& format, Wide x, const std::int32_t* weights, std::int32_t* lanes) {
  const Wide half = (Wide{1} << (format.point - 1)) - 1, low = format.minimum(), high = format.maximum();
  for (unsigned i = 0; i < kLaneBlock; ++i) {
    const Wide exact = x * weights[i] + lanes[i] * (Wide{1} << format.point);
    const Wide rounded = (exact + half + (exact >> format.point & 1)) >> format.point;
    lanes[i] = static_cast<std::int32_t>(std::min(std::max(rounded, low), high));
  }
}

template <typename Wide>
void plain_as(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
              std::int32_t* results) {
  for (unsigned v = 0; v < count; ++v, vectors += array.inputs, results += array.lanes) {
    for (unsigned block = 0; block < array.lanes; block += kLaneBlock) {
      std::int32_t lanes[kLaneBlock];
      std::copy_n(array.rows[0] + block, kLaneBlock, lanes);
      for (unsigned j = 0; j < array.inputs; ++j)
        if (vectors[j] != 0) plain_step<Wide>(format, vectors[j], array.rows[1 + j] + block, lanes);
      std::copy_n(lanes, kLaneBlock, results + block);
    }
  }
}

void plain(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
           std::int32_t* results) {
  if (format.width <= 16)
    plain_as<std::int32_t>(format, array, vectors, count, results);
  else
    plain_as<std::int64_t>(format, array, vectors, count, results);
}

#if defined(__x86_64__)
/// Scalars of up to 16 bits: a step's exact result fits 32 bits.
bool takes_narrow(const FixedPoint& format) { return format.width <= 16 && (format.point == 8 || format.point == 4); }

// A 32-bit lane holds the weight in its lower half and the running sum in its upper one, and the input stands
// beside 1.0 likewise: one multiply-and-add of pairs gives x·w + sum·1.0 exactly. The sums of several vectors stay in
// registers, so that their steps overlap and a weight is loaded once for all of them.

#define VP_AVX512 __attribute__((target("avx512f,avx512bw")))

// Operators on the compiler's own vector types: the intrinsics for shifts and minima are not free of its warnings.
typedef std::int32_t Lanes16 __attribute__((vector_size(64)));
typedef std::int32_t Lanes8 __attribute__((vector_size(32)));

template <unsigned kPoint, unsigned kVectors>
VP_AVX512 inline void avx512_block(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                                   unsigned block, std::int32_t* results) {
  const std::int32_t low = format.minimum(), high = format.maximum();
  const Lanes16 least = Lanes16{} + low, most = Lanes16{} + high;
  Lanes16 sums[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) sums[v] = (Lanes16)_mm512_loadu_si512(array.rows[0] + block);
  for (unsigned j = 0; j < array.inputs; ++j) {
    const Lanes16 weights = (Lanes16)_mm512_loadu_si512(array.rows[1 + j] + block) & 0xFFFF;
#pragma GCC unroll 8
    for (unsigned v = 0; v < kVectors; ++v) {
      const std::int32_t x = (vectors[v * array.inputs + j] & 0xFFFF) | 1 << (16 + kPoint);
      const Lanes16 exact = (Lanes16)_mm512_madd_epi16((__m512i)(sums[v] << 16 | weights), (__m512i)(Lanes16{} + x));
      const Lanes16 rounded = (exact + ((1 << (kPoint - 1)) - 1) + (exact >> kPoint & 1)) >> kPoint;
      const Lanes16 floored = rounded > least ? rounded : least;
      sums[v] = floored < most ? floored : most;
    }
  }
  for (unsigned v = 0; v < kVectors; ++v) _mm512_storeu_si512(results + v * array.lanes + block, (__m512i)sums[v]);
}

template <unsigned kPoint>
VP_AVX512 void avx512_point(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                            unsigned count, std::int32_t* results) {
  for (unsigned block = 0; block < array.lanes; block += 16) {
    unsigned v = 0;
    for (; v + 8 <= count; v += 8)
      avx512_block<kPoint, 8>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
    for (; v + 2 <= count; v += 2)
      avx512_block<kPoint, 2>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
    for (; v < count; ++v)
      avx512_block<kPoint, 1>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
  }
}

void avx512(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
            std::int32_t* results) {
  (format.point == 8 ? avx512_point<8> : avx512_point<4>)(format, array, vectors, count, results);
}

// Wider scalars take 64-bit lanes, which AVX2 can neither shift with their sign nor limit.

bool takes_wide(const FixedPoint& format) { return format.width > 16 && (format.point == 16 || format.point == 10); }

typedef std::int64_t WideLanes8 __attribute__((vector_size(64)));

VP_AVX512 inline WideLanes8 widened(const std::int32_t* lanes) {
  return __builtin_convertvector((Lanes8)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes)), WideLanes8);
}

template <unsigned kPoint, unsigned kVectors>
VP_AVX512 inline void avx512_wide_block(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                                        unsigned block, std::int32_t* results) {
  const std::int64_t low = format.minimum(), high = format.maximum();
  const WideLanes8 least = WideLanes8{} + low, most = WideLanes8{} + high;
  WideLanes8 sums[kVectors];
  for (unsigned v = 0; v < kVectors; ++v) sums[v] = widened(array.rows[0] + block);
  for (unsigned j = 0; j < array.inputs; ++j) {
    const __m512i weights = (__m512i)widened(array.rows[1 + j] + block);
#pragma GCC unroll 8
    for (unsigned v = 0; v < kVectors; ++v) {
      const WideLanes8 x = WideLanes8{} + vectors[v * array.inputs + j];
      const WideLanes8 exact = (WideLanes8)_mm512_maskz_mul_epi32(0xFF, (__m512i)x, weights) + (sums[v] << kPoint);
      const WideLanes8 rounded = (exact + ((1 << (kPoint - 1)) - 1) + (exact >> kPoint & 1)) >> kPoint;
      const WideLanes8 floored = rounded > least ? rounded : least;
      sums[v] = floored < most ? floored : most;
    }
  }
  for (unsigned v = 0; v < kVectors; ++v)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(results + v * array.lanes + block),
                        (__m256i) __builtin_convertvector(sums[v], Lanes8));
}

template <unsigned kPoint>
VP_AVX512 void avx512_wide_point(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                                 unsigned count, std::int32_t* results) {
  for (unsigned block = 0; block < array.lanes; block += 8) {
    unsigned v = 0;
    for (; v + 8 <= count; v += 8)
      avx512_wide_block<kPoint, 8>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
    for (; v + 2 <= count; v += 2)
      avx512_wide_block<kPoint, 2>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
    for (; v < count; ++v)
      avx512_wide_block<kPoint, 1>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
  }
}

void avx512_wide(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
                 std::int32_t* results) {
  (format.point == 16 ? avx512_wide_point<16> : avx512_wide_point<10>)(format, array, vectors, count, results);
}

#undef VP_AVX512
#define VP_AVX2 __attribute__((target("avx2")))

template <unsigned kPoint, unsigned kVectors>
VP_AVX2 inline void avx2_block(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                               unsigned block, std::int32_t* results) {
  const std::int32_t low = format.minimum(), high = format.maximum();
  const Lanes8 least = Lanes8{} + low, most = Lanes8{} + high;
  Lanes8 sums[kVectors];
  for (unsigned v = 0; v < kVectors; ++v)
    sums[v] = (Lanes8)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(array.rows[0] + block));
  for (unsigned j = 0; j < array.inputs; ++j) {
    const Lanes8 weights =
        (Lanes8)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(array.rows[1 + j] + block)) & 0xFFFF;
#pragma GCC unroll 4
    for (unsigned v = 0; v < kVectors; ++v) {
      const std::int32_t x = (vectors[v * array.inputs + j] & 0xFFFF) | 1 << (16 + kPoint);
      const Lanes8 exact = (Lanes8)_mm256_madd_epi16((__m256i)(sums[v] << 16 | weights), (__m256i)(Lanes8{} + x));
      const Lanes8 rounded = (exact + ((1 << (kPoint - 1)) - 1) + (exact >> kPoint & 1)) >> kPoint;
      const Lanes8 floored = rounded > least ? rounded : least;
      sums[v] = floored < most ? floored : most;
    }
  }
  for (unsigned v = 0; v < kVectors; ++v)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(results + v * array.lanes + block), (__m256i)sums[v]);
}

template <unsigned kPoint>
VP_AVX2 void avx2_point(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
                        std::int32_t* results) {
  for (unsigned block = 0; block < array.lanes; block += 8) {
    unsigned v = 0;
    for (; v + 4 <= count; v += 4)
      avx2_block<kPoint, 4>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
    for (; v < count; ++v)
      avx2_block<kPoint, 1>(format, array, vectors + v * array.inputs, block, results + v * array.lanes);
  }
}

void avx2(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors, unsigned count,
          std::int32_t* results) {
  (format.point == 8 ? avx2_point<8> : avx2_point<4>)(format, array, vectors, count, results);
}

#undef VP_AVX2
#endif

std::vector<DotProductVariant> usable_variants() {
  std::vector<DotProductVariant> variants;
#if defined(__x86_64__)
  if (may_use(HostLanes::avx512) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    variants.push_back({"avx512", takes_narrow, avx512});
    variants.push_back({"avx512wide", takes_wide, avx512_wide});
  }
  if (may_use(HostLanes::avx2) && __builtin_cpu_supports("avx2")) variants.push_back({"avx2", takes_narrow, avx2});
#endif
  variants.push_back({"plain", takes_all, plain});
  return variants;
}

}  // namespace

const std::vector<DotProductVariant>& dot_product_variants() {
  static const std::vector<DotProductVariant> variants = usable_variants();
  return variants;
}

const DotProductVariant& fastest_dot_product(const FixedPoint& format) {
  const auto& all = dot_product_variants();
  return *std::find_if(all.begin(), all.end(), [&](const DotProductVariant& one) { return one.takes(format); });
}

}  // namespace vp::tensil
