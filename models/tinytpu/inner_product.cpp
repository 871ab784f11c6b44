#include "models/tinytpu/inner_product.h"

#include <algorithm>

#include "models/tinytpu/inner_product_x86.h"

namespace vp::tinytpu {
namespace {

std::int32_t value(std::uint32_t byte, bool is_signed) {
  return is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte & 0xFF);
}

/// The weights of a block, a row of 16 bits after the other.
struct WideBlock {
  std::int16_t rows[kMostColumns][kBlockColumns];

  WideBlock(const InnerProductTask& task, unsigned block) {
    const std::uint32_t* quads = task.weights.block(block);
    for (unsigned row = 0; row < task.elements(); ++row)
      for (unsigned c = 0; c < kBlockColumns; ++c)
        rows[row][c] = static_cast<std::int16_t>(
            value(quads[row / kQuadRows * kBlockColumns + c] >> row % kQuadRows * 8, task.weights_signed));
  }
};

void plain(const InnerProductTask& task) {
  for (unsigned b = 0; b < task.weights.blocks(); ++b) {
    const WideBlock weights(task, b);
    for (unsigned v = 0; v < task.count; ++v) {
      const std::uint8_t* vector = task.vectors + std::size_t{v} * task.elements();
      std::uint32_t* out = task.sums + v * task.sum_stride + b * kBlockColumns;
      std::uint32_t sums[kBlockColumns] = {};
      if (task.accumulate) std::copy_n(out, kBlockColumns, sums);
      for (unsigned row = 0; row < task.elements(); ++row) {
        const auto x = static_cast<std::int16_t>(value(vector[row], task.data_signed));
        for (unsigned c = 0; c < kBlockColumns; ++c) sums[c] += static_cast<std::uint32_t>(x * weights.rows[row][c]);
      }
      std::copy_n(sums, kBlockColumns, out);
    }
  }
}

/// Rows of both kinds: the sum of the products with each kind, the elements for the other one being zero.
void multiply_mixed(InnerProduct function, InnerProductTask task) {
  const std::size_t elements = std::size_t{task.count} * task.elements();
  const std::uint8_t* all = task.vectors;
  std::vector<std::uint8_t> some(elements);
  task.vectors = some.data();
  for (const PackedWeights::Signs sign : {PackedWeights::Signs::all_signed, PackedWeights::Signs::all_unsigned}) {
    for (std::size_t i = 0; i < elements; ++i) {
      const unsigned row = static_cast<unsigned>(i % task.elements());
      some[i] = row < task.weights.rows() && task.weights.signs(row) == sign ? all[i] : 0;
    }
    task.weights_signed = sign == PackedWeights::Signs::all_signed;
    function(task);
    task.accumulate = true;
  }
}

std::vector<InnerProductVariant> usable_variants() {
  std::vector<InnerProductVariant> variants = x86_inner_products();
  variants.push_back({"plain", plain, 0});
  return variants;
}

}  // namespace

const std::vector<InnerProductVariant>& inner_product_variants() {
  static const std::vector<InnerProductVariant> variants = usable_variants();
  return variants;
}

const InnerProductVariant& fastest_inner_product(unsigned width) {
  const std::vector<InnerProductVariant>& variants = inner_product_variants();
  return *std::find_if(variants.begin(), variants.end(),
                       [&](const InnerProductVariant& variant) { return variant.narrowest <= width; });
}

void multiply(InnerProduct function, const PackedWeights& weights, const Vectors& vectors, const Sums& sums) {
  const PackedWeights::Signs signs = weights.signs();
  const unsigned most = most_vectors(weights.quads() * kQuadRows);
  const bool weights_signed = signs == PackedWeights::Signs::all_signed;
  InnerProductTask task{weights, weights_signed, vectors.bytes, vectors.is_signed,
                        0,       sums.words,     sums.stride,   sums.accumulate};
  for (unsigned left = vectors.count; left > 0; left -= task.count) {
    task.count = std::min(left, most);
    signs == PackedWeights::Signs::mixed ? multiply_mixed(function, task) : function(task);
    task.vectors += std::size_t{task.count} * task.elements();
    task.sums += task.count * task.sum_stride;
  }
}

}  // namespace vp::tinytpu
