#include "models/tinytpu/inner_product_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "models/common/host_lanes.h"
#endif

namespace vp::tinytpu {

#if defined(__x86_64__)
namespace {

/// Four neighbouring elements of a vector.
inline std::uint32_t element_quad(const std::uint8_t* vector, unsigned quad) {
  std::uint32_t word;
  std::memcpy(&word, vector + std::size_t{quad} * kQuadRows, sizeof word);
  return word;
}

/// Calls `function` with the signedness of data and weights as constants.
template <template <bool, bool> class Function>
void dispatch(const InnerProductTask& task) {
  if (task.data_signed)
    task.weights_signed ? Function<true, true>::run(task) : Function<true, false>::run(task);
  else
    task.weights_signed ? Function<false, true>::run(task) : Function<false, false>::run(task);
}

// The kernels keep the sums of several vectors in registers, so that a weight is loaded once for all of them, and a
// block of 16 columns stays in the first cache for all vectors of the call.

// ---- AVX2: bytes are widened to pairs of 16 bits, rows 0 and 2 of four, and rows 1 and 3

#define VP_AVX2 __attribute__((target("avx2")))

constexpr unsigned kAvx2Vectors = 6;

template <bool kSigned>
VP_AVX2 inline __m256i rows_0_and_2(__m256i quads) {
  return kSigned ? _mm256_srai_epi16(_mm256_slli_epi16(quads, 8), 8) : _mm256_and_si256(quads, _mm256_set1_epi16(0xFF));
}

template <bool kSigned>
VP_AVX2 inline __m256i rows_1_and_3(__m256i quads) {
  return kSigned ? _mm256_srai_epi16(quads, 8) : _mm256_srli_epi16(quads, 8);
}

/// The same two pairs of some vectors, a word each.
struct WideVectors {
  std::uint32_t words[kAvx2Vectors][2][kMostColumns / kQuadRows];

  template <bool kSigned>
  VP_AVX2 void load(const InnerProductTask& task, unsigned first, unsigned count) {
    for (unsigned v = 0; v < count; ++v) {
      const std::uint8_t* vector = task.vectors + std::size_t{first + v} * task.elements();
      for (unsigned q = 0; q < task.weights.quads(); q += 4) {
        const __m128i quads = _mm_loadu_si128(reinterpret_cast<const __m128i*>(vector + std::size_t{q} * kQuadRows));
        store(words[v][0] + q, rows_0_and_2<kSigned>(_mm256_castsi128_si256(quads)));
        store(words[v][1] + q, rows_1_and_3<kSigned>(_mm256_castsi128_si256(quads)));
      }
    }
  }

 private:
  VP_AVX2 static void store(std::uint32_t* out, __m256i pairs) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(pairs));
  }
};

template <bool kWeightsSigned, unsigned kVectors>
VP_AVX2 inline void avx2_block(const InnerProductTask& task, const WideVectors& data, unsigned block, unsigned first) {
  for (unsigned half = 0; half < kBlockColumns; half += 8) {
    const std::uint32_t* weights = task.weights.block(block) + half;
    __m256i sums[kVectors];
    for (unsigned v = 0; v < kVectors; ++v) sums[v] = _mm256_setzero_si256();
    for (unsigned q = 0; q < task.weights.quads(); ++q) {
      const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + q * kBlockColumns));
      const __m256i even = rows_0_and_2<kWeightsSigned>(w), odd = rows_1_and_3<kWeightsSigned>(w);
#pragma GCC unroll 8
      for (unsigned v = 0; v < kVectors; ++v) {
        const auto product = [&](unsigned which, __m256i rows) VP_AVX2 {
          return _mm256_madd_epi16(_mm256_set1_epi32(static_cast<int>(data.words[v][which][q])), rows);
        };
        sums[v] = _mm256_add_epi32(sums[v], _mm256_add_epi32(product(0, even), product(1, odd)));
      }
    }
    std::uint32_t* out = task.sums + first * task.sum_stride + block * kBlockColumns + half;
    for (unsigned v = 0; v < kVectors; ++v) {
      auto* at = reinterpret_cast<__m256i*>(out + v * task.sum_stride);
      if (task.accumulate) sums[v] = _mm256_add_epi32(sums[v], _mm256_loadu_si256(at));
      _mm256_storeu_si256(at, sums[v]);
    }
  }
}

