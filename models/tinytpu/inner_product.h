#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/tinytpu/packed_weights.h"

namespace vp::tinytpu {

/// What an inner product is computed of: products[v][c] = sum over rows of vectors[v][row] × weight[row][c], modulo
/// 2^32.
struct InnerProductTask {
  const PackedWeights& weights;
  bool weights_signed;          ///< how their bytes are meant
  const std::uint8_t* vectors;  ///< `count` rows of padded_elements(N) bytes
  bool data_signed;             ///< how the vectors' bytes are meant
  unsigned count;
  std::uint32_t* products;  ///< `count` rows of padded_columns(N) words

  unsigned columns() const { return weights.blocks() * kBlockColumns; }
  unsigned elements() const { return weights.quads() * kQuadRows; }
};
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

/// The products whatever the weights' rows are, signed and unsigned ones in one tile included.
void multiply(InnerProduct function, const PackedWeights& weights, const std::uint8_t* vectors, bool data_signed,
              unsigned count, std::uint32_t* products);

}  // namespace vp::tinytpu
