#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/tinytpu/packed_weights.h"

namespace vp::tinytpu {

/// What an inner product is computed of: sums[v][c] = sum over rows of vectors[v][row] × weight[row][c], modulo 2^32,
/// added to what is there or in its place.
struct InnerProductTask {
  const PackedWeights& weights;
  bool weights_signed;          ///< how their bytes are meant
  const std::uint8_t* vectors;  ///< `count` rows of padded_elements(N) bytes
  bool data_signed;             ///< how the vectors' bytes are meant
  unsigned count;               ///< 1 to most_vectors()
  std::uint32_t* sums;          ///< `count` rows of padded_columns(N) words
  std::size_t sum_stride;       ///< words from row to row
  bool accumulate;              ///< add to them

  unsigned elements() const { return weights.quads() * kQuadRows; }
};
/// What a task's vectors take at most, in bytes: they are gone through for each block of columns, and stay in the first
/// cache beside it.
inline constexpr unsigned kTaskBytes = 16384;
constexpr unsigned most_vectors(unsigned elements) { return kTaskBytes / elements; }

using InnerProduct = void (*)(const InnerProductTask& task);

/// One way of computing it, all with equal results.
struct InnerProductVariant {
  const char* name;
  InnerProduct function;
  unsigned narrowest;  ///< array for which it is the fastest of those that can be used
};

/// Those that this processor can run, fastest for wide arrays first; the last is plain C++.
const std::vector<InnerProductVariant>& inner_product_variants();
/// The fastest of them for an array of this width.
const InnerProductVariant& fastest_inner_product(unsigned width);

struct Vectors {
  const std::uint8_t* bytes;  ///< `count` rows of padded_elements(N)
  bool is_signed;
  unsigned count;
};
struct Sums {
  std::uint32_t* words;  ///< a row of padded_columns(N) for each vector
  std::size_t stride;    ///< words from row to row
  bool accumulate;       ///< add to them
};
/// For any number of vectors, and whatever the weights' rows are, signed and unsigned ones in one tile included.
void multiply(InnerProduct function, const PackedWeights& weights, const Vectors& vectors, const Sums& sums);

}  // namespace vp::tinytpu