template <bool kDataSigned, bool kWeightsSigned>
struct Avx2 {
  template <unsigned kVectors>
  VP_AVX2 static void group(const InnerProductTask& task, unsigned first) {
    WideVectors data;
    data.load<kDataSigned>(task, first, kVectors);
    for (unsigned b = 0; b < task.weights.blocks(); ++b) avx2_block<kWeightsSigned, kVectors>(task, data, b, first);
  }
  VP_AVX2 static void run(const InnerProductTask& task) {
    unsigned v = 0;
    for (; v + kAvx2Vectors <= task.count; v += kAvx2Vectors) group<kAvx2Vectors>(task, v);
    for (; v + 2 <= task.count; v += 2) group<2>(task, v);
    for (; v < task.count; ++v) group<1>(task, v);
  }
};

// ---- AVX-512 VNNI: unsigned by signed bytes, four at a time. Where both are of one kind, the data are moved by 128,
// which the sum of the weights makes good.

#define VP_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

template <bool kDataSigned, bool kWeightsSigned>
VP_VNNI inline __m512i add_products(__m512i sums, __m512i data, __m512i weights) {
  return kWeightsSigned ? _mm512_dpbusd_epi32(sums, data, weights) : _mm512_dpbusd_epi32(sums, weights, data);
}

/// What the sums begin with.
template <bool kDataSigned, bool kWeightsSigned>
VP_VNNI inline __m512i correction(const std::uint32_t* weights, unsigned quads) {
  __m512i sums = _mm512_setzero_si512();
  if (kDataSigned != kWeightsSigned) return sums;
  // 128 is no signed byte: 64 is added twice.
  const __m512i factor = _mm512_set1_epi8(kWeightsSigned ? -128 : 64);
  for (unsigned q = 0; q < quads; ++q)
    sums = add_products<kDataSigned, kWeightsSigned>(sums, factor, _mm512_loadu_si512(weights + q * kBlockColumns));
  return kWeightsSigned ? _mm512_sub_epi32(_mm512_setzero_si512(), sums) : _mm512_add_epi32(sums, sums);
}

/// The vectors of a task as the instruction takes them: of unsigned or signed bytes where the weights are of the other
/// kind.
template <bool kMoved>
class VnniData {
 public:
  VP_VNNI explicit VnniData(const InnerProductTask& task) : bytes_(task.vectors) {
    if (!kMoved) return;
    // A multiple of 16 bytes.
    const __m128i high_bits = _mm_set1_epi8(-128);
    const unsigned size = task.count * task.elements();
    for (unsigned at = 0; at < size; at += 16) {
      const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(task.vectors + at));
      _mm_store_si128(reinterpret_cast<__m128i*>(moved_ + at), _mm_xor_si128(some, high_bits));
    }
    bytes_ = moved_;
  }
  const std::uint8_t* bytes() const { return bytes_; }

 private:
  const std::uint8_t* bytes_;
  alignas(64) std::uint8_t moved_[kMoved ? kTaskBytes : 1];
};

/// Some vectors by one or two blocks of columns. `data`: of the first vector. `begin`: of each block.
template <bool kDataSigned, bool kWeightsSigned, unsigned kVectors, unsigned kBlocks>
VP_VNNI inline void vnni_block(const InnerProductTask& task, const std::uint8_t* data, unsigned block, unsigned first,
                               const __m512i* begin) {
  const std::size_t stride = task.sum_stride, elements = task.elements();
  const std::uint32_t* weights[kBlocks];
  __m512i sums[kBlocks][kVectors];
  for (unsigned b = 0; b < kBlocks; ++b) {
    weights[b] = task.weights.block(block + b);
    for (unsigned v = 0; v < kVectors; ++v) sums[b][v] = begin[b];
  }
  for (unsigned q = 0; q < task.weights.quads(); ++q) {
    __m512i w[kBlocks];
    for (unsigned b = 0; b < kBlocks; ++b) w[b] = _mm512_loadu_si512(weights[b] + q * kBlockColumns);
#pragma GCC unroll 16
    for (unsigned v = 0; v < kVectors; ++v) {
      const __m512i x = _mm512_set1_epi32(static_cast<int>(element_quad(data + v * elements, q)));
#pragma GCC unroll 2
      for (unsigned b = 0; b < kBlocks; ++b)
        sums[b][v] = add_products<kDataSigned, kWeightsSigned>(sums[b][v], x, w[b]);
    }
  }
  for (unsigned b = 0; b < kBlocks; ++b) {
    std::uint32_t* out = task.sums + first * stride + std::size_t{block + b} * kBlockColumns;
    for (unsigned v = 0; v < kVectors; ++v, out += stride) {
      if (task.accumulate) sums[b][v] = _mm512_add_epi32(sums[b][v], _mm512_loadu_si512(out));
      _mm512_storeu_si512(out, sums[b][v]);
    }
  }
}

template <bool kDataSigned, bool kWeightsSigned>
struct Vnni {
  template <unsigned kBlocks>
  VP_VNNI static void blocks(const InnerProductTask& task, const std::uint8_t* data, unsigned block) {
    constexpr unsigned kMost = kBlocks == 1 ? 14 : 12;
    const std::size_t elements = task.elements();
    __m512i begin[kBlocks];
    for (unsigned b = 0; b < kBlocks; ++b)
      begin[b] = correction<kDataSigned, kWeightsSigned>(task.weights.block(block + b), task.weights.quads());
    unsigned v = 0;
    for (; v + kMost <= task.count; v += kMost)
      vnni_block<kDataSigned, kWeightsSigned, kMost, kBlocks>(task, data + v * elements, block, v, begin);
    for (; v + 4 <= task.count; v += 4)
      vnni_block<kDataSigned, kWeightsSigned, 4, kBlocks>(task, data + v * elements, block, v, begin);
    for (; v < task.count; ++v)
      vnni_block<kDataSigned, kWeightsSigned, 1, kBlocks>(task, data + v * elements, block, v, begin);
  }
  VP_VNNI static void run(const InnerProductTask& task) {
    const VnniData<kDataSigned == kWeightsSigned> data(task);
    unsigned b = 0;
    for (; b + 2 <= task.weights.blocks(); b += 2) blocks<2>(task, data.bytes(), b);
    if (b < task.weights.blocks()) blocks<1>(task, data.bytes(), b);
  }
};

// ---- AMX: tiles of 16 vectors by 64 elements, 64 elements by 16 columns, 16 vectors by 16 columns

#define VP_AMX __attribute__((target("amx-tile,amx-int8")))

constexpr unsigned kTileVectors = 16;

/// What the eight tiles hold: sums 0 to 3 (two groups of vectors by two blocks of columns), data 4 and 5, weights 6 and
/// 7. The layout is that of the LDTILECFG instruction.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes_per_row[16] = {};
  std::uint8_t rows[16] = {};

  TileConfig(unsigned vectors, unsigned step_quads) {
    const auto set = [this](unsigned tile, unsigned tile_rows, unsigned bytes) {
      rows[tile] = static_cast<std::uint8_t>(tile_rows);
      bytes_per_row[tile] = static_cast<std::uint16_t>(tile_rows > 0 ? bytes : 0);
    };
    const unsigned first = std::min(vectors, kTileVectors), second = vectors - first;
    for (unsigned block = 0; block < 2; ++block) {
      set(block, first, 64);
      set(2 + block, second, 64);
      set(6 + block, step_quads, 64);
    }
    set(4, first, step_quads * kQuadRows);
    set(5, second, step_quads * kQuadRows);
  }
};

// A tile's number is part of the instruction's name.
#define VP_TILE_PRODUCT(sums, data, weights)     \
  do {                                           \
    if constexpr (kDataSigned && kWeightsSigned) \
      _tile_dpbssd(sums, data, weights);         \
    else if constexpr (kDataSigned)              \
      _tile_dpbsud(sums, data, weights);         \
    else if constexpr (kWeightsSigned)           \
      _tile_dpbusd(sums, data, weights);         \
    else                                         \
      _tile_dpbuud(sums, data, weights);         \
  } while (false)

/// Up to 32 vectors from `first` by one or two blocks of columns from `block`.
template <bool kDataSigned, bool kWeightsSigned>
VP_AMX inline void amx_tiles(const InnerProductTask& task, unsigned first, bool second_group, unsigned block,
                             bool second_block) {
  const std::size_t stride = task.elements(), row_bytes = task.sum_stride * sizeof(std::uint32_t);
  const unsigned steps = (task.elements() + kStepRows - 1) / kStepRows;
  const std::uint8_t* data = task.vectors + first * stride;
  std::uint32_t* sums = task.sums + first * task.sum_stride + std::size_t{block} * kBlockColumns;
  std::uint32_t* below = sums + kTileVectors * task.sum_stride;
  if (task.accumulate) {
    _tile_loadd(0, sums, row_bytes);
    if (second_block) _tile_loadd(1, sums + kBlockColumns, row_bytes);
    if (second_group) _tile_loadd(2, below, row_bytes);
    if (second_group && second_block) _tile_loadd(3, below + kBlockColumns, row_bytes);
  } else {
    _tile_zero(0);
    if (second_block) _tile_zero(1);
    if (second_group) _tile_zero(2);
    if (second_group && second_block) _tile_zero(3);
  }
  for (unsigned step = 0; step < steps; ++step) {
    const std::size_t at = std::size_t{step} * (kStepRows / kQuadRows) * kBlockColumns;
    _tile_loadd(4, data + std::size_t{step} * kStepRows, stride);
    _tile_loadd(6, task.weights.block(block) + at, 64);
    VP_TILE_PRODUCT(0, 4, 6);
    if (second_block) {
      _tile_loadd(7, task.weights.block(block + 1) + at, 64);
      VP_TILE_PRODUCT(1, 4, 7);
    }
    if (!second_group) continue;
    _tile_loadd(5, data + kTileVectors * stride + std::size_t{step} * kStepRows, stride);
    VP_TILE_PRODUCT(2, 5, 6);
    if (second_block) VP_TILE_PRODUCT(3, 5, 7);
  }
  _tile_stored(0, sums, row_bytes);
  if (second_block) _tile_stored(1, sums + kBlockColumns, row_bytes);
  if (second_group) _tile_stored(2, below, row_bytes);
  if (second_group && second_block) _tile_stored(3, below + kBlockColumns, row_bytes);
}

template <bool kDataSigned, bool kWeightsSigned>
struct Amx {
  /// Two blocks of weights stay in the first cache for all groups of as many vectors.
  VP_AMX static void groups(const InnerProductTask& task, unsigned first, unsigned end, unsigned vectors) {
    const unsigned step_quads = std::min(task.weights.quads(), kStepRows / kQuadRows);
    const TileConfig config(vectors, step_quads);
    asm volatile("" : : "r"(&config) : "memory");  // the intrinsic reads more than it tells the compiler
    _tile_loadconfig(&config);
    for (unsigned b = 0; b < task.weights.blocks(); b += 2)
      for (unsigned v = first; v < end; v += vectors)
        amx_tiles<kDataSigned, kWeightsSigned>(task, v, vectors > kTileVectors, b, b + 1 < task.weights.blocks());
  }
  VP_AMX static void run(const InnerProductTask& task) {
    const unsigned whole = task.count / (2 * kTileVectors) * (2 * kTileVectors);
    if (whole > 0) groups(task, 0, whole, 2 * kTileVectors);
    if (whole < task.count) groups(task, whole, task.count, task.count - whole);
    _tile_release();
    asm volatile("" : : "r"(task.sums) : "memory");
  }
};

#undef VP_TILE_PRODUCT

/// The kernel keeps the tiles' registers for those who ask (Linux, Documentation/arch/x86/xstate.rst).
bool may_use_tiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return __builtin_cpu_supports("amx-int8") && syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_vnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vnni");
}

}  // namespace

std::vector<InnerProductVariant> x86_inner_products() {
  std::vector<InnerProductVariant> variants;
  if (may_use(HostLanes::amx) && may_use_tiles()) variants.push_back({"amx", dispatch<Amx>, 33});
  if (may_use(HostLanes::avx512) && has_vnni()) variants.push_back({"avx512vnni", dispatch<Vnni>, 0});
  if (may_use(HostLanes::avx2) && __builtin_cpu_supports("avx2")) variants.push_back({"avx2", dispatch<Avx2>, 0});
  return variants;
}

#else

std::vector<InnerProductVariant> x86_inner_products() { return {}; }

#endif

}  // namespace vp::tinytpu
